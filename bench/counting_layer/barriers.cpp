// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>

#include "counting_layer/counters.h"
#include "counting_layer/functions.h"
#include "counting_layer/passes.h"

// Barriers, and how wide they are.

namespace kobalt::counting {
namespace {

/// The stages of all parts of one vkCmdPipelineBarrier.
struct Stages {
    VkPipelineStageFlags2 before = 0, after = 0;
    template <class Barrier>
    void add(std::span<const Barrier> barriers) {
        for (const Barrier& one : barriers) {
            before |= one.srcStageMask;
            after |= one.dstStageMask;
        }
    }
};

template <class Barrier>
void count_transitions(std::span<const Barrier> barriers) {
    for (const Barrier& one : barriers)
        if (one.oldLayout != one.newLayout)
            add(Counter::transitions);
}

void count(VkCommandBuffer commands, const Stages& stages) {
    add(Counter::barriers);
    if (in_pass(commands))
        add(Counter::barriers_in_passes);
    if (stages.before & stages.after & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
        add(Counter::full_barriers);
}

VKAPI_ATTR void VKAPI_CALL barrier2(VkCommandBuffer commands, const VkDependencyInfo* info) {
    const std::span memory(info->pMemoryBarriers, info->memoryBarrierCount);
    const std::span buffers(info->pBufferMemoryBarriers, info->bufferMemoryBarrierCount);
    const std::span images(info->pImageMemoryBarriers, info->imageMemoryBarrierCount);
    Stages stages;
    stages.add(memory);
    stages.add(buffers);
    stages.add(images);
    count(commands, stages);
    add(Counter::memory_barriers, memory.size());
    add(Counter::buffer_barriers, buffers.size());
    add(Counter::image_barriers, images.size());
    count_transitions(images);
    functions(commands).CmdPipelineBarrier2(commands, info);
}

VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags before,
                                   VkPipelineStageFlags after, VkDependencyFlags flags,
                                   uint32_t memory_count, const VkMemoryBarrier* memory,
                                   uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                                   uint32_t image_count, const VkImageMemoryBarrier* images) {
    count(commands, {before, after});
    add(Counter::memory_barriers, memory_count);
    add(Counter::buffer_barriers, buffer_count);
    add(Counter::image_barriers, image_count);
    count_transitions(std::span(images, image_count));
    functions(commands).CmdPipelineBarrier(commands, before, after, flags, memory_count, memory,
                                           buffer_count, buffers, image_count, images);
}

} // namespace

std::span<const Hook> barrier_hooks() {
    static const std::array hooks{KOBALT_HOOK(CmdPipelineBarrier, barrier),
                                  KOBALT_HOOK(CmdPipelineBarrier2, barrier2)};
    return hooks;
}

} // namespace kobalt::counting
