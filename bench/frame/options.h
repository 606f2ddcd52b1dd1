// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "measure.h"

namespace kobalt::frame {

/// The options of the command line.
struct Options {
    std::vector<std::string> scenes; ///< empty: all
    Size size{1920, 1080};
    Frames frames;
    bool list = false;
};

/// Reads the command line without the program's name. The error is one line.
std::expected<Options, std::string> parse(std::span<char* const> words);

} // namespace kobalt::frame
