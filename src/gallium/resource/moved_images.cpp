// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <vector>

#include "gallium/context/operations.h"
#include "gallium/context/view.h"
#include "gallium/resource/create.h"
#include "gallium/resource/transfer.h"
#include "render/bindless/heap.h"

// GL says neither at a texture's creation nor later what it will be used for, and GPUs compress
// images less that shaders may store to, or that have views of any format. So a texture begins with
// an image that has none of these uses. The first call that needs one moves the texture to a new
// image, with its contents. A former image stays alive until the GPU is done with it;
// state/replaced_images.cpp replaces the views of it in all contexts.
//
// Another context may have commands in a batch that isn't submitted yet, and that write to the
// former image. The move waits for that batch, but not for ever: an app that lets two contexts
// write to a texture at once, without a flush in between, may lose some of that.

namespace kobalt::gallium {
namespace {

/// Whether the texture's image may be replaced. Others have all that they need from their creation.
bool movable(const Resource& resource) {
    return !resource.is_buffer() && resource.image && !resource.window &&
           !(resource.b.bind & (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT)) &&
           !resource.image->external() && !resource.image->pages() &&
           !resource.image->storage().exported().type;
}

bool allows(const render::Image& image, ImageUses uses) {
    const bool stored = image.storage().usage() & VK_IMAGE_USAGE_STORAGE_BIT;
    return (!uses.stored || stored) && (!uses.any_view || image.any_view);
}

/// Lets other contexts submit what they have recorded for the image.
void await_other_batches(Context& context, const render::Ref<render::Image> image) {
    if (context.kobalt_screen().live_contexts.load(std::memory_order_relaxed) == 1 ||
        !image->unflushed(true))
        return;
    context.recorder.flush();
    if (image->unflushed(true))
        wait_for(context, *image, true, false);
}

/// Copies all levels and layers of a colour image.
void copy_contents(render::Recorder& recorder, render::Image& from, render::Image& to) {
    const vulkan::Image& image = from.storage();
    std::vector<VkImageCopy> levels(image.levels());
    for (uint32_t level = 0; level < image.levels(); ++level) {
        const VkExtent3D& extent = image.extent();
        VkImageCopy& all = levels[level];
        all.srcSubresource =
            all.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, image.layers()};
        all.extent = {u_minify(extent.width, level), u_minify(extent.height, level),
                      u_minify(extent.depth, level)};
    }
    recorder.copy_image(from, to, levels);
}

/// Lets the handles of the former image name the new one. No batch may still read through their
/// descriptors meanwhile, and batches that do so next must find the contents.
void move_handles(Context& context, render::Image& from, const render::Ref<render::Image>& to) {
    context.recorder.flush()->wait(UINT64_MAX);
    to->has_handle.store(true, std::memory_order_relaxed);
    context.kobalt_screen().engine->bindless()->move_handles(from, to);
}

} // namespace

bool needs_move(const Resource& resource, ImageUses uses) {
    return movable(resource) && !allows(*resource.image, uses);
}

bool needs_move(Screen& screen, const Resource& resource, ImageUses uses) {
    if (!uses.any())
        return false;
    const std::lock_guard lock(screen.storage_mutex);
    return needs_move(resource, uses);
}

void move_image(Context& context, Resource& resource, render::Ref<render::Image> to) {
    Screen& screen = context.kobalt_screen();
    const render::Ref<render::Image> from = resource.image;
    context.recorder.leave_pass(); // records a clear that is deferred to the next pass
    if (from->written())
        copy_contents(context.recorder, *from, *to);
    // Another context may still use the former image: it is retained until this batch is done.
    context.recorder.retain(*from);
    if (from->has_handle.load(std::memory_order_relaxed))
        move_handles(context, *from, to);
    resource.image = std::move(to);
    resource.shader_images.clear();
    screen.engine->counters().moved_images.fetch_add(1, std::memory_order_relaxed);
    screen.image_generation.fetch_add(1, std::memory_order_acq_rel);
    screen.storage_generation.fetch_add(1, std::memory_order_acq_rel);
}

void allow_image_uses(Context& context, Resource& resource, ImageUses uses) {
    if (!needs_move(resource, uses))
        return;
    Screen& screen = context.kobalt_screen();
    await_other_batches(context, render::Ref(resource.image));
    // Another context may do the same at the same time.
    const std::lock_guard lock(screen.storage_mutex);
    if (!needs_move(resource, uses))
        return;
    uses.stored |= (resource.image->storage().usage() & VK_IMAGE_USAGE_STORAGE_BIT) != 0;
    uses.any_view |= resource.image->any_view;
    if (render::Ref<render::Image> to = create_image(screen, resource.b, resource.mapping, uses);
        to && allows(*to, uses))
        move_image(context, resource, std::move(to));
}

} // namespace kobalt::gallium
