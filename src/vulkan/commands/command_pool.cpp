// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/commands/command_pool.h"

#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

#include <algorithm>

namespace kobalt::vulkan {

Result<VkCommandBuffer> CommandPool::next() {
    if (used_ == buffers_.size()) {
        auto info =
            vk_struct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
        info.commandPool = pool_.get();
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        VkCommandBuffer buffer = VK_NULL_HANDLE;
        const VkResult result = with_second_try(device_, [&] {
            return device_.vk().AllocateCommandBuffers(device_.handle(), &info, &buffer);
        });
        if (result != VK_SUCCESS)
            return fail(device_.status().check(result, "vkAllocateCommandBuffers"),
                        "vkAllocateCommandBuffers",
                        std::to_string(buffers_.size()) + " buffers of this pool in use");
        buffers_.push_back(buffer);
    }
    return buffers_[used_++];
}

Result<VkCommandBuffer> CommandPool::begin() {
    Result<VkCommandBuffer> buffer = next();
    if (!buffer)
        return buffer;
    auto info = vk_struct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    const VkResult result =
        with_second_try(device_, [&] { return device_.vk().BeginCommandBuffer(*buffer, &info); });
    if (result != VK_SUCCESS)
        return fail(device_.status().check(result, "vkBeginCommandBuffer"), "vkBeginCommandBuffer",
                    "a primary command buffer");
    return buffer;
}

Result<void> CommandPool::end(VkCommandBuffer buffer) {
    const VkResult result = device_.vk().EndCommandBuffer(buffer);
    if (result != VK_SUCCESS)
        return fail(device_.status().check(result, "vkEndCommandBuffer"), "vkEndCommandBuffer",
                    "a command buffer");
    return {};
}

Result<void> CommandPool::reset() {
    used_ = 0;
    const VkResult result = with_second_try(
        device_, [&] { return device_.vk().ResetCommandPool(device_.handle(), pool_.get(), 0); });
    if (result != VK_SUCCESS)
        return fail(device_.status().check(result, "vkResetCommandPool"), "vkResetCommandPool",
                    "a command pool");
    return {};
}

CommandPools::~CommandPools() {
    uint64_t last = 0;
    for (const Pending& pending : pending_)
        last = std::max(last, pending.value);
    queue_.timeline().wait_to_destroy(last);
}

Result<std::unique_ptr<CommandPool>> CommandPools::acquire() {
    std::unique_ptr<CommandPool> pool;
    {
        const std::lock_guard lock(pools_mutex_);
        const auto ready = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) {
            return queue_.timeline().reached(p.value);
        });
        if (ready != pending_.end()) {
            pool = std::move(ready->pool);
            pending_.erase(ready);
        }
    }
    // One that can't be reset is destroyed.
    if (pool && pool->reset())
        return pool;
    auto info = vk_struct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    info.queueFamilyIndex = queue_.family();
    VkCommandPool handle = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device_, [&] {
        return device_.vk().CreateCommandPool(device_.handle(), &info, nullptr, &handle);
    });
    if (result != VK_SUCCESS)
        return fail(device_.status().check(result, "vkCreateCommandPool"), "vkCreateCommandPool",
                    queue_.name());
    {
        const std::lock_guard lock(pools_mutex_);
        ++created_;
    }
    return std::make_unique<CommandPool>(device_, device_.own<CommandPoolHandle>(handle));
}

void CommandPools::release(std::unique_ptr<CommandPool> pool, uint64_t value) {
    if (!pool)
        return;
    const std::lock_guard lock(pools_mutex_);
    // Never submitted: the pool can be reused first.
    if (value == 0)
        pending_.push_front({value, std::move(pool)});
    else
        pending_.push_back({value, std::move(pool)});
}

size_t CommandPools::created() const {
    const std::lock_guard lock(pools_mutex_);
    return created_;
}

} // namespace kobalt::vulkan
