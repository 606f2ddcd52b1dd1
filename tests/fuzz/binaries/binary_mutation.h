// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "../driver/random.h"

namespace kobalt::fuzz {

using Bytes = std::vector<std::byte>;

/// One of `originals`, which isn't empty, after up to four changes: bits, words and chunks of it,
/// or of another one, and where it ends. Half of the time the length and the checksum in the header
/// are made to fit then. At times nothing is changed.
Bytes mutated(Random& random, std::span<const Bytes> originals);

} // namespace kobalt::fuzz
