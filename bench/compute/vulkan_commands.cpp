// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_commands.h"

#include <limits>

namespace kobalt::compute {

Result<VulkanCommands> VulkanCommands::create(const Device& vk) {
    VulkanCommands made;
    VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool_info.queueFamilyIndex = vk.family;
    VkCommandPool pool = VK_NULL_HANDLE;
    auto good =
        done(vk.CreateCommandPool(vk.device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
    made.pool_ = {vk.device, pool, vk.DestroyCommandPool};
    for (Slot& slot : made.slots_) {
        if (!good) {
            return std::unexpected(good.error());
        }
        VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        info.commandPool = pool;
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        good = done(vk.AllocateCommandBuffers(vk.device, &info, &slot.buffer),
                    "vkAllocateCommandBuffers");
        if (!good) {
            return std::unexpected(good.error());
        }
        const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        VkFence fence = VK_NULL_HANDLE;
        good = done(vk.CreateFence(vk.device, &fence_info, nullptr, &fence), "vkCreateFence");
        slot.fence = {vk.device, fence, vk.DestroyFence};
    }
    if (!good) {
        return std::unexpected(good.error());
    }
    return made;
}

Result<void> VulkanCommands::wait(const Device& vk, Slot& slot) {
    if (!slot.runs) {
        return {};
    }
    slot.runs = false;
    auto good = done(vk.WaitForFences(vk.device, 1, &slot.fence.get(), VK_TRUE,
                                      std::numeric_limits<std::uint64_t>::max()),
                     "vkWaitForFences");
    if (good) {
        good = done(vk.ResetFences(vk.device, 1, &slot.fence.get()), "vkResetFences");
    }
    return good;
}

Result<VkCommandBuffer> VulkanCommands::begin(const Device& vk) {
    Slot& slot = current();
    auto good = wait(vk, slot);
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (good) {
        good = done(vk.BeginCommandBuffer(slot.buffer, &info), "vkBeginCommandBuffer");
    }
    if (!good) {
        return std::unexpected(good.error());
    }
    return slot.buffer;
}

Result<void> VulkanCommands::submit(const Device& vk) {
    Slot& slot = current();
    if (auto good = done(vk.EndCommandBuffer(slot.buffer), "vkEndCommandBuffer"); !good) {
        return good;
    }
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &slot.buffer;
    auto good = done(vk.QueueSubmit(vk.queue, 1, &info, slot.fence.get()), "vkQueueSubmit");
    slot.runs = good.has_value();
    ++next_;
    return good;
}

Result<void> VulkanCommands::wait(const Device& vk) {
    for (Slot& slot : slots_) {
        if (auto good = wait(vk, slot); !good) {
            return good;
        }
    }
    return {};
}

} // namespace kobalt::compute
