// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/draw_outlines.h"

#include "gallium/objects.h"

extern "C" { // this header has no linkage of its own
#include "indices/u_indices.h"
}
#include "util/u_draw.h"
#include "util/u_prim.h"

namespace kobalt::gallium {
namespace {

constexpr uint32_t outlined_modes =
    1u << MESA_PRIM_QUADS | 1u << MESA_PRIM_QUAD_STRIP | 1u << MESA_PRIM_POLYGON;

bool lines_will_do(const FrontState& state) {
    const RasterizerObject* object = state.bound.rasterizer;
    if (!object)
        return false;
    const pipe_rasterizer_state& gl = object->gl;
    return gl.fill_front == PIPE_POLYGON_MODE_LINE && gl.fill_back == PIPE_POLYGON_MODE_LINE &&
           gl.cull_face == PIPE_FACE_NONE && !gl.flatshade && !gl.offset_line &&
           !gl.light_twoside && !state.bound.stages[MESA_SHADER_GEOMETRY].shader &&
           !state.bound.stages[MESA_SHADER_TESS_EVAL].shader && !state.bound.stream_output_count;
}

void draw_outline(FrontState& state, const pipe_draw_info& info, unsigned draw_id,
                  pipe_draw_start_count_bias draw) {
    if (!u_trim_pipe_prim(info.mode, &draw.count))
        return;
    pipe_draw_info lines;
    util_draw_init_info(&lines);
    lines.start_instance = info.start_instance;
    lines.instance_count = info.instance_count;
    lines.max_index = ~0u;

    mesa_prim mode = MESA_PRIM_LINES;
    unsigned index_size = 0, count = 0;
    u_generate_func generate = nullptr;
    u_translate_func translate = nullptr;
    if (info.index_size)
        u_unfilled_translator(info.mode, info.index_size, draw.count, PIPE_POLYGON_MODE_LINE, &mode,
                              &index_size, &count, &translate);
    else
        u_unfilled_generator(info.mode, draw.start, draw.count, PIPE_POLYGON_MODE_LINE, &mode,
                             &index_size, &count, &generate);
    lines.mode = mode;
    lines.index_size = static_cast<uint8_t>(index_size);

    unsigned offset = 0;
    void* target = nullptr;
    u_upload_alloc(state.stream_uploader, 0, count * index_size, 4, &offset, &lines.index.resource,
                   &target);
    if (!target)
        return;
    if (generate) {
        generate(draw.start, count, target);
    } else {
        pipe_transfer* transfer = nullptr;
        const auto* indices = static_cast<const uint8_t*>(info.index.user);
        if (info.has_user_indices)
            indices += size_t{draw.start} * info.index_size;
        else
            indices = static_cast<const uint8_t*>(pipe_buffer_map_range(
                &state, info.index.resource, draw.start * info.index_size,
                draw.count * info.index_size, PIPE_MAP_READ, &transfer));
        if (indices)
            translate(indices, 0, draw.count, count, 0, target);
        else
            count = 0;
        if (transfer)
            pipe_buffer_unmap(&state, transfer);
    }
    u_upload_unmap(state.stream_uploader);
    const pipe_draw_start_count_bias call{offset / index_size, count,
                                          info.index_size ? draw.index_bias : 0};
    if (count)
        state.draw_vbo(&state, &lines, draw_id, nullptr, &call, 1);
    pipe_resource_reference(&lines.index.resource, nullptr);
}

} // namespace

bool draw_outlines(FrontState& state, const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws) {
    if (!(outlined_modes & (1u << info.mode)) || info.primitive_restart || !lines_will_do(state))
        return false;
    for (size_t i = 0; i < draws.size(); ++i) {
        pipe_draw_start_count_bias draw = draws[i];
        if (!info.index_bias_varies)
            draw.index_bias = draws[0].index_bias;
        draw_outline(state, info, draw_id, draw);
        draw_id += info.increment_draw_id;
    }
    return true;
}

} // namespace kobalt::gallium
