// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/descriptors/descriptor_buffer.h"
#include "vulkan/device/timeline.h"

#include <mutex>
#include <optional>
#include <vector>

namespace kobalt::vulkan {

/// Equal parts of one descriptor buffer, for rings. Where a device binds only one descriptor buffer
/// at a time, this lets sets of a ring be bound together with the other sets in the buffer.
/// Thread-safe.
class DescriptorArea {
public:
    /// As many parts as fit between `begin` and the end of `buffer`, which has to outlive the area;
    /// `begin` and `part_size`, in bytes, are multiples of descriptorBufferOffsetAlignment.
    DescriptorArea(const DescriptorBuffer& buffer, VkDeviceSize begin, VkDeviceSize part_size);

    const DescriptorBuffer& buffer() const { return buffer_; }
    VkDeviceSize part_size() const { return part_size_; }

    /// The first byte of a part that no submission uses any longer; prefers the part given back
    /// last. Empty: there is none.
    std::optional<VkDeviceSize> take_ready(Timeline& timeline);
    /// The same, but waits for submissions. Empty: all parts belong to command buffers that are not
    /// submitted.
    std::optional<VkDeviceSize> take(Timeline& timeline);
    /// Gives the part at `begin` back. `last_use`: the last submission that uses it.
    void give(VkDeviceSize begin, uint64_t last_use);

private:
    struct Part {
        VkDeviceSize begin;
        uint64_t last_use;
    };

    const DescriptorBuffer& buffer_;
    const VkDeviceSize part_size_;
    std::mutex mutex_;
    std::vector<Part> free_; ///< guarded by mutex_
};

} // namespace kobalt::vulkan
