// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/sync/barrier.h"

namespace kobalt::render {

void record_barrier(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands,
                    const Hazard& hazard, std::span<const VkImageMemoryBarrier2> images,
                    VkDependencyFlags flags) {
    VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    memory.srcStageMask = hazard.source_stages;
    memory.srcAccessMask = hazard.source_access;
    memory.dstStageMask = hazard.target_stages;
    memory.dstAccessMask = hazard.target_access;
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.dependencyFlags = flags;
    info.memoryBarrierCount = hazard ? 1 : 0;
    info.pMemoryBarriers = &memory;
    info.imageMemoryBarrierCount = static_cast<uint32_t>(images.size());
    info.pImageMemoryBarriers = images.data();
    vk.CmdPipelineBarrier2(commands, &info);
}

} // namespace kobalt::render
