// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "vulkan/base/dispatch.h"

namespace kobalt::vulkan {

/// KOBALT_DEBUG=calls: puts a stopwatch in front of each of the device's commands, which costs some
/// 50 ns a call. A Vulkan command takes no pointer of ours, so the sums are per process, over all
/// measured devices.
void time_calls(DeviceDispatch& vk);

/// A table of the commands called so far, sorted by share: calls, milliseconds, microseconds per
/// call.
std::string call_times();

} // namespace kobalt::vulkan
