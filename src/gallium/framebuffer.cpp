// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/front_state.h"
#include "gallium/present.h"
#include "gallium/view.h"
#include "gallium/whole_pixels.h"
#include "vulkan/device.h"

#include "util/u_framebuffer.h"

namespace kobalt::gallium {
namespace {

uint32_t layer_count(const pipe_surface& surface) {
    return surface.u.tex.last_layer - surface.u.tex.first_layer + 1u;
}

/// Colour attachments whose GL format has no alpha but whose storage does.
bool stores_extra_alpha(const Surface& surface) {
    return surface.mapping.emulated && !util_format_has_alpha(surface.format);
}

/// GL's unit of polygon offset is the smallest that surely makes two depths differ (OpenGL 4.6,
/// section 14.6.5). In 24 bits that is 2^-24; where floats stand for those, Vulkan's unit is the
/// last bit of the polygon's largest depth, which the rounding of the vertices' depths can eat up.
float depth_bias_unit(const Surface& surface) {
    const bool as_float = surface.mapping.format == VK_FORMAT_D32_SFLOAT ||
                          surface.mapping.format == VK_FORMAT_D32_SFLOAT_S8_UINT;
    return as_float && !util_format_is_float(surface.format) ? 2.0f : 1.0f;
}

void set_framebuffer(pipe_context* context, const pipe_framebuffer_state* source) {
    FrontState& state = FrontState::from(context);
    // The recorder leaves the pass first: the old attachments may go with the copy below.
    state.recorder.leave_pass();
    submit_early(state);
    util_copy_framebuffer_state(&state.bound.framebuffer, source);
    const pipe_framebuffer_state& gl = state.bound.framebuffer;

    render::Framebuffer framebuffer;
    uint32_t layers = ~0u;
    uint32_t opaque = 0;
    framebuffer.width = gl.width;
    framebuffer.height = gl.height;
    framebuffer.color_count = gl.nr_cbufs;
    for (unsigned i = 0; i < gl.nr_cbufs; ++i) {
        if (!gl.cbufs[i])
            continue;
        Surface& surface = *Surface::from(gl.cbufs[i]);
        refresh_surface(state, surface);
        framebuffer.color[i] = surface.view.get();
        if (!framebuffer.color[i])
            continue;
        if (Resource::from(surface.texture)->window) { // its storage may lag behind a resize
            const VkExtent3D& extent = surface.view->image().storage().extent();
            framebuffer.width = std::min(framebuffer.width, extent.width);
            framebuffer.height = std::min(framebuffer.height, extent.height);
        }
        framebuffer.color_formats[i] = surface.mapping.format;
        layers = std::min(layers, layer_count(surface));
        if (stores_extra_alpha(surface))
            opaque |= 1u << i;
    }
    if (gl.zsbuf) {
        Surface& surface = *Surface::from(gl.zsbuf);
        framebuffer.depth_stencil = surface.view.get();
        if (framebuffer.depth_stencil) {
            framebuffer.depth_stencil_format = surface.mapping.format;
            framebuffer.depth_bias_unit = depth_bias_unit(surface);
            layers = std::min(layers, layer_count(surface));
        }
    }
    // Without attachments GL gives the layers and samples (ARB_framebuffer_no_attachments).
    framebuffer.layers = std::min(layers != ~0u ? layers : std::max<uint32_t>(gl.layers, 1),
                                  state.kobalt_screen().device().limits().maxFramebufferLayers);
    framebuffer.samples = std::max(util_framebuffer_get_num_samples(&gl), 1u);
    state.recorder.set_framebuffer(framebuffer);
    update_whole_pixels(state);
    const auto* blend = static_cast<const BlendObject*>(state.bound.blend);
    state.stages_dirty |= blend && blend->alpha_to_coverage_in_shader; // by the number of samples

    if (state.opaque_attachments != opaque) {
        state.opaque_attachments = opaque;
        apply_blend(state);
    }
}

void set_sample_mask(pipe_context* context, unsigned mask) {
    FrontState& state = FrontState::from(context);
    state.bound.sample_mask = mask;
    state.recorder.set_sample_mask(mask);
}

void set_min_samples(pipe_context* context, unsigned samples) {
    FrontState& state = FrontState::from(context);
    state.bound.min_samples = samples;
    state.recorder.set_min_sample_count(samples);
}

// User clip planes are part of the vertex shader: the state tracker puts them there.
void set_clip_state(pipe_context*, const pipe_clip_state*) {}

void set_polygon_stipple(pipe_context* context, const pipe_poly_stipple* stipple) {
    FrontState& state = FrontState::from(context);
    state.bound.polygon_stipple = *stipple;
    state.stipple_dirty = true;
}

} // namespace

void apply_polygon_stipple(FrontState& state) {
    if (!state.stipple_dirty)
        return;
    state.stipple_dirty = false;
    const pipe_constant_buffer pattern{
        .buffer = nullptr,
        .buffer_offset = 0,
        .buffer_size = sizeof(state.bound.polygon_stipple.stipple),
        .user_buffer = state.bound.polygon_stipple.stipple,
    };
    state.set_constant_buffer(&state, PIPE_SHADER_FRAGMENT, stipple_buffer_slot, false, &pattern);
}

void init_framebuffer_functions(Context& context) {
    auto& state = static_cast<FrontState&>(context);
    state.set_framebuffer_state = set_framebuffer;
    state.set_sample_mask = set_sample_mask;
    state.set_min_samples = set_min_samples;
    state.set_clip_state = set_clip_state;
    state.set_polygon_stipple = set_polygon_stipple;
    init_viewport_functions(state);
}

} // namespace kobalt::gallium
