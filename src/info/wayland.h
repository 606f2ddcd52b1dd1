// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "vulkan/device/device.h"

namespace kobalt::info {

/// The Wayland compositor that programs of this environment find: the ways in which it takes
/// buffers, and the kind of window that it gets from this device. Each line ends with a line break.
std::string wayland_report(vulkan::Device& device);

} // namespace kobalt::info
