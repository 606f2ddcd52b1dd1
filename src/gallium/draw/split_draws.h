// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"

// Draws that become several simpler ones, which pass through pipe_context::draw_vbo again.

namespace kobalt::gallium {

/// One pipe_context::draw_vbo with its arguments.
struct DrawRequest {
    pipe_draw_info info; ///< a copy: it never owns the index buffer
    unsigned draw_id;
    const pipe_draw_indirect_info* indirect;
    std::span<const pipe_draw_start_count_bias> draws;
};

/// Splits each draw where its restart index stands: the primitive has to be converted, or the
/// device can't restart with it.
void draw_without_restart(Context& context, const DrawRequest& request);

/// Makes direct draws of indirect ones, for what only those can be converted from. Waits for the
/// device to have written their parameters.
void draw_directly(Context& context, const DrawRequest& request);

} // namespace kobalt::gallium
