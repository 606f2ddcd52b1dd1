// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/resources/storage_shapes.h"

#include "render/resources/resource.h"
#include "vulkan/device/device.h"

namespace kobalt::render {
namespace {

constexpr uint32_t cube_faces = 6;

VkImageViewCreateInfo without_chain(VkImageViewCreateInfo info) {
    info.pNext = nullptr;
    return info;
}

/// Where the device lacks one-dimensional images, these are made with two dimensions.
VkImageViewType in_two_dimensions(VkImageViewType type) {
    switch (type) {
    case VK_IMAGE_VIEW_TYPE_1D:
        return VK_IMAGE_VIEW_TYPE_2D;
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    default:
        return type;
    }
}

} // namespace

StorageShapes::StorageShapes(vulkan::Device& device, const VkImageViewCreateInfo& info)
    : device_(device), info_(without_chain(info)) {}

StorageShapes::~StorageShapes() = default;

/// Vulkan 1.3, table "Image type and image view type compatibility requirements".
bool StorageShapes::possible(const vulkan::Image& image, VkImageViewType type) const {
    const uint32_t layers = info_.subresourceRange.layerCount;
    const bool cubes = (image.flags() & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) != 0;
    switch (type) {
    case VK_IMAGE_VIEW_TYPE_1D:
        return image.type() == VK_IMAGE_TYPE_1D && layers == 1;
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return image.type() == VK_IMAGE_TYPE_1D;
    case VK_IMAGE_VIEW_TYPE_2D:
        return image.type() == VK_IMAGE_TYPE_2D && layers == 1;
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        return image.type() == VK_IMAGE_TYPE_2D;
    case VK_IMAGE_VIEW_TYPE_CUBE:
        return cubes && layers == cube_faces;
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
        return cubes && layers % cube_faces == 0 &&
               device_.has(vulkan::Capability::image_cube_array);
    default:
        return false; // a volume is seen as a whole or by a slice, which the owner is
    }
}

ImageView* StorageShapes::get(ImageView& owner, VkImageViewType type) {
    Image& image = owner.image();
    if (image.storage().type() == VK_IMAGE_TYPE_2D)
        type = in_two_dimensions(type);
    if (type == info_.viewType)
        return &owner;
    if (type >= view_types || !possible(image.storage(), type))
        return nullptr;
    const std::lock_guard lock(mutex_);
    if (std::exchange(tried_[type], true))
        return views_[type].get();
    VkImageViewUsageCreateInfo usage{VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
    usage.usage = VK_IMAGE_USAGE_STORAGE_BIT;
    VkImageViewCreateInfo info = info_;
    info.pNext = &usage;
    info.viewType = type;
    auto view = vulkan::create_image_view(device_, info, "image unit");
    if (view)
        views_[type] = make_ref<ImageView>(Ref(&image), std::move(*view));
    else
        device_.log().error("a view for an image unit: " + view.error().to_string());
    return views_[type].get();
}

} // namespace kobalt::render
