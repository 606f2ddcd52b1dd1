// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "render/queries/summed_query.h"
#include "render/recorder/recorder.h"

namespace kobalt::render {

/// All queries of one Vulkan type and vertex stream that count in a recorder. Vulkan allows only
/// one active query per type and stream (VUID-vkCmdBeginQuery-queryPool-01922), GL allows more:
/// these share intervals, which are cut wherever one of the queries begins or ends.
class QueryStream final : public PassQuery {
public:
    QueryStream(Recorder& recorder, VkQueryType type, uint32_t stream, bool wanted, bool capturing)
        : recorder_(recorder), type_(type), stream_(stream), wanted_(wanted),
          capturing_(capturing) {}
    void pass_begin(VkCommandBuffer commands, Counted counted) override;
    void pass_end(VkCommandBuffer commands) override;
    bool forbids_discard() const override;
    bool counts_dispatches() const override;

    void add(SummedQuery& query);
    void remove(SummedQuery& query);
    /// Sets whether what is drawn from now on counts, and is captured.
    void want(bool wanted, bool capturing);

private:
    /// Registers or removes itself with the recorder.
    void update();
    void detach();
    /// The statistics that the active queries ask for and that work of this kind can have.
    VkQueryPipelineStatisticFlags statistics(Counted counted) const;
    bool take_slots(uint32_t count, VkQueryPipelineStatisticFlags statistics);
    /// Whether the commands with a stream's index are needed.
    bool indexed() const;
    /// Whether the queries count captured primitives while nothing is captured.
    bool idle() const;

    Recorder& recorder_;
    VkQueryType type_;
    uint32_t stream_;
    std::vector<SummedQuery*> active_;
    Ref<QueryBlock> block_;
    uint32_t open_index_ = 0;
    bool open_ = false;       ///< a Vulkan query is active
    bool registered_ = false; ///< the recorder calls this
    bool wanted_;
    bool capturing_;
};

/// The queries that count in a recorder. The recorder calls this until its own end, so this
/// outlives the recorder.
class QueryStreams {
public:
    explicit QueryStreams(Recorder& recorder) : recorder_(recorder) {}
    QueryStreams(const QueryStreams&) = delete;
    QueryStreams& operator=(const QueryStreams&) = delete;

    /// From now on `query` counts what is drawn, from 0. It has to end before it is destroyed.
    void begin(SummedQuery& query, const QuerySource& source);
    /// Ends `query`, if it has not ended.
    void end(SummedQuery& query);
    /// Sets whether queries count from now on: they don't count what a driver draws for itself.
    void set_enabled(bool enabled);
    /// Sets whether only queries of samples that pass count from now on. Returns the old value.
    bool count_samples_only(bool only);
    /// Sets whether transform feedback captures what is drawn from now on.
    void set_capturing(bool capturing);

private:
    bool wants(VkQueryType type) const;
    void update_all();

    Recorder& recorder_;
    std::map<std::pair<VkQueryType, uint32_t>, QueryStream> streams_;
    bool enabled_ = true;
    bool samples_only_ = false;
    bool capturing_ = false;
};

} // namespace kobalt::render
