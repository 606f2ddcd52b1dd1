// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Whether this is a line loop that is drawn as one strip that ends where it began: the stipple
/// pattern goes on from line to line of a loop (OpenGL 4.6 compatibility, 14.5.2.1), not of a list,
/// and a strip counts but the first vertex twice (GL_VERTICES_SUBMITTED). Lists are for loops that
/// restart within a draw.
bool wants_strip(const Context& context, const pipe_draw_info& info);

/// Draws loops as strips. False: their indices could not be read.
bool draw_loops_as_strips(Context& context, const pipe_draw_info& info, unsigned draw_id,
                          std::span<const pipe_draw_start_count_bias> draws);

} // namespace kobalt::gallium
