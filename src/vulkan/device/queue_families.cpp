// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/device/queue_families.h"

namespace kobalt::vulkan {

namespace {

/// The first family that has all of `with` and none of `without`.
uint32_t find_family(std::span<const VkQueueFamilyProperties> families, VkQueueFlags with,
                     VkQueueFlags without) {
    for (uint32_t i = 0; i < families.size(); ++i)
        if (families[i].queueCount > 0 && (families[i].queueFlags & with) == with &&
            !(families[i].queueFlags & without))
            return i;
    return no_queue_family;
}

} // namespace

QueueFamilies choose_queue_families(std::span<const VkQueueFamilyProperties> families) {
    constexpr VkQueueFlags graphics = VK_QUEUE_GRAPHICS_BIT, compute = VK_QUEUE_COMPUTE_BIT;
    constexpr VkQueueFlags special = VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR |
                                     VK_QUEUE_OPTICAL_FLOW_BIT_NV;
    constexpr VkQueueFlags sparse = VK_QUEUE_SPARSE_BINDING_BIT;
    const uint32_t main = find_family(families, graphics | compute, 0);
    const bool binds = main != no_queue_family && (families[main].queueFlags & sparse);
    return {main, find_family(families, VK_QUEUE_TRANSFER_BIT, graphics | compute | special),
            find_family(families, compute, graphics | special),
            binds ? main
                  : find_family(families, sparse,
                                graphics | compute | VK_QUEUE_TRANSFER_BIT | special)};
}

} // namespace kobalt::vulkan
