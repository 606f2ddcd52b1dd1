// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/context/query.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

// Conditional rendering (OpenGL 4.6, Conditional Rendering). Where the device can, it decides
// itself: the query's result goes into a buffer, in order with everything else on the queue. That
// is right for GL's WAIT modes and allowed for the others, which may or may not wait. Without
// VK_EXT_conditional_rendering, and for queries of transform feedback overflow (the predicate would
// be a difference), the CPU waits for the result.

namespace kobalt::gallium {
namespace {

bool counts_samples(const Query& query) {
    return query.type == PIPE_QUERY_OCCLUSION_COUNTER ||
           query.type == PIPE_QUERY_OCCLUSION_PREDICATE ||
           query.type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

bool make_room(vulkan::Device& device, Query& query, VkDeviceSize bytes) {
    if (query.predicate && query.predicate->size() >= bytes)
        return true;
    auto storage =
        vulkan::Buffer::create(device, {.size = bytes,
                                        .usage = VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                        .name = "render condition"});
    if (!storage)
        return false;
    query.predicate = render::make_ref<render::Buffer>(std::move(*storage));
    return true;
}

/// Has the device write the query's result to its predicate. The counts are 32 bits there: a
/// result of exactly 2^32 samples in one pass may look like none.
bool write_predicate(Context& context, Query& query) {
    if (query.predicate_written)
        return true;
    const std::lock_guard lock(query.results_mutex);
    if (!make_room(context.kobalt_screen().device(), query,
                   render::predicate_bytes(query.slots.size())))
        return false;
    std::vector<render::QueryWord> words;
    words.reserve(query.slots.size());
    for (const QuerySlot& slot : query.slots) {
        context.recorder.keep(*slot.block);
        words.push_back({slot.block->pool.handle(), slot.index});
    }
    query.predicate_written = context.recorder.write_predicate(words, *query.predicate);
    return query.predicate_written;
}

bool device_decides(Context& context) {
    RenderCondition& condition = context.condition;
    Query& query = *condition.query;
    if (!context.kobalt_screen().device().has(vulkan::Capability::conditional_rendering) ||
        !counts_samples(query) || query.active)
        return false;
    // A known result needs neither the device nor a wait.
    if (known_to_count(context, query))
        return false;
    return write_predicate(context, query);
}

void render_condition(pipe_context* pcontext, pipe_query* query, bool inverted,
                      pipe_render_cond_flag mode) {
    Context& context = *Context::from(pcontext);
    RenderCondition& condition = context.condition;
    condition = {query ? Query::from(query) : nullptr, inverted, false, mode};
    condition.on_device = condition.query && device_decides(context);
    context.recorder.set_condition(condition.on_device ? condition.query->predicate.get() : nullptr,
                                   inverted);
}

} // namespace

bool condition_passes(Context& context) {
    const RenderCondition& condition = context.condition;
    if (!condition.query)
        return true;
    // What the device decides for draws has one answer: nothing else may be guessed beside it.
    const bool wait = condition.on_device || condition.mode == PIPE_RENDER_COND_WAIT ||
                      condition.mode == PIPE_RENDER_COND_BY_REGION_WAIT;
    pipe_query_result result{};
    if (!query_result(context, *condition.query, wait, result))
        return true; // GL_QUERY_NO_WAIT: draw as if there were no condition
    bool value;
    switch (condition.query->type) {
    case PIPE_QUERY_OCCLUSION_PREDICATE:
    case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
    case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
    case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
    case PIPE_QUERY_GPU_FINISHED:
        value = result.b;
        break;
    default:
        value = result.u64 != 0;
        break;
    }
    return value != condition.inverted;
}

void drop_condition(Context& context, const Query& query) {
    if (context.condition.query != &query)
        return;
    context.condition = {};
    context.recorder.set_condition(nullptr, false);
}

void init_condition_functions(Context& context) {
    context.render_condition = render_condition;
}

} // namespace kobalt::gallium
