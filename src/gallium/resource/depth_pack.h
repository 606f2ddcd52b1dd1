// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vulkan/vulkan_core.h>

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// Whether the GL layout of a depth format differs from Vulkan's in buffer copies: combined formats
/// are copied one aspect at a time, and 24-bit depth may be stored in 32 bits of float.
bool needs_depth_packing(pipe_format format, VkFormat stored);

/// Bytes of one depth texel in a Vulkan buffer copy (16-bit: 2, else 4).
uint32_t depth_copy_bytes(VkFormat stored);

/// Converts `count` texels from Vulkan's depth and stencil copies to GL's layout. `stencil` may be
/// null for formats without it.
void pack_depth_row(pipe_format format, VkFormat stored, std::byte* packed, const std::byte* depth,
                    const std::byte* stencil, uint32_t count);
/// The reverse.
void unpack_depth_row(pipe_format format, VkFormat stored, const std::byte* packed,
                      std::byte* depth, std::byte* stencil, uint32_t count);

} // namespace kobalt::gallium
