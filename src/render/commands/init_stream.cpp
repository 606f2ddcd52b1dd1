// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/commands/init_stream.h"

#include <utility>

#include "render/sync/barrier.h"

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
    record_barrier(vk_, commands_, hazard);
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
