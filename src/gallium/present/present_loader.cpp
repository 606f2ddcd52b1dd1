// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/present/present.h"

#include <cstring>
#include <vector>

// Mesa's DRI headers declare their own linkage, so they need no extern "C" here.
#include "gallium/frontends/dri/dri_drawable.h"
#include "gallium/frontends/dri/dri_screen.h"
#include "present/surface_info.h"
#include "present/x11.h"

namespace kobalt::gallium {

namespace {

/// The window system's image commands take rows of this alignment, in bytes, and tightly packed
/// rows where the loader has no command with a stride.
constexpr unsigned row_alignment = 4;

void put_image(const __DRIswrastLoaderExtension& loader, dri_drawable& drawable,
               const pipe_transfer& transfer, std::byte* texels, unsigned row_bytes) {
    const int width = transfer.box.width, height = transfer.box.height;
    const auto put = [&](unsigned stride, std::byte* data) {
        auto* bytes = reinterpret_cast<char*>(data);
        if (loader.putImage2)
            loader.putImage2(&drawable, __DRI_SWRAST_IMAGE_OP_SWAP, 0, 0, width, height,
                             static_cast<int>(stride), bytes, drawable.loaderPrivate);
        else
            loader.putImage(&drawable, __DRI_SWRAST_IMAGE_OP_SWAP, 0, 0, width, height, bytes,
                            drawable.loaderPrivate);
    };
    const unsigned stride = align(row_bytes, row_alignment);
    if (transfer.stride == stride) {
        put(stride, texels);
        return;
    }
    std::vector<std::byte> rows(static_cast<size_t>(stride) * height);
    for (int y = 0; y < height; ++y)
        std::memcpy(rows.data() + static_cast<size_t>(y) * stride,
                    texels + static_cast<size_t>(y) * transfer.stride, row_bytes);
    put(stride, rows.data());
}

/// Whether the drawable still exists. An app may free a pixmap before the context that drew to it
/// is flushed; putting an image into it would then be an X error, which makes the process exit.
bool native_exists(const kopper_loader_info& info) {
    present::SurfaceInfo native;
    std::memcpy(static_cast<void*>(&native), &info.bos, sizeof(native));
    return present::x11_window_size(native.xcb_connection(), native.xcb_window()).has_value();
}

} // namespace

bool is_swap(const void* handle, const pipe_resource* resource) {
    const auto* drawable = static_cast<const dri_drawable*>(handle);
    return !drawable || drawable->textures[ST_ATTACHMENT_BACK_LEFT] == resource;
}

void present_through_loader(pipe_context* context, pipe_resource* resource, void* handle) {
    auto* drawable = static_cast<dri_drawable*>(handle);
    // Only drawables with a native window or pixmap have a place to put the image.
    if (!drawable || !drawable->screen ||
        drawable->info.bos.sType != VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR)
        return;
    const __DRIswrastLoaderExtension* loader = drawable->screen->swrast_loader;
    if (!loader || !(loader->putImage || loader->putImage2) || !native_exists(drawable->info))
        return;

    // After a resize that has reached the resource but not yet its storage, present the part that
    // exists.
    const VkExtent3D extent = Resource::from(resource)->image->storage().extent();
    const unsigned width = MIN2(extent.width, resource->width0);
    const unsigned height = MIN2(extent.height, resource->height0);
    pipe_transfer* transfer = nullptr;
    void* texels =
        pipe_texture_map(context, resource, 0, 0, PIPE_MAP_READ, 0, 0, width, height, &transfer);
    if (!texels) {
        mesa_loge("kobalt: reading back a frame of %ux%u: out of memory or the device is lost",
                  width, height);
        return;
    }
    put_image(*loader, *drawable, *transfer, static_cast<std::byte*>(texels),
              util_format_get_stride(resource->format, width));
    pipe_texture_unmap(context, transfer);
}

} // namespace kobalt::gallium
