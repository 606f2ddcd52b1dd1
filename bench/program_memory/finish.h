// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "programs.h"

namespace kobalt::memory {

/// Measures the time that Vulkan alone takes for a glFlush and glFinish after a small draw. Prints
/// one line for each number of draws and way to wait, with the medians of the steps in
/// microseconds.
void time_finish(const Way& way);

} // namespace kobalt::memory
