// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "render/pipelines/state.h"
#include "render/resources/resource.h"

namespace kobalt::render {

/// The view that an attachment's samples are resolved into each time a pass ends.
struct ResolveTarget {
    ImageView* view = nullptr; ///< null: they are not resolved
    /// Resource::contents() of the view's image when the samples last matched it. Another number:
    /// the image was written since, so the samples have to be filled anew before they are drawn to.
    uint64_t* contents = nullptr;
    bool outdated() const { return view && *contents != view->image().contents(); }
};

/// The attachments of a pass (dynamic rendering). The state tracker keeps the views alive while
/// bound.
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
    /// GL_EXT_multisampled_render_to_texture. An attachment of one sample, where `samples` is more,
    /// has its samples inside the pass alone (VK_EXT_multisampled_render_to_single_sampled).
    /// Without the extension the attachment is a multisampled image, which is resolved into one of
    /// these.
    std::array<ResolveTarget, max_color_attachments> color_targets{};
    ResolveTarget depth_stencil_target;
    uint32_t integer_colors = 0; ///< mask of `color`: formats of integers
    /// GL_OVR_multiview: bit n: each draw is made for view n, into that layer. 0: draws choose
    /// their layer themselves.
    uint32_t view_mask = 0;
    /// What RasterizerState::depth_bias_constant counts, in units of the format's own resolution.
    float depth_bias_unit = 1;
};

constexpr bool is_float_depth(VkFormat format) {
    return format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

} // namespace kobalt::render
