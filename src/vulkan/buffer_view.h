// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/error.h"
#include "vulkan/handle.h"

namespace kobalt::vulkan {

class Device;

/// A texel buffer view; offset and range in bytes.
Result<BufferView> create_buffer_view(Device& device, VkBuffer buffer, VkFormat format,
                                      VkDeviceSize offset, VkDeviceSize range,
                                      const char* name = nullptr);

} // namespace kobalt::vulkan
