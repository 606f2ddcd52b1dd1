// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/batch.h"

#include <cstdlib>
#include <cstring>

#include "render/engine.h"

namespace kobalt::render {

Batch::Batch(Engine& engine, std::unique_ptr<vulkan::CommandPool> pool, VkCommandBuffer commands,
             uint64_t id)
    : engine_(engine), pool_(std::move(pool)), commands_(commands),
      token_(make_ref<BatchToken>(engine.device(), id)) {}

Batch::~Batch() {
    for (const RefCounted* object : kept_)
        object->release();
    engine_.command_pools().release(std::move(pool_), token_->timeline_value());
}

void Batch::hold(const RefCounted& object) {
    object.retain();
    kept_.push_back(&object);
}

void Batch::track(Resource& resource, bool write) {
    keep(resource);
    resource.used_in_batch_ = id();
    const std::lock_guard lock(resource.tokens_mutex_);
    resource.last_use_ = token_;
    if (write) {
        resource.last_write_ = token_;
        resource.written_in_batch_ = id();
    }
}

BatchPool::BatchPool(Engine& engine) : engine_(engine) {
    // KOBALT_FAULT=lost:N loses the device at the Nth submission: tests of what the app then sees.
    const char* fault = std::getenv("KOBALT_FAULT");
    if (fault && std::strncmp(fault, "lost:", 5) == 0)
        submissions_until_fault_ = std::atoll(fault + 5);
}

BatchPool::~BatchPool() {
    (void)engine_.device().graphics().wait_idle();
    pending_.clear();
}

vulkan::Result<std::unique_ptr<Batch>> BatchPool::begin() {
    collect();
    auto pool = engine_.command_pools().acquire();
    if (!pool)
        return std::unexpected(pool.error());
    auto commands = (*pool)->begin();
    if (!commands)
        return std::unexpected(commands.error());
    const uint64_t id = next_id_.fetch_add(1, std::memory_order_relaxed);
    return std::make_unique<Batch>(engine_, std::move(*pool), *commands, id);
}

vulkan::Result<uint64_t> BatchPool::submit(std::unique_ptr<Batch> batch,
                                           std::span<const vulkan::SemaphorePoint> waits,
                                           std::span<const vulkan::SemaphorePoint> signals) {
    const auto ended = batch->pool_->end(batch->commands_);
    if (!ended) {
        batch->token().mark_failed();
        return std::unexpected(ended.error());
    }
    if (submissions_until_fault_.load(std::memory_order_relaxed) >= 0 &&
        submissions_until_fault_-- == 0)
        engine_.device().status().mark_lost("simulated by KOBALT_FAULT=lost");
    const VkCommandBuffer commands = batch->commands_;
    auto value =
        engine_.device().lost()
            ? vulkan::Result<uint64_t>(vulkan::fail(VK_ERROR_DEVICE_LOST, "submitting a batch"))
            : engine_.device().graphics().submit({&commands, 1}, waits, signals);
    if (!value) {
        batch->token().mark_failed();
        return value;
    }
    batch->token().mark_submitted(*value);
    engine_.counters().batches.fetch_add(1, std::memory_order_relaxed);
    engine_.write_stats();
    const std::lock_guard lock(pending_mutex_);
    pending_.push_back(std::move(batch));
    return value;
}

void BatchPool::collect() {
    // Destroying a batch may release images and views: do it without the lock.
    std::vector<std::unique_ptr<Batch>> completed;
    {
        const std::lock_guard lock(pending_mutex_);
        while (!pending_.empty() && pending_.front()->token().completed()) {
            completed.push_back(std::move(pending_.front()));
            pending_.pop_front();
        }
    }
}

} // namespace kobalt::render
