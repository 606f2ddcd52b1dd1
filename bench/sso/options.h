// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace kobalt::sso {

/// The options of the command line.
struct Options {
    std::vector<std::string> cases; ///< empty: all
    std::uint64_t seed = 0;         ///< goes into each shader's constants, so that no cache has it
    double pause_s = 1.0;           ///< between making the last program and the first draw
    bool quick = false;             ///< small grids and short times: for a test, not a measurement
    bool pictures = true;           ///< false on devices that draw nothing: contents aren't checked
    bool list = false;

    /// How many seconds a steady case draws.
    double seconds() const { return quick ? 0.05 : 1.0; }
    double pause() const { return quick ? 0.0 : pause_s; }
    /// `full`, or `small` in a quick run.
    int number(int full, int small) const { return quick ? small : full; }
};

/// Reads the command line without the program's name. The error is one line.
std::expected<Options, std::string> parse(std::span<char* const> words);

} // namespace kobalt::sso
