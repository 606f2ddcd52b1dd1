// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cmath>

#include "gallium/front_state.h"
#include "vulkan/device.h"

namespace kobalt::gallium {
namespace {

bool depth_fits(float near, float far) {
    const auto inside = [](float z) { return z >= 0.0f && z <= 1.0f; };
    return inside(near) && inside(far);
}

/// Whether this viewport's depth range lies in Vulkan's 0..1 only when clip-space z is 0..w. Mesa's
/// own blits ask for that: they pass window depth through (scale 1, translation 0).
bool needs_half_z(const FrontState& state, const pipe_viewport_state& viewport) {
    const RasterizerObject* rasterizer = state.bound.rasterizer;
    if (rasterizer && !rasterizer->state.depth_negative_one_to_one)
        return false;
    const float scale = viewport.scale[2], translate = viewport.translate[2];
    return !depth_fits(translate - scale, translate + scale) &&
           depth_fits(translate, translate + scale);
}

VkViewport translate(FrontState& state, const pipe_viewport_state& gl, bool half_z) {
    vulkan::Device& device = state.kobalt_screen().device();
    const VkPhysicalDeviceLimits& limits = device.limits();
    const float low = limits.viewportBoundsRange[0], high = limits.viewportBoundsRange[1];
    VkViewport out{};
    const float half_width = std::fabs(gl.scale[0]);
    out.x = gl.translate[0] - half_width;
    out.width = 2.0f * half_width;
    out.y = gl.translate[1] - gl.scale[1];
    out.height = 2.0f * gl.scale[1];
    if (!(out.width > 0.0f) || out.height == 0.0f || !std::isfinite(out.x + out.y)) {
        // An empty viewport draws nothing (OpenGL 4.6, Controlling the Viewport), but Vulkan has no
        // empty one: this is a pixel that no framebuffer reaches.
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

    out.x += state.viewport_offset[0];
    out.y += state.viewport_offset[1];
    out.minDepth = half_z ? gl.translate[2] : gl.translate[2] - gl.scale[2];
    out.maxDepth = gl.translate[2] + gl.scale[2];
    if (!device.has(vulkan::Capability::depth_range_unrestricted)) {
        out.minDepth = std::clamp(out.minDepth, 0.0f, 1.0f);
        out.maxDepth = std::clamp(out.maxDepth, 0.0f, 1.0f);
    }
    return out;
}

void apply_viewports(FrontState& state, unsigned first, unsigned count) {
    const bool unrestricted =
        state.kobalt_screen().device().has(vulkan::Capability::depth_range_unrestricted);
    const RasterizerObject* rasterizer = state.bound.rasterizer;
    const bool force = !unrestricted && needs_half_z(state, state.bound.viewports[0]);
    if (force != state.half_z_viewport) {
        state.half_z_viewport = force;
        apply_rasterizer(state);
    }
    const bool half_z = force || (rasterizer && !rasterizer->state.depth_negative_one_to_one);
    std::array<VkViewport, PIPE_MAX_VIEWPORTS> viewports;
    for (unsigned i = 0; i < count; ++i)
        viewports[i] = translate(state, state.bound.viewports[first + i], half_z);
    state.recorder.set_viewports(first, std::span(viewports).first(count));
    state.parameters_dirty = true;
}

void set_viewports(pipe_context* context, unsigned start, unsigned count,
                   const pipe_viewport_state* viewports) {
    FrontState& state = FrontState::from(context);
    count = std::min<unsigned>(count, PIPE_MAX_VIEWPORTS - start);
    std::copy_n(viewports, count, state.bound.viewports.begin() + start);
    state.viewport_count = std::max(state.viewport_count, start + count);
    apply_viewports(state, start, count);
}

void set_scissors(pipe_context* context, unsigned start, unsigned count,
                  const pipe_scissor_state* scissors) {
    FrontState& state = FrontState::from(context);
    count = std::min<unsigned>(count, PIPE_MAX_VIEWPORTS - start);
    std::copy_n(scissors, count, state.bound.scissors.begin() + start);
    std::array<VkRect2D, PIPE_MAX_VIEWPORTS> rects;
    for (unsigned i = 0; i < count; ++i) {
        const pipe_scissor_state& scissor = scissors[i];
        const uint32_t right = std::max(scissor.maxx, scissor.minx);
        const uint32_t bottom = std::max(scissor.maxy, scissor.miny);
        rects[i] = {{static_cast<int32_t>(scissor.minx), static_cast<int32_t>(scissor.miny)},
                    {right - scissor.minx, bottom - scissor.miny}};
    }
    state.recorder.set_scissors(start, std::span(rects).first(count));
}

} // namespace

void update_viewport_depth(FrontState& state) {
    apply_viewports(state, 0, state.viewport_count);
}

void init_viewport_functions(FrontState& state) {
    state.set_viewport_states = set_viewports;
    state.set_scissor_states = set_scissors;
}

} // namespace kobalt::gallium
