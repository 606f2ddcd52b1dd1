// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"
#include "vulkan/resources/memory.h"

#include <cstddef>
#include <span>

namespace kobalt::vulkan {

struct BufferInfo {
    VkDeviceSize size = 0; ///< bytes
    VkBufferUsageFlags usage = 0;
    MemoryKind kind = MemoryKind::device_local;
    const char* name = nullptr; ///< debug name
    bool dedicated = false;     ///< whether the buffer gets its own allocation
    VkDeviceSize alignment = 0; ///< bytes, least alignment of its memory; 0: what Vulkan asks
};

/// A VkBuffer with its memory, mapped for its whole life unless it is device_local.
class Buffer {
public:
    /// Fails with VK_ERROR_OUT_OF_*_MEMORY and a text that names the size and the kind of memory.
    static Result<Buffer> create(Device& device, const BufferInfo& info);

    /// A buffer bound to memory that is not the allocator's: imported memory, or (null) memory
    /// bound page by page. The Buffer destroys both. `mapped`: where the CPU sees its first byte,
    /// or null.
    static Buffer adopt(Device& device, BufferHandle buffer, DeviceMemory memory,
                        const BufferInfo& info, std::byte* mapped);

    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer() { reset(); }
    void reset();

    VkBuffer handle() const { return buffer_; }
    explicit operator bool() const { return buffer_ != VK_NULL_HANDLE; }
    VkDeviceSize size() const { return size_; }
    VkBufferUsageFlags usage() const { return usage_; }
    MemoryKind kind() const { return kind_; }
    /// 0 unless the usage has SHADER_DEVICE_ADDRESS.
    VkDeviceAddress address() const { return address_; }
    /// Null for a device_local buffer.
    std::byte* mapped() const { return mapped_; }
    /// Whether the memory was imported, such as pages of the app.
    bool imported() const { return static_cast<bool>(adopted_memory_); }
    std::span<std::byte> bytes() const {
        return {mapped_, mapped_ ? static_cast<size_t>(size_) : 0};
    }
    bool coherent() const { return coherent_; }

    /// Makes host writes visible to the device, and device writes to the host. Both do nothing on
    /// coherent memory.
    void flush(VkDeviceSize offset, VkDeviceSize size) const;
    void invalidate(VkDeviceSize offset, VkDeviceSize size) const;

private:
    void ask_address(Device& device);

    Device* device_ = nullptr; ///< where VMA has its memory
    VmaAllocation_T* allocation_ = nullptr;
    DeviceMemory adopted_memory_; ///< destroyed after adopted_, which is bound to it
    BufferHandle adopted_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceSize size_ = 0;
    VkDeviceAddress address_ = 0;
    std::byte* mapped_ = nullptr;
    VkBufferUsageFlags usage_ = 0;
    MemoryKind kind_ = MemoryKind::device_local;
    bool coherent_ = true;
};

} // namespace kobalt::vulkan
