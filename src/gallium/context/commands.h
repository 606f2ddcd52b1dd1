// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// The functions of a context that make the GPU draw, compute, clear and copy.
struct Commands {
    decltype(pipe_context::draw_vbo) draw_vbo;
    decltype(pipe_context::draw_vertex_state) draw_vertex_state;
    decltype(pipe_context::launch_grid) launch_grid;
    decltype(pipe_context::clear) clear;
    decltype(pipe_context::clear_render_target) clear_render_target;
    decltype(pipe_context::clear_depth_stencil) clear_depth_stencil;
    decltype(pipe_context::clear_texture) clear_texture;
    decltype(pipe_context::clear_buffer) clear_buffer;
    decltype(pipe_context::resource_copy_region) resource_copy_region;
    decltype(pipe_context::blit) blit;

    static Commands of(const pipe_context& context) {
        return {context.draw_vbo,      context.draw_vertex_state,   context.launch_grid,
                context.clear,         context.clear_render_target, context.clear_depth_stencil,
                context.clear_texture, context.clear_buffer,        context.resource_copy_region,
                context.blit};
    }
    void set(pipe_context& context) const {
        context.draw_vbo = draw_vbo;
        context.draw_vertex_state = draw_vertex_state;
        context.launch_grid = launch_grid;
        context.clear = clear;
        context.clear_render_target = clear_render_target;
        context.clear_depth_stencil = clear_depth_stencil;
        context.clear_texture = clear_texture;
        context.clear_buffer = clear_buffer;
        context.resource_copy_region = resource_copy_region;
        context.blit = blit;
    }
};

} // namespace kobalt::gallium
