// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/descriptor_area.h"

#include <algorithm>

namespace kobalt::vulkan {

DescriptorArea::DescriptorArea(const DescriptorBuffer& buffer, VkDeviceSize begin,
                               VkDeviceSize part_size)
    : buffer_(buffer), part_size_(part_size) {
    for (; begin + part_size <= buffer.size(); begin += part_size)
        free_.push_back({begin, 0});
}

std::optional<VkDeviceSize> DescriptorArea::take_ready(Timeline& timeline) {
    const std::lock_guard lock(mutex_);
    const auto ready = std::find_if(free_.rbegin(), free_.rend(), [&](const Part& part) {
        return timeline.reached(part.last_use);
    });
    if (ready == free_.rend())
        return {};
    const VkDeviceSize begin = ready->begin;
    free_.erase(std::prev(ready.base()));
    return begin;
}

std::optional<VkDeviceSize> DescriptorArea::take(Timeline& timeline) {
    if (const auto ready = take_ready(timeline))
        return ready;
    Part oldest;
    {
        const std::lock_guard lock(mutex_);
        const auto first = std::ranges::min_element(free_, {}, &Part::last_use);
        if (first == free_.end())
            return {};
        oldest = *first;
        free_.erase(first);
    }
    // On a lost device the part counts as unused.
    (void)timeline.wait(oldest.last_use);
    return oldest.begin;
}

void DescriptorArea::give(VkDeviceSize begin, uint64_t last_use) {
    const std::lock_guard lock(mutex_);
    free_.push_back({begin, last_use});
}

} // namespace kobalt::vulkan
