// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "frames.h"

#include <array>
#include <chrono>
#include <thread>

#include <time.h>

namespace kobalt::memory {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

/// CPU time of the calling thread alone.
double busy_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

} // namespace

const char* name_of(Wait wait) {
    constexpr std::array names{"gives_way", "stays", "fence", "sleeps"};
    return names.at(static_cast<size_t>(wait));
}

Frames::Frames(const Vulkan& vk, const Way& way, const Maker& maker, uint32_t draws)
    : vk_(vk), way_(way), maker_(maker), drawing_(vk) {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    info.pNext = &type;
    need(vk_.CreateSemaphore(vk_.device, &info, nullptr, &semaphore_), "vkCreateSemaphore");
    const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    need(vk_.CreateFence(vk_.device, &fence, nullptr, &fence_), "vkCreateFence");
    for (uint32_t i = 0; i < kPrograms; ++i)
        own_.push_back(maker_.make(i));
    for (uint32_t i = 0; i < draws; ++i)
        drawn_.push_back(own_[i % kPrograms]);
}

Frames::~Frames() {
    for (Program& program : own_)
        maker_.destroy(program);
    vk_.DestroyFence(vk_.device, fence_, nullptr);
    vk_.DestroySemaphore(vk_.device, semaphore_, nullptr);
}

Frame Frames::draw(Wait wait) {
    const double busy = busy_milliseconds();
    const Clock::time_point begin = Clock::now();
    const VkCommandBuffer commands = drawing_.record(way_, maker_.layout(), drawn_);
    const Clock::time_point recorded = Clock::now();
    submit(commands, wait);
    const Clock::time_point submitted = Clock::now();
    if (wait == Wait::sleeps)
        (void)reached(UINT64_MAX);
    else if (wait == Wait::fence)
        while (!fence_reached()) {
        }
    else
        while (!reached(0))
            if (wait == Wait::gives_way)
                std::this_thread::yield();
    const Clock::time_point end = Clock::now();
    const double total = milliseconds(end - begin);
    return {total, milliseconds(recorded - begin), milliseconds(submitted - recorded),
            milliseconds(end - submitted), total - (busy_milliseconds() - busy)};
}

void Frames::submit(VkCommandBuffer commands, Wait wait) {
    VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    buffer.commandBuffer = commands;
    VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    signal.semaphore = semaphore_;
    signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &buffer;
    const bool by_fence = wait == Wait::fence;
    if (!by_fence) {
        signal.value = ++value_;
        info.signalSemaphoreInfoCount = 1;
        info.pSignalSemaphoreInfos = &signal;
    }
    need(vk_.QueueSubmit2(vk_.queue, 1, &info, by_fence ? fence_ : VK_NULL_HANDLE),
         "vkQueueSubmit2");
}

bool Frames::reached(uint64_t timeout) const {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value_;
    const VkResult result = vk_.WaitSemaphores(vk_.device, &info, timeout);
    if (result != VK_TIMEOUT)
        need(result, "vkWaitSemaphores");
    return result == VK_SUCCESS;
}

bool Frames::fence_reached() const {
    const VkResult result = vk_.GetFenceStatus(vk_.device, fence_);
    if (result == VK_NOT_READY)
        return false;
    need(result, "vkGetFenceStatus");
    need(vk_.ResetFences(vk_.device, 1, &fence_), "vkResetFences");
    return true;
}

} // namespace kobalt::memory
