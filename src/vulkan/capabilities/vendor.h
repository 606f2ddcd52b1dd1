// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

namespace kobalt::vulkan::vendor {

/// VkPhysicalDeviceProperties::vendorID of the makers that Kobalt knows: numbers of PCI's list.
inline constexpr uint32_t amd = 0x1002;
inline constexpr uint32_t arm = 0x13b5;
inline constexpr uint32_t broadcom = 0x14e4;
inline constexpr uint32_t google = 0x1ae0;
inline constexpr uint32_t imagination = 0x1010;
inline constexpr uint32_t intel = 0x8086;
inline constexpr uint32_t nvidia = 0x10de;
inline constexpr uint32_t qualcomm = 0x5143;

} // namespace kobalt::vulkan::vendor
