// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "target.h"

namespace kobalt::fuzz {

/// A run ends with the first limit that it reaches; 0 is no limit.
struct Limits {
    double seconds = 20;
    std::uint64_t inputs = 0;
    std::uint64_t faults = 20;
};

struct RunRequest {
    std::uint64_t seed = 1; ///< of the run; each input's own seed comes from it and from its number
    std::uint64_t first = 0; ///< the number of the first input
    Limits limits;
};

struct Summary {
    std::uint64_t inputs = 0; ///< that ran, with or without a fault
    std::uint64_t faults = 0;
    double seconds = 0;
    std::uint64_t next = 0; ///< the number of the input that would have been the next
};

/// Runs inputs of `kind` in worker processes, one at a time. A worker that crashes, takes longer or
/// grows beyond its kind's limits is a fault, and another one goes on behind the input that it
/// was at. So are what the target calls wrong and each line of the driver's errors and of
/// validation. Each fault is told on stdout with the input's number; what workers write goes to
/// stderr. The error is one line: no worker could begin.
std::expected<Summary, std::string> supervise(const TargetKind& kind, const RunRequest& request);

} // namespace kobalt::fuzz
