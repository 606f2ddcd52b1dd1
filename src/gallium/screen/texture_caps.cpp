// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <bit>

#include "gallium/screen/caps.h"
#include "vulkan/base/address_space.h"
#include "vulkan/device/device.h"

// pipe_caps of textures and samplers.

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

unsigned mip_levels(uint32_t size) {
    return std::bit_width(size);
}

bool linear_filter(vulkan::Device& device, VkFormat format) {
    return device.format_properties(format).optimalTilingFeatures &
           VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
}

/// Whether samplers support minimum and maximum reduction for that format.
bool reduces(vulkan::Device& device, VkFormat format) {
    return device.format_properties(format).optimalTilingFeatures &
           VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
}

} // namespace

void set_texture_caps(pipe_caps& caps, vulkan::Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    caps.npot_textures = true;
    caps.anisotropic_filter = device.has(Capability::sampler_anisotropy);
    caps.max_texture_anisotropy = caps.anisotropic_filter ? limits.maxSamplerAnisotropy : 1.0f;
    caps.max_texture_lod_bias = limits.maxSamplerLodBias;
    // Mesa uses this limit for renderbuffers and viewports as well.
    caps.max_texture_2d_size = std::min({limits.maxImageDimension2D, limits.maxFramebufferWidth,
                                         limits.maxFramebufferHeight, 16384u});
    caps.max_texture_3d_levels = mip_levels(std::min(limits.maxImageDimension3D, 2048u));
    caps.max_texture_cube_levels = mip_levels(std::min(limits.maxImageDimensionCube, 16384u));
    caps.max_texture_array_layers = std::min(limits.maxImageArrayLayers, 2048u);
    caps.texture_swizzle = true;
    caps.texture_mirror_clamp = false;
    caps.texture_mirror_clamp_to_edge = device.has(Capability::sampler_mirror_clamp_to_edge);
    caps.gl_clamp = false; // lowered in shaders
    caps.texture_shadow_map = true;
    caps.texture_shadow_lod = true;
    caps.seamless_cube_map = true;
    caps.seamless_cube_map_per_texture = device.has(Capability::non_seamless_cube_map);
    caps.cube_map_array = device.has(Capability::image_cube_array);
    caps.texture_multisample = true;
    caps.texture_query_samples = true;
    caps.texture_query_lod = true;
    caps.texture_buffer_objects = true;
    caps.buffer_sampler_view_rgba_only = false;
    caps.texture_buffer_offset_alignment =
        static_cast<unsigned>(std::max<VkDeviceSize>(limits.minTexelBufferOffsetAlignment, 1));
    caps.max_texel_buffer_elements = std::min(limits.maxTexelBufferElements, 1u << 27);
    caps.max_texture_gather_components = 4;
    caps.min_texel_offset = limits.minTexelOffset;
    caps.max_texel_offset = static_cast<int>(std::min(limits.maxTexelOffset, 2048u));
    caps.min_texture_gather_offset =
        device.has(Capability::shader_image_gather_extended) ? limits.minTexelGatherOffset : -8;
    caps.max_texture_gather_offset =
        device.has(Capability::shader_image_gather_extended)
            ? static_cast<int>(std::min(limits.maxTexelGatherOffset, 2048u))
            : 7;
    caps.texture_float_linear = linear_filter(device, VK_FORMAT_R32G32B32A32_SFLOAT);
    caps.texture_half_float_linear = linear_filter(device, VK_FORMAT_R16G16B16A16_SFLOAT);
    // Border colours use the channels that the view's format stores, and the view's swizzle applies
    // to them. Where the device doesn't apply it by itself (borderColorSwizzleFromImage), a sampler
    // would have to know the view's swizzle, but GL's samplers are combined with any view. NVIDIA's
    // driver (580.159) then uses the border's channels unswizzled, so the state tracker swizzles
    // them before.
    caps.texture_border_color_quirk =
        !device.has(Capability::border_color_swizzle_from_image) &&
                device.has(Capability::custom_border_color_without_format)
            ? PIPE_QUIRK_TEXTURE_BORDER_COLOR_SWIZZLE_NV50
            : PIPE_QUIRK_TEXTURE_BORDER_COLOR_SWIZZLE_FREEDRENO;
    caps.sampler_view_target = true;
    caps.copy_between_compressed_and_plain_formats = true;
    caps.surface_reinterpret_blocks = false;
    // The CPU converts texels in the program's memory exactly as GL asks; an upload then is one
    // copy command. Those in pixel buffers stay on the GPU (pipe_context::texture_buffer_copy).
    caps.texture_transfer_modes = PIPE_TEXTURE_TRANSFER_DEFAULT;
    // The ARB extension has a query for each format, the EXT extension has none.
    caps.sampler_reduction_minmax_arb = device.has(Capability::sampler_filter_minmax);
    caps.sampler_reduction_minmax =
        caps.sampler_reduction_minmax_arb && reduces(device, VK_FORMAT_R8_UNORM) &&
        reduces(device, VK_FORMAT_R8G8B8A8_UNORM) && reduces(device, VK_FORMAT_D16_UNORM) &&
        reduces(device, VK_FORMAT_R16G16B16A16_SFLOAT);
    // spirv::prepare lowers the coordinates, so Vulkan's unnormalised samplers aren't needed.
    caps.texrect = true;
    caps.null_textures = false;
    caps.bindless_texture = device.has(Capability::bindless);
    caps.max_texture_mb = megabytes(device.properties().device_local_bytes()) / 2;
    caps.max_texture_upload_memory_budget =
        static_cast<unsigned>(vulkan::by_address_space(256u << 20, 64u << 20));
}

} // namespace kobalt::gallium
