// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gallium/screen/mesa.h"
#include "render/recorder.h"
#include "vulkan/commands/query_pool.h"

namespace kobalt::gallium {

struct Context;
struct Screen;

/// Query pools that no batch uses any more, reset by the host when they are handed out again.
class QueryPools : public std::enable_shared_from_this<QueryPools> {
public:
    explicit QueryPools(vulkan::Device& device) : device_(device) {}
    /// Null: no memory.
    render::Ref<class QueryBlock> take(VkQueryType type,
                                       VkQueryPipelineStatisticFlags statistics = 0);
    void give_back(vulkan::QueryPool pool);
    /// From now on pools are destroyed when they come back. Call before the device goes.
    void close();
    vulkan::Device& device() { return device_; }

private:
    vulkan::Device& device_;
    std::mutex pools_mutex_;
    std::map<std::pair<VkQueryType, VkQueryPipelineStatisticFlags>, std::vector<vulkan::QueryPool>>
        idle_;
    bool closed_ = false;
};

/// A query pool whose queries are used one after another; batches and queries keep it alive.
class QueryBlock final : public render::RefCounted {
public:
    static constexpr uint32_t size = 128; ///< queries
    QueryBlock(std::shared_ptr<QueryPools> home, vulkan::QueryPool pool)
        : home_(std::move(home)), pool(std::move(pool)) {}
    ~QueryBlock() override { home_->give_back(std::move(pool)); }

private:
    std::shared_ptr<QueryPools> home_;

public:
    vulkan::QueryPool pool;
    uint32_t used = 0;
};

/// One Vulkan query: an interval of one pass, or a timestamp.
struct QuerySlot {
    render::Ref<QueryBlock> block;
    uint32_t index = 0;
    uint32_t stream = 0; ///< vertex stream of transform feedback queries
    render::Ref<render::BatchToken> token;
};

/// pipe_query. Its result is the sum over its slots; `threaded_query` comes first.
struct Query : threaded_query {
    Query(unsigned type, unsigned index) : threaded_query{}, type(type), index(index) {}
    static Query* from(pipe_query* query) { return reinterpret_cast<Query*>(query); }

    unsigned type;
    unsigned index; ///< vertex stream, or the pipeline statistic
    std::vector<QuerySlot> slots;
    QuerySlot begin_time, end_time;
    render::Ref<render::BatchToken> last_batch;  ///< PIPE_QUERY_GPU_FINISHED
    uint64_t counter_begin = 0, counter_end = 0; ///< driver queries
    std::array<uint64_t, 11> sums{};             ///< of slots already read
    std::array<uint64_t, 4> written{}; ///< transform feedback: primitives written, by stream
    std::array<uint64_t, 4> needed{};  ///< and how many there was to write
    bool active = false;

    /// The device's copy of an occlusion query's result, for Recorder::set_condition.
    render::Ref<render::Buffer> predicate;
    bool predicate_written = false; ///< since the query began last
    /// Guards slots and sums of an ended query: the app's thread asks for results, the driver's
    /// makes conditions of them.
    std::mutex results_mutex;

    /// The pipeline statistics that its result needs.
    VkQueryPipelineStatisticFlags statistics() const;
};

/// All queries of one Vulkan type and vertex stream that are active in a context. Vulkan allows one
/// at a time, GL more: they share intervals, cut wherever one of them begins or ends.
class QueryStream final : public render::PassQuery {
public:
    QueryStream(Context& context, VkQueryType type, uint32_t stream)
        : context_(context), type_(type), stream_(stream) {}
    void pass_begin(VkCommandBuffer commands) override;
    void pass_end(VkCommandBuffer commands) override;
    bool forbids_discard() const override;
    void add(Query& query);
    void remove(Query& query);
    /// Registers or removes itself with the recorder, as active queries and the pause want it.
    void update();

    void pause(bool paused);

private:
    void detach();
    bool take_slot();
    Context& context_;
    VkQueryType type_;
    uint32_t stream_;
    std::vector<Query*> active_;
    render::Ref<QueryBlock> block_;
    uint32_t open_index_ = 0;
    bool open_ = false;
    bool registered_ = false;
    bool paused_ = false;
};

/// A context's query streams and its timestamps.
class QueryStreams {
public:
    explicit QueryStreams(Context& context) : context_(context) {}
    QueryStream& get(VkQueryType type, uint32_t stream);
    void update_all();
    /// Whether only queries of samples that pass count from now on. Returns what held before.
    bool count_samples_only(bool only);
    /// Writes a timestamp after everything recorded so far.
    QuerySlot timestamp();

private:
    Context& context_;
    std::map<std::pair<VkQueryType, uint32_t>, QueryStream> streams_;
    bool samples_only_ = false;
    render::Ref<QueryBlock> timestamps_;
};

/// The result, summed. False while it isn't available and `wait` is false. Driver's thread only.
bool query_result(Context& context, Query& query, bool wait, pipe_query_result& result);

/// Adds up the slots whose batches have completed. Never waits or submits.
void fold_completed(vulkan::Device& device, Query& query);
/// The same under the query's lock. The result where that tells it: whether an
/// occlusion query counted anything. Never waits or submits. Driver's thread only.
std::optional<bool> known_to_count(Context& context, Query& query);
/// Forgets the query as a render condition: it begins anew, or goes.
void drop_condition(Context& context, const Query& query);
void init_condition_functions(Context& context);

/// Nanoseconds of a timestamp query's ticks.
uint64_t timestamp_nanoseconds(vulkan::Device& device, uint64_t ticks);

// Driver queries for GALLIUM_HUD (hud.cpp).
uint64_t driver_counter(Screen& screen, unsigned query_type);
void init_screen_hud_functions(Screen& screen);

} // namespace kobalt::gallium
