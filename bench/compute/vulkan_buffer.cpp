// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_buffer.h"

namespace kobalt::compute {

namespace {

/// The first type that the buffer may lie in and that has all of the flags.
Result<std::uint32_t> memory_type(const Device& vk, std::uint32_t allowed,
                                  VkMemoryPropertyFlags flags) {
    for (std::uint32_t i = 0; i < vk.memory.memoryTypeCount; ++i) {
        if ((allowed >> i & 1U) != 0 && (vk.memory.memoryTypes[i].propertyFlags & flags) == flags) {
            return i;
        }
    }
    return std::unexpected("the device has no memory for a buffer");
}

Result<std::uint32_t> memory_type(const Device& vk, std::uint32_t allowed,
                                  VulkanBuffer::Place place) {
    if (place == VulkanBuffer::Place::device) {
        return memory_type(vk, allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    }
    constexpr VkMemoryPropertyFlags mapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const auto cached = memory_type(vk, allowed, mapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    return cached ? cached : memory_type(vk, allowed, mapped);
}

} // namespace

Result<VulkanBuffer> VulkanBuffer::create(const Device& vk, std::size_t bytes, Place place) {
    VulkanBuffer made;
    made.bytes_ = bytes;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    if (auto good = done(vk.CreateBuffer(vk.device, &info, nullptr, &buffer), "vkCreateBuffer");
        !good) {
        return std::unexpected(good.error());
    }
    made.buffer_ = {vk.device, buffer, vk.DestroyBuffer};

    VkMemoryRequirements needs{};
    vk.GetBufferMemoryRequirements(vk.device, buffer, &needs);
    const auto type = memory_type(vk, needs.memoryTypeBits, place);
    if (!type) {
        return std::unexpected(type.error());
    }
    VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = *type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (auto good =
            done(vk.AllocateMemory(vk.device, &allocation, nullptr, &memory), "vkAllocateMemory");
        !good) {
        return std::unexpected(good.error());
    }
    made.memory_ = {vk.device, memory, vk.FreeMemory};
    auto good = done(vk.BindBufferMemory(vk.device, buffer, memory, 0), "vkBindBufferMemory");
    if (good && place == Place::host) {
        void* at = nullptr;
        good = done(vk.MapMemory(vk.device, memory, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
        made.words_ = static_cast<std::uint32_t*>(at);
    }
    if (!good) {
        return std::unexpected(good.error());
    }
    return made;
}

} // namespace kobalt::compute
