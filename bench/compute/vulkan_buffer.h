// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan_device.h"

namespace kobalt::compute {

/// A buffer with memory of its own.
class VulkanBuffer {
public:
    enum class Place {
        device, ///< the GPU's memory, which isn't mapped
        host,   ///< memory that is mapped and coherent, cached where there is such a type
    };

    static Result<VulkanBuffer> create(const Device& vk, std::size_t bytes, Place place);

    VkBuffer handle() const { return buffer_.get(); }
    std::size_t bytes() const { return bytes_; }
    /// The mapped memory of a buffer in `Place::host`.
    std::uint32_t* words() const { return words_; }

private:
    std::size_t bytes_ = 0;
    Owned<VkDeviceMemory> memory_; // unmapped when it is freed, after the buffer
    Owned<VkBuffer> buffer_;
    std::uint32_t* words_ = nullptr;
};

} // namespace kobalt::compute
