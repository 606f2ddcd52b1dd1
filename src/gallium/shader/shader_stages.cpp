// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>

#include "gallium/context/operations.h"
#include "gallium/emulation/whole_pixels.h"

#include "util/u_framebuffer.h"
#include "util/u_prim.h"

// Which stages the next draw runs, in which variant, and the push constants that they read.

namespace kobalt::gallium {
namespace {

bool usable(const Context& context) {
    const auto& stages = context.bound.stages;
    if (!stages[MESA_SHADER_VERTEX].shader)
        return false;
    for (unsigned stage = MESA_SHADER_VERTEX; stage <= MESA_SHADER_FRAGMENT; ++stage)
        if (stages[stage].shader && !stages[stage].shader->base)
            return false;
    return true;
}

/// Points, lines or triangles: what reaches the rasteriser.
mesa_prim rasterized_primitive(const Context& context, mesa_prim mode) {
    const auto& stages = context.bound.stages;
    mesa_prim primitive = u_reduced_prim(mode);
    if (const Shader* geometry = stages[MESA_SHADER_GEOMETRY].shader)
        primitive = geometry->output_primitive;
    else if (const Shader* evaluation = stages[MESA_SHADER_TESS_EVAL].shader)
        primitive = evaluation->output_primitive;
    if (primitive != MESA_PRIM_TRIANGLES || !context.bound.rasterizer)
        return primitive;
    switch (context.bound.rasterizer->state.polygon_mode) {
    case VK_POLYGON_MODE_LINE:
        return MESA_PRIM_LINES;
    case VK_POLYGON_MODE_POINT:
        return MESA_PRIM_POINTS;
    default:
        return primitive;
    }
}

/// What GL's fixed function does to the fragments of a draw.
struct FragmentWork {
    VariantKey key;
    uint32_t sprite_coordinates = 0;
};

FragmentWork fragment_work(const Context& context, mesa_prim primitive) {
    FragmentWork work;
    const auto* blend = static_cast<const BlendObject*>(context.bound.blend);
    if (blend && blend->alpha_to_one_in_shader) {
        work.key.alpha_to_one = true;
        if (blend->alpha_to_coverage_in_shader)
            work.key.coverage_samples =
                util_framebuffer_get_num_samples(&context.bound.framebuffer);
    }
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    const Shader* shader = context.bound.stages[MESA_SHADER_FRAGMENT].shader;
    if (!rasterizer || !shader)
        return work;
    const pipe_rasterizer_state& gl = rasterizer->gl;
    if (!rasterizer->changes_fragments) {
        work.key.at_samples = context.draws_whole_pixels && shader->varies_in_pixel;
        return work;
    }
    if (primitive == MESA_PRIM_POINTS) {
        if (gl.point_quad_rasterization)
            work.sprite_coordinates = gl.sprite_coord_enable;
        work.key.point_smooth = gl.point_smooth;
    } else if (primitive == MESA_PRIM_TRIANGLES) {
        work.key.polygon_stipple = gl.poly_stipple_enable;
    }
    work.key.at_samples =
        context.draws_whole_pixels && (shader->varies_in_pixel || work.key.point_smooth);
    return work;
}

/// The stage that a draw's fragments run; null: none is bound.
render::ShaderStage* fragment_stage(Context& context, const VariantKey& key) {
    Shader* shader = context.bound.stages[MESA_SHADER_FRAGMENT].shader;
    if (!shader)
        return nullptr;
    render::ShaderStage* stage = shader->variant(context.kobalt_screen(), key, &context);
    return stage ? stage : shader->base.get();
}

render::ShaderStage* vertex_stage(Context& context, unsigned stage) {
    const auto& stages = context.bound.stages;
    Shader* shader = stages[stage].shader;
    if (!shader)
        return nullptr;
    const Shader* evaluation =
        stage == MESA_SHADER_VERTEX ? stages[MESA_SHADER_TESS_EVAL].shader : nullptr;
    const Shader* geometry =
        stage == MESA_SHADER_GEOMETRY ? nullptr : stages[MESA_SHADER_GEOMETRY].shader;
    const bool last = !evaluation && !geometry;
    const Shader* reader = evaluation ? nullptr // the control stage stands in between
                           : geometry ? geometry
                                      : stages[MESA_SHADER_FRAGMENT].shader;
    return shader->variant(context.kobalt_screen(), vertex_variant(*shader, last, reader),
                           &context);
}

} // namespace

bool apply_stages(Context& context, mesa_prim mode) {
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    const bool by_primitive =
        rasterizer && (rasterizer->changes_fragments || context.whole_pixel_samples);
    if (!context.stages_dirty && !by_primitive)
        return context.drawable;

    const auto& stages = context.bound.stages;
    const mesa_prim primitive = rasterized_primitive(context, mode);
    context.draws_whole_pixels = draws_whole_pixels(context, primitive);
    const auto [key, sprite_coordinates] = fragment_work(context, primitive);
    if (context.sprite_coordinates != sprite_coordinates) {
        context.sprite_coordinates = sprite_coordinates;
        context.parameters_dirty = true;
    }
    if (key.polygon_stipple)
        apply_polygon_stipple(context);
    if (!context.stages_dirty && key == context.fragment_key)
        return context.drawable;
    context.stages_dirty = false;
    context.fragment_key = key;
    context.drawable = usable(context);
    if (!context.drawable)
        return false;

    const bool evaluates = stages[MESA_SHADER_TESS_EVAL].shader;
    render::ShaderStage* vertex = vertex_stage(context, MESA_SHADER_VERTEX);
    render::ShaderStage* evaluation = vertex_stage(context, MESA_SHADER_TESS_EVAL);
    const auto base = [&](unsigned stage) {
        const Shader* shader = stages[stage].shader;
        return shader ? shader->base.get() : nullptr;
    };
    render::ShaderStage* control = base(MESA_SHADER_TESS_CTRL);
    const bool passes_through = evaluates && !control;
    if (passes_through)
        control = passthrough_tess_control(context)->base.get();
    context.recorder.bind_stage(render::Stage::vertex, vertex);
    context.recorder.bind_stage(render::Stage::tess_control, control);
    context.recorder.bind_stage(render::Stage::tess_evaluation, evaluation);
    context.recorder.bind_stage(render::Stage::geometry,
                                vertex_stage(context, MESA_SHADER_GEOMETRY));
    context.recorder.bind_stage(render::Stage::fragment, fragment_stage(context, key));

    context.reads_parameters = passes_through;
    for (unsigned stage = MESA_SHADER_VERTEX; stage <= MESA_SHADER_FRAGMENT; ++stage)
        if (const Shader* shader = stages[stage].shader)
            context.reads_parameters |= shader->reads_parameters.load(std::memory_order_relaxed);
    context.drawable = vertex && (!evaluates || (evaluation && control));
    apply_stream_output_strides(context);
    return context.drawable;
}

void apply_parameters(Context& context, bool indexed, uint32_t draw_id) {
    spirv::DrawParameters& next = context.parameters;
    const uint32_t is_indexed = indexed ? ~0u : 0;
    if (!context.parameters_dirty && next.draw_is_indexed == is_indexed && next.draw_id == draw_id)
        return;
    context.parameters_dirty = false;
    next = {};
    next.draw_is_indexed = is_indexed;
    next.draw_id = draw_id;
    next.vertices_per_patch = context.patch_vertices;
    std::memcpy(next.default_tess_level_inner, context.tess_inner, sizeof(context.tess_inner));
    std::memcpy(next.default_tess_level_outer, context.tess_outer, sizeof(context.tess_outer));
    next.viewport_scale[0] = context.bound.viewports[0].scale[0];
    next.viewport_scale[1] = context.bound.viewports[0].scale[1];
    if (const RasterizerObject* rasterizer = context.bound.rasterizer) {
        const render::RasterizerState& raster =
            context.half_z_viewport ? rasterizer->state_half_z : rasterizer->state;
        next.depth_negative_one_to_one = raster.depth_negative_one_to_one;
        next.line_width = raster.line_width;
        next.point_size = rasterizer->point_size;
        next.line_stipple = raster.line_stipple_pattern | uint32_t{raster.line_stipple_factor}
                                                              << 16;
        next.point_coord_flip =
            rasterizer->gl.sprite_coord_mode == PIPE_SPRITE_COORD_LOWER_LEFT ? 1.0f : 0.0f;
        next.clip_distance_enable = rasterizer->gl.clip_plane_enable;
    }
    next.sprite_coordinates = context.sprite_coordinates;
    static_assert(sizeof(next.shadow_swizzles) == sizeof(context.shadow_swizzles));
    std::memcpy(next.shadow_swizzles, context.shadow_swizzles.data(), sizeof(next.shadow_swizzles));
    context.recorder.set_push_constants(0, std::as_bytes(std::span(&next, 1)));
}

} // namespace kobalt::gallium
