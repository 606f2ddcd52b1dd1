// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"
#include "vulkan/resources/memory.h"

namespace kobalt::vulkan {

/// A VkImage with its memory, or one that somebody else owns (a swapchain's).
class Image {
public:
    /// `info` is passed to Vulkan as it is (pNext included). Linear images of kind upload or
    /// readback are mapped. Fails with VK_ERROR_OUT_OF_*_MEMORY and a text with size and format.
    static Result<Image> create(Device& device, const VkImageCreateInfo& info,
                                MemoryKind kind = MemoryKind::device_local,
                                const char* name = nullptr);
    /// A handle to an image that is not ours: never destroyed here.
    static Image wrap(VkImage image, const VkImageCreateInfo& info);
    /// Properties of memory that create() didn't allocate.
    struct Adopted {
        VkDeviceSize size = 0;
        VkExternalMemoryHandleTypeFlagBits exported_as{}; ///< none: it can't be exported
    };
    /// An image bound to memory of its own; the Image destroys both.
    static Image adopt(Device& device, VkImage image, DeviceMemory memory,
                       const VkImageCreateInfo& info, const Adopted& more);
    static Image adopt(Device& device, VkImage image, DeviceMemory memory,
                       const VkImageCreateInfo& info) {
        return adopt(device, image, std::move(memory), info, Adopted());
    }

    Image() = default;
    Image(Image&& other) noexcept;
    Image& operator=(Image&& other) noexcept;
    ~Image() { reset(); }
    void reset();

    VkImage handle() const { return image_; }
    explicit operator bool() const { return image_ != VK_NULL_HANDLE; }
    VkFormat format() const { return format_; }
    VkImageType type() const { return type_; }
    VkExtent3D extent() const { return extent_; }
    uint32_t levels() const { return levels_; }
    uint32_t layers() const { return layers_; }
    VkSampleCountFlagBits samples() const { return samples_; }
    VkImageUsageFlags usage() const { return usage_; }
    VkImageCreateFlags flags() const { return flags_; }
    VkImageTiling tiling() const { return tiling_; }
    /// Memory that can be exported as a descriptor.
    struct Exported {
        VkDeviceMemory memory = VK_NULL_HANDLE;
        VkExternalMemoryHandleTypeFlagBits type{}; ///< none: it can't be exported
    };
    Exported exported() const { return {adopted_memory_.get(), exported_as_}; }
    /// Bytes of its memory; 0 for a wrapped image and for imported memory.
    VkDeviceSize size() const { return size_; }
    std::byte* mapped() const { return mapped_; }

private:
    void describe(const VkImageCreateInfo& info);

    Device* device_ = nullptr; ///< where VMA has its memory
    VmaAllocation_T* allocation_ = nullptr;
    ImageHandle adopted_;
    DeviceMemory adopted_memory_;
    VkExternalMemoryHandleTypeFlagBits exported_as_{};
    VkImage image_ = VK_NULL_HANDLE;
    std::byte* mapped_ = nullptr;
    VkDeviceSize size_ = 0;
    VkFormat format_ = VK_FORMAT_UNDEFINED;
    VkImageType type_ = VK_IMAGE_TYPE_2D;
    VkExtent3D extent_{};
    uint32_t levels_ = 1;
    uint32_t layers_ = 1;
    VkSampleCountFlagBits samples_ = VK_SAMPLE_COUNT_1_BIT;
    VkImageUsageFlags usage_ = 0;
    VkImageCreateFlags flags_ = 0;
    VkImageTiling tiling_ = VK_IMAGE_TILING_OPTIMAL;
};

Result<ImageView> create_image_view(Device& device, const VkImageViewCreateInfo& info,
                                    const char* name = nullptr);

/// The aspects a format has (color, or depth and/or stencil).
VkImageAspectFlags format_aspects(VkFormat format);

} // namespace kobalt::vulkan
