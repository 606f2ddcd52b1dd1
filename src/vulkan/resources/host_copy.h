// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "vulkan/base/error.h"

namespace kobalt::vulkan {

class Device;

// VK_EXT_host_image_copy: the CPU writes into images itself. It pays where the CPU is the device or
// shares its memory; elsewhere a copy engine is faster than a CPU that arranges texels.

/// Whether images in VK_IMAGE_LAYOUT_GENERAL can be written so, and gain by it.
bool writes_images_on_host(const Device& device);
/// Moves all of an image from VK_IMAGE_LAYOUT_UNDEFINED to GENERAL. Nothing may use it.
Result<void> initialize_on_host(Device& device, VkImage image, VkImageAspectFlags aspects);
/// Writes regions of an image in VK_IMAGE_LAYOUT_GENERAL that nothing uses.
Result<void> copy_to_image_on_host(Device& device, VkImage image,
                                   std::span<const VkMemoryToImageCopyEXT> regions);

} // namespace kobalt::vulkan
