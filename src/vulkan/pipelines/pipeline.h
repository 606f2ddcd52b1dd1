// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <span>

namespace kobalt::vulkan {

class Device;

/// A compute pipeline from a stage and a layout. `flags` may hold
/// VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT and
/// VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, which comes back as the error
/// VK_PIPELINE_COMPILE_REQUIRED.
struct ComputePipelineInfo {
    VkShaderModule module = VK_NULL_HANDLE;
    const char* entry = "main";
    const VkSpecializationInfo* specialization = nullptr;
    const void* stage_next = nullptr; ///< VkPipelineShaderStageCreateInfo::pNext
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipelineCreateFlags flags = 0;
    const char* name = nullptr;
};
Result<Pipeline> create_compute_pipeline(Device& device, const ComputePipelineInfo& info,
                                         VkPipelineCache cache = VK_NULL_HANDLE);

/// A whole graphics pipeline; `info` is passed to Vulkan as it is.
Result<Pipeline> create_graphics_pipeline(Device& device, const VkGraphicsPipelineCreateInfo& info,
                                          VkPipelineCache cache = VK_NULL_HANDLE,
                                          const char* name = nullptr);

} // namespace kobalt::vulkan
