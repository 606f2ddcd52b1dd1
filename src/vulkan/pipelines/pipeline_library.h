// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <span>

namespace kobalt::vulkan {

class Device;

/// Creates a graphics pipeline library for `parts`. `info` carries the state of these parts alone;
/// its pNext chain (VkPipelineRenderingCreateInfo, shader modules) is kept, LIBRARY is added to its
/// flags. `optimizable`: LinkMode::optimized may link it, for which drivers retain the shaders'
/// intermediate code (RETAIN_LINK_TIME_OPTIMIZATION_INFO).
Result<Pipeline> create_pipeline_library(Device& device, VkGraphicsPipelineLibraryFlagsEXT parts,
                                         const VkGraphicsPipelineCreateInfo& info,
                                         VkPipelineCache cache = VK_NULL_HANDLE,
                                         const char* name = nullptr, bool optimizable = true);

enum class LinkMode {
    fast,     ///< microseconds, no compiler: allowed inside a draw
    optimized ///< link-time optimisation: for a background thread
};

/// Links libraries that together have all four parts. `layout` must be compatible with the
/// libraries' (independent sets). `flags` are added (descriptor buffer,
/// FAIL_ON_PIPELINE_COMPILE_REQUIRED).
Result<Pipeline> link_pipeline(Device& device, std::span<const VkPipeline> libraries,
                               VkPipelineLayout layout, LinkMode mode,
                               VkPipelineCreateFlags flags = 0,
                               VkPipelineCache cache = VK_NULL_HANDLE, const char* name = nullptr);

} // namespace kobalt::vulkan
