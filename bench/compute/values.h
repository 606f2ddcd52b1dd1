// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "jobs.h"

namespace kobalt::compute {

inline float float_at(std::span<const std::uint32_t> words, std::size_t at) {
    return std::bit_cast<float>(words[at]);
}

/// Whether a number is the expected one, but for a part of it.
inline bool is_near(double found, double expected, double part) {
    return std::abs(found - expected) <= part * std::abs(expected);
}

/// So many numbers from 1/16 to 1, without a short period.
inline Words pattern(std::size_t count, std::uint32_t seed) {
    Words words(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto mixed = (static_cast<std::uint32_t>(i) + seed) * 2654435761U >> 28U;
        words[i] = std::bit_cast<std::uint32_t>(static_cast<float>(mixed + 1) / 16.0F);
    }
    return words;
}

} // namespace kobalt::compute
