// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <chrono>

namespace kobalt::watchdog {

/// Ends the program by SIGALRM once `limit` has passed, and prints the stack of each thread to
/// stderr before, in a line each: a hang that a test's runner ends from outside tells nothing. A
/// further call sets the limit anew. Uses SIGUSR1. Thread-safe.
void end_after(std::chrono::seconds limit);

} // namespace kobalt::watchdog
