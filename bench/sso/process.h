// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <chrono>

namespace kobalt::sso {

using Clock = std::chrono::steady_clock;

/// Seconds from `begin` to now.
double seconds_since(Clock::time_point begin);

/// CPU time that the calling thread has taken, in seconds.
double thread_cpu_seconds();

/// The process's resident set in MB (10^6 bytes), from /proc/self/statm.
double resident_mb();

} // namespace kobalt::sso
