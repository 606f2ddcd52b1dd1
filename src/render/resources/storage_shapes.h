// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "render/base/ref.h"
#include "vulkan/base/vk.h"
#include "vulkan/resources/image.h"

namespace kobalt::vulkan {
class Device;
}

namespace kobalt::render {

class Image;
class ImageView;

/// What an image unit has bound, as views of every type that shaders may declare for it (OpenGL
/// 4.6, 8.26): GL doesn't tell whether six layers are an array or a cube's faces, or one layer an
/// array of one. Each view is made when a shader first asks for it. Thread-safe.
class StorageShapes {
public:
    /// `info` describes the owner's view, its usage included; the structures behind pNext are not
    /// used later.
    StorageShapes(vulkan::Device& device, const VkImageViewCreateInfo& info);
    ~StorageShapes();
    /// Null: the image or the range can't have such a view. `owner`: the view made of `info`.
    ImageView* get(ImageView& owner, VkImageViewType type);

private:
    static constexpr size_t view_types = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY + 1;

    bool possible(const vulkan::Image& image, VkImageViewType type) const;

    vulkan::Device& device_;
    const VkImageViewCreateInfo info_;
    std::mutex mutex_; ///< guards what follows
    std::array<Ref<ImageView>, view_types> views_;
    std::array<bool, view_types> tried_{};
};

} // namespace kobalt::render
