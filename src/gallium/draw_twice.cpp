// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/draw_twice.h"

#include <optional>

#include "gallium/query.h"
#include "gallium/stream_output.h"
#include "gallium/whole_pixels.h"

#include "util/u_prim.h"

namespace kobalt::gallium {

OtherRasterizer::OtherRasterizer(FrontState& state, RasterizerObject& object)
    : state_(state), usual_(state.bound.rasterizer) {
    use(&object);
}

void OtherRasterizer::use(RasterizerObject* object) {
    state_.bound.rasterizer = object;
    state_.stages_dirty = true;
    update_whole_pixels(state_);
    apply_rasterizer(state_);
}

UncountedDraws::UncountedDraws(FrontState& state)
    : state_(state), stream_outputs_(state.bound.stream_output_count) {
    if (stream_outputs_) {
        state.bound.stream_output_count = 0;
        state.recorder.set_stream_output_targets({}, 0);
    }
    counted_samples_only_ = state.query_streams->count_samples_only(true);
}

UncountedDraws::~UncountedDraws() {
    state_.query_streams->count_samples_only(counted_samples_only_);
    if (!stream_outputs_)
        return;
    state_.bound.stream_output_count = stream_outputs_;
    continue_stream_output(state_);
}

namespace {

/// Whether what reaches the rasteriser are polygons.
bool draws_polygons(const FrontState& state, unsigned mode) {
    if (const Shader* geometry = state.bound.stages[MESA_SHADER_GEOMETRY].shader)
        return geometry->output_primitive == MESA_PRIM_TRIANGLES;
    if (const Shader* evaluation = state.bound.stages[MESA_SHADER_TESS_EVAL].shader)
        return evaluation->output_primitive == MESA_PRIM_TRIANGLES;
    return u_reduced_prim(static_cast<mesa_prim>(mode)) == MESA_PRIM_TRIANGLES;
}

} // namespace

bool draw_faces_apart(FrontState& state, const pipe_draw_info& info, unsigned draw_id,
                      const pipe_draw_indirect_info* indirect,
                      const pipe_draw_start_count_bias* draws, unsigned draw_count) {
    const RasterizerObject* object = state.bound.rasterizer;
    if (!object || !object->faces[0] || object->gl.rasterizer_discard ||
        !draws_polygons(state, info.mode))
        return false;
    std::optional<UncountedDraws> uncounted;
    for (const auto& face : object->faces) {
        const OtherRasterizer other(state, *face);
        state.draw_vbo(&state, &info, draw_id, indirect, draws, draw_count);
        if (!uncounted)
            uncounted.emplace(state);
    }
    return true;
}

} // namespace kobalt::gallium
