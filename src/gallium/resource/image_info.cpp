// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The creation info of textures: which usage their views may have, and which of it is left out
// where a device doesn't support all of it.

#include <span>

#include "gallium/context/resource.h"
#include "gallium/resource/create.h"
#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

/// The creation flags that a 3D image with these features needs for views of single slices.
/// `stored`: ImageUses::stored.
VkImageCreateFlags slice_flags(const vulkan::Device& device, VkFormatFeatureFlags2 features,
                               bool stored) {
    constexpr VkFormatFeatureFlags2 attachment =
        VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
    VkImageCreateFlags flags = 0;
    if (features & attachment)
        flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    // An image unit may bind a single slice.
    if (stored && (features & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT) &&
        device.has(vulkan::Capability::image_2d_view_of_3d))
        flags |= VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    return flags;
}

/// Sets type, extent, levels, layers, samples, and the flags for the texture's target.
/// `features`: the union of all views' features.
void describe_shape(VkImageCreateInfo& info, Screen& screen, const pipe_resource& templ,
                    VkFormatFeatureFlags2 features, bool stored) {
    info.imageType = VK_IMAGE_TYPE_2D;
    info.extent = {MAX2(templ.width0, 1u), MAX2(templ.height0, 1u), 1};
    info.mipLevels = templ.last_level + 1;
    info.arrayLayers = MAX2(templ.array_size, 1u);
    info.samples = static_cast<VkSampleCountFlagBits>(MAX2(templ.nr_samples, 1u));
    switch (templ.target) {
    case PIPE_TEXTURE_1D:
    case PIPE_TEXTURE_1D_ARRAY:
        if (screen.spirv_target.one_dimensional_textures)
            info.imageType = VK_IMAGE_TYPE_1D;
        info.extent.height = 1;
        break;
    case PIPE_TEXTURE_3D:
        info.imageType = VK_IMAGE_TYPE_3D;
        info.extent.depth = templ.depth0;
        info.arrayLayers = 1;
        info.flags |= slice_flags(screen.device(), features, stored);
        break;
    case PIPE_TEXTURE_CUBE:
    case PIPE_TEXTURE_CUBE_ARRAY:
        info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
        break;
    case PIPE_TEXTURE_2D_ARRAY:
        // ARB_texture_view allows cube views of square arrays.
        if (info.arrayLayers >= 6 && info.extent.width == info.extent.height && info.samples == 1)
            info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
        break;
    default:
        break;
    }
}

constexpr VkFormatFeatureFlags2 features_of_views =
    VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT;

/// The features of all views in the known formats: those of the texture's sRGB or linear
/// counterpart may support more than its own.
VkFormatFeatureFlags2 known_features(const vulkan::Device& device, VkFormat stored,
                                     VkFormatFeatureFlags2 own) {
    if (const VkImageFormatListCreateInfo* const list = known_views(device, stored))
        for (const VkFormat format : std::span(list->pViewFormats, list->viewFormatCount))
            own |= device.format_properties(format).optimalTilingFeatures & features_of_views;
    return own;
}

/// The features of all possible views of the texture. They may have any format of its size (OpenGL
/// 4.6, table 8.21 and 8.26), and some of these support more than the texture's own. `stored`: the
/// Vulkan format. A8 is compatible with no other format (Vulkan 1.4, section 34.1.8, "Compatible
/// Formats").
VkFormatFeatureFlags2 all_features(const vulkan::Device& device, const pipe_resource& templ,
                                   VkFormat stored, VkFormatFeatureFlags2 own) {
    if (util_format_is_depth_or_stencil(templ.format) || util_format_is_compressed(templ.format) ||
        stored == VK_FORMAT_A8_UNORM_KHR)
        return own;
    const auto with = [&](VkFormat format) {
        return own | (device.format_properties(format).optimalTilingFeatures & features_of_views);
    };
    switch (util_format_get_blocksize(templ.format)) {
    case 1:
        return with(VK_FORMAT_R8_UINT);
    case 2:
        return with(VK_FORMAT_R16_UINT);
    case 4:
        return with(VK_FORMAT_R32_UINT);
    case 8:
        return with(VK_FORMAT_R32G32_UINT);
    case 16:
        return with(VK_FORMAT_R32G32B32A32_UINT);
    default:
        return own;
    }
}

/// The usage that a texture may have whose format has these features. `stored`: ImageUses::stored.
VkImageUsageFlags image_usage(Screen& screen, const pipe_resource& templ,
                              VkFormatFeatureFlags2 features, bool stored) {
    const vulkan::Device& device = screen.device();
    VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT)
        usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    if (features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT) {
        usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
        if (device.has(vulkan::Capability::dynamic_rendering_local_read))
            usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    }
    if (features & VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT)
        usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    if (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT && screen.caps.fbfetch_zs)
        usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    // Image units allow no depth or stencil format (OpenGL 4.6, table 8.26).
    if (stored && (features & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT) &&
        !util_format_is_depth_or_stencil(templ.format) &&
        (templ.nr_samples < 2 || device.has(vulkan::Capability::shader_storage_image_multisample)))
        usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    return usage;
}

constexpr VkImageUsageFlags attachment_usage =
    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;

/// Whether the device can create the image in `format`. If it doesn't support all usage in one
/// image, this first drops usage that `bind` doesn't need. `own`: the usage of the format itself.
bool reduce_to_fit(VkImageCreateInfo& info, const vulkan::Device& device, VkFormat format,
                   unsigned bind, VkImageUsageFlags own, VkImageCreateFlags own_slices) {
    constexpr VkImageCreateFlags all_slices =
        VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    const auto fits = [&] {
        const auto limits = device.image_format_properties(format, info.imageType, info.tiling,
                                                           info.usage, info.flags);
        return limits && (limits->sampleCounts & info.samples) &&
               info.extent.width <= limits->maxExtent.width &&
               info.extent.height <= limits->maxExtent.height &&
               info.extent.depth <= limits->maxExtent.depth &&
               info.mipLevels <= limits->maxMipLevels && info.arrayLayers <= limits->maxArrayLayers;
    };
    if ((info.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) && !fits())
        info.flags &= ~all_slices | own_slices;
    if ((info.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) && !fits()) {
        info.flags &= ~VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
        info.usage &= own;
    }
    if (!fits() && !(bind & PIPE_BIND_SHADER_IMAGE)) {
        info.usage &= ~VK_IMAGE_USAGE_STORAGE_BIT;
        info.flags &= ~VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    }
    if (!fits() && (info.flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT))
        info.flags &= ~VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    if (!fits() && (info.flags & VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT))
        info.flags &= ~VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
    if (!fits() && (info.flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT))
        info.flags &= ~VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
    if (!fits() && !(bind & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL)))
        info.usage &= ~(attachment_usage | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    if (!fits() && info.samples > 1 && !(bind & PIPE_BIND_SAMPLER_VIEW))
        info.usage &= ~VK_IMAGE_USAGE_SAMPLED_BIT;
    return fits();
}

} // namespace

ImageUses first_uses(const pipe_resource& templ) {
    const bool sparse = templ.flags & PIPE_RESOURCE_FLAG_SPARSE;
    return sparse || (templ.bind & PIPE_BIND_SHADER_IMAGE) ? ImageUses::all() : ImageUses{};
}

VkImageCreateInfo image_info(Screen& screen, const pipe_resource& templ,
                             const FormatMapping& mapping, ImageUses uses) {
    const vulkan::Device& device = screen.device();
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    if (mapping.format == VK_FORMAT_UNDEFINED)
        return info;
    const VkFormatFeatureFlags2 features =
        device.format_properties(mapping.format).optimalTilingFeatures;
    const VkFormatFeatureFlags2 of_views =
        uses.any_view ? all_features(device, templ, mapping.format, features)
                      : known_features(device, mapping.format, features);
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    describe_shape(info, screen, templ, of_views, uses.stored);
    const VkImageFormatListCreateInfo* const formats =
        uses.any_view ? nullptr : known_views(device, mapping.format);
    info.pNext = formats;
    if (util_format_is_depth_or_stencil(templ.format)) {
        if (info.samples > 1 && device.has(vulkan::Capability::sample_locations) &&
            util_format_has_depth(util_format_description(templ.format)))
            info.flags |= VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
    } else if (uses.any_view || formats) {
        info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    }
    // Each view limits its usage, so the image may have usage that its own format doesn't support.
    const VkImageUsageFlags own = image_usage(screen, templ, features, uses.stored);
    info.usage = image_usage(screen, templ, of_views, uses.stored);
    if (info.usage != own)
        info.flags |= VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    if (info.samples == 1 && info.imageType == VK_IMAGE_TYPE_2D &&
        (info.usage & attachment_usage) &&
        device.has(vulkan::Capability::multisampled_render_to_single_sampled))
        info.flags |= VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT;
    if (screen.engine->paths().host_image_writes && info.samples == 1 &&
        features & VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT_EXT &&
        device.host_transfer_is_free(mapping.format, info.imageType, info.tiling, info.usage,
                                     info.flags, formats))
        info.usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
    if (reduce_to_fit(info, device, mapping.format, templ.bind,
                      own | VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT,
                      slice_flags(device, features, uses.stored)))
        info.format = mapping.format;
    return info;
}

} // namespace kobalt::gallium
