// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/view.h"

#include <algorithm>

#include "gallium/context/operations.h"
#include "gallium/present/present.h"
#include "gallium/resource/create.h"
#include "gallium/screen/fallback_texture.h"
#include "spirv/push_constants.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer_view.h"

namespace kobalt::gallium {

namespace {

/// Applies GL's swizzle to the mapping of stored channels.
VkComponentSwizzle compose(unsigned swizzle, const VkComponentMapping& stored) {
    const auto pick = [](VkComponentSwizzle swizzled, VkComponentSwizzle identity) {
        return swizzled == VK_COMPONENT_SWIZZLE_IDENTITY ? identity : swizzled;
    };
    switch (swizzle) {
    case PIPE_SWIZZLE_X:
        return pick(stored.r, VK_COMPONENT_SWIZZLE_R);
    case PIPE_SWIZZLE_Y:
        return pick(stored.g, VK_COMPONENT_SWIZZLE_G);
    case PIPE_SWIZZLE_Z:
        return pick(stored.b, VK_COMPONENT_SWIZZLE_B);
    case PIPE_SWIZZLE_W:
        return pick(stored.a, VK_COMPONENT_SWIZZLE_A);
    case PIPE_SWIZZLE_1:
        return VK_COMPONENT_SWIZZLE_ONE;
    default:
        return VK_COMPONENT_SWIZZLE_ZERO;
    }
}

/// A view for sampling may have one aspect only: depth, if the format has it.
VkImageAspectFlags sampled_aspect(VkImageAspectFlags aspects) {
    return aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT}
                                               : aspects;
}

bool is_depth_stencil(const Resource& resource) {
    return util_format_is_depth_or_stencil(resource.b.format);
}

/// The mapping for a view's format. For the texture's own format it is the texture's mapping, which
/// depends on the number of samples as well.
FormatMapping view_mapping(Screen& screen, const Resource& resource, pipe_format format) {
    return format == resource.b.format ? resource.mapping : map_format(screen.device(), format);
}

/// Limits `usage` to what a view's format supports: images may have usage that only some of the
/// views' formats support (VK_IMAGE_CREATE_EXTENDED_USAGE_BIT).
VkImageUsageFlags usable(const vulkan::Device& device, VkFormat format, VkImageUsageFlags usage) {
    const VkFormatFeatureFlags2 features = device.format_properties(format).optimalTilingFeatures;
    if (!(features & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT))
        usage &= ~VK_IMAGE_USAGE_STORAGE_BIT;
    if (!(features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT))
        usage &= ~VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    return usage;
}

/// Whether texels of the texture can be read as texels of `format`.
bool is_readable(const vulkan::Device& device, const Resource& resource, pipe_format format) {
    return is_depth_stencil(resource) || format == resource.b.format ||
           stores_own_format(device, resource);
}

void sampler_view_destroy(pipe_context*, pipe_sampler_view* pview) {
    std::unique_ptr<SamplerView> view(SamplerView::from(pview));
    pipe_resource_reference(&view->texture, nullptr);
}

/// Makes the views, unless the texture has to be moved for them or there is no memory.
void make_first_views(Screen& screen, SamplerView& view, pipe_resource* texture) {
    const Resource& resource = *Resource::from(texture);
    const ImageUses uses = uses_of_view(screen, resource, static_cast<pipe_format>(view.format));
    const std::lock_guard lock(screen.storage_mutex); // the driver's thread may move the texture
    if (needs_move(resource, uses) || !make_image_views(screen, view, texture))
        return;
    if (texture->flags & fallback_texture_flag)
        view.image->image().is_placeholder.store(true, std::memory_order_relaxed);
}

pipe_sampler_view* create_sampler_view(pipe_context* context, pipe_resource* texture,
                                       const pipe_sampler_view* templ) {
    Screen& screen = *Screen::from(context->screen);
    auto view = std::make_unique<SamplerView>();
    static_cast<pipe_sampler_view&>(*view) = *templ;
    view->texture = nullptr;
    view->context = context;
    pipe_reference_init(&view->reference, 1);
    // Mesa's state tracker takes no null. A view without images is stale: binding it tries again.
    if (texture->target != PIPE_BUFFER)
        make_first_views(screen, *view, texture);
    pipe_resource_reference(&view->texture, texture);
    return view.release();
}

void surface_destroy(pipe_context*, pipe_surface* psurface) {
    std::unique_ptr<Surface> surface(Surface::from(psurface));
    pipe_resource_reference(&surface->texture, nullptr);
}

VkImageSubresourceRange surface_range(const pipe_surface& surface, VkImageAspectFlags aspects) {
    const auto& part = surface.u.tex;
    return {aspects, part.level, 1, part.first_layer,
            static_cast<uint32_t>(part.last_layer - part.first_layer + 1)};
}

VkImageViewType surface_view_type(const pipe_surface& surface) {
    const bool layered = surface.u.tex.last_layer > surface.u.tex.first_layer;
    if (surface.texture->target == PIPE_TEXTURE_1D ||
        surface.texture->target == PIPE_TEXTURE_1D_ARRAY)
        return layered ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    return layered ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
}

pipe_surface* create_surface(pipe_context* context, pipe_resource* texture,
                             const pipe_surface* templ) {
    Screen& screen = *Screen::from(context->screen);
    Resource& resource = *Resource::from(texture);
    const unsigned level = templ->u.tex.level;
    resize_if_needed(*Context::from(context), resource);
    // Mesa creates surfaces for any attachment, and checks afterwards whether it is renderable.
    const VkImageUsageFlags attachable =
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    const auto format = static_cast<pipe_format>(templ->format);
    const FormatMapping mapping = view_mapping(screen, resource, format);
    const ImageUses uses = uses_of_view(screen, resource, format);
    const std::lock_guard lock(screen.storage_mutex); // the driver's thread may move the texture
    const bool moves = needs_move(resource, uses);
    if (!resource.image || !(usable(screen.device(), mapping.format,
                                    moves ? attachable : resource.image->storage().usage()) &
                             attachable))
        return nullptr;
    auto surface = std::make_unique<Surface>();
    static_cast<pipe_surface&>(*surface) = *templ;
    surface->texture = nullptr;
    surface->context = context;
    surface->width = static_cast<uint16_t>(u_minify(texture->width0, level));
    surface->height = static_cast<uint16_t>(u_minify(texture->height0, level));
    pipe_reference_init(&surface->reference, 1);
    surface->mapping = mapping;

    pipe_resource_reference(&surface->texture, texture);
    if (moves)
        return surface.release();
    // The view has all aspects of the image: a pass may use either.
    const VkImageSubresourceRange range = surface_range(
        *surface, is_depth_stencil(resource) ? resource.mapping.aspects
                                             : VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT});
    // Shaders may fetch from colour attachments, if the image has that usage.
    const VkImageUsageFlags usage =
        is_depth_stencil(resource)
            ? VkImageUsageFlags{VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT}
            : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    surface->view =
        create_image_view(screen, resource, format, surface_view_type(*surface), usage, range, {});
    if (!surface->view) {
        Context::from(context)->out_of_memory.store(true, std::memory_order_relaxed);
        // Mesa takes it that buffers of a window have surfaces. refresh_surface() tries again.
        if (resource.window)
            return surface.release();
        pipe_resource_reference(&surface->texture, nullptr);
        return nullptr;
    }
    return surface.release();
}

} // namespace

ImageUses uses_of_view(Screen& screen, const Resource& resource, pipe_format format, bool stored) {
    const vulkan::Device& device = screen.device();
    const VkFormat viewed = view_mapping(screen, resource, format).format;
    if (is_depth_stencil(resource) || viewed == VK_FORMAT_UNDEFINED ||
        !is_readable(device, resource, format))
        return {};
    return {.stored = stored, .any_view = !is_known_view(device, resource.mapping.format, viewed)};
}

bool is_stale(const SamplerView& view) {
    return !view.image || &view.image->image() != Resource::from(view.texture)->image.get();
}

bool make_image_views(Screen& screen, SamplerView& view, pipe_resource* texture) {
    Resource& resource = *Resource::from(texture);
    const auto format = static_cast<pipe_format>(view.format);
    const FormatMapping mapping = view_mapping(screen, resource, format);
    VkImageSubresourceRange range{};
    range.aspectMask = sampled_aspect(mapping.aspects);
    // Gallium wants depth and stencil in every channel, Vulkan returns them in the first.
    constexpr auto r = VK_COMPONENT_SWIZZLE_R;
    const VkComponentMapping stored = range.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT
                                          ? mapping.swizzle
                                          : VkComponentMapping{r, r, r, r};
    const VkComponentMapping swizzle{
        compose(view.swizzle_r, stored), compose(view.swizzle_g, stored),
        compose(view.swizzle_b, stored), compose(view.swizzle_a, stored)};
    range.baseMipLevel = view.u.tex.first_level;
    range.levelCount = view.u.tex.last_level - view.u.tex.first_level + 1;
    const auto target = static_cast<pipe_texture_target>(view.target);
    range.baseArrayLayer = target == PIPE_TEXTURE_3D ? 0 : view.u.tex.first_layer;
    range.layerCount =
        target == PIPE_TEXTURE_3D ? 1 : view.u.tex.last_layer - view.u.tex.first_layer + 1;
    if (target == PIPE_TEXTURE_1D || target == PIPE_TEXTURE_2D || target == PIPE_TEXTURE_RECT)
        range.layerCount = 1;
    render::Ref<render::ImageView> image = create_image_view(
        screen, resource, format, view_type(target), VK_IMAGE_USAGE_SAMPLED_BIT, range, swizzle);
    if (!image)
        return false;
    view.image = std::move(image);
    if (range.aspectMask == VK_IMAGE_ASPECT_DEPTH_BIT && view.swizzle_r > PIPE_SWIZZLE_W)
        view.compared = create_image_view(screen, resource, format, view_type(target),
                                          VK_IMAGE_USAGE_SAMPLED_BIT, range, stored);
    return true;
}

bool stores_own_format(const vulkan::Device& device, const Resource& resource) {
    return resource.mapping.format == map_format(device, resource.b.format).format;
}

VkImageViewType view_type(pipe_texture_target target) {
    switch (target) {
    case PIPE_TEXTURE_1D:
        return VK_IMAGE_VIEW_TYPE_1D;
    case PIPE_TEXTURE_1D_ARRAY:
        return VK_IMAGE_VIEW_TYPE_1D_ARRAY;
    case PIPE_TEXTURE_2D_ARRAY:
        return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    case PIPE_TEXTURE_3D:
        return VK_IMAGE_VIEW_TYPE_3D;
    case PIPE_TEXTURE_CUBE:
        return VK_IMAGE_VIEW_TYPE_CUBE;
    case PIPE_TEXTURE_CUBE_ARRAY:
        return VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    default:
        return VK_IMAGE_VIEW_TYPE_2D;
    }
}

render::Ref<render::BufferView> create_texels(Screen& screen, Resource& resource,
                                              pipe_format format, VkDeviceSize offset,
                                              VkDeviceSize size, VkBufferUsageFlags usage) {
    vulkan::Device& device = screen.device();
    if (usage == VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT &&
        !device.has(vulkan::Capability::maintenance5))
        return {}; // the buffer lacks that usage
    const VkFormat stored = map_texel_format(format);
    const VkDeviceSize texel = util_format_get_blocksize(format);
    const render::Ref storage = resource.storage.hold();
    if (stored == VK_FORMAT_UNDEFINED || offset >= storage->size())
        return {};
    size = std::min<VkDeviceSize>(
        {size, resource.b.width0 - std::min<VkDeviceSize>(offset, resource.b.width0),
         static_cast<VkDeviceSize>(device.limits().maxTexelBufferElements) * texel});
    size -= size % texel;
    if (!size)
        return {};
    auto view = vulkan::create_buffer_view(device, storage->handle(), stored, offset, size,
                                           "texture buffer", usage);
    if (!view) {
        mesa_loge("kobalt: %s", view.error().to_string().c_str());
        return {};
    }
    const auto type = usage == VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT
                          ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                          : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    return render::make_ref<render::BufferView>(
        storage, std::move(*view), stored, offset, size,
        render::texel_descriptor(device, *storage, type, stored, offset, size));
}

render::Ref<render::ImageView> create_image_view(Screen& screen, Resource& resource,
                                                 pipe_format format, VkImageViewType type,
                                                 VkImageUsageFlags usage,
                                                 VkImageSubresourceRange range,
                                                 const VkComponentMapping& swizzle) {
    // Retains the image, which another context may replace meanwhile.
    const render::Ref<render::Image> image = resource.image;
    if (!image)
        return {};
    // Where the device lacks one-dimensional images of a format, the image is two-dimensional.
    if (image->storage().type() == VK_IMAGE_TYPE_2D) {
        if (type == VK_IMAGE_VIEW_TYPE_1D)
            type = VK_IMAGE_VIEW_TYPE_2D;
        else if (type == VK_IMAGE_VIEW_TYPE_1D_ARRAY)
            type = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    }
    VkImageViewUsageCreateInfo view_usage{};
    view_usage.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO;
    VkImageViewCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    info.pNext = &view_usage;
    info.image = image->handle();
    info.viewType = type;
    // Depth formats can't be reinterpreted: the view's format only selects the aspect.
    info.format = is_depth_stencil(resource) ? image->storage().format()
                                             : view_mapping(screen, resource, format).format;
    info.components = swizzle;
    info.subresourceRange = range;
    view_usage.usage = usable(screen.device(), info.format, usage & image->storage().usage());
    // Slices of a 3D image can be viewed as layers only if the image was created with that flag.
    const bool sliced =
        image->storage().type() == VK_IMAGE_TYPE_3D && type != VK_IMAGE_VIEW_TYPE_3D;
    const bool sliceable =
        image->storage().flags() &
        (usage == VK_IMAGE_USAGE_STORAGE_BIT ? VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT
                                             : VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT);
    const bool readable =
        is_readable(screen.device(), resource, format) &&
        (image->any_view || is_known_view(screen.device(), image->storage().format(), info.format));
    if (info.format == VK_FORMAT_UNDEFINED || !view_usage.usage || (sliced && !sliceable) ||
        !readable) {
        mesa_loge(
            "kobalt: a view of format %s of a texture of format %s: this device can't make one",
            util_format_short_name(format), util_format_short_name(resource.b.format));
        return {};
    }
    auto view = vulkan::create_image_view(screen.device(), info);
    if (!view) {
        mesa_loge("kobalt: %s", view.error().to_string().c_str());
        return {};
    }
    auto made = usage == VK_IMAGE_USAGE_STORAGE_BIT
                    ? render::make_ref<render::ImageView>(
                          image, std::move(*view),
                          std::make_unique<render::StorageShapes>(screen.device(), info))
                    : render::make_ref<render::ImageView>(image, std::move(*view));
    made->info = {info.viewType, info.format, info.components, info.subresourceRange,
                  view_usage.usage};
    return made;
}

uint8_t shadow_swizzle(const pipe_sampler_view* view) {
    const auto channel = [](unsigned swizzle) -> uint32_t {
        switch (swizzle) {
        case PIPE_SWIZZLE_1:
            return spirv::shadow_one;
        case PIPE_SWIZZLE_X:
        case PIPE_SWIZZLE_Y:
        case PIPE_SWIZZLE_Z:
        case PIPE_SWIZZLE_W:
            return spirv::shadow_compared;
        default:
            return spirv::shadow_zero;
        }
    };
    if (!view) // an incomplete texture
        return spirv::shadow_one << 6;
    return static_cast<uint8_t>(channel(view->swizzle_r) | channel(view->swizzle_g) << 2 |
                                channel(view->swizzle_b) << 4 | channel(view->swizzle_a) << 6);
}

void apply_fetched_depth_stencil(Context& context) {
    if (!context.bound.framebuffer.zsbuf || fetch_samples(context))
        return;
    Screen& screen = context.kobalt_screen();
    Surface& surface = *Surface::from(context.bound.framebuffer.zsbuf);
    Resource& resource = *Resource::from(surface.texture);
    constexpr std::array<VkImageAspectFlagBits, 2> bits = {VK_IMAGE_ASPECT_DEPTH_BIT,
                                                           VK_IMAGE_ASPECT_STENCIL_BIT};
    for (size_t i = 0; i < bits.size(); ++i)
        if (!surface.aspects[i] && resource.mapping.aspects & bits[i])
            surface.aspects[i] =
                create_image_view(screen, resource, static_cast<pipe_format>(surface.format),
                                  surface_view_type(surface), VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                                  surface_range(surface, bits[i]), {});
    context.recorder.set_fetched_depth_stencil(surface.aspects[0].get(), surface.aspects[1].get());
}

render::BufferView* texel_view(Screen& screen, SamplerView& view) {
    Resource& resource = *Resource::from(view.texture);
    if (!view.texels || &view.texels->buffer() != resource.storage.get())
        view.texels = create_texels(screen, resource, static_cast<pipe_format>(view.format),
                                    view.u.buf.offset, view.u.buf.size,
                                    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    return view.texels.get();
}

void init_view_functions(Context& context) {
    context.create_sampler_view = create_sampler_view;
    context.sampler_view_destroy = sampler_view_destroy;
    context.create_surface = create_surface;
    context.surface_destroy = surface_destroy;
}

} // namespace kobalt::gallium
