// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/image.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"
#include "vulkan/resources/memory_allocation.h"

#include <utility>

namespace kobalt::vulkan {

namespace {

std::string describe_image(const VkImageCreateInfo& info, const char* name) {
    std::string text = name ? "\"" + std::string(name) + "\", " : std::string();
    return text + std::to_string(info.extent.width) + "x" + std::to_string(info.extent.height) +
           "x" + std::to_string(info.extent.depth) + ", " + std::to_string(info.mipLevels) +
           " levels, " + std::to_string(info.arrayLayers) + " layers, " +
           std::to_string(static_cast<int>(info.samples)) + " samples, VkFormat " +
           std::to_string(static_cast<int>(info.format));
}

} // namespace

void Image::describe(const VkImageCreateInfo& info) {
    format_ = info.format;
    type_ = info.imageType;
    extent_ = info.extent;
    levels_ = info.mipLevels;
    layers_ = info.arrayLayers;
    samples_ = info.samples;
    usage_ = info.usage;
    flags_ = info.flags;
    tiling_ = info.tiling;
}

Result<Image> Image::create(Device& device, const VkImageCreateInfo& info, MemoryKind kind,
                            const char* name) {
    VmaAllocationCreateInfo allocate = allocation_info(kind, false);
    Image image;
    VmaAllocationInfo details{};
    const VkResult result = with_second_try(device, [&] {
        return vmaCreateImage(device.allocator(), &info, &allocate, &image.image_,
                              &image.allocation_, &details);
    });
    if (result != VK_SUCCESS) {
        image.image_ = VK_NULL_HANDLE;
        device.status().check(result, "vkCreateImage");
        return fail(result, "creating an image",
                    describe_image(info, name) + ", " + memory_kind_name(kind) + " memory");
    }
    image.device_ = &device;
    image.mapped_ = static_cast<std::byte*>(details.pMappedData);
    image.size_ = details.size;
    image.describe(info);
    set_name(device, VK_OBJECT_TYPE_IMAGE, image.image_, name);
    return image;
}

Image Image::wrap(VkImage handle, const VkImageCreateInfo& info) {
    Image image;
    image.image_ = handle;
    image.describe(info);
    return image;
}

Image Image::adopt(Device& device, VkImage handle, DeviceMemory memory,
                   const VkImageCreateInfo& info, const Adopted& more) {
    Image image = wrap(handle, info);
    image.adopted_ = device.own<ImageHandle>(handle);
    image.adopted_memory_ = std::move(memory);
    image.size_ = more.size;
    image.exported_as_ = more.exported_as;
    return image;
}

Image::Image(Image&& other) noexcept {
    *this = std::move(other);
}

Image& Image::operator=(Image&& other) noexcept {
    if (this != &other) {
        reset();
        device_ = other.device_;
        allocation_ = std::exchange(other.allocation_, nullptr);
        adopted_ = std::move(other.adopted_);
        adopted_memory_ = std::move(other.adopted_memory_);
        exported_as_ = std::exchange(other.exported_as_, {});
        image_ = std::exchange(other.image_, VK_NULL_HANDLE);
        mapped_ = std::exchange(other.mapped_, nullptr);
        size_ = std::exchange(other.size_, 0);
        format_ = other.format_;
        type_ = other.type_;
        extent_ = other.extent_;
        levels_ = other.levels_;
        layers_ = other.layers_;
        samples_ = other.samples_;
        usage_ = other.usage_;
        flags_ = other.flags_;
        tiling_ = other.tiling_;
    }
    return *this;
}

void Image::reset() {
    if (allocation_ && !device_->given_up())
        vmaDestroyImage(device_->allocator(), image_, allocation_);
    adopted_.reset(); // destroyed before the memory it is bound to
    adopted_memory_.reset();
    exported_as_ = {};
    image_ = VK_NULL_HANDLE;
    allocation_ = nullptr;
    mapped_ = nullptr;
    size_ = 0;
}

Result<ImageView> create_image_view(Device& device, const VkImageViewCreateInfo& info,
                                    const char* name) {
    VkImageView view = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateImageView(device.handle(), &info, nullptr, &view);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateImageView",
                    std::string(name ? name : "an image") + ", VkFormat " +
                        std::to_string(static_cast<int>(info.format)));
    set_name(device, VK_OBJECT_TYPE_IMAGE_VIEW, view, name);
    return device.own<ImageView>(view);
}

VkImageAspectFlags format_aspects(VkFormat format) {
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT:
        return VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

} // namespace kobalt::vulkan
