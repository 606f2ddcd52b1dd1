// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <vector>

#include "drm-uapi/drm_fourcc.h"

#include "gallium/context/operations.h"
#include "gallium/resource/create.h"
#include "gallium/screen/format_table.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/dma_buf.h"
#include "vulkan/resources/external_memory.h"

// EGL_MESA_image_dma_buf_export. Few textures are ever exported, and exportable memory is worse
// than other memory: it takes one allocation per image, and a layout that other devices understand.
// So a texture gets such memory when an EGLImage is made of it. Only then does Mesa's state tracker
// pass a context, and later draws must write to the memory of the app's descriptor.
// resource/moved_images.cpp moves it there.

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
    const FormatEntry& entry = format_entry(resource.b.format);
    if ((resource.mapping.format != entry.format && resource.mapping.format != entry.exact) ||
        (entry.channels != Channels::direct && entry.channels != Channels::no_alpha))
        return "this device stores its format in another one";
    return nullptr;
}

/// Plans an exportable image with the texture's usage. False: the device can't export one.
bool plan_export(Screen& screen, const pipe_resource& texture, const FormatMapping& mapping,
                 Plan& plan) {
    const vulkan::Device& device = screen.device();
    VkImageCreateInfo& info = plan.info;
    // The image isn't moved again, so a texture's has all uses. A renderbuffer's has known views.
    const bool known =
        !(texture.bind & PIPE_BIND_SAMPLER_VIEW) && known_views(device, mapping.format);
    info = image_info(screen, texture, mapping, known ? ImageUses{} : ImageUses::all());
    // Host image copies are only for images that aren't shared with other devices or processes.
    info.usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT};
    if (!info.pNext && screen.exported_as == dma_buf &&
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

bool is_exported(const Resource& resource) {
    return !resource.is_buffer() && resource.image && resource.image->storage().exported().type;
}

void tell_obstacle(Screen& screen, const Resource& resource) {
    const char* reason = obstacle(resource);
    Plan plan;
    if (!reason && !plan_export(screen, resource.b, resource.mapping, plan))
        reason = "this device exports no such images";
    mesa_loge("kobalt: exporting a texture of format %s, %ux%u: %s",
              util_format_short_name(resource.b.format), resource.b.width0, resource.b.height0,
              reason ? reason : "there was no memory for it when the EGLImage was made of it");
}

/// The state tracker calls this when the app exports, on any thread and without a context.
bool resource_get_param(pipe_screen* pscreen, pipe_context*, pipe_resource* presource, unsigned,
                        unsigned, unsigned, pipe_resource_param param, unsigned, uint64_t* value) {
    Screen& screen = *Screen::from(pscreen);
    const Resource& resource = *Resource::from(presource);
    if (!is_exported(resource)) {
        if (param == PIPE_RESOURCE_PARAM_STRIDE || param == PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD)
            tell_obstacle(screen, resource);
        return false;
    }
    const vulkan::Image& image = resource.image->storage();
    const auto plane = vulkan::describe_exported(screen.device(), image);
    if (!plane) {
        mesa_loge("kobalt: %s", plane.error().to_string().c_str());
        return false;
    }
    switch (param) {
    case PIPE_RESOURCE_PARAM_NPLANES:
        *value = 1;
        return true;
    case PIPE_RESOURCE_PARAM_STRIDE:
        *value = plane->stride;
        return true;
    case PIPE_RESOURCE_PARAM_OFFSET:
        *value = plane->offset;
        return true;
    case PIPE_RESOURCE_PARAM_MODIFIER:
        *value = plane->modifier;
        return true;
    case PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD: {
        const auto fd = vulkan::export_memory(screen.device(), image);
        if (!fd) {
            mesa_loge("kobalt: %s", fd.error().to_string().c_str());
            return false;
        }
        *value = static_cast<uint64_t>(*fd);
        return true;
    }
    default:
        return false;
    }
}

bool exports(Screen& screen, VkExternalMemoryHandleTypeFlagBits type) {
    pipe_resource texture{};
    texture.target = PIPE_TEXTURE_2D;
    texture.format = PIPE_FORMAT_R8G8B8A8_UNORM;
    texture.width0 = texture.height0 = texture.depth0 = texture.array_size = 1;
    texture.bind = PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET;
    screen.exported_as = type;
    Plan plan;
    return plan_export(screen, texture, map_format(screen.device(), texture.format), plan);
}

} // namespace

void make_exportable(Context& context, Resource& resource) {
    Screen& screen = context.kobalt_screen();
    if (!screen.exported_as || resource.is_buffer())
        return;
    // Another context may make an EGLImage or a handle of the texture at the same time.
    const std::lock_guard lock(screen.storage_mutex);
    Plan plan;
    if (is_exported(resource) || obstacle(resource) ||
        !plan_export(screen, resource.b, resource.mapping, plan))
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
    screen.resource_get_param = resource_get_param;
}

} // namespace kobalt::gallium
