// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>

#include "gallium/context/operations.h"
#include "gallium/emulation/whole_pixels.h"
#include "gallium/shader/descriptor_names.h"
#include "gallium/shader/passthrough_tess_control.h"

#include "util/u_framebuffer.h"
#include "util/u_prim.h"

// Selects the stages and variants that the next draw runs, and the push constants that they read.

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

/// The primitive that reaches the rasteriser: points, lines or triangles.
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

/// The last stage before the rasteriser.
const Shader* rasterized_stage(const Context& context) {
    for (const unsigned stage : {MESA_SHADER_GEOMETRY, MESA_SHADER_TESS_EVAL, MESA_SHADER_VERTEX})
        if (const Shader* shader = context.bound.stages[stage].shader)
            return shader;
    return nullptr;
}

/// What GL's fixed function requires of a draw's fragment shader.
struct FragmentWork {
    VariantKey key;
    uint32_t sprite_coordinates = 0;
};

FragmentWork fragment_work(const Context& context, mesa_prim primitive) {
    FragmentWork work;
    const auto* blend = static_cast<const BlendObject*>(context.bound.blend);
    if (blend)
        work.key.alpha_to_one = blend->alpha_to_one_in_shader;
    if (blend && blend->alpha_to_coverage_in_shader) {
        const unsigned samples = util_framebuffer_get_num_samples(&context.bound.framebuffer);
        work.key.coverage_samples = samples > 1 ? samples : 0;
        work.key.coverage_dither = samples > 1 && blend->dithers_coverage;
    }
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    const Shader* shader = context.bound.stages[MESA_SHADER_FRAGMENT].shader;
    if (shader)
        note_input_distances(work.key, rasterized_stage(context), *shader);
    work.key.dual_by_location = blend && blend->second_by_location && shader &&
                                !shader->facts.dual_source &&
                                (shader->facts.fragment_output_mask & 2u);
    work.key.fetches_samples =
        shader && shader->facts.fetched_attachments && context.recorder.framebuffer().samples > 1;
    if (!rasterizer || !shader)
        return work;
    const pipe_rasterizer_state& gl = rasterizer->gl;
    work.key.per_sample = gl.force_persample_interp;
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

/// Whether a robust context uses a shader that a context without robustness created.
bool wants_robust(const Context& context, const Shader* shader) {
    return context.robust && shader && !shader->robust;
}

/// The stage that a draw's fragments run; null: none is bound.
render::ShaderStage* fragment_stage(Context& context, const VariantKey& key) {
    Shader* shader = context.bound.stages[MESA_SHADER_FRAGMENT].shader;
    if (!shader)
        return nullptr;
    render::ShaderStage* stage = shader->variant(context.kobalt_screen(), key, &context);
    return stage ? stage : shader->base.get();
}

bool passes_patches_through(const Context& context) {
    const auto& stages = context.bound.stages;
    return stages[MESA_SHADER_TESS_EVAL].shader && !stages[MESA_SHADER_TESS_CTRL].shader;
}

bool has_patch_size(const Shader& evaluation, uint32_t vertices) {
    return evaluation.linked_patch_sizes.load(std::memory_order_acquire) >> vertices & 1;
}

/// The control shader for a bound evaluation shader without one. A patch size that the program
/// isn't compiled for yet is compiled in the background, and the shader for any size is used
/// meanwhile.
Shader& passed_through_control(Context& context, const BoundShaders& shaders) {
    Screen& screen = context.kobalt_screen();
    const Shader& evaluation = *shaders[MESA_SHADER_TESS_EVAL];
    context.awaits_patch_size = has_patch_size(evaluation, PassthroughControls::any_size) &&
                                !has_patch_size(evaluation, context.patch_vertices);
    uint32_t size = context.patch_vertices;
    if (context.awaits_patch_size) {
        begin_patch_size(screen, shaders, size);
        size = PassthroughControls::any_size;
    }
    return screen.passthrough_controls->get(screen, shaders[MESA_SHADER_VERTEX], evaluation, size,
                                            &context);
}

/// The shaders before the rasteriser that the next draw runs, including a passthrough control
/// shader.
BoundShaders bound_shaders(Context& context) {
    BoundShaders shaders{};
    for (unsigned stage = 0; stage < shaders.size(); ++stage)
        shaders[stage] = context.bound.stages[stage].shader;
    context.awaits_patch_size = false;
    if (!shaders[MESA_SHADER_TESS_EVAL])
        shaders[MESA_SHADER_TESS_CTRL] = nullptr; // Vulkan requires both or none
    else if (!shaders[MESA_SHADER_TESS_CTRL])
        shaders[MESA_SHADER_TESS_CTRL] = &passed_through_control(context, shaders);
    return shaders;
}

/// The value of gl_PatchVerticesIn in the evaluation shader.
uint32_t evaluated_patch_vertices(const Context& context) {
    const Shader* control = context.bound.stages[MESA_SHADER_TESS_CTRL].shader;
    return control ? control->patch_vertices : context.patch_vertices;
}

/// Binds the stages of the next draw. False: one is missing or was refused.
bool bind_stages(Context& context, mesa_prim mode) {
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    const bool by_primitive =
        rasterizer && (rasterizer->changes_fragments || context.whole_pixel_samples);
    const auto& stages = context.bound.stages;
    if (context.awaits_patch_size && passes_patches_through(context))
        context.stages_dirty |=
            has_patch_size(*stages[MESA_SHADER_TESS_EVAL].shader, context.patch_vertices);
    if (!context.stages_dirty && !by_primitive)
        return context.drawable;

    const mesa_prim primitive = rasterized_primitive(context, mode);
    context.draws_whole_pixels = draws_whole_pixels(context, primitive);
    auto [key, sprite_coordinates] = fragment_work(context, primitive);
    key.robust = wants_robust(context, stages[MESA_SHADER_FRAGMENT].shader);
    if (const Shader* fragment = stages[MESA_SHADER_FRAGMENT].shader)
        key.texels = read_legacy_texels(context, *fragment);
    if (context.sprite_coordinates != sprite_coordinates) {
        context.sprite_coordinates = sprite_coordinates;
        context.outdated_parameters = spirv::all_parameters;
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

    const BoundShaders shaders = bound_shaders(context);
    context.read_parameters = 0;
    const auto bind = [&](unsigned stage, render::ShaderStage* linked) {
        context.recorder.bind_stage(render_stage(stage), linked);
        if (linked)
            context.read_parameters |= linked->source().push_constant_words;
    };
    for (unsigned stage = MESA_SHADER_VERTEX; stage < MESA_SHADER_FRAGMENT; ++stage) {
        Shader* shader = shaders[stage];
        render::ShaderStage* linked = nullptr;
        if (shader) {
            VariantKey own = linked_variant(shaders, stage);
            own.robust = wants_robust(context, shader);
            own.texels = read_legacy_texels(context, *shader);
            linked = shader->variant(context.kobalt_screen(), own, &context);
        }
        bind(stage, linked);
        context.drawable &= !shader || linked;
    }
    bind(MESA_SHADER_FRAGMENT, fragment_stage(context, key));
    const Shader* fragment = shaders[MESA_SHADER_FRAGMENT];
    context.fetches_attachments = fragment && fragment->facts.fetched_attachments;
    if (context.fetches_attachments && fragment->facts.fetched_attachments >> spirv::fetched_depth)
        apply_fetched_depth_stencil(context);
    if (context.parameters.vertices_per_patch != evaluated_patch_vertices(context))
        context.outdated_parameters = spirv::all_parameters;
    if (context.recorder.checks_descriptors())
        name_bound_stages(context, false);
    apply_stream_output_strides(context);
    return context.drawable;
}

} // namespace

void prepare_stages(Context& context) {
    if (!context.stages_dirty)
        return;
    complete_bound_shaders(context, BITFIELD_MASK(MESA_SHADER_FRAGMENT + 1));
    if (context.samples_in_pass)
        make_samples_fetchable(context);
}

bool apply_stages(Context& context, mesa_prim mode) {
    if (bind_stages(context, mode))
        return true;
    if (context.bound.stages[MESA_SHADER_VERTEX].shader)
        note_lost_draw(context, "one of its shaders was refused");
    return false;
}

void apply_parameters(Context& context, bool indexed, uint32_t draw_id) {
    spirv::DrawParameters& next = context.parameters;
    const uint32_t is_indexed = indexed ? ~0u : 0;
    if (next.draw_is_indexed != is_indexed)
        context.outdated_parameters |= spirv::draw_is_indexed_word;
    if (next.draw_id != draw_id)
        context.outdated_parameters |= spirv::draw_id_word;
    if (!(context.outdated_parameters & context.read_parameters))
        return;
    context.outdated_parameters = 0;
    next = {};
    next.draw_is_indexed = is_indexed;
    next.draw_id = draw_id;
    next.vertices_per_patch = evaluated_patch_vertices(context);
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
        next.ignored_sample_mask = rasterizer->gl.multisample ? 0 : ~0u;
        next.clip_distance_enable = rasterizer->gl.clip_plane_enable;
    }
    next.sprite_coordinates = context.sprite_coordinates;
    next.primitive_shift = context.primitive_shift;
    next.opaque_attachments = context.opaque_attachments;
    static_assert(sizeof(next.shadow_swizzles) == sizeof(context.shadow_swizzles));
    std::memcpy(next.shadow_swizzles, context.shadow_swizzles.data(), sizeof(next.shadow_swizzles));
    context.recorder.set_push_constants(0, std::as_bytes(std::span(&next, 1)));
}

} // namespace kobalt::gallium
