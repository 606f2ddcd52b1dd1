// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// Calls `draw_one(info, draw_id, draw)` for each of several draws that isn't empty. `info` is a
/// copy for one draw: its index bias is the draw's own, and what it is split into counts as one
/// draw for gl_DrawID.
template <class DrawOne>
void for_each_draw(const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws, DrawOne draw_one) {
    for (pipe_draw_start_count_bias draw : draws) {
        pipe_draw_info one = info;
        one.increment_draw_id = one.index_bias_varies = false;
        one.take_index_buffer_ownership = false;
        if (!info.index_bias_varies)
            draw.index_bias = draws[0].index_bias;
        if (draw.count)
            draw_one(one, draw_id, draw);
        if (info.increment_draw_id)
            ++draw_id;
    }
}

} // namespace kobalt::gallium
