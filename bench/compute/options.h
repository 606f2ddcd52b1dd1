// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "jobs.h"

namespace kobalt::compute {

/// The options of the command line.
struct Options {
    double seconds = 0.2;    ///< of a batch
    unsigned batches = 9;    ///< of each kernel through each API
    bool checked = true;     ///< results are compared with the CPU's
    bool list = false;       ///< print the kernels' names
    std::vector<Kind> kinds; ///< in the order of kKinds
};

/// Reads the command line without the program's name. The error is one line.
std::expected<Options, std::string> parse(std::span<char* const> words);

} // namespace kobalt::compute
