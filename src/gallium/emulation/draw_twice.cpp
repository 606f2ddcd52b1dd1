// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/draw_twice.h"

#include <optional>

#include "gallium/context/query.h"
#include "gallium/emulation/whole_pixels.h"
#include "gallium/resource/stream_output.h"

#include "util/u_prim.h"

namespace kobalt::gallium {

OtherRasterizer::OtherRasterizer(Context& context, RasterizerObject& object)
    : state_(context), usual_(context.bound.rasterizer) {
    use(&object);
}

void OtherRasterizer::use(RasterizerObject* object) {
    state_.bound.rasterizer = object;
    state_.stages_dirty = true;
    update_whole_pixels(state_);
    apply_rasterizer(state_);
}

UncountedDraws::UncountedDraws(Context& context)
    : state_(context), stream_outputs_(context.bound.stream_output_count) {
    if (stream_outputs_) {
        context.bound.stream_output_count = 0;
        context.recorder.set_stream_output_targets({}, 0);
    }
    counted_samples_only_ = context.query_streams->count_samples_only(true);
}

UncountedDraws::~UncountedDraws() {
    state_.query_streams->count_samples_only(counted_samples_only_);
    if (!stream_outputs_)
        return;
    state_.bound.stream_output_count = stream_outputs_;
    continue_stream_output(state_);
}

namespace {

/// Whether polygons reach the rasteriser.
bool draws_polygons(const Context& context, unsigned mode) {
    if (const Shader* geometry = context.bound.stages[MESA_SHADER_GEOMETRY].shader)
        return geometry->output_primitive == MESA_PRIM_TRIANGLES;
    if (const Shader* evaluation = context.bound.stages[MESA_SHADER_TESS_EVAL].shader)
        return evaluation->output_primitive == MESA_PRIM_TRIANGLES;
    return u_reduced_prim(static_cast<mesa_prim>(mode)) == MESA_PRIM_TRIANGLES;
}

} // namespace

bool draw_faces_apart(Context& context, const pipe_draw_info& info, unsigned draw_id,
                      const pipe_draw_indirect_info* indirect,
                      const pipe_draw_start_count_bias* draws, unsigned draw_count) {
    const RasterizerObject* object = context.bound.rasterizer;
    if (!object || !object->faces[0] || object->gl.rasterizer_discard ||
        !draws_polygons(context, info.mode))
        return false;
    context.recorder.slow_path(render::SlowPath::faces_apart, "glPolygonMode differs between them");
    std::optional<UncountedDraws> uncounted;
    for (const auto& face : object->faces) {
        const OtherRasterizer other(context, *face);
        context.draw_vbo(&context, &info, draw_id, indirect, draws, draw_count);
        if (!uncounted)
            uncounted.emplace(context);
    }
    return true;
}

} // namespace kobalt::gallium
