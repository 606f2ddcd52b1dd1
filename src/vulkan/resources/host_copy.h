// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "vulkan/base/error.h"

namespace kobalt::vulkan {

class Device;

// VK_EXT_host_image_copy: the CPU writes into images itself. That is faster where the CPU is the
// device or shares its memory; elsewhere a copy engine is faster than a CPU that rearranges texels.

/// Whether host copies into images in VK_IMAGE_LAYOUT_GENERAL are possible and faster.
bool writes_images_on_host(const Device& device);
/// Moves all of an image from VK_IMAGE_LAYOUT_UNDEFINED to GENERAL. Nothing may be using the image.
Result<void> initialize_on_host(Device& device, VkImage image, VkImageAspectFlags aspects);
/// Writes regions of an image in VK_IMAGE_LAYOUT_GENERAL that nothing uses.
Result<void> copy_to_image_on_host(Device& device, VkImage image,
                                   std::span<const VkMemoryToImageCopyEXT> regions);

} // namespace kobalt::vulkan
