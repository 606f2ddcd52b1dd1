// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <string>

namespace kobalt::vulkan {

struct DeviceProperties;

/// How many descriptors of each kind the bindless set may have.
struct BindlessLimits {
    uint32_t textures = 0;      ///< combined image samplers
    uint32_t texel_buffers = 0; ///< uniform texel buffers
    uint32_t images = 0;        ///< storage images
    uint32_t image_texels = 0;  ///< storage texel buffers
    /// Which limit is too small for a bindless set; empty: none.
    std::string lacking;
};

/// With fewer texture handles than this a device does not offer bindless textures.
inline constexpr uint32_t least_bindless_textures = 1024;
/// The same for image handles, of each kind.
inline constexpr uint32_t least_bindless_images = 16;

/// From the limits that hold for sets in descriptor buffers (Vulkan counts them with those that are
/// not update-after-bind: VkPipelineLayoutCreateInfo) or for an update-after-bind set. All that the
/// stages' own sets can have is left to them.
BindlessLimits bindless_limits(const DeviceProperties& properties, bool descriptor_buffer);

} // namespace kobalt::vulkan
