// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "render/resource.h"
#include "render/state.h"

namespace kobalt::render {

/// The attachments of a pass (dynamic rendering). The front keeps the views alive while bound.
struct Framebuffer {
    std::array<ImageView*, max_color_attachments> color{};
    std::array<VkFormat, max_color_attachments> color_formats{}; ///< UNDEFINED where absent
    ImageView* depth_stencil = nullptr;
    VkFormat depth_stencil_format = VK_FORMAT_UNDEFINED;
    uint32_t color_count = 0;
    uint32_t width = 0;  ///< pixels: the smallest of all attachments
    uint32_t height = 0; ///< pixels
    uint32_t layers = 1;
    uint32_t samples = 1;
    /// GL_EXT_multisampled_render_to_texture: the attachments have one sample each, and what is
    /// rendered at `samples` goes into it when the pass ends (VK_EXT_multisampled_render_to_-
    /// single_sampled).
    bool resolves = false;
    uint32_t integer_colors = 0; ///< mask of `color`: formats of integers
    /// GL_OVR_multiview: bit n: each draw is made for view n, into that layer. 0: draws choose
    /// their layer themselves.
    uint32_t view_mask = 0;
    /// What RasterizerState::depth_bias_constant counts, in units of the format's own resolution.
    float depth_bias_unit = 1;
};

} // namespace kobalt::render
