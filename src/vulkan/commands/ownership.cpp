// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/commands/ownership.h"

namespace kobalt::vulkan {

OwnershipTransfer transfer_ownership(const Queue& from, const Queue& to,
                                     const VkImageMemoryBarrier2& whole) {
    OwnershipTransfer halves{whole, whole, from.family() != to.family()};
    halves.release.srcQueueFamilyIndex = halves.acquire.srcQueueFamilyIndex =
        halves.needs_acquire ? from.family() : VK_QUEUE_FAMILY_IGNORED;
    halves.release.dstQueueFamilyIndex = halves.acquire.dstQueueFamilyIndex =
        halves.needs_acquire ? to.family() : VK_QUEUE_FAMILY_IGNORED;
    if (!halves.needs_acquire)
        return halves;
    // The semaphore between the two submissions orders them; each half names only stages of its own
    // queue, since the other queue's stages may not exist there. The acquiring half begins with the
    // stages that the semaphore wait blocks.
    halves.release.dstStageMask = VK_PIPELINE_STAGE_2_NONE;
    halves.release.dstAccessMask = VK_ACCESS_2_NONE;
    halves.acquire.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    halves.acquire.srcAccessMask = VK_ACCESS_2_NONE;
    return halves;
}

} // namespace kobalt::vulkan
