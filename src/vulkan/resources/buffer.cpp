// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/buffer.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"
#include "vulkan/resources/memory_allocation.h"

#include <utility>

namespace kobalt::vulkan {

Result<Buffer> Buffer::create(Device& device, const BufferInfo& info) {
    const auto describe = [&] {
        const std::string text = info.name ? "\"" + std::string(info.name) + "\", " : std::string();
        return text + size_text(info.size) + " (" + std::to_string(info.size) + " bytes) of " +
               memory_kind_name(info.kind) + " memory";
    };
    const auto& limits = device.properties();
    if (info.size == 0 || info.size > limits.vulkan13.maxBufferSize)
        return fail(info.size == 0 ? VK_ERROR_UNKNOWN : VK_ERROR_OUT_OF_DEVICE_MEMORY,
                    "creating a buffer",
                    describe() + "; the device allows 1 byte to " +
                        size_text(limits.vulkan13.maxBufferSize));

    auto create = vk_struct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    create.size = info.size;
    create.usage = info.usage;
    const auto families = device.queue_families();
    if (families.size() > 1) {
        // Concurrent sharing costs nothing for buffers and makes ownership transfers unnecessary.
        create.sharingMode = VK_SHARING_MODE_CONCURRENT;
        create.queueFamilyIndexCount = static_cast<uint32_t>(families.size());
        create.pQueueFamilyIndices = families.data();
    }
    const VmaAllocationCreateInfo allocate = allocation_info(info.kind, info.dedicated);
    Buffer buffer;
    VmaAllocationInfo details{};
    const VkResult result = with_second_try(device, [&] {
        return vmaCreateBufferWithAlignment(device.allocator(), &create, &allocate,
                                            info.alignment ? info.alignment : 1, &buffer.buffer_,
                                            &buffer.allocation_, &details);
    });
    if (result != VK_SUCCESS) {
        buffer.buffer_ = VK_NULL_HANDLE;
        device.status().check(result, "vkCreateBuffer");
        return fail(result, "creating a buffer", describe());
    }
    buffer.device_ = &device;
    buffer.size_ = info.size;
    buffer.usage_ = info.usage;
    buffer.kind_ = info.kind;
    buffer.mapped_ = static_cast<std::byte*>(details.pMappedData);
    if (buffer.mapped_ &&
        reinterpret_cast<uintptr_t>(buffer.mapped_) - details.offset == UINTPTR_MAX) {
        // lavapipe reports success with mmap's MAP_FAILED as the address when the process is out
        // of address space.
        buffer.reset();
        return fail(VK_ERROR_OUT_OF_HOST_MEMORY, "mapping a buffer", describe());
    }
    const VkMemoryPropertyFlags flags =
        device.properties().memory.memoryTypes[details.memoryType].propertyFlags;
    buffer.coherent_ = (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
    buffer.ask_address(device);
    set_name(device, VK_OBJECT_TYPE_BUFFER, buffer.buffer_, info.name);
    return buffer;
}

void Buffer::ask_address(Device& device) {
    if (!(usage_ & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT))
        return;
    auto address =
        vk_struct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    address.buffer = buffer_;
    address_ = device.vk().GetBufferDeviceAddress(device.handle(), &address);
}

Buffer Buffer::adopt(Device& device, BufferHandle handle, DeviceMemory memory,
                     const BufferInfo& info, std::byte* mapped) {
    Buffer buffer;
    buffer.buffer_ = handle.get();
    buffer.adopted_ = std::move(handle);
    buffer.adopted_memory_ = std::move(memory);
    buffer.size_ = info.size;
    buffer.usage_ = info.usage;
    buffer.kind_ = info.kind;
    buffer.mapped_ = mapped;
    buffer.ask_address(device);
    set_name(device, VK_OBJECT_TYPE_BUFFER, buffer.buffer_, info.name);
    return buffer;
}

Buffer::Buffer(Buffer&& other) noexcept
    : device_(other.device_), allocation_(std::exchange(other.allocation_, nullptr)),
      adopted_memory_(std::move(other.adopted_memory_)), adopted_(std::move(other.adopted_)),
      buffer_(std::exchange(other.buffer_, VK_NULL_HANDLE)), size_(std::exchange(other.size_, 0)),
      address_(std::exchange(other.address_, 0)), mapped_(std::exchange(other.mapped_, nullptr)),
      usage_(other.usage_), kind_(other.kind_), coherent_(other.coherent_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        reset();
        device_ = other.device_;
        allocation_ = std::exchange(other.allocation_, nullptr);
        adopted_ = std::move(other.adopted_);
        adopted_memory_ = std::move(other.adopted_memory_);
        buffer_ = std::exchange(other.buffer_, VK_NULL_HANDLE);
        size_ = std::exchange(other.size_, 0);
        address_ = std::exchange(other.address_, 0);
        mapped_ = std::exchange(other.mapped_, nullptr);
        usage_ = other.usage_;
        kind_ = other.kind_;
        coherent_ = other.coherent_;
    }
    return *this;
}

void Buffer::reset() {
    if (allocation_ && !device_->given_up())
        vmaDestroyBuffer(device_->allocator(), buffer_, allocation_);
    adopted_.reset(); // destroyed before the memory it is bound to
    adopted_memory_.reset();
    buffer_ = VK_NULL_HANDLE;
    allocation_ = nullptr;
    mapped_ = nullptr;
    size_ = 0;
    address_ = 0;
}

void Buffer::flush(VkDeviceSize offset, VkDeviceSize size) const {
    if (!coherent_ && mapped_)
        vmaFlushAllocation(device_->allocator(), allocation_, offset, size);
}

void Buffer::invalidate(VkDeviceSize offset, VkDeviceSize size) const {
    if (!coherent_ && mapped_)
        vmaInvalidateAllocation(device_->allocator(), allocation_, offset, size);
}

} // namespace kobalt::vulkan
