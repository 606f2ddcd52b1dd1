// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/context/query.h"
#include "vulkan/device/device.h"

// Conditional rendering (OpenGL 4.6, Conditional Rendering). Where the device supports it, the
// device evaluates the condition: the query's result goes into a buffer, in order with everything
// else on the queue. This is correct for GL's WAIT modes and allowed for the others, which may or
// may not wait. Without VK_EXT_conditional_rendering, and for queries of transform feedback
// overflow (the predicate would be a difference), the CPU waits for the result.

namespace kobalt::gallium {
namespace {

bool counts_samples(const Query& query) {
    return query.type == PIPE_QUERY_OCCLUSION_COUNTER ||
           query.type == PIPE_QUERY_OCCLUSION_PREDICATE ||
           query.type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

/// The buffer with the device's predicate; null: the CPU has to evaluate the condition, or already
/// knows the result.
render::Buffer* device_predicate(Context& context, Query& query) {
    if (!context.kobalt_screen().device().has(vulkan::Capability::conditional_rendering) ||
        !counts_samples(query) || query.counted.counting())
        return nullptr;
    // A known result needs neither the device nor a wait.
    if (query.counted.known_to_count())
        return nullptr;
    return query.counted.predicate(context.recorder);
}

void render_condition(pipe_context* pcontext, pipe_query* pquery, bool inverted,
                      pipe_render_cond_flag mode) {
    Context& context = *Context::from(pcontext);
    Query* query = pquery ? Query::from(pquery) : nullptr;
    render::Buffer* predicate = query ? device_predicate(context, *query) : nullptr;
    context.condition = {query, inverted, predicate != nullptr, mode};
    context.recorder.set_condition(predicate, inverted);
}

} // namespace

bool condition_passes(Context& context) {
    const RenderCondition& condition = context.condition;
    if (!condition.query)
        return true;
    // Where the device evaluates the condition for draws, the CPU must reach the same result, so it
    // has to wait.
    const bool wait = condition.on_device || condition.mode == PIPE_RENDER_COND_WAIT ||
                      condition.mode == PIPE_RENDER_COND_BY_REGION_WAIT;
    pipe_query_result result{};
    if (wait)
        context.recorder.slow_path(render::SlowPath::condition_wait);
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
