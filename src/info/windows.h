// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "vulkan/device/device.h"

namespace kobalt::info {

/// Describes the X server of DISPLAY and the Wayland compositor of WAYLAND_DISPLAY: their features,
/// the kind of window that they get from this device, and why.
std::string window_report(vulkan::Device& device);

} // namespace kobalt::info
