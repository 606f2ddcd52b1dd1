// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "vulkan/device/device.h"

namespace kobalt::info {

/// What the X server of DISPLAY and the Wayland compositor of WAYLAND_DISPLAY can do, which kind of
/// window they get from this device, and why.
std::string window_report(vulkan::Device& device);

} // namespace kobalt::info
