// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstring>

#include "gallium/context/view.h"

// The views for image units (OpenGL 4.6, 8.26). A texture keeps the views that it was bound with.

namespace kobalt::gallium {
namespace {

/// Few are cached: an app may bind ever new ranges of one buffer, and not use them again.
constexpr size_t most_texel_views = 16;
/// Enough for a texture whose levels and layers, some hundred, are bound one by one.
constexpr size_t most_image_views = 256;

/// The members that determine the Vulkan view. Equal keys have equal bytes.
pipe_image_view key_of(const pipe_image_view& view) {
    pipe_image_view key;
    std::memset(&key, 0, sizeof(key));
    key.format = view.format;
    if (view.resource->target == PIPE_BUFFER) {
        key.u.buf.offset = view.u.buf.offset;
        key.u.buf.size = view.u.buf.size;
    } else {
        key.u.tex.first_layer = view.u.tex.first_layer;
        key.u.tex.last_layer = view.u.tex.last_layer;
        key.u.tex.level = view.u.tex.level;
        key.u.tex.single_layer_view = view.u.tex.single_layer_view;
    }
    return key;
}

bool equal(const pipe_image_view& a, const pipe_image_view& b) {
    return std::memcmp(&a, &b, sizeof(a)) == 0;
}

/// Six layers of a cube get a cube view. For bound images render::ImageView::as gives shaders
/// another type if they declare one; for handles the shader's type isn't known.
VkImageViewType layered_type(const pipe_resource& texture, uint32_t layers) {
    const bool whole = texture.target == PIPE_TEXTURE_CUBE         ? layers == 6
                       : texture.target == PIPE_TEXTURE_CUBE_ARRAY ? layers % 6 == 0
                                                                   : true;
    return whole ? view_type(texture.target) : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
}

render::Ref<render::ImageView> make_image_view(Screen& screen, Resource& resource,
                                               const pipe_image_view& view) {
    VkImageSubresourceRange range{
        VK_IMAGE_ASPECT_COLOR_BIT, view.u.tex.level, 1, view.u.tex.first_layer,
        static_cast<uint32_t>(view.u.tex.last_layer - view.u.tex.first_layer + 1)};
    VkImageViewType type = layered_type(resource.b, range.layerCount);
    if (view.u.tex.single_layer_view) {
        const bool line = type == VK_IMAGE_VIEW_TYPE_1D || type == VK_IMAGE_VIEW_TYPE_1D_ARRAY;
        type = line ? VK_IMAGE_VIEW_TYPE_1D : VK_IMAGE_VIEW_TYPE_2D; // 2D: slices of 3D images too
        range.layerCount = 1;
    } else if (type == VK_IMAGE_VIEW_TYPE_3D) {
        range.baseArrayLayer = 0;
        range.layerCount = 1;
    }
    return create_image_view(screen, resource, static_cast<pipe_format>(view.format), type,
                             VK_IMAGE_USAGE_STORAGE_BIT, range, {});
}

ShaderImage make_view(Screen& screen, Resource& resource, const pipe_image_view& view) {
    ShaderImage made;
    if (resource.is_buffer())
        made.texels = create_texels(screen, resource, static_cast<pipe_format>(view.format),
                                    view.u.buf.offset, view.u.buf.size,
                                    VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
    else
        made.image = make_image_view(screen, resource, view);
    return made;
}

/// Whether the view is of the present storage.
bool current(const Resource& resource, const ShaderImage& view) {
    return view.texels ? &view.texels->buffer() == resource.storage.get()
                       : !view.image || &view.image->image() == resource.image.get();
}

} // namespace

ShaderImage find_shader_image(Screen& screen, const pipe_image_view& view) {
    if (!view.resource)
        return {};
    Resource& resource = *Resource::from(view.resource);
    const pipe_image_view key = key_of(view);
    ShaderImages& cached = resource.shader_images.get();
    const std::lock_guard lock(cached.mutex);
    const auto found = std::ranges::find_if(
        cached.entries, [&](const ShaderImages::Entry& entry) { return equal(entry.key, key); });
    if (found != cached.entries.end()) {
        if (!current(resource, found->view))
            found->view = make_view(screen, resource, view);
        return found->view;
    }
    ShaderImage made = make_view(screen, resource, view);
    if (cached.entries.size() < (resource.is_buffer() ? most_texel_views : most_image_views)) {
        cached.entries.push_back({key, made});
    } else {
        cached.entries[cached.oldest] = {key, made};
        cached.oldest = (cached.oldest + 1) % cached.entries.size();
    }
    return made;
}

} // namespace kobalt::gallium
