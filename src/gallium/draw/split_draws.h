// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"

// Draws that are split into several simpler ones, each passed to pipe_context::draw_vbo again.

namespace kobalt::gallium {

/// One pipe_context::draw_vbo with its arguments.
struct DrawRequest {
    pipe_draw_info info; ///< a copy, which never owns the index buffer
    unsigned draw_id;
    const pipe_draw_indirect_info* indirect;
    std::span<const pipe_draw_start_count_bias> draws;
};

/// Splits each draw at its restart indices, where the primitive has to be converted or the device
/// can't restart it.
void draw_without_restart(Context& context, const DrawRequest& request);

/// Converts the vertices that the device can't fetch, for each draw.
void draw_with_converted_vertices(Context& context, const DrawRequest& request);

/// Turns indirect draws into direct ones, for conversions that work on direct draws only. Waits
/// until the device has written their parameters.
void draw_directly(Context& context, const DrawRequest& request);

} // namespace kobalt::gallium
