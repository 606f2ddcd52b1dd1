// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Whether draw_outlines() would draw this, were it direct and without restart.
bool has_outlines(const Context& context, const pipe_draw_info& info);

/// Quads and polygons in GL_LINE mode: Vulkan draws triangles, whose diagonals would show (OpenGL
/// 3.3 compatibility, Options Controlling Polygon Rasterization: only boundary edges are drawn),
/// and has no edge flags, which hide edges of separate triangles too. Drawn as lines where those
/// can't be told from the edges of polygons, else as triangles that leave hidden edges out
/// (OutlineStages). Where the device has no such stages, outlines in place matter more than what
/// fragments know of them, but less than culling and offset.
/// In GL_POINT mode edge flags hide corners; not so where polygons are culled or offset.
/// What transform feedback captures is captured by a draw of its own. Direct draws without restart.
/// True: it was drawn.
bool draw_outlines(Context& context, const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws);

} // namespace kobalt::gallium
