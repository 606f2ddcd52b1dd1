// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/line_loop.h"

#include <cstring>
#include <vector>

namespace kobalt::gallium {
namespace {

/// The indices of a draw, with the first repeated at the end. Empty: they could not be read.
std::vector<uint32_t> closed(Context& context, const pipe_draw_info& info,
                             const pipe_draw_start_count_bias& draw) {
    std::vector<uint32_t> list;
    list.reserve(size_t{draw.count} + 1);
    if (!info.index_size) {
        for (uint32_t i = 0; i < draw.count; ++i)
            list.push_back(draw.start + i);
    } else {
        pipe_transfer* transfer = nullptr;
        const unsigned at = draw.start * info.index_size, bytes = draw.count * info.index_size;
        if (!info.has_user_indices &&
            (at >= info.index.resource->width0 || bytes > info.index.resource->width0 - at))
            return {};
        const auto* source =
            info.has_user_indices
                ? static_cast<const uint8_t*>(info.index.user) + at
                : static_cast<const uint8_t*>(pipe_buffer_map_range(
                      &context, info.index.resource, at, bytes, PIPE_MAP_READ, &transfer));
        if (!source)
            return {};
        for (uint32_t i = 0; i < draw.count; ++i) {
            uint32_t index = 0; // little-endian, as Vulkan's hosts are
            std::memcpy(&index, source + size_t{i} * info.index_size, info.index_size);
            list.push_back(index);
        }
        if (transfer)
            pipe_buffer_unmap(&context, transfer);
    }
    list.push_back(list.front());
    return list;
}

} // namespace

bool wants_strip(const Context& context, const pipe_draw_info& info) {
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    return info.mode == MESA_PRIM_LINE_LOOP &&
           (!info.primitive_restart || (rasterizer && rasterizer->gl.line_stipple_enable));
}

bool draw_loops_as_strips(Context& context, const pipe_draw_info& info, unsigned draw_id,
                          std::span<const pipe_draw_start_count_bias> draws) {
    pipe_draw_info strip = info;
    strip.mode = MESA_PRIM_LINE_STRIP;
    strip.index_size = sizeof(uint32_t);
    strip.has_user_indices = true;
    strip.primitive_restart = false;
    strip.index_bounds_valid = false;
    strip.take_index_buffer_ownership = false;
    strip.increment_draw_id = false;
    for (const pipe_draw_start_count_bias& draw : draws) {
        if (draw.count >= 2) {
            const std::vector<uint32_t> list = closed(context, info, draw);
            if (list.empty())
                return false;
            strip.index.user = list.data();
            const int bias = info.index_bias_varies ? draw.index_bias : draws[0].index_bias;
            const pipe_draw_start_count_bias whole{0, static_cast<unsigned>(list.size()),
                                                   info.index_size ? bias : 0};
            context.draw_vbo(&context, &strip, draw_id, nullptr, &whole, 1);
        }
        if (info.increment_draw_id)
            ++draw_id;
    }
    return true;
}

} // namespace kobalt::gallium
