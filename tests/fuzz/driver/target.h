// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>

#include "journal.h"

namespace kobalt::fuzz {

/// Something to feed inputs to. It lives in a worker, a process of its own.
class Target {
public:
    virtual ~Target() = default;
    /// Makes the input of a seed and runs it; empty where all is right, else one line. A crash, a
    /// hang and messages of the driver are the supervisor's matter.
    virtual std::string run(std::uint64_t seed, Journal& journal) = 0;
};

struct TargetKind {
    const char* name;
    const char* what; ///< one input, in words
    /// Called in a new worker. The error is one line: why there can't be any input here.
    std::expected<std::unique_ptr<Target>, std::string> (*make)();
    std::uint32_t inputs_of_worker; ///< how many a process runs before another one takes over
    std::uint32_t most_seconds;     ///< of one input
    std::uint32_t most_mib;         ///< of a worker's resident set
};

} // namespace kobalt::fuzz
