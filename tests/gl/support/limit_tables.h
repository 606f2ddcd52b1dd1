// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "support.h"

namespace kobalt::gltest {

/// One line of a table. `since` is the version, 46 for 4.6, from which the line holds.
struct Limit {
    GLenum name;
    const char* text;
    GLint64 least;
    int since = 0;
    bool at_most = false; ///< an alignment, or the lower end of a range: no more than that
};

/// OpenGL 4.6 core, tables 23.53 to 23.73.
std::span<const Limit> core_limits();
/// OpenGL ES 3.2, tables 21.40 to 21.49.
std::span<const Limit> es_limits();

} // namespace kobalt::gltest
