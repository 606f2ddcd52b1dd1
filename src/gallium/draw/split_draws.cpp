// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/draw/split_draws.h"

#include "gallium/context/each_draw.h"
#include "gallium/draw/indirect_read.h"
#include "gallium/emulation/vertex_conversion.h"
#include "gallium/resource/stream_output.h"

#include "util/u_draw.h"
#include "util/u_prim.h"
#include "util/u_prim_restart.h"

namespace kobalt::gallium {
namespace {

/// The info for one of several draws. Its segments, if any, don't count as separate draws for
/// gl_DrawID.
pipe_draw_info alone(const pipe_draw_info& info) {
    pipe_draw_info one = info;
    one.increment_draw_id = false;
    one.take_index_buffer_ownership = false;
    return one;
}

} // namespace

void draw_without_restart(Context& context, const DrawRequest& request) {
    context.recorder.slow_path(render::SlowPath::restart_split, u_prim_name(request.info.mode));
    for_each_draw(request.info, request.draw_id, request.draws,
                  [&](const pipe_draw_info& one, unsigned draw_id, auto& draw) {
                      util_draw_vbo_without_prim_restart(&context, &one, draw_id, nullptr, &draw);
                  });
}

void draw_with_converted_vertices(Context& context, const DrawRequest& request) {
    if (request.indirect) {
        draw_directly(context, request);
        return;
    }
    context.recorder.slow_path(render::SlowPath::converted_vertices,
                               util_format_short_name(unfetchable_format(context)));
    for_each_draw(request.info, request.draw_id, request.draws,
                  [&](pipe_draw_info& one, unsigned draw_id, auto& draw) {
                      const ConvertedVertices converted(context, one, draw);
                      if (converted.ok())
                          context.draw_vbo(&context, &one, draw_id, nullptr, &draw, 1);
                      else
                          note_lost_draw(context, "no memory for its vertices");
                  });
}

void draw_directly(Context& context, const DrawRequest& request) {
    pipe_draw_info info = alone(request.info);
    if (request.indirect->count_from_stream_output) {
        context.recorder.slow_path(render::SlowPath::indirect_read,
                                   "as many vertices as transform feedback wrote");
        info.index_size = 0;
        const pipe_draw_start_count_bias all{
            0,
            captured_vertices(
                context, *StreamOutput::from(request.indirect->count_from_stream_output)->target),
            0};
        context.draw_vbo(&context, &info, request.draw_id, nullptr, &all, 1);
        return;
    }
    context.recorder.slow_path(render::SlowPath::indirect_read, u_prim_name(info.mode));
    unsigned draw_id = request.draw_id;
    for (const ReadDraw& draw : read_indirect(context, info, *request.indirect)) {
        info.instance_count = draw.instance_count;
        info.start_instance = draw.start_instance;
        context.draw_vbo(&context, &info, draw_id++, nullptr, &draw.range, 1);
    }
}

} // namespace kobalt::gallium
