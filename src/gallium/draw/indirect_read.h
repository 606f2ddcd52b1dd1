// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vector>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// One draw of an indirect multi-draw, as read by the CPU. Its position in the list is its
/// gl_DrawID.
struct ReadDraw {
    pipe_draw_start_count_bias range;
    uint32_t instance_count;
    uint32_t start_instance;
};

/// Reads the parameters of an indirect draw from its buffers (OpenGL 4.6, 10.4), which waits for
/// pending writes to them. The number of draws is the least of the parameter buffer's count, the
/// call's limit, and what the buffer has room for.
std::vector<ReadDraw> read_indirect(Context& context, const pipe_draw_info& info,
                                    const pipe_draw_indirect_info& indirect);

/// Whether the device can read the draw's parameters from the buffer without changes.
bool device_draws_indirect(const vulkan::Device& device, const pipe_draw_info& info,
                           const pipe_draw_indirect_info& indirect);

} // namespace kobalt::gallium
