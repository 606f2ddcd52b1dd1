// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/context/with_storage.h"

// Writing all of a busy buffer, or invalidating it, replaces the storage instead of waiting. For
// the app only the contents changed, so every context that has the buffer bound must use the new
// storage (OpenGL 4.6, 5.3.3, rule 4). Mesa's state tracker rebinds it only in the context that
// replaced it. The others look once for each replacement, before a draw or dispatch.

namespace kobalt::gallium {

namespace {

/// Drops what was made of the former storage.
void forget_contents(Resource& resource) {
    resource.shader_images.clear();
    resource.converted_indices.clear();
    if (!resource.kept.empty())
        resource.kept.take();
}

} // namespace

void replace_storage(Context& context, Resource& resource, render::Ref<render::Buffer> fresh) {
    resource.storage.replace(std::move(fresh));
    forget_contents(resource);
    rebind_everywhere(context, resource);
}

void rebind_everywhere(Context& context, Resource& resource) {
    Screen& screen = context.kobalt_screen();
    // Asked behind the replacement: a context that is made now binds the new storage.
    if (shares_storage(screen)) {
        const std::lock_guard lock(screen.storage_mutex);
        const uint32_t before = screen.storage_generation.load(std::memory_order_relaxed);
        resource.storage_generation = before + 1;
        screen.storage_generation.store(before + 1, std::memory_order_release);
        if (context.storage_generation == before)
            context.storage_generation = before + 1;
    }
    rebind_buffers(context, {.one = &resource.b});
}

void rebind_replaced_storage(Context& context) {
    Screen& screen = context.kobalt_screen();
    if (context.image_generation != screen.image_generation.load(std::memory_order_acquire))
        rebind_replaced_images(context);
    const std::lock_guard lock(screen.storage_mutex);
    const ReplacedBuffers replaced{.since = context.storage_generation};
    context.storage_generation = screen.storage_generation.load(std::memory_order_relaxed);
    rebind_buffers(context, replaced);
}

} // namespace kobalt::gallium
