// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "render/queries/query_slot.h"
#include "render/resources/resource.h"

namespace kobalt::render {

/// Which Vulkan queries count for a query.
struct QuerySource {
    VkQueryType type = VK_QUERY_TYPE_MAX_ENUM; ///< MAX_ENUM: the device has none; nothing counts
    uint32_t first_stream = 0;                 ///< vertex streams
    uint32_t stream_count = 1;
    VkQueryPipelineStatisticFlags statistics = 0; ///< VK_QUERY_TYPE_PIPELINE_STATISTICS only
    /// VK_QUERY_TYPE_OCCLUSION only: how many samples, rather than whether there were any.
    bool precise = false;
    /// VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT only: also used for primitives that aren't
    /// captured, because the device has no better query.
    bool uncaptured = false;
};

/// What the Vulkan queries of a query counted, added up. What no source asked for is 0.
struct QuerySums {
    static constexpr unsigned statistic_count = 11; ///< VkQueryPipelineStatisticFlagBits
    static constexpr unsigned stream_count = 4;     ///< vertex streams

    uint64_t samples = 0; ///< that passed; not precise: 0 or anything else
    std::array<uint64_t, statistic_count> statistics{}; ///< in the order of Vulkan's bits
    std::array<uint64_t, stream_count> written{};       ///< primitives captured, by vertex stream
    std::array<uint64_t, stream_count> generated{};     ///< primitives there were to capture
    bool incomplete = false; ///< a part could not be counted or read, and is nothing
};

/// A query that counts from its begin to its end, over any number of passes and batches. Vulkan's
/// queries stay inside a pass (VUID-vkCmdEndQuery-None-07007), so it is the sum of many. Counts
/// while QueryStreams lets it. Results may be asked for from one thread while another makes a
/// condition of the same query; all else belongs to the recorder's thread.
class SummedQuery {
public:
    /// Whether it is between its begin and its end.
    bool counting() const { return counting_; }
    /// What it counts since its last begin.
    const QuerySource& source() const { return source_; }

    /// What it counted, once the GPU is past all of it; empty if the GPU isn't yet and `wait` is
    /// false. `recorder` as for batch_done().
    std::optional<QuerySums> sums(Recorder* recorder, bool wait);
    /// The queries not added up yet, and the sums of the rest: for callers that add them up
    /// elsewhere.
    std::pair<std::vector<QuerySlot>, QuerySums> unread();
    /// Whether an occlusion query counted anything, where that is known by now. Never waits or
    /// submits.
    std::optional<bool> known_to_count();
    /// The device's own copy of an occlusion query's result, for Recorder::set_condition: whether
    /// it counted anything. Written in order with everything else, at the first call since it
    /// ended. The counts are 32 bits there: exactly 2^32 samples in one pass may look like none.
    /// Null: no memory. Needs Capability::conditional_rendering. It lives until it is written anew.
    Buffer* predicate(Recorder& recorder);

    // --- for QueryStreams and QueryStream
    /// Forgets what it counted before.
    void restart(const QuerySource& source, bool counting);
    void stop() { counting_ = false; }
    /// Adds a Vulkan query that counts for it. Adds up what has completed, now and then, so that a
    /// query over thousands of passes doesn't grow.
    void add(const QuerySlot& slot);
    /// Notes that a part could not be counted.
    void miss();
    /// Vulkan queries that aren't added up yet.
    size_t pending() const { return slots_.size(); }

private:
    void accumulate(const QuerySlot& slot);
    void fold_completed();
    bool make_room(vulkan::Device& device, VkDeviceSize bytes);

    QuerySource source_;
    bool counting_ = false;
    /// Guards what follows once the query has ended.
    std::mutex results_mutex_;
    std::vector<QuerySlot> slots_;
    QuerySums sums_; ///< of slots already read
    Ref<Buffer> predicate_;
    bool predicate_written_ = false; ///< since the query began last
};

} // namespace kobalt::render
