// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <string>

#include "present/surface_info.h"
#include "vulkan/base/error.h"
#include "vulkan/device/device.h"

namespace kobalt::info {

/// The name of what puts frames from host memory to the window system; fails where nothing can.
using OpenSink = std::function<vulkan::Result<std::string>()>;

/// The kind of window that the device has on a window system, and why, in one line. `open_sink` is
/// called where that is no swapchain.
std::string choice_text(const vulkan::Device& device, const present::SurfaceInfo& surface,
                        const OpenSink& open_sink);

/// "yes" or "no".
const char* yes_or_no(bool it);

} // namespace kobalt::info
