// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/screen/format.h"

#include <optional>

#include "gallium/screen/format_table.h"
#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

constexpr VkFormatFeatureFlags2 any_image_use = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT |
                                                VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                                                VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;

VkComponentMapping swizzle_of(Channels channels) {
    constexpr auto r = VK_COMPONENT_SWIZZLE_R, g = VK_COMPONENT_SWIZZLE_G,
                   zero = VK_COMPONENT_SWIZZLE_ZERO, one = VK_COMPONENT_SWIZZLE_ONE;
    switch (channels) {
    case Channels::no_alpha:
        return {r, g, VK_COMPONENT_SWIZZLE_B, one};
    case Channels::alpha:
        return {zero, zero, zero, r};
    case Channels::luminance:
        return {r, r, r, one};
    case Channels::intensity:
        return {r, r, r, r};
    case Channels::luminance_alpha:
        return {r, r, r, g};
    case Channels::direct:
    case Channels::stencil:
        break;
    }
    return {};
}

VkImageAspectFlags aspects_of(pipe_format format, Channels channels) {
    if (channels == Channels::stencil)
        return VK_IMAGE_ASPECT_STENCIL_BIT;
    if (!util_format_is_depth_or_stencil(format))
        return VK_IMAGE_ASPECT_COLOR_BIT;
    VkImageAspectFlags aspects = VK_IMAGE_ASPECT_DEPTH_BIT;
    if (util_format_is_depth_and_stencil(format))
        aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
    return aspects;
}

bool usable(const vulkan::Device& device, VkFormat format, unsigned samples) {
    if (!(device.format_properties(format).optimalTilingFeatures & any_image_use))
        return false;
    if (samples < 2)
        return true;
    const auto limits = device.image_format_properties(
        format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0);
    return limits && (limits->sampleCounts & samples);
}

/// Whether the exact Vulkan format supports everything that GL does with the format.
bool exact_usable(const vulkan::Device& device, const FormatEntry& entry, unsigned samples) {
    constexpr VkFormatFeatureFlags2 all =
        VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT |
        VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
        VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT |
        VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT;
    // Vulkan doesn't allow queries about formats that the device doesn't know.
    if (entry.exact == VK_FORMAT_UNDEFINED || !device.has(vulkan::Capability::maintenance5))
        return false;
    return (device.format_properties(entry.exact).optimalTilingFeatures & all) == all &&
           usable(device, entry.exact, samples);
}

/// Whether the format has three channels of 32 bits. GL's textures get an RGBX format instead,
/// which every device can render to and copy.
bool three_channels(VkFormat format) {
    return format == VK_FORMAT_R32G32B32_SFLOAT || format == VK_FORMAT_R32G32B32_UINT ||
           format == VK_FORMAT_R32G32B32_SINT;
}

bool buffer_format_supported(const vulkan::Device& device, pipe_format format, unsigned bindings) {
    if ((bindings & PIPE_BIND_VERTEX_BUFFER) && fetched_format(device, format) == PIPE_FORMAT_NONE)
        return false;
    if ((bindings & PIPE_BIND_INDEX_BUFFER) && format != PIPE_FORMAT_R8_UINT &&
        format != PIPE_FORMAT_R16_UINT && format != PIPE_FORMAT_R32_UINT)
        return false;
    if (bindings & (PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_SHADER_IMAGE)) {
        const VkFormat stored = map_texel_format(format);
        // glTexBuffer doesn't depend on this answer, but the state tracker's pixel transfers do:
        // with legacy formats each of their shaders would need a variant.
        if (stored == VK_FORMAT_UNDEFINED || format_entry(format).channels != Channels::direct)
            return false;
        const VkFormatFeatureFlags2 features = device.format_properties(stored).bufferFeatures;
        if ((bindings & PIPE_BIND_SAMPLER_VIEW) &&
            !(features & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT))
            return false;
        if ((bindings & PIPE_BIND_SHADER_IMAGE) &&
            (!(features & VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT) ||
             !device.has(vulkan::Capability::maintenance5))) // see buffer_usage()
            return false;
    }
    return true;
}

/// The features and usage that an image needs.
struct ImageNeeds {
    VkFormatFeatureFlags2 features =
        VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT;
    VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
};

/// The needs of images with these `bindings`; nothing if the format can't have them on any device.
std::optional<ImageNeeds> image_needs(pipe_format format, const FormatMapping& mapping,
                                      unsigned bindings) {
    const Channels channels = format_entry(format).channels;
    ImageNeeds needs;
    if (bindings & PIPE_BIND_SAMPLER_VIEW) {
        needs.features |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT;
        needs.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    }
    if (bindings & PIPE_BIND_SAMPLER_REDUCTION_MINMAX) {
        needs.features |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
        needs.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    }
    if (bindings & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_BLENDABLE | PIPE_BIND_DISPLAY_TARGET)) {
        // Blending and masks would work on the wrong channels of legacy formats. Luminance is the
        // exception: it is stored in red, and its alpha is one in blending as well.
        if (mapping.emulated && channels != Channels::no_alpha && channels != Channels::luminance)
            return std::nullopt;
        // OpenGL 4.6, table 8.12: not color-renderable, even if it is stored in another format.
        if (format == PIPE_FORMAT_R9G9B9E5_FLOAT)
            return std::nullopt;
        needs.features |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT;
        // OpenGL 3.3 requires these formats for textures only, and has no renderable formats
        // without blending.
        if (util_format_is_snorm(format))
            needs.features |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT;
        needs.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    }
    if ((bindings & PIPE_BIND_BLENDABLE) && !util_format_is_pure_integer(format))
        needs.features |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT;
    if (bindings & PIPE_BIND_DEPTH_STENCIL) {
        needs.features |= VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
        needs.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    }
    if (bindings & PIPE_BIND_SHADER_IMAGE) {
        if (mapping.emulated)
            return std::nullopt;
        needs.features |= VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT;
        needs.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    }
    return needs;
}

bool is_format_supported(pipe_screen* pscreen, pipe_format format, pipe_texture_target target,
                         unsigned sample_count, unsigned storage_sample_count, unsigned bindings) {
    Screen& screen = *Screen::from(pscreen);
    const vulkan::Device& device = screen.device();
    const unsigned samples = MAX2(sample_count, 1u);
    if (samples != MAX2(storage_sample_count, 1u) || !util_is_power_of_two_nonzero(samples))
        return false;
    if (format == PIPE_FORMAT_NONE)
        return (device.limits().framebufferNoAttachmentsSampleCounts & samples) != 0;
    if (target == PIPE_BUFFER)
        return samples == 1 && buffer_format_supported(device, format, bindings);

    const FormatMapping mapping = map_format(device, format, samples);
    if (mapping.format == VK_FORMAT_UNDEFINED || three_channels(mapping.format))
        return false;
    const VkFormatFeatureFlags2 features =
        device.format_properties(mapping.format).optimalTilingFeatures;
    const std::optional<ImageNeeds> needs = image_needs(format, mapping, bindings);
    if (!needs || (features & needs->features) != needs->features)
        return false;
    if (target == PIPE_TEXTURE_CUBE_ARRAY && !device.has(vulkan::Capability::image_cube_array))
        return false;
    if (samples > 1 && target != PIPE_TEXTURE_2D && target != PIPE_TEXTURE_2D_ARRAY)
        return false;

    const bool line = target == PIPE_TEXTURE_1D || target == PIPE_TEXTURE_1D_ARRAY;
    const VkImageType type = line && screen.spirv_target.one_dimensional_textures ? VK_IMAGE_TYPE_1D
                             : target == PIPE_TEXTURE_3D                          ? VK_IMAGE_TYPE_3D
                                                         : VK_IMAGE_TYPE_2D;
    VkImageCreateFlags flags = 0;
    if (target == PIPE_TEXTURE_CUBE || target == PIPE_TEXTURE_CUBE_ARRAY)
        flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    const auto limits = device.image_format_properties(
        mapping.format, type, VK_IMAGE_TILING_OPTIMAL, needs->usage, flags);
    return limits && (limits->sampleCounts & samples);
}

} // namespace

FormatMapping map_format(const vulkan::Device& device, pipe_format format, unsigned samples) {
    const FormatEntry& entry = format_entry(format);
    FormatMapping mapping;
    if (exact_usable(device, entry, samples)) {
        mapping.format = entry.exact;
        return mapping;
    }
    mapping.format = entry.format;
    mapping.aspects = aspects_of(format, entry.channels);
    mapping.swizzle = swizzle_of(entry.channels);
    mapping.emulated = entry.channels != Channels::direct && entry.channels != Channels::stencil;
    if (entry.fallback != VK_FORMAT_UNDEFINED && !usable(device, entry.format, samples)) {
        mapping.format =
            usable(device, entry.fallback, samples) ? entry.fallback : VK_FORMAT_UNDEFINED;
        mapping.emulated = true;
    }
    return mapping;
}

VkFormat map_texel_format(pipe_format format) {
    return format_entry(format).format;
}

VkFormat map_vertex_format(const vulkan::Device& device, pipe_format format) {
    const VkFormat mapped = vertex_format_entry(format);
    if (mapped == VK_FORMAT_UNDEFINED ||
        !(device.format_properties(mapped).bufferFeatures & VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT))
        return VK_FORMAT_UNDEFINED;
    return mapped;
}

// Vulkan 1.3, "Required Format Support": every device fetches channels of 32 bits.
pipe_format fetched_format(const vulkan::Device& device, pipe_format format) {
    if (map_vertex_format(device, format) != VK_FORMAT_UNDEFINED)
        return format;
    constexpr std::array<pipe_format, 4> floats{PIPE_FORMAT_R32_FLOAT, PIPE_FORMAT_R32G32_FLOAT,
                                                PIPE_FORMAT_R32G32B32_FLOAT,
                                                PIPE_FORMAT_R32G32B32A32_FLOAT};
    constexpr std::array<pipe_format, 4> signed_integers{
        PIPE_FORMAT_R32_SINT, PIPE_FORMAT_R32G32_SINT, PIPE_FORMAT_R32G32B32_SINT,
        PIPE_FORMAT_R32G32B32A32_SINT};
    constexpr std::array<pipe_format, 4> integers{PIPE_FORMAT_R32_UINT, PIPE_FORMAT_R32G32_UINT,
                                                  PIPE_FORMAT_R32G32B32_UINT,
                                                  PIPE_FORMAT_R32G32B32A32_UINT};
    const struct util_format_description* const what = util_format_description(format);
    if (!what || what->colorspace != UTIL_FORMAT_COLORSPACE_RGB || what->nr_channels < 1 ||
        what->nr_channels > 4 || what->block.width != 1 || what->block.height != 1 ||
        (what->layout != UTIL_FORMAT_LAYOUT_PLAIN && format != PIPE_FORMAT_R11G11B10_FLOAT))
        return PIPE_FORMAT_NONE;
    const size_t channels = what->nr_channels - 1;
    if (!util_format_is_pure_integer(format))
        return floats[channels];
    if (what->channel[0].size > 32)
        return PIPE_FORMAT_NONE;
    return util_format_is_pure_sint(format) ? signed_integers[channels] : integers[channels];
}

pipe_color_union store_color(const FormatMapping& mapping, pipe_format format,
                             const pipe_color_union& color) {
    pipe_color_union stored = color;
    if (!mapping.emulated)
        return stored;
    switch (format_entry(format).channels) {
    case Channels::alpha:
        stored.ui[0] = color.ui[3];
        break;
    case Channels::luminance_alpha:
        stored.ui[1] = color.ui[3];
        break;
    case Channels::no_alpha:
        if (util_format_is_pure_integer(format))
            stored.ui[3] = 1;
        else
            stored.f[3] = 1.0f;
        break;
    default:
        break;
    }
    return stored;
}

void init_screen_format_functions(Screen& screen) {
    screen.is_format_supported = is_format_supported;
}

} // namespace kobalt::gallium
