// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "drm-uapi/drm_fourcc.h"

#include "gallium/context/operations.h"
#include "gallium/resource/create.h"
#include "gallium/resource/dma_buf_handles.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/dma_buf.h"

#include "frontend/winsys_handle.h" // after the headers that declare its types

// Textures whose texels lie in a dma-buf: EGL_EXT_image_dma_buf_import and its modifiers. Mesa's
// state tracker splits formats of several planes into one texture for each plane, and its shaders
// combine them.

namespace kobalt::gallium {

namespace {

using vulkan::Capability;
using vulkan::DmaBufLayout;

/// Without a modifier the app doesn't state the layout: this assumes the linear layout, which all
/// devices share.
uint64_t stated(uint64_t modifier) {
    return modifier == DRM_FORMAT_MOD_INVALID ? DRM_FORMAT_MOD_LINEAR : modifier;
}

std::vector<DmaBufLayout> layouts_of(Screen& screen, pipe_format format) {
    return vulkan::dma_buf_layouts(screen.device(), map_format(screen.device(), format, 1).format);
}

VkImageUsageFlags usage_with(Screen& screen, VkFormatFeatureFlags2 features) {
    VkImageUsageFlags usage = 0;
    const auto use = [&](VkFormatFeatureFlags2 feature, VkImageUsageFlags flag) {
        if (features & feature)
            usage |= flag;
    };
    use(VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT, VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    use(VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    use(VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT, VK_IMAGE_USAGE_SAMPLED_BIT);
    use(VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    if (screen.device().has(Capability::dynamic_rendering_local_read))
        use(VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    return usage;
}

bool import(Screen& screen, Resource& resource, const winsys_handle& handle) {
    const uint64_t modifier = stated(handle.modifier);
    const auto layouts = layouts_of(screen, resource.b.format);
    const auto layout = std::ranges::find(layouts, modifier, &DmaBufLayout::modifier);
    if (layout == layouts.end()) {
        mesa_loge("kobalt: a dma-buf of format %s with modifier 0x%llx: this device imports none",
                  util_format_short_name(resource.b.format),
                  static_cast<unsigned long long>(modifier));
        return false;
    }
    resource.mapping = map_format(screen.device(), resource.b.format, 1);
    auto info = VkImageCreateInfo{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = resource.mapping.format;
    info.extent = {resource.b.width0, resource.b.height0, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = usage_with(screen, layout->features);
    // Images with modifiers must list the formats of their views
    // (VUID-VkImageCreateInfo-tiling-02353).
    info.pNext = known_views(screen.device(), info.format);
    if (info.pNext)
        info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    const vulkan::DmaBuf source{.fd = static_cast<int>(handle.handle),
                                .modifier = modifier,
                                .offset = handle.offset,
                                .stride = handle.stride};
    auto image = vulkan::import_dma_buf(screen.device(), info, source);
    if (!image) {
        mesa_loge("kobalt: %s", image.error().to_string().c_str());
        return false;
    }
    resource.image = render::make_ref<render::Image>(std::move(*image));
    resource.image->outside = VK_QUEUE_FAMILY_FOREIGN_EXT;
    resource.image->note_written();
    note_import(resource, source);
    return true;
}

pipe_resource* resource_from_handle(pipe_screen* pscreen, const pipe_resource* templ,
                                    winsys_handle* handle, unsigned) {
    const bool fits = templ->target == PIPE_TEXTURE_2D || templ->target == PIPE_TEXTURE_RECT;
    if (handle->type != WINSYS_HANDLE_TYPE_FD || !fits)
        return nullptr;
    Screen& screen = newest_screen(*Screen::from(pscreen)); // of the contexts behind a loss
    auto resource = begin_resource(screen, *templ);
    resource->is_shared = true;
    return finish_resource(screen, std::move(resource),
                           [&](Resource& made) { return import(screen, made, *handle); });
}

/// EGL_EXT_image_dma_buf_import_modifiers, eglQueryDmaBufModifiersEXT. Formats of several planes
/// depend on the format of their first plane; with `max` of 0 this only counts.
void query_dmabuf_modifiers(pipe_screen* pscreen, pipe_format format, int max, uint64_t* modifiers,
                            unsigned* external_only, int* count) {
    Screen& screen = *Screen::from(pscreen);
    int found = 0;
    const auto add = [&](uint64_t modifier, bool renders) {
        if (found < max) {
            modifiers[found] = modifier;
            if (external_only)
                external_only[found] = !renders;
        }
        if (max == 0 || found < max)
            ++found;
    };
    if (util_format_is_yuv(format))
        add(DRM_FORMAT_MOD_LINEAR, false);
    for (const DmaBufLayout& layout : layouts_of(screen, format))
        add(layout.modifier, layout.features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT);
    *count = found;
}

bool is_dmabuf_modifier_supported(pipe_screen* pscreen, uint64_t modifier, pipe_format format,
                                  bool* external_only) {
    if (external_only)
        *external_only = util_format_is_yuv(format);
    if (util_format_is_yuv(format))
        return modifier == DRM_FORMAT_MOD_LINEAR;
    const auto layouts = layouts_of(*Screen::from(pscreen), format);
    const auto layout = std::ranges::find(layouts, modifier, &DmaBufLayout::modifier);
    if (layout == layouts.end())
        return false;
    if (external_only)
        *external_only = !(layout->features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT);
    return true;
}

unsigned get_dmabuf_modifier_planes(pipe_screen*, uint64_t, pipe_format format) {
    return util_format_get_num_planes(format);
}

} // namespace

void init_screen_dma_bufs(Screen& screen) {
    if (!screen.device().has(Capability::queue_family_foreign) ||
        layouts_of(screen, PIPE_FORMAT_R8G8B8A8_UNORM).empty())
        return;
    pipe_caps& caps = const_cast<pipe_caps&>(screen.caps); // Mesa's own way to fill it
    caps.dmabuf = DRM_PRIME_CAP_IMPORT;
    screen.resource_from_handle = resource_from_handle;
    screen.query_dmabuf_modifiers = query_dmabuf_modifiers;
    screen.is_dmabuf_modifier_supported = is_dmabuf_modifier_supported;
    screen.get_dmabuf_modifier_planes = get_dmabuf_modifier_planes;
}

} // namespace kobalt::gallium
