// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/pipelines/state.h"
#include "render/resources/resource.h"

namespace kobalt::render {

inline constexpr VkImageAspectFlags depth_stencil_aspects =
    VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

/// The aspects of the depth and stencil attachment that the open pass only tests: it stores nothing
/// of them (VK_ATTACHMENT_STORE_OP_NONE), and to other passes it is a reader.
///
/// The pass's first draw decides. A later draw or clear that writes a kept aspect has to end the
/// pass, and the next one stores. That happens once for each image: its later passes keep nothing.
class KeptAspects {
public:
    /// The aspects that draws with this state may write (Vulkan 1.3, "Depth Test", "Stencil Test").
    static VkImageAspectFlags written_by(const DepthStencilState& state) {
        VkImageAspectFlags written = 0;
        if (state.depth_test && state.depth_write)
            written |= VK_IMAGE_ASPECT_DEPTH_BIT;
        if (state.stencil_test && (writes_stencil(state.front) || writes_stencil(state.back)))
            written |= VK_IMAGE_ASPECT_STENCIL_BIT;
        return written;
    }

    /// Begins a pass on the image, whose first command writes at most the aspects `written`.
    void begin(Image& image, VkImageAspectFlags written) {
        image_ = &image;
        aspects_ = image.written_behind_tests.load(std::memory_order_relaxed)
                       ? 0
                       : image.aspects() & ~written;
    }
    /// Begins a pass without an attachment that could be kept, or ends one.
    void clear() { aspects_ = 0; }

    VkAttachmentStoreOp store_op(VkImageAspectFlags aspect) const {
        return aspects_ & aspect ? VK_ATTACHMENT_STORE_OP_NONE : VK_ATTACHMENT_STORE_OP_STORE;
    }
    /// Whether the pass keeps all aspects of its image.
    bool all() const { return aspects_ && aspects_ == image_->aspects(); }
    /// Whether a write to these aspects has to end the pass.
    bool forbids(VkImageAspectFlags written) const { return aspects_ & written; }
    /// Whether a draw with this state has to end the pass. Null: no draw is possible.
    bool forbids(const DepthStencilState* state) const {
        return aspects_ && state && forbids(written_by(*state));
    }
    /// To be called where such a write ends the pass.
    void note_write() { image_->written_behind_tests.store(true, std::memory_order_relaxed); }

private:
    static bool writes_stencil(const VkStencilOpState& face) {
        return face.writeMask &&
               (face.failOp != VK_STENCIL_OP_KEEP || face.passOp != VK_STENCIL_OP_KEEP ||
                face.depthFailOp != VK_STENCIL_OP_KEEP);
    }

    Image* image_ = nullptr;         ///< of the open pass; valid where `aspects_` isn't 0
    VkImageAspectFlags aspects_ = 0; ///< those that are kept
};

} // namespace kobalt::render
