// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/capabilities/device_features.h"
#include "vulkan/capabilities/device_properties.h"

#include <set>
#include <string>

namespace kobalt::vulkan {

/// Links the structures of `all` (DeviceFeatures or DeviceProperties) that `extensions` bring, and
/// the core ones where `core` is true, into a pNext chain for one call. Null at the end of a chain
/// and after unchain(), so that values copy freely between calls.
void* chain(DeviceFeatures& all, const std::set<std::string>& extensions, bool core);
void* chain(DeviceProperties& all, const std::set<std::string>& extensions, bool core);
/// Used when a device is created and `extensions` has core_1_4. VkPhysicalDeviceVulkan14Features
/// may not be chained together with the structures of the extensions that it replaces
/// (VUID-VkDeviceCreateInfo-pNext-10360), so their bits are copied into it. Returns the extensions
/// that are still to be chained.
std::set<std::string> merge_core_1_4(DeviceFeatures& all, std::set<std::string> extensions);
void unchain(DeviceFeatures& all);
void unchain(DeviceProperties& all);

} // namespace kobalt::vulkan
