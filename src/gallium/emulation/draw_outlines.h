// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Whether the bound vertex shader passes edge flags on. Mesa's variant of the shader reads them as
/// its last attribute.
bool passes_edge_flags(const Context& context);
/// Whether draw_outlines() would draw this if it were direct and without restart.
bool has_outlines(const Context& context, const pipe_draw_info& info);

/// Quads and polygons in GL_LINE mode: Vulkan draws triangles, whose diagonals would show (OpenGL
/// 3.3 compatibility, Options Controlling Polygon Rasterization: only boundary edges are drawn),
/// and has no edge flags, which hide edges of separate triangles too. The outlines are drawn as
/// lines where lines can't be told from the edges of polygons, else as triangles that leave hidden
/// edges out (OutlineStages). Where the device can't run such stages, lines are drawn even if the
/// fragment shader can tell, but not if culling or polygon offset would be lost. In GL_POINT mode
/// edge flags hide corners; without such stages they don't where polygons are culled or offset.
/// Transform feedback captures from a separate draw. Takes direct draws without restart. True: it
/// was drawn.
bool draw_outlines(Context& context, const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws);

} // namespace kobalt::gallium
