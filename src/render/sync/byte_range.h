// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>

#include <vulkan/vulkan_core.h>

namespace kobalt::render {

/// Bytes of a resource, from `begin` to before `end`.
struct ByteRange {
    VkDeviceSize begin = 0;
    VkDeviceSize end = ~VkDeviceSize{0};

    /// `size` may be VK_WHOLE_SIZE: all bytes from `offset` on.
    static ByteRange of(VkDeviceSize offset, VkDeviceSize size) {
        return {offset, size > ~offset ? ~VkDeviceSize{0} : offset + size};
    }
    /// No bytes; include() then makes it the other range.
    static ByteRange none() { return {~VkDeviceSize{0}, 0}; }
    bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
    /// Grows to hold the other one as well, and whatever lies between the two.
    void include(const ByteRange& other) {
        begin = std::min(begin, other.begin);
        end = std::max(end, other.end);
    }
};

} // namespace kobalt::render
