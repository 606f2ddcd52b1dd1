// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "programs.h"

namespace kobalt::memory {

/// What Vulkan alone takes for what glFlush and glFinish do behind one small draw: one line for
/// each number of draws and way to wait, with the medians of the steps in microseconds.
void time_finish(const Way& way);

} // namespace kobalt::memory
