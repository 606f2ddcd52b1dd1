// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cmath>

#include "gallium/context/operations.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {
namespace {

bool depth_fits(float near, float far) {
    const auto inside = [](float z) { return z >= 0.0f && z <= 1.0f; };
    return inside(near) && inside(far);
}

/// Whether this viewport's depth range lies in Vulkan's 0..1 only when clip-space z is 0..w. Mesa's
/// own blits ask for that: they pass window depth through (scale 1, translation 0).
bool needs_half_z(const Context& context, const pipe_viewport_state& viewport) {
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    if (rasterizer && !rasterizer->state.depth_negative_one_to_one)
        return false;
    const float scale = viewport.scale[2], translate = viewport.translate[2];
    return !depth_fits(translate - scale, translate + scale) &&
           depth_fits(translate, translate + scale);
}

VkViewport translate(Context& context, const pipe_viewport_state& gl, bool half_z) {
    vulkan::Device& device = context.kobalt_screen().device();
    const VkPhysicalDeviceLimits& limits = device.limits();
    const float low = limits.viewportBoundsRange[0], high = limits.viewportBoundsRange[1];
    VkViewport out{};
    const float half_width = std::fabs(gl.scale[0]);
    out.x = gl.translate[0] - half_width;
    out.width = 2.0f * half_width;
    out.y = gl.translate[1] - gl.scale[1];
    out.height = 2.0f * gl.scale[1];
    if (!(out.width > 0.0f) || out.height == 0.0f || !std::isfinite(out.x + out.y)) {
        // An empty viewport draws nothing (OpenGL 4.6, Controlling the Viewport). Vulkan has no
        // empty viewport, so this one is a pixel that is outside of every framebuffer.
        out.x = out.y = high - 2.0f;
        out.width = out.height = 1.0f;
    }
    out.width = std::min(out.width, static_cast<float>(limits.maxViewportDimensions[0]));
    const auto max_height = static_cast<float>(limits.maxViewportDimensions[1]);
    out.height = std::clamp(out.height, -max_height, max_height);
    out.x = std::clamp(out.x, low, high - out.width);
    if (out.height >= 0.0f)
        out.y = std::clamp(out.y, low, high - out.height);
    else
        out.y = std::clamp(out.y, low - out.height, high);

    out.x += context.viewport_offset[0];
    out.y += context.viewport_offset[1];
    out.minDepth = half_z ? gl.translate[2] : gl.translate[2] - gl.scale[2];
    out.maxDepth = gl.translate[2] + gl.scale[2];
    if (!device.has(vulkan::Capability::depth_range_unrestricted)) {
        out.minDepth = std::clamp(out.minDepth, 0.0f, 1.0f);
        out.maxDepth = std::clamp(out.maxDepth, 0.0f, 1.0f);
    }
    return out;
}

void apply_viewports(Context& context, unsigned first, unsigned count) {
    const bool unrestricted =
        context.kobalt_screen().device().has(vulkan::Capability::depth_range_unrestricted);
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    const bool force = !unrestricted && needs_half_z(context, context.bound.viewports[0]);
    if (force != context.half_z_viewport) {
        context.half_z_viewport = force;
        apply_rasterizer(context);
    }
    const bool half_z = force || (rasterizer && !rasterizer->state.depth_negative_one_to_one);
    std::array<VkViewport, PIPE_MAX_VIEWPORTS> viewports;
    for (unsigned i = 0; i < count; ++i)
        viewports[i] = translate(context, context.bound.viewports[first + i], half_z);
    context.recorder.set_viewports(first, std::span(viewports).first(count));
    context.outdated_parameters |= spirv::viewport_words;
}

void set_viewports(pipe_context* pcontext, unsigned start, unsigned count,
                   const pipe_viewport_state* viewports) {
    Context& context = *Context::from(pcontext);
    count = std::min<unsigned>(count, PIPE_MAX_VIEWPORTS - start);
    std::copy_n(viewports, count, context.bound.viewports.begin() + start);
    context.viewport_count = std::max(context.viewport_count, start + count);
    apply_viewports(context, start, count);
}

void set_scissors(pipe_context* pcontext, unsigned start, unsigned count,
                  const pipe_scissor_state* scissors) {
    Context& context = *Context::from(pcontext);
    count = std::min<unsigned>(count, PIPE_MAX_VIEWPORTS - start);
    std::copy_n(scissors, count, context.bound.scissors.begin() + start);
    std::array<VkRect2D, PIPE_MAX_VIEWPORTS> rects;
    for (unsigned i = 0; i < count; ++i) {
        const pipe_scissor_state& scissor = scissors[i];
        const uint32_t right = std::max(scissor.maxx, scissor.minx);
        const uint32_t bottom = std::max(scissor.maxy, scissor.miny);
        rects[i] = {{static_cast<int32_t>(scissor.minx), static_cast<int32_t>(scissor.miny)},
                    {right - scissor.minx, bottom - scissor.miny}};
    }
    context.recorder.set_scissors(start, std::span(rects).first(count));
}

} // namespace

void update_viewport_depth(Context& context) {
    apply_viewports(context, 0, context.viewport_count);
}

void init_viewport_functions(Context& context) {
    context.set_viewport_states = set_viewports;
    context.set_scissor_states = set_scissors;
}

} // namespace kobalt::gallium
