// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/timeline.h"

#include "vulkan/debug.h"
#include "vulkan/device.h"

namespace kobalt::vulkan {

Timeline::Timeline(Device& device, Semaphore semaphore)
    : device_(device), semaphore_(std::move(semaphore)) {}

Result<std::unique_ptr<Timeline>> Timeline::create(Device& device, const char* name) {
    auto type = vk_struct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto info = vk_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    info.pNext = &type;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    const VkResult result =
        device.vk().CreateSemaphore(device.handle(), &info, nullptr, &semaphore);
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateSemaphore", std::string("the timeline of ") + name);
    set_name(device, VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
    return std::make_unique<Timeline>(device, device.own<Semaphore>(semaphore));
}

void Timeline::note_completed(uint64_t value) {
    uint64_t known = completed_.load(std::memory_order_relaxed);
    while (known < value &&
           !completed_.compare_exchange_weak(known, value, std::memory_order_acq_rel)) {
    }
}

uint64_t Timeline::poll() {
    uint64_t value = 0;
    const VkResult result =
        device_.vk().GetSemaphoreCounterValue(device_.handle(), semaphore_.get(), &value);
    device_.status().check(result, "vkGetSemaphoreCounterValue");
    if (device_.lost())
        value = UINT64_MAX;
    note_completed(value);
    return completed_.load(std::memory_order_acquire);
}

Result<bool> Timeline::wait(uint64_t value, uint64_t timeout_ns) {
    if (device_.lost())
        return fail(VK_ERROR_DEVICE_LOST, "waiting for the device", device_.status().reason());
    if (reached(value)) {
        // poll() itself may have found out that the device is gone.
        if (device_.lost())
            return fail(VK_ERROR_DEVICE_LOST, "waiting for the device", device_.status().reason());
        return true;
    }
    if (timeout_ns == 0)
        return false;
    const VkSemaphore semaphore = semaphore_.get();
    auto info = vk_struct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &value;
    const VkResult result = device_.status().check(
        device_.vk().WaitSemaphores(device_.handle(), &info, timeout_ns), "vkWaitSemaphores");
    if (result == VK_TIMEOUT)
        return false;
    if (result != VK_SUCCESS)
        return fail(result, "vkWaitSemaphores", "timeline value " + std::to_string(value));
    note_completed(value);
    return true;
}

} // namespace kobalt::vulkan
