// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/context/operations.h"

// Writing all of a busy buffer, or invalidating it, gives it other storage instead of waiting. To
// the app nothing but contents changed, so every context has to find them where the buffer is bound
// (OpenGL 4.6, 5.3.3, rule 4), and Mesa's frontend tells only the one that did it. The others look
// for what moved once for each move, before they draw or dispatch.

namespace kobalt::gallium {
namespace {

/// Whether a bound resource is a buffer that moved since this context looked last.
bool has_moved(const Context& context, pipe_resource* resource) {
    return resource && resource->target == PIPE_BUFFER &&
           static_cast<int32_t>(Resource::from(resource)->moved_in - context.followed_moves) > 0;
}

/// Calls `use` with each resource that is bound as a buffer may be, some of them more than once.
void each_bound(Context& context, const auto& use) {
    for (unsigned stage = 0; stage < context.bound.stages.size(); ++stage) {
        const Bindings::PerStage& bound = context.bound.stages[stage];
        const Context::StageMasks& masks = context.per_stage[stage];
        u_foreach_bit(slot, masks.constant_buffers) use(bound.constant_buffers[slot].buffer);
        u_foreach_bit(slot, masks.shader_buffers) use(bound.shader_buffers[slot].buffer);
        u_foreach_bit(slot, masks.texel_views) use(bound.views[slot]->texture);
        u_foreach_bit64(slot, masks.image_buffers) use(bound.images[slot].resource);
    }
    for (uint32_t i = 0; i < context.bound.vertex_buffer_count; ++i)
        if (!context.bound.vertex_buffers[i].is_user_buffer)
            use(context.bound.vertex_buffers[i].buffer.resource);
    for (uint32_t i = 0; i < context.bound.stream_output_count; ++i)
        if (context.bound.stream_outputs[i])
            use(context.bound.stream_outputs[i]->buffer);
}

} // namespace

void replace_storage(Context& context, Resource& resource, render::Ref<render::Buffer> fresh) {
    Screen& screen = context.kobalt_screen();
    if (screen.live_contexts.load(std::memory_order_relaxed) == 1) {
        resource.buffer = std::move(fresh);
        resource.shader_images.clear();
    } else {
        const std::lock_guard lock(screen.moves);
        resource.buffer = std::move(fresh);
        resource.shader_images.clear();
        const uint32_t before = screen.storage_moves.load(std::memory_order_relaxed);
        resource.moved_in = before + 1;
        screen.storage_moves.store(before + 1, std::memory_order_release);
        if (context.followed_moves == before)
            context.followed_moves = before + 1;
    }
    rebind_buffer(context, resource);
}

void rebind_moved(Context& context) {
    Screen& screen = context.kobalt_screen();
    if (context.followed_image_moves != screen.moved_images.load(std::memory_order_acquire))
        rebind_moved_images(context);
    const std::lock_guard lock(screen.moves);
    std::vector<Resource*> moved;
    each_bound(context, [&](pipe_resource* resource) {
        if (has_moved(context, resource))
            moved.push_back(Resource::from(resource));
    });
    std::ranges::sort(moved);
    const auto repeated = std::ranges::unique(moved);
    moved.erase(repeated.begin(), repeated.end());
    context.followed_moves = screen.storage_moves.load(std::memory_order_relaxed);
    for (Resource* const resource : moved)
        rebind_buffer(context, *resource);
}

} // namespace kobalt::gallium
