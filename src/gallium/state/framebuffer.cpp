// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/context/operations.h"
#include "gallium/context/view.h"
#include "gallium/emulation/empty_framebuffer.h"
#include "gallium/emulation/whole_pixels.h"
#include "gallium/present/present.h"
#include "vulkan/device/device.h"

#include "util/u_framebuffer.h"

namespace kobalt::gallium {
namespace {

uint32_t layer_count(const pipe_surface& surface) {
    return surface.u.tex.last_layer - surface.u.tex.first_layer + 1u;
}

/// Whether the GL format of a colour attachment has no alpha, but its storage has.
bool stores_extra_alpha(const Surface& surface) {
    return surface.mapping.emulated && !util_format_has_alpha(surface.format);
}

/// GL's unit of polygon offset is the smallest value that surely makes two depths differ (OpenGL
/// 4.6, section 14.6.5): 2^-24 for 24-bit depth. Where that is stored as float, Vulkan's unit is
/// the last bit of the polygon's largest depth, and rounding of the vertices' depths can cancel it.
float depth_bias_unit(const Surface& surface) {
    return render::is_float_depth(surface.mapping.format) && !util_format_is_float(surface.format)
               ? 2.0f
               : 1.0f;
}

void attach_placeholder(Context& context, render::Framebuffer& framebuffer) {
    Screen& screen = context.kobalt_screen();
    if (!attaches_empty_samples(screen.device()))
        return;
    if (!context.placeholder)
        context.placeholder = std::make_unique<PlaceholderAttachment>();
    context.placeholder->attach(screen, framebuffer);
}

void set_framebuffer(pipe_context* pcontext, const pipe_framebuffer_state* source) {
    Context& context = *Context::from(pcontext);
    // The recorder leaves the pass first, because the copy below may free the old attachments.
    context.recorder.leave_pass();
    submit_early(context);
    util_copy_framebuffer_state(&context.bound.framebuffer, source);
    const pipe_framebuffer_state& gl = context.bound.framebuffer;

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
        refresh_surface(context, surface);
        framebuffer.color[i] = surface.view.get();
        if (!framebuffer.color[i])
            continue;
        if (Resource::from(surface.texture)->window) { // the storage may lag behind a resize
            const VkExtent3D& extent = surface.view->image().storage().extent();
            framebuffer.width = std::min(framebuffer.width, extent.width);
            framebuffer.height = std::min(framebuffer.height, extent.height);
        }
        framebuffer.color_formats[i] = surface.mapping.format;
        if (util_format_is_pure_integer(surface.format))
            framebuffer.integer_colors |= 1u << i;
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
                                  context.kobalt_screen().device().limits().maxFramebufferLayers);
    framebuffer.view_mask = gl.viewmask;
    framebuffer.samples = std::max(util_framebuffer_get_num_samples(&gl), 1u);
    attach_samples(context, framebuffer);
    if (layers == ~0u && framebuffer.samples > 1)
        attach_placeholder(context, framebuffer);
    context.recorder.set_framebuffer(framebuffer);
    context.recorder.set_fetched_depth_stencil(nullptr, nullptr); // until a shader fetches them
    update_whole_pixels(context);
    apply_sample_locations(context);
    const auto* blend = static_cast<const BlendObject*>(context.bound.blend);
    // Both variants depend on the number of samples.
    context.stages_dirty |= blend && blend->alpha_to_coverage_in_shader;

    context.stages_dirty |= context.fetches_attachments;

    if (context.opaque_attachments != opaque) {
        context.opaque_attachments = opaque;
        context.outdated_parameters = spirv::all_parameters;
        apply_blend(context);
    }
}

void set_sample_mask(pipe_context* pcontext, unsigned mask) {
    Context& context = *Context::from(pcontext);
    context.bound.sample_mask = mask;
    context.recorder.set_sample_mask(mask);
}

// A fragment shader that runs per sample has a variant for that (VariantKey::per_sample).
void set_min_samples(pipe_context* pcontext, unsigned samples) {
    Context::from(pcontext)->bound.min_samples = samples;
}

// The state tracker lowers user clip planes into the vertex shader.
void set_clip_state(pipe_context*, const pipe_clip_state*) {}

void set_polygon_stipple(pipe_context* pcontext, const pipe_poly_stipple* stipple) {
    Context& context = *Context::from(pcontext);
    context.bound.polygon_stipple = *stipple;
    context.stipple_dirty = true;
}

} // namespace

void apply_polygon_stipple(Context& context) {
    if (!context.stipple_dirty)
        return;
    context.stipple_dirty = false;
    const pipe_constant_buffer pattern{
        .buffer = nullptr,
        .buffer_offset = 0,
        .buffer_size = sizeof(context.bound.polygon_stipple.stipple),
        .user_buffer = context.bound.polygon_stipple.stipple,
    };
    context.set_constant_buffer(&context, PIPE_SHADER_FRAGMENT, stipple_buffer_slot, false,
                                &pattern);
}

void init_framebuffer_functions(Context& context) {
    context.set_framebuffer_state = set_framebuffer;
    context.set_sample_mask = set_sample_mask;
    context.set_min_samples = set_min_samples;
    context.set_clip_state = set_clip_state;
    context.set_polygon_stipple = set_polygon_stipple;
    init_viewport_functions(context);
    init_coverage_functions(context);
}

} // namespace kobalt::gallium
