// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/device/device.h"
#include "vulkan/instance/physical_device.h"

#include <string>

namespace kobalt::vulkan {

/// `kobalt info`, part one: lists every device, its score, and why it was chosen or rejected.
std::string device_report(const DeviceSelection& selection);
/// Part two: lists queues, memory and every capability, on or off, and why.
std::string capability_report(Device& device);

} // namespace kobalt::vulkan
