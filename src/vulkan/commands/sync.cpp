// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/commands/sync.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"

namespace kobalt::vulkan {

Result<Semaphore> create_semaphore(Device& device, const char* name,
                                   VkExternalSemaphoreHandleTypeFlags export_types) {
    auto exported =
        vk_struct<VkExportSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    exported.handleTypes = export_types;
    auto info = vk_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    if (export_types)
        info.pNext = &exported;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    const VkResult result =
        device.vk().CreateSemaphore(device.handle(), &info, nullptr, &semaphore);
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateSemaphore", name ? name : "a semaphore");
    set_name(device, VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
    return device.own<Semaphore>(semaphore);
}

Result<Fence> create_fence(Device& device, bool signalled, const char* name) {
    auto info = vk_struct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    info.flags = signalled ? VK_FENCE_CREATE_SIGNALED_BIT : 0;
    VkFence fence = VK_NULL_HANDLE;
    const VkResult result = device.vk().CreateFence(device.handle(), &info, nullptr, &fence);
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateFence", name ? name : "a fence");
    set_name(device, VK_OBJECT_TYPE_FENCE, fence, name);
    return device.own<Fence>(fence);
}

} // namespace kobalt::vulkan
