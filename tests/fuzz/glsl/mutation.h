// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "../driver/random.h"

namespace kobalt::fuzz {

/// GLSL with a few tokens changed. The first line, which names the version, stays.
std::string mutated(Random& random, const std::string& text);

} // namespace kobalt::fuzz
