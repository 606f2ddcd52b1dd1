// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "programs.h"

namespace kobalt::memory {

/// How even the frames are of a thread that draws while `threads` others make `count` programs in
/// that way, as an app does behind its load screen: what the device's own driver and the system
/// leave of that to a GL driver. One line for each way to wait for a frame, priority of the others,
/// and thing that they do.
void draw_beside(const Way& way, uint32_t count, uint32_t threads);

} // namespace kobalt::memory
