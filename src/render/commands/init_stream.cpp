// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/commands/init_stream.h"

#include <utility>

namespace kobalt::render {
namespace {

constexpr VkAccessFlags2 any_access = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

} // namespace

vulkan::Result<VkCommandBuffer> InitStream::commands() {
    if (commands_)
        return commands_;
    auto begun = pool_.begin();
    if (begun)
        commands_ = *begun;
    return begun;
}

void InitStream::wait_for_earlier() {
    if (std::exchange(waited_, true))
        return;
    order({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
           VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, any_access});
}

void InitStream::order(const Hazard& hazard) {
    VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    memory.srcStageMask = hazard.source_stages;
    memory.srcAccessMask = hazard.source_access;
    memory.dstStageMask = hazard.target_stages;
    memory.dstAccessMask = hazard.target_access;
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
    vk_.CmdPipelineBarrier2(commands_, &info);
    ++barriers_;
}

vulkan::Result<VkCommandBuffer> InitStream::end() {
    if (!commands_)
        return VkCommandBuffer{VK_NULL_HANDLE};
    order({VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
           VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, any_access});
    if (const auto ended = pool_.end(commands_); !ended)
        return std::unexpected(ended.error());
    return commands_;
}

} // namespace kobalt::render
