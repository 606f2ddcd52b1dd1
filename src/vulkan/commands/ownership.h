// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/device/queue.h"

namespace kobalt::vulkan {

/// The barriers that move an image from one queue to another. `release` is recorded in the last
/// submission of the old owner, `acquire` in the first of the new one, which waits for the old
/// queue's timeline. Where both queues are of one family no ownership is transferred: `release` is
/// the whole barrier, and `acquire` must not be recorded (see needs_acquire).
struct OwnershipTransfer {
    VkImageMemoryBarrier2 release;
    VkImageMemoryBarrier2 acquire;
    bool needs_acquire = false;
};

/// Splits `whole`, written as for a single queue (stages, accesses, layouts, image, range), into
/// the two halves of a queue family ownership transfer. Buffers need none: they are shared by all
/// families (Device::queue_families).
OwnershipTransfer transfer_ownership(const Queue& from, const Queue& to,
                                     const VkImageMemoryBarrier2& whole);

} // namespace kobalt::vulkan
