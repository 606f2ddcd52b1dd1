// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <span>
#include <vector>

#include "drm-uapi/drm_fourcc.h"

#include "gallium/context/operations.h"
#include "gallium/resource/create.h"
#include "gallium/resource/dma_buf_handles.h"
#include "gallium/screen/format_table.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/dma_buf.h"
#include "vulkan/resources/external_memory.h"

// EGL_MESA_image_dma_buf_export. Few textures are ever exported, and exportable memory is worse
// than other memory: it takes one allocation per image, and a layout that other devices understand.
// So a texture gets such memory when an EGLImage is made of it. Only then does Mesa's state tracker
// pass a context, and later draws must write to the memory of the app's descriptor.
// resource/moved_images.cpp moves it there. Buffers of GBM have such memory from the start.
// resource/dma_buf_handles.cpp hands out what others know either by.

namespace kobalt::gallium {

namespace {

constexpr auto dma_buf = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
constexpr auto opaque_fd = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

/// An image in exported memory, and the layouts that it may have.
struct Plan {
    Plan() = default;
    Plan(const Plan&) = delete; // `info` points to other members
    Plan& operator=(const Plan&) = delete;
    std::vector<VkFormat> views;
    VkImageFormatListCreateInfo view_list{};
    VkImageCreateInfo info{};
    vulkan::ExportedLayouts layouts;
};

/// Why such a texture can't be exported on any device; null: nothing prevents it.
const char* shape_obstacle(const pipe_resource& texture) {
    if (texture.target != PIPE_TEXTURE_2D && texture.target != PIPE_TEXTURE_RECT)
        return "a dma-buf holds two-dimensional textures and renderbuffers only";
    if (texture.nr_samples > 1)
        return "it has several samples";
    if (texture.last_level > 0)
        return "it has mipmaps, which a dma-buf doesn't hold: make it with one level "
               "(glTexStorage2D), or choose a GL_TEXTURE_MIN_FILTER without mipmaps before "
               "glTexImage2D";
    if (util_format_is_compressed(texture.format) ||
        util_format_is_depth_or_stencil(texture.format))
        return "its format is compressed, or depth or stencil";
    return nullptr;
}

/// Whether the device stores the texture's format as it is.
bool stored_as_it_is(pipe_format format, const FormatMapping& mapping) {
    const FormatEntry& entry = format_entry(format);
    return (mapping.format == entry.format || mapping.format == entry.exact) &&
           (entry.channels == Channels::direct || entry.channels == Channels::no_alpha);
}

/// The same for an existing resource and its memory.
const char* obstacle(const Resource& resource) {
    if (const char* shape = shape_obstacle(resource.b))
        return shape;
    if (resource.window || (resource.b.bind & PIPE_BIND_DISPLAY_TARGET))
        return "it is a window's";
    if (!resource.image || resource.image->external())
        return "its memory is somebody else's";
    if (resource.image->pages())
        return "it is sparse";
    if (!stored_as_it_is(resource.b.format, resource.mapping))
        return "this device stores its format in another one";
    return nullptr;
}

/// The uses of an existing texture's image: it isn't moved again, so a texture's has all of them. A
/// renderbuffer's has known views.
ImageUses uses_of_moved(Screen& screen, const pipe_resource& texture,
                        const FormatMapping& mapping) {
    const bool known =
        !(texture.bind & PIPE_BIND_SAMPLER_VIEW) && known_views(screen.device(), mapping.format);
    return known ? ImageUses{} : ImageUses::all();
}

/// Plans an exportable image with the texture's usage. False: the device can't export one.
bool plan_export(Screen& screen, const pipe_resource& texture, const FormatMapping& mapping,
                 ImageUses uses, Plan& plan) {
    const vulkan::Device& device = screen.device();
    VkImageCreateInfo& info = plan.info;
    info = image_info(screen, texture, mapping, uses);
    // Host image copies are only for images that aren't shared with other devices or processes.
    info.usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT};
    if (!info.pNext && (info.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) &&
        screen.exported_as == dma_buf &&
        device.has(vulkan::Capability::image_drm_format_modifier)) {
        // VUID-VkImageCreateInfo-tiling-02353
        plan.views = all_views(device, texture.format, mapping.format);
        plan.view_list.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO;
        plan.view_list.viewFormatCount = static_cast<uint32_t>(plan.views.size());
        plan.view_list.pViewFormats = plan.views.data();
        info.pNext = &plan.view_list;
    }
    auto layouts = vulkan::exported_layouts(device, info, screen.exported_as);
    if (!layouts) { // without the flag emulation/multisampled_images.h is used
        info.flags &= ~VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
        layouts = vulkan::exported_layouts(device, info, screen.exported_as);
    }
    if (layouts)
        plan.layouts = std::move(*layouts);
    return layouts.has_value();
}

render::Ref<render::Image> create_image(Screen& screen, const Plan& plan) {
    auto image =
        vulkan::create_exported_image(screen.device(), plan.info, screen.exported_as, plan.layouts);
    if (!image) {
        mesa_loge("kobalt: moving a texture to memory that can be exported: %s",
                  image.error().to_string().c_str());
        return {};
    }
    return render::make_ref<render::Image>(std::move(*image));
}

bool exports(Screen& screen, VkExternalMemoryHandleTypeFlagBits type) {
    pipe_resource texture{};
    texture.target = PIPE_TEXTURE_2D;
    texture.format = PIPE_FORMAT_R8G8B8A8_UNORM;
    texture.width0 = texture.height0 = texture.depth0 = texture.array_size = 1;
    texture.bind = PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET;
    screen.exported_as = type;
    Plan plan;
    return plan_export(screen, texture, map_format(screen.device(), texture.format),
                       ImageUses::all(), plan);
}

/// Leaves of the plan's layouts those that are `wanted`, those that a buffer without modifiers has
/// where nothing is wanted. False: there is none.
bool choose_layouts(Plan& plan, std::span<const uint64_t> wanted, bool only_rows) {
    constexpr uint64_t rows = DRM_FORMAT_MOD_LINEAR;
    const auto is_wanted = [&](uint64_t modifier) {
        return wanted.empty() || std::ranges::find(wanted, modifier) != wanted.end();
    };
    std::vector<uint64_t>& offered = plan.layouts.modifiers;
    if (plan.layouts.tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
        return is_wanted(rows);
    // Whoever isn't told the layout assumes rows, as resource_from_handle() does. Some devices draw
    // to no rows: then it is one that gbm_bo_get_modifier() tells.
    const bool has_rows = std::ranges::find(offered, rows) != offered.end();
    if (only_rows || (wanted.empty() && has_rows))
        std::erase_if(offered, [](uint64_t modifier) { return modifier != rows; });
    std::erase_if(offered, [&](uint64_t modifier) { return !is_wanted(modifier); });
    return !offered.empty();
}

/// An image that others can open, in one of the layouts `wanted`. False after one message in Mesa's
/// log.
bool allocate_in_layouts(Screen& screen, Resource& resource, std::span<const uint64_t> wanted) {
    const pipe_resource& texture = resource.b;
    resource.mapping = map_format(screen.device(), texture.format);
    const char* reason = shape_obstacle(texture);
    if (!reason && !stored_as_it_is(texture.format, resource.mapping))
        reason = "this device stores its format in another one";
    Plan plan;
    if (!reason && !plan_export(screen, texture, resource.mapping, ImageUses{}, plan))
        reason = "this device exports no such images";
    if (!reason && !choose_layouts(plan, wanted, texture.bind & PIPE_BIND_LINEAR))
        reason = "this device exports it in none of the layouts that were asked for";
    if (!reason) {
        resource.image = create_image(screen, plan);
        return static_cast<bool>(resource.image);
    }
    mesa_loge("kobalt: a buffer of format %s, %ux%u, to share: %s",
              util_format_short_name(texture.format), texture.width0, texture.height0, reason);
    return false;
}

/// gbm_bo_create_with_modifiers() and its kin. A list of DRM_FORMAT_MOD_INVALID alone leaves the
/// layout to the driver.
pipe_resource* resource_create_with_modifiers(pipe_screen* pscreen, const pipe_resource* templ,
                                              const uint64_t* modifiers, int count) {
    std::span<const uint64_t> wanted(modifiers, static_cast<size_t>(count));
    if (wanted.size() == 1 && wanted[0] == DRM_FORMAT_MOD_INVALID)
        wanted = {};
    Screen& screen = newest_screen(*Screen::from(pscreen)); // of the contexts behind a loss
    auto resource = begin_resource(screen, *templ);
    resource->b.bind |= PIPE_BIND_SHARED;
    return finish_resource(screen, std::move(resource), [&](Resource& made) {
        return allocate_in_layouts(screen, made, wanted);
    });
}

} // namespace

bool is_exported(const Resource& resource) {
    return !resource.is_buffer() && resource.image && resource.image->storage().exported().type;
}

bool allocate_shared(Screen& screen, Resource& resource) {
    return allocate_in_layouts(screen, resource, {});
}

void tell_export_obstacle(Screen& screen, const Resource& resource) {
    const char* reason = obstacle(resource);
    Plan plan;
    if (!reason && !plan_export(screen, resource.b, resource.mapping,
                                uses_of_moved(screen, resource.b, resource.mapping), plan))
        reason = "this device exports no such images";
    mesa_loge("kobalt: exporting a texture of format %s, %ux%u: %s",
              util_format_short_name(resource.b.format), resource.b.width0, resource.b.height0,
              reason ? reason : "there was no memory for it when the EGLImage was made of it");
}

void make_exportable(Context& context, Resource& resource) {
    Screen& screen = context.kobalt_screen();
    if (!screen.exported_as || resource.is_buffer())
        return;
    // Another context may make an EGLImage or a handle of the texture at the same time.
    const std::lock_guard lock(screen.storage_mutex);
    Plan plan;
    if (is_exported(resource) || obstacle(resource) ||
        !plan_export(screen, resource.b, resource.mapping,
                     uses_of_moved(screen, resource.b, resource.mapping), plan))
        return;
    render::Ref<render::Image> image = create_image(screen, plan);
    if (!image)
        return;
    move_image(context, resource, std::move(image));
}

void init_screen_dma_buf_exports(Screen& screen) {
    pipe_caps& caps = const_cast<pipe_caps&>(screen.caps); // Mesa's own way to fill it
    if (!exports(screen, dma_buf) &&
        !(screen.faults.opaque_exports && exports(screen, opaque_fd))) {
        screen.exported_as = {};
        return;
    }
    caps.dmabuf |= DRM_PRIME_CAP_EXPORT;
    screen.resource_create_with_modifiers = resource_create_with_modifiers;
}

} // namespace kobalt::gallium
