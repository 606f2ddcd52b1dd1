// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "vulkan/base/dispatch.h"

namespace kobalt::vulkan {

/// KOBALT_DEBUG=calls: puts a stopwatch in front of each of the device's commands, which costs some
/// 50 ns a call. A Vulkan command has no place for a pointer of ours, so the sums are the
/// process's: those of all devices that are measured together.
void time_calls(DeviceDispatch& vk);

/// A table of the commands called so far, by their share: calls, milliseconds, microseconds a call.
std::string call_times();

} // namespace kobalt::vulkan
