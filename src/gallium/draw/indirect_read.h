// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vector>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// One draw of an indirect one, as the CPU has read it. Its index says which gl_DrawID it has.
struct ReadDraw {
    pipe_draw_start_count_bias range;
    uint32_t instance_count;
    uint32_t start_instance;
};

/// Reads the parameters of an indirect draw from its buffers (OpenGL 4.6, 10.4), which waits for
/// whoever writes them: no more draws than the parameter buffer counts, than the call allows, and
/// than the buffer has room for.
std::vector<ReadDraw> read_indirect(Context& context, const pipe_draw_info& info,
                                    const pipe_draw_indirect_info& indirect);

/// Whether the device takes the draw's parameters from a buffer as they are.
bool device_draws_indirect(const vulkan::Device& device, const pipe_draw_info& info,
                           const pipe_draw_indirect_info& indirect);

} // namespace kobalt::gallium
