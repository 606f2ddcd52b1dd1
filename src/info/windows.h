// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "vulkan/device/device.h"

namespace kobalt::info {

/// Which kind of window the X server of DISPLAY gets from this device, and why.
std::string window_report(vulkan::Device& device);

} // namespace kobalt::info
