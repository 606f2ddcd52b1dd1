// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <cstdint>

#include "supervisor.h"
#include "target.h"

namespace kobalt::fuzz {

/// What a worker tells its parent, in memory that both have.
struct Progress {
    /// The number of the input that runs, or is about to.
    std::atomic<std::uint64_t> current{0};
    /// When the current input began, in nanoseconds of CLOCK_MONOTONIC.
    std::atomic<std::int64_t> begun_ns{0};
    std::atomic<bool> running{false}; ///< an input, not what is before the first or behind the last
    std::atomic<bool> stopping{false}; ///< the parent's wish: end after the current input
    Journal journal;
};

/// The line with which a worker tells what a target calls wrong begins with this; the input's
/// number comes next.
inline constexpr const char* wrong_mark = "kobalt-fuzz: wrong in input ";
/// The exit status of a worker whose target can't be made. The reason is on stderr.
inline constexpr int no_target_status = 3;

/// Nanoseconds of CLOCK_MONOTONIC.
std::int64_t now_ns();

/// The whole life of a worker: the inputs from progress.current on, `request.limits.inputs` at
/// most.
[[noreturn]] void work(const TargetKind& kind, const RunRequest& request, Progress& progress);

} // namespace kobalt::fuzz
