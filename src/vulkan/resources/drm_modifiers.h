// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vector>

#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

/// The DRM format modifiers of `format`, as `ask` (vkGetPhysicalDeviceFormatProperties2) lists them
/// for `device`, which has VK_EXT_image_drm_format_modifier.
std::vector<VkDrmFormatModifierProperties2EXT>
drm_modifiers(PFN_vkGetPhysicalDeviceFormatProperties2 ask, VkPhysicalDevice device,
              VkFormat format);

} // namespace kobalt::vulkan
