// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/context.h"
#include "gallium/context/operations.h"

// GL_INTEL_blackhole_render: while it is enabled nothing is drawn, dispatched, cleared or copied.
// The context's functions for these commands are then replaced by empty ones, so that draws need no
// check.

namespace kobalt::gallium {
namespace {

void draw_nothing(pipe_context*, const pipe_draw_info* info, unsigned,
                  const pipe_draw_indirect_info*, const pipe_draw_start_count_bias*, unsigned) {
    if (!info->index_size || info->has_user_indices || !info->take_index_buffer_ownership)
        return;
    pipe_resource* taken = info->index.resource;
    pipe_resource_reference(&taken, nullptr);
}
void draw_no_list(pipe_context*, pipe_vertex_state* state, uint32_t,
                  pipe_draw_vertex_state_info info, const pipe_draw_start_count_bias*, unsigned) {
    if (info.take_vertex_state_ownership)
        pipe_vertex_state_reference(&state, nullptr);
}
void launch_nothing(pipe_context*, const pipe_grid_info*) {}
void clear_nothing(pipe_context*, unsigned, const pipe_scissor_state*, const pipe_color_union*,
                   double, unsigned) {}
void clear_no_colour(pipe_context*, pipe_surface*, const pipe_color_union*, unsigned, unsigned,
                     unsigned, unsigned, bool) {}
void clear_no_depth(pipe_context*, pipe_surface*, unsigned, double, unsigned, unsigned, unsigned,
                    unsigned, unsigned, bool) {}
void clear_no_texture(pipe_context*, pipe_resource*, unsigned, const pipe_box*, const void*) {}
void clear_no_buffer(pipe_context*, pipe_resource*, unsigned, unsigned, const void*, int) {}
void copy_nothing(pipe_context*, pipe_resource*, unsigned, unsigned, unsigned, unsigned,
                  pipe_resource*, unsigned, const pipe_box*) {}
void blit_nothing(pipe_context*, const pipe_blit_info*) {}

constexpr Commands nothing{
    .draw_vbo = draw_nothing,
    .draw_vertex_state = draw_no_list,
    .launch_grid = launch_nothing,
    .clear = clear_nothing,
    .clear_render_target = clear_no_colour,
    .clear_depth_stencil = clear_no_depth,
    .clear_texture = clear_no_texture,
    .clear_buffer = clear_no_buffer,
    .resource_copy_region = copy_nothing,
    .blit = blit_nothing,
};

void set_frontend_noop(pipe_context* pcontext, bool enable) {
    Context& context = *Context::from(pcontext);
    (enable ? nothing : context.commands).set(context);
}

} // namespace

void init_blackhole_functions(Context& context) {
    context.commands = Commands::of(context);
    context.set_frontend_noop = set_frontend_noop;
}

} // namespace kobalt::gallium
