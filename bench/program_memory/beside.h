// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "programs.h"

namespace kobalt::memory {

/// Measures how even the frame times of a drawing thread are while `threads` others make `count`
/// programs in that way, as an app does behind its load screen. This is the limit that the Vulkan
/// driver and the system set for a GL driver. Prints one line for each way to wait for a frame,
/// priority of the others, and load.
void draw_beside(const Way& way, uint32_t count, uint32_t threads);

} // namespace kobalt::memory
