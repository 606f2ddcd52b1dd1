// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "render/base/core.h"
#include "render/resources/resource.h"
#include "render/shaders/stage.h"

namespace kobalt::render {

class BatchPool;

/// Views that stand in for missing ones: one texel of (0, 0, 0, 1) in every layer and sample, as GL
/// wants of incomplete textures (a null descriptor would read (0, 0, 0, 0)); depth reads 0; buffers
/// read 0. Each is made at its first use, since most programs need none and a CPU device makes
/// machine code for each. Thread-safe.
class NullViews {
public:
    /// `zeros`: a buffer of zeros, for texture buffers.
    NullViews(Core& core, BatchPool& batches, Buffer& zeros)
        : core_(core), batches_(batches), zeros_(zeros) {}

    /// The stand-in for a descriptor of that shape; where the device can't have one, a null
    /// descriptor (nullptr) if it has those, else the view for a plain 2D texture.
    ImageView* get(const ViewShape& shape);
    /// The stand-in for a texture buffer; null where it can't be made, which was logged once.
    BufferView* texels(Texels texels);
    /// How many there are so far.
    uint64_t count() const { return count_.load(std::memory_order_relaxed); }

private:
    static constexpr size_t view_types = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY + 1;
    static constexpr size_t image_types = VK_IMAGE_TYPE_3D + 1;
    static constexpr size_t texel_kinds = static_cast<size_t>(Texels::depth) + 1;
    /// An image and its views; each is tried once, and never again if that failed.
    struct Made {
        bool tried = false;
        Ref<Image> image;
        std::array<Ref<ImageView>, view_types> views;
        std::array<bool, view_types> view_tried{};
    };

    vulkan::Result<Ref<Image>> make_image(VkImageType type, Texels texels, bool multisampled);
    vulkan::Result<void> clear(const Ref<Image>& image);
    vulkan::Result<Ref<ImageView>> make_view(const Ref<Image>& image, VkImageViewType type);
    ImageView* find(const ViewShape& shape);
    vulkan::Result<Ref<BufferView>> make_texels(Texels texels);

    Core& core_;
    BatchPool& batches_;
    Buffer& zeros_;
    std::mutex mutex_; ///< guards all below
    std::atomic<uint64_t> count_{0};
    struct MadeTexels {
        bool tried = false;
        Ref<BufferView> view;
    };
    std::array<MadeTexels, static_cast<size_t>(Texels::depth)> texels_; ///< depth has none
    std::array<std::array<std::array<Made, image_types>, texel_kinds>, 2>
        made_; ///< by samples first
};

} // namespace kobalt::render
