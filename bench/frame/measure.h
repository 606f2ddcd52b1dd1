// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <expected>
#include <string>

#include "scene.h"

namespace kobalt::frame {

struct Frames {
    int warm = 12;    ///< drawn before anything is counted
    int counted = 20; ///< drawn while it is counted
    int pause_us = 0; ///< pause behind each
};

/// Draws the scene's frames and prints what one of them costs: the counters of counting_layer
/// that rose, the CPU's time, and the time until the GPU has drawn all of them, for each. The error
/// is one line.
std::expected<void, std::string> measure(const Kind& kind, Size size, const Frames& frames);

/// Makes the file that the counters are shared in, which must be there before a driver is loaded.
bool share_counters();

/// The process's memory that is resident, in MB.
double resident_mb();

} // namespace kobalt::frame
