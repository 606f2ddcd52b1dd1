// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cmath>

#include "gallium/context/operations.h"
#include "gallium/emulation/whole_pixels.h"
#include "vulkan/device/device.h"

#include "indices/u_primconvert.h"

namespace kobalt::gallium {
namespace {

VkPolygonMode polygon_mode(unsigned mode) {
    switch (mode) {
    case PIPE_POLYGON_MODE_LINE:
        return VK_POLYGON_MODE_LINE;
    case PIPE_POLYGON_MODE_POINT:
        return VK_POLYGON_MODE_POINT;
    default:
        return VK_POLYGON_MODE_FILL;
    }
}

// Vulkan has one polygon mode for both faces: this takes the mode of the face that isn't culled, or
// the front's.
unsigned drawn_polygon_mode(const pipe_rasterizer_state& gl) {
    return (gl.cull_face & PIPE_FACE_FRONT) ? gl.fill_back : gl.fill_front;
}

struct LineMode {
    VkLineRasterizationModeEXT mode;
    bool available;
    bool stipple;
};

// GL's aliased lines follow the diamond-exit rule (OpenGL 4.6, Basic Line Segment Rasterization:
// Bresenham), multisampled lines are rectangles (Line Multisample Rasterization). Where the device
// lacks the right mode, this takes the next best; stippled lines prefer a mode that can stipple.
VkLineRasterizationModeEXT line_mode(const vulkan::Device& device,
                                     const pipe_rasterizer_state& gl) {
    const auto& features = device.features().line_rasterization;
    const LineMode smooth{VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT,
                          features.smoothLines != 0, features.stippledSmoothLines != 0};
    const LineMode rectangular{VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
                               features.rectangularLines != 0,
                               features.stippledRectangularLines != 0};
    const LineMode bresenham{VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, features.bresenhamLines != 0,
                             features.stippledBresenhamLines != 0};
    std::array<LineMode, 3> order = {bresenham, rectangular, smooth};
    // Bresenham and smooth lines exclude alpha to coverage and sample shading
    // (VUID-VkGraphicsPipelineCreateInfo-lineRasterizationMode-02766), which need multisampling.
    if (gl.multisample)
        order = {rectangular, rectangular, rectangular};
    else if (gl.line_smooth)
        order = {smooth, rectangular, bresenham};
    else if (gl.line_rectangular)
        order = {rectangular, bresenham, smooth};
    if (gl.line_stipple_enable)
        for (const LineMode& candidate : order)
            if (candidate.available && candidate.stipple)
                return candidate.mode;
    for (const LineMode& candidate : order)
        if (candidate.available)
            return candidate.mode;
    return VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
}

bool can_stipple(const vulkan::Device& device, VkLineRasterizationModeEXT mode) {
    const auto& features = device.features().line_rasterization;
    switch (mode) {
    case VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT:
        return features.stippledRectangularLines;
    case VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT:
        return features.stippledBresenhamLines;
    case VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT:
        return features.stippledSmoothLines;
    default:
        return features.stippledRectangularLines && device.limits().strictLines;
    }
}

float line_width(const vulkan::Device& device, const pipe_rasterizer_state& gl) {
    if (!device.features().core.wideLines)
        return 1.0f;
    // OpenGL 4.6, Wide Lines: the width of an aliased line is rounded to an integer, at least 1.
    float width = gl.line_width;
    if (!gl.line_smooth && !gl.multisample)
        width = std::max(1.0f, std::round(width));
    const auto& range = device.limits().lineWidthRange;
    return std::clamp(width, range[0], range[1]);
}

bool depth_bias_enabled(const pipe_rasterizer_state& gl, unsigned mode) {
    switch (mode) {
    case PIPE_POLYGON_MODE_LINE:
        return gl.offset_line;
    case PIPE_POLYGON_MODE_POINT:
        return gl.offset_point;
    default:
        return gl.offset_tri;
    }
}

// GL_POLYGON_SMOOTH's coverage (Polygon Antialiasing) has no counterpart in Vulkan. It is ignored,
// as in Mesa's zink and llvmpipe: filled polygons have hard edges. Smooth lines of GL_LINE mode are
// drawn correctly, and so is multisampling, which replaces the smoothing.
render::RasterizerState translate(const vulkan::Device& device, const pipe_rasterizer_state& gl) {
    const VkPhysicalDeviceFeatures& features = device.features().core;
    render::RasterizerState state;
    const unsigned mode = drawn_polygon_mode(gl);
    if (features.fillModeNonSolid)
        state.polygon_mode = polygon_mode(mode);
    state.cull_mode = ((gl.cull_face & PIPE_FACE_FRONT) ? VK_CULL_MODE_FRONT_BIT : 0) |
                      ((gl.cull_face & PIPE_FACE_BACK) ? VK_CULL_MODE_BACK_BIT : 0);
    // Gallium's front_ccw means counter-clockwise as seen in a framebuffer whose first row is at
    // the top. Vulkan's counter-clockwise is the same (Vulkan 1.3, Basic Polygon Rasterization: a
    // positive area, y pointing down).
    state.front_face = gl.front_ccw ? VK_FRONT_FACE_COUNTER_CLOCKWISE : VK_FRONT_FACE_CLOCKWISE;

    state.line_mode = line_mode(device, gl);
    state.line_width = line_width(device, gl);
    state.line_stipple = gl.line_stipple_enable && can_stipple(device, state.line_mode);
    if (state.line_stipple) {
        state.line_stipple_factor = static_cast<uint16_t>(gl.line_stipple_factor + 1);
        state.line_stipple_pattern = static_cast<uint16_t>(gl.line_stipple_pattern);
    }

    state.depth_bias = depth_bias_enabled(gl, mode);
    if (state.depth_bias) {
        state.depth_bias_constant = gl.offset_units;
        state.depth_bias_slope = gl.offset_scale;
        state.depth_bias_clamp = features.depthBiasClamp ? gl.offset_clamp : 0.0f;
    }

    state.depth_clip = gl.depth_clip_near && gl.depth_clip_far;
    state.depth_clamp = (gl.depth_clamp || !state.depth_clip) && features.depthClamp;
    state.depth_negative_one_to_one = !gl.clip_halfz;
    state.provoking_vertex_last = !gl.flatshade_first;
    state.rasterizer_discard = gl.rasterizer_discard;
    state.scissor = gl.scissor;
    // GL_CONSERVATIVE_RASTERIZATION_NV: the device chooses whether vertices are snapped before.
    state.conservative = gl.conservative_raster_mode != PIPE_CONSERVATIVE_RASTER_OFF &&
                         device.has(vulkan::Capability::conservative_rasterization);
    state.conservative_dilate =
        static_cast<uint8_t>(std::clamp(gl.conservative_raster_dilate * 256.0f, 0.0f, 255.0f));
    return state;
}

void* create_rasterizer(pipe_context* context, const pipe_rasterizer_state* templ) {
    const vulkan::Device& device = Context::from(context)->kobalt_screen().device();
    std::unique_ptr<RasterizerObject> object = make_rasterizer(device, *templ);
    if (templ->fill_front != templ->fill_back && templ->cull_face == PIPE_FACE_NONE)
        for (const unsigned culled : {PIPE_FACE_BACK, PIPE_FACE_FRONT}) {
            pipe_rasterizer_state face = *templ;
            face.cull_face = culled;
            face.fill_front = face.fill_back = drawn_polygon_mode(face);
            object->faces[culled == PIPE_FACE_FRONT] = make_rasterizer(device, face);
        }
    return object.release();
}

void bind_rasterizer(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    auto* object = static_cast<RasterizerObject*>(handle);
    const RasterizerObject* previous = context.bound.rasterizer;
    context.bound.rasterizer = object;
    const auto changes_fragments = [](const RasterizerObject* one) {
        return one && one->changes_fragments;
    };
    const auto per_sample = [](const RasterizerObject* one) {
        return one && one->gl.force_persample_interp;
    };
    if (changes_fragments(previous) || changes_fragments(object) ||
        per_sample(previous) != per_sample(object))
        context.stages_dirty = true;
    update_whole_pixels(context);
    if (object && context.primconvert)
        util_primconvert_save_rasterizer_state(context.primconvert, &object->gl);
    apply_rasterizer(context);
    const bool full_volume = !object || object->state.depth_negative_one_to_one;
    if (full_volume != (!previous || previous->state.depth_negative_one_to_one))
        update_viewport_depth(context);
}

void delete_rasterizer(pipe_context*, void* object) {
    std::unique_ptr<RasterizerObject>{static_cast<RasterizerObject*>(object)};
}

// OpenGL 3.3 compatibility, 3.4.1 "Basic Point Rasterization": a point that is neither antialiased
// nor a sprite is a whole number of pixels wide, at least one. A square of that size covers the
// same pixels in Vulkan. Halves are rounded down, as in Mesa's software rasteriser.
float point_size(const pipe_rasterizer_state& gl) {
    const bool whole_pixels = !gl.point_quad_rasterization && !gl.point_smooth && !gl.multisample;
    if (gl.point_size_per_vertex)
        return whole_pixels ? -1.0f : 0.0f;
    return whole_pixels ? std::max(1.0f, std::ceil(gl.point_size - 0.5f)) : gl.point_size;
}

} // namespace

std::unique_ptr<RasterizerObject> make_rasterizer(const vulkan::Device& device,
                                                  const pipe_rasterizer_state& asked) {
    pipe_rasterizer_state gl = asked;
    // GL_NV_conservative_raster: the rules of multisampling apply, without smoothing and stipples.
    if (gl.conservative_raster_mode != PIPE_CONSERVATIVE_RASTER_OFF) {
        gl.multisample = true;
        gl.line_smooth = gl.line_stipple_enable = gl.point_smooth = false;
    }
    auto object = std::make_unique<RasterizerObject>();
    object->gl = gl;
    object->state = translate(device, gl);
    object->state_half_z = object->state;
    object->state_half_z.depth_negative_one_to_one = false;
    const bool sprites = gl.point_quad_rasterization && gl.sprite_coord_enable;
    object->point_size = point_size(gl);
    object->changes_fragments = sprites || gl.point_smooth || gl.poly_stipple_enable;
    object->plain = !object->changes_fragments && gl.fill_front == PIPE_POLYGON_MODE_FILL &&
                    gl.fill_back == PIPE_POLYGON_MODE_FILL;
    return object;
}

void apply_rasterizer(Context& context) {
    const RasterizerObject* object = context.bound.rasterizer;
    context.outdated_parameters |= spirv::rasterizer_words;
    if (!object)
        context.recorder.set_rasterizer(nullptr);
    else
        context.recorder.set_rasterizer(context.half_z_viewport ? &object->state_half_z
                                                                : &object->state);
}

void init_rasterizer_functions(Context& context) {
    context.create_rasterizer_state = create_rasterizer;
    context.bind_rasterizer_state = bind_rasterizer;
    context.delete_rasterizer_state = delete_rasterizer;
}

} // namespace kobalt::gallium
