// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/dispatch.h"

#include <string>
#include <vector>

namespace kobalt::vulkan {

/// Asks the driver why the device was lost (VK_EXT_device_fault). Returns a line each for its
/// description, the addresses that were accessed and the vendor's own codes; nothing without the
/// extension, and where the driver knows nothing.
std::vector<std::string> device_fault_lines(const DeviceDispatch& vk, VkDevice device);

} // namespace kobalt::vulkan
