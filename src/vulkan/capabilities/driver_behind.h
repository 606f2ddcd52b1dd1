// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/capabilities/device_properties.h"

namespace kobalt::vulkan {

/// The driver that executes the device's commands. With Venus, which sends them out of a virtual
/// machine or a container, this is the driver on the other side: its mistakes and its speed are
/// what workarounds are about. Venus itself is VK_DRIVER_ID_MESA_VENUS, where the driver behind it
/// isn't known. For what happens in this process (windows, entry points), driverID is right.
VkDriverId driver_behind(const DeviceProperties& properties);

} // namespace kobalt::vulkan
