// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"
#include "vulkan/device/queue.h"

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace kobalt::vulkan {

/// One VkCommandPool and the command buffers it has handed out since its last reset. Used by one
/// thread at a time.
class CommandPool {
public:
    CommandPool(Device& device, CommandPoolHandle pool) : device_(device), pool_(std::move(pool)) {}

    /// A command buffer in the recording state, for one submission. Buffers from before the last
    /// reset are used again: no allocation in the steady state.
    Result<VkCommandBuffer> begin();
    /// vkEndCommandBuffer with the error's object filled in.
    Result<void> end(VkCommandBuffer buffer);

private:
    friend class CommandPools;
    Result<VkCommandBuffer> next();
    Result<void> reset();

    Device& device_;
    CommandPoolHandle pool_;
    std::vector<VkCommandBuffer> buffers_;
    size_t used_ = 0; ///< buffers_ handed out since the last reset
};

/// Command pools of one queue, reset whole and used again once the timeline has passed them.
/// Thread-safe; the pools handed out are not.
class CommandPools {
public:
    CommandPools(Device& device, Queue& queue) : device_(device), queue_(queue) {}
    /// Waits for the submissions that use its pools.
    ~CommandPools();
    CommandPools(const CommandPools&) = delete;
    CommandPools& operator=(const CommandPools&) = delete;

    Result<std::unique_ptr<CommandPool>> acquire();
    /// Gives a pool back; `value` is the timeline value of the last submission that used it (0: it
    /// was never submitted).
    void release(std::unique_ptr<CommandPool> pool, uint64_t value);

    /// How many VkCommandPools exist: constant in the steady state.
    size_t created() const;

private:
    struct Pending {
        uint64_t value;
        std::unique_ptr<CommandPool> pool;
    };
    Device& device_;
    Queue& queue_;
    mutable std::mutex pools_mutex_;
    std::deque<Pending> pending_;
    size_t created_ = 0;
};

} // namespace kobalt::vulkan
