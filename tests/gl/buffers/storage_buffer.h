// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <numeric>

#include "compute.h"

namespace kobalt::gltest {

class StorageBufferTest : public ComputeTest {};

/// Counts from 1 on: which word of a block a member's component has.
inline Words counting(size_t count) {
    Words words(count);
    std::iota(words.begin(), words.end(), 0U);
    return words;
}

} // namespace kobalt::gltest
