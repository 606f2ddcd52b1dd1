// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/resources/buffer.h"
#include "vulkan/resources/image.h"

namespace kobalt::vulkan {

/// Memory that Kobalt didn't allocate: exported by another device or process as a file descriptor
/// (VK_KHR_external_memory_fd), or pages of the app (VK_EXT_external_memory_host).
struct ExternalMemory {
    VkExternalMemoryHandleTypeFlagBits type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    int fd = -1;            ///< the caller keeps it: each import takes a duplicate
    void* host = nullptr;   ///< HOST_ALLOCATION: the first byte, aligned as the device asks
    VkDeviceSize size = 0;  ///< bytes of the whole allocation; 0: not known
    bool dedicated = false; ///< made for one image or buffer alone
};

/// Whether images or buffers may be bound to imported memory of that kind
/// (vkGetPhysicalDeviceExternalBufferProperties). `modifier`: the DRM format modifier of an image
/// with that tiling.
bool imports_buffers(const Device& device, VkExternalMemoryHandleTypeFlagBits type,
                     VkBufferUsageFlags usage);
bool imports_images(const Device& device, const VkImageCreateInfo& info,
                    VkExternalMemoryHandleTypeFlagBits type,
                    const VkPhysicalDeviceImageDrmFormatModifierInfoEXT* modifier = nullptr);
/// Whether the memory of such an image can be exported as a descriptor of `type`.
bool exports_images(const Device& device, const VkImageCreateInfo& info,
                    VkExternalMemoryHandleTypeFlagBits type,
                    const VkPhysicalDeviceImageDrmFormatModifierInfoEXT* modifier = nullptr);

/// An image in imported memory, which begins `offset` bytes into it.
/// VK_ERROR_INVALID_EXTERNAL_HANDLE: the descriptor is invalid, or another device's;
/// VK_ERROR_OUT_OF_DEVICE_MEMORY: the memory ends before the image does.
Result<Image> import_image(Device& device, const VkImageCreateInfo& info,
                           const ExternalMemory& memory, VkDeviceSize offset);
/// The same for a buffer; mapped where the CPU sees that memory.
Result<Buffer> import_buffer(Device& device, const BufferInfo& info, const ExternalMemory& memory,
                             VkDeviceSize offset);

/// An image in memory of its own that export_memory() can export as descriptors of that type.
/// exports_images() must be true for the image.
Result<Image> create_exported_image(Device& device, const VkImageCreateInfo& info,
                                    VkExternalMemoryHandleTypeFlagBits type);
/// A new descriptor of the memory of an image of create_exported_image(); the caller closes it.
Result<int> export_memory(Device& device, const Image& image);

} // namespace kobalt::vulkan
