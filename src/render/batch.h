// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "render/resource.h"
#include "vulkan/command_pool.h"
#include "vulkan/queue.h"

namespace kobalt::render {

class Engine;

/// One submission being recorded: its command buffer and everything that it keeps alive.
class Batch {
public:
    Batch(Engine& engine, std::unique_ptr<vulkan::CommandPool> pool, VkCommandBuffer commands,
          uint64_t id);
    ~Batch();

    uint64_t id() const { return token_->id(); }
    VkCommandBuffer commands() const { return commands_; }
    BatchToken& token() { return *token_; }
    Ref<BatchToken> share_token() const { return token_; }
    /// Set by whoever records a command, so that an empty batch costs no submission.
    bool has_commands = false;

    /// Keeps `object` until the batch has completed.
    void keep(const RefCounted& object) {
        if (object.first_use_in(id()))
            hold(object);
    }
    /// Keeps a resource and makes it busy until the batch has completed.
    void use(Resource& resource, bool write) {
        if (resource.used_in_batch_ != id() || (write && resource.written_in_batch_ != id()))
            track(resource, write);
    }

private:
    friend class BatchPool;
    void hold(const RefCounted& object);
    void track(Resource& resource, bool write);

    Engine& engine_;
    std::unique_ptr<vulkan::CommandPool> pool_;
    VkCommandBuffer commands_;
    Ref<BatchToken> token_;
    std::vector<const RefCounted*> kept_;
};

/// Hands out batches, submits them and drops what completed ones kept. Thread-safe.
class BatchPool {
public:
    explicit BatchPool(Engine& engine);
    ~BatchPool();

    /// Starts a batch; never waits. An error only when memory is out or the device is lost.
    vulkan::Result<std::unique_ptr<Batch>> begin();
    /// Ends and submits; afterwards the batch's token has a timeline value. Binary or timeline
    /// semaphores may be waited for and signalled. The batch is dropped once completed.
    vulkan::Result<uint64_t> submit(std::unique_ptr<Batch> batch,
                                    std::span<const vulkan::SemaphorePoint> waits = {},
                                    std::span<const vulkan::SemaphorePoint> signals = {});
    /// Drops what completed batches kept.
    void collect();

private:
    Engine& engine_;
    std::mutex pending_mutex_; ///< guards pending_
    std::deque<std::unique_ptr<Batch>> pending_;
    std::atomic<uint64_t> next_id_{1};
    std::atomic<int64_t> submissions_until_fault_{-1}; ///< KOBALT_FAULT=lost:N
};

} // namespace kobalt::render
