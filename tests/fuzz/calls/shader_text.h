// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "../driver/random.h"

namespace kobalt::fuzz {

/// Shaders of GLSL 4.50 that draw with whatever is bound. Each function has a few hundred different
/// texts, so that a run compiles much, and finds some of it compiled. All loops end.
std::string vertex_text(Random& random);
std::string fragment_text(Random& random);
std::string geometry_text(Random& random);
std::string control_text(Random& random);
std::string evaluation_text(Random& random);
std::string compute_text(Random& random);

} // namespace kobalt::fuzz
