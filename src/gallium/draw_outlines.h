// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/front_state.h"

namespace kobalt::gallium {

/// Quads and polygons in GL_LINE mode: cut into triangles their diagonals would show (OpenGL 3.3
/// compatibility, 3.6.4 has no such edges), so their outlines are drawn as lines. Only where lines
/// can't be told from an unfilled polygon: nothing is culled, flat-shaded, offset, lit on two
/// sides, captured, or fed to another stage. Edges whose flag is off (glEdgeFlag) are left out, of
/// triangles too. Direct draws without restart. True: it was drawn.
bool draw_outlines(FrontState& state, const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws);

} // namespace kobalt::gallium
