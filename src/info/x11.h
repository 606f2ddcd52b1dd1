// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "vulkan/device/device.h"

namespace kobalt::info {

/// The X server of DISPLAY: its extensions, the kind of window that it gets from this device, and
/// what to do where it has no GLX. Each line ends with a line break.
std::string x11_report(vulkan::Device& device);

/// Whether the X server of DISPLAY takes frames from GPUs: it has DRI3, or is NVIDIA's.
bool x11_takes_frames_of_gpus();

} // namespace kobalt::info
