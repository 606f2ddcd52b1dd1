// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <utility>

#include "gallium/context/operations.h"
#include "gallium/context/query.h"
#include "vulkan/device/device.h"

// The Vulkan side of queries: pools, intervals of passes, timestamps.

namespace kobalt::gallium {

namespace {

/// A query that spans more passes than this is added up on the way, so that it doesn't grow.
constexpr size_t most_slots = 256;

bool is_counter(const Query& query) {
    return query.type == PIPE_QUERY_OCCLUSION_COUNTER;
}

} // namespace

render::Ref<QueryBlock> QueryPools::take(VkQueryType type,
                                         VkQueryPipelineStatisticFlags statistics) {
    {
        const std::lock_guard lock(pools_mutex_);
        auto& idle = idle_[{type, statistics}];
        if (!idle.empty()) {
            vulkan::QueryPool pool = std::move(idle.back());
            idle.pop_back();
            pool.reset(device_, 0, QueryBlock::size);
            return render::make_ref<QueryBlock>(shared_from_this(), std::move(pool));
        }
    }
    auto pool = vulkan::QueryPool::create(device_, type, QueryBlock::size, statistics);
    if (!pool) {
        mesa_loge("kobalt: %s", pool.error().to_string().c_str());
        return {};
    }
    return render::make_ref<QueryBlock>(shared_from_this(), std::move(*pool));
}

void QueryPools::give_back(vulkan::QueryPool pool) {
    const std::lock_guard lock(pools_mutex_);
    if (!closed_)
        idle_[{pool.type(), pool.statistics()}].push_back(std::move(pool));
}

void QueryPools::close() {
    const std::lock_guard lock(pools_mutex_);
    closed_ = true;
    idle_.clear();
}

// Vulkan allows one query of a type at a time, GL one of each statistic: a pool counts what the
// active ones ask for and nothing else, since each statistic costs, and some drivers fail at some.
bool QueryStream::take_slot() {
    VkQueryPipelineStatisticFlags statistics = 0;
    if (type_ == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        for (const Query* query : active_)
            statistics |= query->statistics();
    if (!block_ || block_->used == QueryBlock::size || block_->pool.statistics() != statistics)
        block_ = context_.kobalt_screen().query_pools->take(type_, statistics);
    return static_cast<bool>(block_);
}

void QueryStream::pass_begin(VkCommandBuffer commands) {
    if (!commands || !take_slot())
        return;
    for (Query* query : active_)
        if (query->slots.size() >= most_slots && query->slots.size() % 64 == 0)
            fold_completed(context_.kobalt_screen().device(), *query);
    open_ = true;
    open_index_ = block_->used++;
    context_.recorder.keep(*block_);
    const auto& vk = context_.kobalt_screen().device().vk();
    const VkQueryControlFlags flags =
        type_ == VK_QUERY_TYPE_OCCLUSION &&
                context_.kobalt_screen().device().has(
                    vulkan::Capability::occlusion_query_precise) &&
                std::ranges::any_of(active_, [](const Query* query) { return is_counter(*query); })
            ? VkQueryControlFlags{VK_QUERY_CONTROL_PRECISE_BIT}
            : 0;
    if (type_ == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
        (type_ == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT && vk.CmdBeginQueryIndexedEXT))
        vk.CmdBeginQueryIndexedEXT(commands, block_->pool.handle(), open_index_, flags, stream_);
    else
        vk.CmdBeginQuery(commands, block_->pool.handle(), open_index_, flags);
    const QuerySlot slot{block_, open_index_, stream_, context_.recorder.current_token()};
    for (Query* query : active_)
        query->slots.push_back(slot);
}

void QueryStream::pass_end(VkCommandBuffer commands) {
    if (!open_)
        return;
    open_ = false;
    if (!commands)
        return;
    const auto& vk = context_.kobalt_screen().device().vk();
    if (type_ == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
        (type_ == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT && vk.CmdEndQueryIndexedEXT))
        vk.CmdEndQueryIndexedEXT(commands, block_->pool.handle(), open_index_, stream_);
    else
        vk.CmdEndQuery(commands, block_->pool.handle(), open_index_);
}

bool QueryStream::forbids_discard() const {
    return type_ == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT &&
           !context_.kobalt_screen()
                .device()
                .features()
                .primitives_generated_query.primitivesGeneratedQueryWithRasterizerDiscard;
}

void QueryStream::detach() {
    if (registered_)
        context_.recorder.remove_pass_query(this);
    registered_ = false;
}

void QueryStream::update() {
    const bool wanted = !active_.empty() && context_.queries_active && !paused_;
    if (wanted == registered_)
        return;
    if (!wanted)
        return detach();
    registered_ = true;
    context_.recorder.add_pass_query(this);
}

void QueryStream::pause(bool paused) {
    paused_ = paused;
    update();
}

void QueryStream::add(Query& query) {
    detach(); // ends the interval that the others count in, if one is open
    active_.push_back(&query);
    update();
}

void QueryStream::remove(Query& query) {
    detach();
    std::erase(active_, &query);
    update();
}

QueryStream& QueryStreams::get(VkQueryType type, uint32_t stream) {
    const auto key = std::pair(type, stream);
    return streams_.try_emplace(key, context_, type, stream).first->second;
}

void QueryStreams::update_all() {
    for (auto& [key, stream] : streams_)
        stream.update();
}

bool QueryStreams::count_samples_only(bool only) {
    for (auto& [key, stream] : streams_)
        if (key.first != VK_QUERY_TYPE_OCCLUSION)
            stream.pause(only);
    return std::exchange(samples_only_, only);
}

QuerySlot QueryStreams::timestamp() {
    Screen& screen = context_.kobalt_screen();
    VkCommandBuffer commands = context_.recorder.commands(false);
    if (!commands || !screen.device().graphics().timestamp_valid_bits())
        return {};
    if (!timestamps_ || timestamps_->used == QueryBlock::size)
        timestamps_ = screen.query_pools->take(VK_QUERY_TYPE_TIMESTAMP);
    if (!timestamps_)
        return {};
    context_.recorder.keep(*timestamps_);
    const QuerySlot slot{timestamps_, timestamps_->used++, 0, context_.recorder.current_token()};
    screen.device().vk().CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                            timestamps_->pool.handle(), slot.index);
    return slot;
}

} // namespace kobalt::gallium
