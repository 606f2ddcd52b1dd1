// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/sync/access.h"
#include "vulkan/base/dispatch.h"
#include "vulkan/commands/command_pool.h"

namespace kobalt::render {

/// The first of a batch's two command streams: copies and clears outside of passes whose resources
/// the main stream has not used yet. They run before all of the main stream, so they end no pass of
/// it. Begun with the first such command. Used by one thread.
class InitStream {
public:
    /// `pool`: the batch's.
    InitStream(const vulkan::DeviceDispatch& vk, vulkan::CommandPool& pool)
        : vk_(vk), pool_(pool) {}

    /// The command buffer. An error: no memory for one.
    vulkan::Result<VkCommandBuffer> commands();
    /// Has the stream's next commands wait for all earlier batches, and see what those wrote. One
    /// barrier serves all commands behind it. To be called after commands().
    void wait_for_earlier();
    /// Records the barrier between two commands of the stream. To be called after commands().
    void order(const Hazard& hazard);
    /// Makes the stream's writes visible to the main stream, and ends the command buffer.
    /// VK_NULL_HANDLE: there are no commands.
    vulkan::Result<VkCommandBuffer> end();
    /// How many barriers were recorded.
    uint32_t barriers() const { return barriers_; }

private:
    const vulkan::DeviceDispatch& vk_;
    vulkan::CommandPool& pool_;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    bool waited_ = false; ///< for the earlier batches
    uint32_t barriers_ = 0;
};

} // namespace kobalt::render
