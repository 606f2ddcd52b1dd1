// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

namespace kobalt::vulkan {

class Device;

/// A texel buffer view; offset and range in bytes. `usage` is the view's usage. Without
/// Capability::maintenance5 a view has the buffer's usage, and the format has to support all of it
/// (VUID-VkBufferViewCreateInfo-format-08779). 0: the buffer's usage.
Result<BufferView> create_buffer_view(Device& device, VkBuffer buffer, VkFormat format,
                                      VkDeviceSize offset, VkDeviceSize range,
                                      const char* name = nullptr, VkBufferUsageFlags usage = 0);

} // namespace kobalt::vulkan
