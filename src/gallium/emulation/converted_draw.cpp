// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/converted_draw.h"

#include <vector>

#include "indices/u_primconvert.h"

namespace kobalt::gallium {

// The converter makes room for three indices for each vertex of a quad strip after the second and
// writes six for each quad: an odd vertex at the end, which completes no quad (OpenGL 4.6
// compatibility, 10.1.9), would give half a quad and indices beyond the end of the allocation.
void draw_by_converter(Context& context, const pipe_draw_info& info, unsigned draw_id,
                       std::span<const pipe_draw_start_count_bias> draws) {
    std::vector<pipe_draw_start_count_bias> even;
    if (info.mode == MESA_PRIM_QUAD_STRIP) {
        even.assign(draws.begin(), draws.end());
        for (pipe_draw_start_count_bias& draw : even)
            draw.count &= ~1u;
        draws = even;
    }
    util_primconvert_draw_vbo(context.primconvert, &info, draw_id, nullptr, draws.data(),
                              static_cast<unsigned>(draws.size()));
}

} // namespace kobalt::gallium
