// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <string>

namespace kobalt::vulkan {

struct DeviceProperties;
class Capabilities;

/// Where the bindless set is stored.
enum class BindlessStorage : uint8_t {
    set,          ///< an update-after-bind set
    buffer,       ///< a descriptor buffer of its own, bound beside the rings
    shared_buffer ///< a descriptor buffer together with the rings: the device binds one at a time
};
BindlessStorage bindless_storage(const Capabilities& capabilities);

/// How many descriptors of each kind the bindless set may have.
struct BindlessLimits {
    uint32_t textures = 0;      ///< combined image samplers
    uint32_t texel_buffers = 0; ///< uniform texel buffers
    uint32_t images = 0;        ///< storage images
    uint32_t image_texels = 0;  ///< storage texel buffers
    /// The limit that is too small for a bindless set; empty: none is.
    std::string lacking;
};

/// With fewer texture handles than this a device does not offer bindless textures.
inline constexpr uint32_t least_bindless_textures = 1024;
/// The same for image handles, of each kind.
inline constexpr uint32_t least_bindless_images = 16;

/// Computes the limits for sets in descriptor buffers (Vulkan counts these sets like those without
/// update-after-bind: VkPipelineLayoutCreateInfo) or for an update-after-bind set. Leaves the
/// stages' own sets as much as they can use.
BindlessLimits bindless_limits(const DeviceProperties& properties, BindlessStorage stored_in);

/// Bytes that a shared buffer has for the rings, behind the bindless set.
uint64_t shared_ring_bytes(const DeviceProperties& properties);

} // namespace kobalt::vulkan
