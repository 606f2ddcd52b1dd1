// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/device/device.h"

namespace kobalt::present {

struct CopySource {
    VkImage image = VK_NULL_HANDLE; ///< in VK_IMAGE_LAYOUT_GENERAL; null presents black
    VkExtent2D extent{};            ///< pixels
};

struct CopyTarget {
    VkImage image = VK_NULL_HANDLE; ///< just acquired; contents and layout are discarded
    VkExtent2D extent{};            ///< pixels
    bool blit = false;              ///< convert between formats
};

/// Stages at which the copy's submission must wait for the acquired image.
inline constexpr VkPipelineStageFlags2 copy_stages = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;

/// Records the copy of a frame into a swapchain image, which ends in the layout for presenting. The
/// top left corners coincide; the part of the window beyond the frame becomes black. Everything
/// submitted earlier is visible to the copy, and later writes to the source wait for it.
void record_copy(const vulkan::Device& device, VkCommandBuffer commands, const CopySource& source,
                 const CopyTarget& target);

} // namespace kobalt::present
