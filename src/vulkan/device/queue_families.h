// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <span>

#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

inline constexpr uint32_t no_queue_family = UINT32_MAX;

/// The families that a device's queues come from.
struct QueueFamilies {
    uint32_t main = no_queue_family;     ///< graphics and compute, and so transfer
    uint32_t transfer = no_queue_family; ///< a copy engine: transfer without graphics and compute
    uint32_t compute = no_queue_family;  ///< compute without graphics
    /// Binds memory to sparse resources: main, or a family for that alone (AMD).
    uint32_t sparse = no_queue_family;
};

/// The first family of each kind. Families for video and optical flow are never taken as the copy
/// engine, although they may support transfers.
QueueFamilies choose_queue_families(std::span<const VkQueueFamilyProperties> families);

} // namespace kobalt::vulkan
