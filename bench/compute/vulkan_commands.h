// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "vulkan_device.h"

namespace kobalt::compute {

/// Command buffers that are used in turn, so that one is recorded while others run.
class VulkanCommands {
public:
    static Result<VulkanCommands> create(const Device& vk);

    /// Begins the next command buffer; waits until the GPU is done with what it held.
    Result<VkCommandBuffer> begin(const Device& vk);
    /// Ends and submits the command buffer that was begun.
    Result<void> submit(const Device& vk);
    /// Waits for everything that was submitted.
    Result<void> wait(const Device& vk);

private:
    struct Slot {
        VkCommandBuffer buffer = nullptr; // the pool's
        Owned<VkFence> fence;
        bool runs = false;
    };
    static Result<void> wait(const Device& vk, Slot& slot);
    Slot& current() { return slots_[next_ % slots_.size()]; }

    Owned<VkCommandPool> pool_;
    std::array<Slot, 3> slots_;
    std::size_t next_ = 0;
};

} // namespace kobalt::compute
