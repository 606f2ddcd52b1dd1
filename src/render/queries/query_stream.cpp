// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/queries/query_stream.h"

#include <algorithm>
#include <bit>

#include "vulkan/device/device.h"

namespace kobalt::render {

// GL counts each pipeline statistic by a query of its own. A pool counts what the active ones ask
// for and nothing else, since each statistic costs, and some drivers fail at some: lavapipe crashes
// where a query of compute shaders begins after a draw.
VkQueryPipelineStatisticFlags QueryStream::statistics(Counted counted) const {
    constexpr VkQueryPipelineStatisticFlags of_dispatches =
        VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
    VkQueryPipelineStatisticFlags asked = 0;
    for (const SummedQuery* query : active_)
        asked |= query->source().statistics;
    return asked & (counted == Counted::dispatch ? of_dispatches : ~of_dispatches);
}

bool QueryStream::take_slots(uint32_t count, VkQueryPipelineStatisticFlags statistics) {
    if (!block_ || !block_->has_room(count) || block_->pool().statistics() != statistics)
        block_ = recorder_.engine().query_pools().take(type_, statistics);
    return static_cast<bool>(block_);
}

bool QueryStream::indexed() const {
    return type_ == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
           (type_ == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT &&
            recorder_.engine().device().vk().CmdBeginQueryIndexedEXT);
}

void QueryStream::pass_begin(VkCommandBuffer commands, Counted counted) {
    const bool of_statistics = type_ == VK_QUERY_TYPE_PIPELINE_STATISTICS;
    const VkQueryPipelineStatisticFlags wanted = of_statistics ? statistics(counted) : 0;
    if (of_statistics && !wanted)
        return;
    // Vulkan 1.3, 17.2 "Query Operation": in a pass with several views a query takes as many
    // queries in a row, which together hold the count.
    const auto slots =
        std::max(static_cast<uint32_t>(std::popcount(recorder_.framebuffer().view_mask)), 1u);
    if (!commands || !take_slots(slots, wanted)) {
        for (SummedQuery* query : active_)
            query->miss();
        return;
    }
    open_ = true;
    open_index_ = block_->next(slots);
    recorder_.retain(*block_);
    const vulkan::Device& device = recorder_.engine().device();
    const bool precise = type_ == VK_QUERY_TYPE_OCCLUSION &&
                         device.has(vulkan::Capability::occlusion_query_precise) &&
                         std::ranges::any_of(active_, [](const SummedQuery* query) {
                             return query->source().precise;
                         });
    const VkQueryControlFlags flags = precise ? VK_QUERY_CONTROL_PRECISE_BIT : 0;
    if (indexed())
        device.vk().CmdBeginQueryIndexedEXT(commands, block_->pool().handle(), open_index_, flags,
                                            stream_);
    else
        device.vk().CmdBeginQuery(commands, block_->pool().handle(), open_index_, flags);
    for (uint32_t i = 0; i < slots; ++i) {
        const QuerySlot slot{block_, open_index_ + i, stream_, recorder_.current_token()};
        for (SummedQuery* query : active_)
            if (!of_statistics || query->source().statistics & wanted)
                query->add(slot);
    }
}

void QueryStream::pass_end(VkCommandBuffer commands) {
    if (!open_)
        return;
    open_ = false;
    if (!commands)
        return;
    const auto& vk = recorder_.engine().device().vk();
    if (indexed())
        vk.CmdEndQueryIndexedEXT(commands, block_->pool().handle(), open_index_, stream_);
    else
        vk.CmdEndQuery(commands, block_->pool().handle(), open_index_);
}

bool QueryStream::forbids_discard() const {
    return type_ == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT &&
           !recorder_.engine()
                .device()
                .features()
                .primitives_generated_query.primitivesGeneratedQueryWithRasterizerDiscard;
}

bool QueryStream::counts_dispatches() const {
    return type_ == VK_QUERY_TYPE_PIPELINE_STATISTICS &&
           std::ranges::any_of(active_, [](const SummedQuery* query) {
               return query->source().statistics &
                      VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
           });
}

void QueryStream::detach() {
    if (registered_)
        recorder_.remove_pass_query(this);
    registered_ = false;
}

// Such a query counts while transform feedback is active (Vulkan 1.3, "Transform Feedback
// Queries"). GL's overflow counts the primitives that then find no room (OpenGL 4.6, 13.5).
// lavapipe goes on counting generated primitives otherwise, where another query asks for these.
bool QueryStream::idle() const {
    return !capturing_ && type_ == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT &&
           std::ranges::none_of(
               active_, [](const SummedQuery* query) { return query->source().uncaptured; });
}

void QueryStream::update() {
    const bool needed = !active_.empty() && wanted_ && !idle();
    if (needed == registered_)
        return;
    if (!needed)
        return detach();
    registered_ = true;
    recorder_.add_pass_query(this);
}

void QueryStream::want(bool wanted, bool capturing) {
    wanted_ = wanted;
    capturing_ = capturing;
    update();
}

void QueryStream::add(SummedQuery& query) {
    detach(); // ends the interval that the others count in, if one is open
    active_.push_back(&query);
    update();
}

void QueryStream::remove(SummedQuery& query) {
    detach();
    std::erase(active_, &query);
    update();
}

bool QueryStreams::wants(VkQueryType type) const {
    return enabled_ && (!samples_only_ || type == VK_QUERY_TYPE_OCCLUSION);
}

void QueryStreams::update_all() {
    for (auto& [key, stream] : streams_)
        stream.want(wants(key.first), capturing_);
}

void QueryStreams::begin(SummedQuery& query, const QuerySource& source) {
    end(query);
    const bool counts = source.type != VK_QUERY_TYPE_MAX_ENUM;
    query.restart(source, counts);
    if (!counts)
        return;
    for (uint32_t i = 0; i < source.stream_count; ++i) {
        const auto key = std::pair(source.type, source.first_stream + i);
        streams_.try_emplace(key, recorder_, key.first, key.second, wants(key.first), capturing_)
            .first->second.add(query);
    }
}

void QueryStreams::end(SummedQuery& query) {
    if (!query.counting())
        return;
    query.stop();
    const QuerySource& source = query.source();
    for (uint32_t i = 0; i < source.stream_count; ++i)
        streams_.at({source.type, source.first_stream + i}).remove(query);
}

void QueryStreams::set_enabled(bool enabled) {
    enabled_ = enabled;
    update_all();
}

bool QueryStreams::count_samples_only(bool only) {
    const bool before = std::exchange(samples_only_, only);
    update_all();
    return before;
}

void QueryStreams::set_capturing(bool capturing) {
    if (capturing == capturing_)
        return;
    capturing_ = capturing;
    update_all();
}

} // namespace kobalt::render
