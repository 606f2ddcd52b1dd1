// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/context/operations.h"

#include "util/u_blitter.h"

namespace kobalt::gallium {

void save_for_blitter(Context& context) {
    Bindings& bound = context.bound;
    blitter_context* blitter = context.blitter;
    const Bindings::PerStage& fragment = bound.stages[MESA_SHADER_FRAGMENT];

    util_blitter_save_blend(blitter, bound.blend);
    util_blitter_save_depth_stencil_alpha(blitter, bound.depth_stencil_alpha);
    util_blitter_save_rasterizer(blitter, bound.rasterizer);
    util_blitter_save_vertex_elements(blitter, bound.vertex_elements);
    util_blitter_save_stencil_ref(blitter, &bound.stencil_ref);
    util_blitter_save_sample_mask(blitter, bound.sample_mask, bound.min_samples);
    util_blitter_save_viewport(blitter, bound.viewports.data());
    util_blitter_save_scissor(blitter, bound.scissors.data());
    util_blitter_save_framebuffer(blitter, &bound.framebuffer);
    // u_blitter's own function allows one rectangle less than the maximum. In a blit with its own
    // rectangles it gets a count of 0, so that it leaves those bound.
    blitter->saved_window_rectangles_include = bound.window.inclusive;
    blitter->saved_num_window_rectangles = context.clipped_blit ? 0 : bound.window.count;
    std::ranges::copy(bound.window.rectangles, blitter->saved_window_rectangles);

    for (size_t stage = 0; stage < bound.stages.size(); ++stage)
        context.saved_shaders[stage] = bound.stages[stage].bound_shader;
    util_blitter_save_vertex_shader(blitter, bound.stages[MESA_SHADER_VERTEX].shader);
    util_blitter_save_tessctrl_shader(blitter, bound.stages[MESA_SHADER_TESS_CTRL].shader);
    util_blitter_save_tesseval_shader(blitter, bound.stages[MESA_SHADER_TESS_EVAL].shader);
    util_blitter_save_geometry_shader(blitter, bound.stages[MESA_SHADER_GEOMETRY].shader);
    util_blitter_save_fragment_shader(blitter, fragment.shader);

    util_blitter_save_vertex_buffers(blitter, bound.vertex_buffers.data(),
                                     bound.vertex_buffer_count);
    util_blitter_save_so_targets(blitter, bound.stream_output_count, bound.stream_outputs.data(),
                                 MESA_PRIM_UNKNOWN);
    util_blitter_save_render_condition(blitter,
                                       reinterpret_cast<pipe_query*>(context.condition.query),
                                       context.condition.inverted, context.condition.mode);
}

void save_for_blitted_textures(Context& context) {
    save_for_blitter(context);
    Bindings::PerStage& fragment = context.bound.stages[MESA_SHADER_FRAGMENT];
    util_blitter_save_fragment_sampler_states(context.blitter, fragment.sampler_count,
                                              fragment.samplers.data());
    util_blitter_save_fragment_sampler_views(context.blitter, fragment.view_count,
                                             fragment.views.data());
}

} // namespace kobalt::gallium
