// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/timeline.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace kobalt::vulkan {

namespace {

/// Pauses briefly, in favour of the core's other hardware thread or its clock.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

Timeline::Timeline(Device& device, Semaphore semaphore)
    : device_(device), semaphore_(std::move(semaphore)) {
    // Where the device is the CPU, polling would take processor time from it.
    if (device.properties().core.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
        polling_ns_ = default_polling_ns;
}

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

/// Calls vkWaitSemaphores, and updates the device status and the completed value from its result.
VkResult Timeline::wait_on_device(uint64_t value, uint64_t timeout_ns) {
    const VkSemaphore semaphore = semaphore_.get();
    auto info = vk_struct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &value;
    const VkResult result = device_.status().check(
        device_.vk().WaitSemaphores(device_.handle(), &info, timeout_ns), "vkWaitSemaphores");
    if (result == VK_SUCCESS)
        note_completed(value);
    return is_out_of_memory(result) ? counter_reaches(value) : result;
}

/// What wait_on_device() returns where there is no memory to wait with: VK_TIMEOUT, unless the
/// counter is there already.
VkResult Timeline::counter_reaches(uint64_t value) {
    uint64_t counter = 0;
    const VkResult result = device_.status().check(
        device_.vk().GetSemaphoreCounterValue(device_.handle(), semaphore_.get(), &counter),
        "vkGetSemaphoreCounterValue");
    if (result != VK_SUCCESS)
        return is_out_of_memory(result) ? VK_TIMEOUT : result;
    note_completed(counter);
    return counter >= value ? VK_SUCCESS : VK_TIMEOUT;
}

// Waits with a timeout of 0 instead of calling vkGetSemaphoreCounterValue: some drivers notice
// completion only in waits, and their counter never changes for a program that only polls it.
bool Timeline::ask(uint64_t value) {
    const VkResult result = wait_on_device(value, 0);
    if (!device_.lost())
        return result == VK_SUCCESS;
    note_completed(UINT64_MAX);
    return true;
}

bool Timeline::reached_within(uint64_t value, uint64_t timeout_ns) {
    if (reached(value))
        return true;
    if (timeout_ns == 0)
        return false;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::nanoseconds(timeout_ns);
    // No yield: the other thread may keep the processor until the scheduler's next tick.
    do {
        pause();
        if (reached(value))
            return true;
    } while (Clock::now() < end);
    return false;
}

void Timeline::wait_to_destroy(uint64_t value) {
    for (;;) {
        const uint64_t before = known_completed();
        const Result<bool> done =
            wait(value, static_cast<uint64_t>(device_.patience() / std::chrono::nanoseconds(1)));
        if (!done || *done)
            return;
        // The wait asks for one value. The work before it may have gone on meanwhile.
        (void)counter_reaches(value);
        if (known_completed() == before)
            return device_.give_up();
    }
}

Result<bool> Timeline::wait(uint64_t value, uint64_t timeout_ns) {
    const uint64_t polled_ns = std::min(timeout_ns, polling_ns_);
    const bool done = device_.lost() || reached_within(value, polled_ns);
    // Polling itself may have found that the device is lost.
    if (device_.lost())
        return fail(VK_ERROR_DEVICE_LOST, "waiting for the device", device_.status().reason());
    if (done)
        return true;
    if (timeout_ns == polled_ns)
        return false;
    if (device_.status().lost_by_fork())
        return fail(VK_ERROR_DEVICE_LOST, "waiting for the device", device_.status().reason());
    const bool without_end = timeout_ns == UINT64_MAX;
    if (!without_end)
        timeout_ns -= polled_ns;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const auto is_over = [&] {
        return !without_end && Clock::now() - begin >= std::chrono::nanoseconds(timeout_ns);
    };
    VkResult result = wait_on_device(value, timeout_ns);
    // It times out early where there is no memory to wait with.
    while (result == VK_TIMEOUT && !is_over()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        result = wait_on_device(value, 0);
    }
    if (result == VK_SUCCESS || result == VK_TIMEOUT)
        return result == VK_SUCCESS;
    return fail(result, "vkWaitSemaphores", "timeline value " + std::to_string(value));
}

} // namespace kobalt::vulkan
