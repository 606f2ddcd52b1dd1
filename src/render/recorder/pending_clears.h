// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/pipelines/state.h"

namespace kobalt::render {

/// Clears of whole attachments, outside of passes: they wait for the next pass, whose load
/// operations they become.
class PendingClears {
public:
    void add_color(uint32_t index, const VkClearColorValue& value) {
        colors_ |= 1u << index;
        color_values_[index] = value;
    }
    void add_depth_stencil(VkImageAspectFlags aspects, float depth, uint32_t stencil) {
        aspects_ |= aspects;
        if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
            depth_stencil_value_.depth = depth;
        if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
            depth_stencil_value_.stencil = stencil;
    }
    /// Forgets the clears: a pass has taken them.
    void drop() {
        colors_ = 0;
        aspects_ = 0;
    }

    bool any() const { return colors_ || aspects_; }
    /// Mask of the colour attachments that are cleared.
    uint32_t colors() const { return colors_; }
    /// The aspects of depth and stencil that are cleared.
    VkImageAspectFlags aspects() const { return aspects_; }

    /// Has the pass clear the colour attachment, if a clear of it waits.
    void load_color(uint32_t index, VkRenderingAttachmentInfo& info) const {
        if (!(colors_ & (1u << index)))
            return;
        info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        info.clearValue.color = color_values_[index];
    }
    /// Does the same for depth or stencil.
    void load_aspect(VkImageAspectFlags aspect, VkRenderingAttachmentInfo& info) const {
        if (!(aspects_ & aspect))
            return;
        info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        info.clearValue.depthStencil = depth_stencil_value_;
    }

private:
    uint32_t colors_ = 0;
    std::array<VkClearColorValue, max_color_attachments> color_values_{};
    VkImageAspectFlags aspects_ = 0;
    VkClearDepthStencilValue depth_stencil_value_{};
};

} // namespace kobalt::render
