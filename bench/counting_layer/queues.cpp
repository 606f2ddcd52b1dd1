// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <array>

#include "counting_layer/counters.h"
#include "counting_layer/functions.h"
#include "counting_layer/late.h"

// Submissions, and what waits for them. A wait with a timeout of zero is a poll.

namespace kobalt::counting {
namespace {

constexpr std::uint64_t kForever = UINT64_MAX;

template <class Info>
const Info* find_in_chain(const void* chain, VkStructureType type) {
    for (auto* one = static_cast<const VkBaseInStructure*>(chain); one; one = one->pNext)
        if (one->sType == type)
            return reinterpret_cast<const Info*>(one);
    return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
    add(Counter::submissions);
    const std::span submitted(infos, count);
    for (const VkSubmitInfo& info : submitted)
        add(Counter::command_buffers, info.commandBufferCount);
    if (Late::instance().on()) {
        const auto when = Late::instance().submit(fence);
        for (const VkSubmitInfo& info : submitted)
            if (const auto* values = find_in_chain<VkTimelineSemaphoreSubmitInfo>(
                    info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO))
                for (uint32_t i = 0; i < values->signalSemaphoreValueCount; ++i)
                    Late::instance().signal(info.pSignalSemaphores[i],
                                            values->pSignalSemaphoreValues[i], when);
    }
    return functions(queue).QueueSubmit(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* infos,
                                       VkFence fence) {
    add(Counter::submissions);
    const std::span submitted(infos, count);
    for (const VkSubmitInfo2& info : submitted)
        add(Counter::command_buffers, info.commandBufferInfoCount);
    if (Late::instance().on()) {
        const auto when = Late::instance().submit(fence);
        for (const VkSubmitInfo2& info : submitted)
            for (const auto& one :
                 std::span(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount))
                Late::instance().signal(one.semaphore, one.value, when);
    }
    return functions(queue).QueueSubmit2(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL queue_wait_idle(VkQueue queue) {
    add(Counter::waits);
    if (Late::instance().on())
        Late::wait_until(Late::instance().all_done(), kForever);
    return functions(queue).QueueWaitIdle(queue);
}

VKAPI_ATTR VkResult VKAPI_CALL device_wait_idle(VkDevice device) {
    add(Counter::waits);
    if (Late::instance().on())
        Late::wait_until(Late::instance().all_done(), kForever);
    return functions(device).DeviceWaitIdle(device);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_semaphores(VkDevice device, const VkSemaphoreWaitInfo* info,
                                               uint64_t timeout) {
    add(timeout > 0 ? Counter::waits : Counter::polls);
    if (Late::instance().on()) {
        Late::Clock::time_point when;
        for (uint32_t i = 0; i < info->semaphoreCount; ++i)
            when = std::max(when, Late::instance().done(info->pSemaphores[i], info->pValues[i]));
        if (!Late::wait_until(when, timeout))
            return VK_TIMEOUT;
    }
    return functions(device).WaitSemaphores(device, info, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count,
                                               const VkFence* fences, VkBool32 all,
                                               uint64_t timeout) {
    add(timeout > 0 ? Counter::waits : Counter::polls);
    if (Late::instance().on()) {
        Late::Clock::time_point when;
        for (const VkFence fence : std::span(fences, count))
            when = std::max(when, Late::instance().done(fence));
        if (!Late::wait_until(when, timeout))
            return VK_TIMEOUT;
    }
    return functions(device).WaitForFences(device, count, fences, all, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL semaphore_value(VkDevice device, VkSemaphore semaphore,
                                               uint64_t* value) {
    add(Counter::polls);
    const VkResult result = functions(device).GetSemaphoreCounterValue(device, semaphore, value);
    if (result == VK_SUCCESS && Late::instance().on())
        *value = Late::instance().value_now(semaphore, *value);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL fence_status(VkDevice device, VkFence fence) {
    add(Counter::polls);
    if (Late::instance().on() && !Late::instance().poll(fence))
        return VK_NOT_READY;
    return functions(device).GetFenceStatus(device, fence);
}

} // namespace

std::span<const Hook> queue_hooks() {
    static const std::array hooks{KOBALT_HOOK(QueueSubmit, submit),
                                  KOBALT_HOOK(QueueSubmit2, submit2),
                                  KOBALT_HOOK(QueueWaitIdle, queue_wait_idle),
                                  KOBALT_HOOK(DeviceWaitIdle, device_wait_idle),
                                  KOBALT_HOOK(WaitSemaphores, wait_semaphores),
                                  KOBALT_HOOK(WaitForFences, wait_for_fences),
                                  KOBALT_HOOK(GetSemaphoreCounterValue, semaphore_value),
                                  KOBALT_HOOK(GetFenceStatus, fence_status)};
    return hooks;
}

} // namespace kobalt::counting
