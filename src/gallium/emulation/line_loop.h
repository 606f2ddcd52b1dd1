// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Whether this line loop is drawn as one strip that ends where it began. In a strip, unlike a
/// list, the stipple pattern continues from line to line as in a loop (OpenGL 4.6 compatibility,
/// 14.5.2.1), and only the first vertex is counted twice (GL_VERTICES_SUBMITTED). Loops that
/// restart within a draw become lists.
bool wants_strip(const Context& context, const pipe_draw_info& info);

/// Draws loops as strips. False: their indices could not be read.
bool draw_loops_as_strips(Context& context, const pipe_draw_info& info, unsigned draw_id,
                          std::span<const pipe_draw_start_count_bias> draws);

} // namespace kobalt::gallium
