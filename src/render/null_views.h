// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <mutex>

#include "render/resource.h"
#include "render/stage.h"

namespace kobalt::render {

class Engine;

/// Views that stand in for missing ones: one texel of (0, 0, 0, 1) in every layer and sample, as GL
/// wants of incomplete textures (a null descriptor would read (0, 0, 0, 0)); depth reads 0. Each is
/// made at its first use. Thread-safe.
class NullViews {
public:
    explicit NullViews(Engine& engine) : engine_(engine) {}

    /// The stand-in for a descriptor of that shape; where the device can't have one, a null
    /// descriptor (nullptr) if it has those, else the view for a plain 2D texture.
    ImageView* get(const ViewShape& shape);
    /// Makes the one that all else falls back on.
    vulkan::Result<void> init();

private:
    static constexpr size_t view_types = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY + 1;
    static constexpr size_t image_types = VK_IMAGE_TYPE_3D + 1;
    static constexpr size_t texel_kinds = static_cast<size_t>(Texels::depth) + 1;
    /// Made or found to be impossible once; then never tried again.
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

    Engine& engine_;
    std::mutex mutex_; ///< guards made_
    std::array<std::array<std::array<Made, image_types>, texel_kinds>, 2>
        made_; ///< by samples first
};

} // namespace kobalt::render
