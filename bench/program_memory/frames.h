// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vector>

#include "drawing.h"

namespace kobalt::memory {

/// How a thread waits for what it submitted.
enum class Wait {
    gives_way, ///< polls a timeline semaphore, and yields the processor in between
    stays,     ///< polls it without yielding
    fence,     ///< polls a fence
    sleeps     ///< vkWaitSemaphores without a timeout
};
const char* name_of(Wait wait);

/// Times in milliseconds; `off` is the part of the total in which the thread was not running.
struct Frame {
    double total = 0, record = 0, submit = 0, wait = 0, off = 0;
};

/// Draws and waits as Kobalt does: one command buffer, one submission, one wait.
class Frames {
public:
    static constexpr uint32_t kPrograms = 8; ///< used in turn: numbers 0 to 7 of `maker`

    /// Each frame clears and draws `draws` times.
    Frames(const Vulkan& vk, const Way& way, const Maker& maker, uint32_t draws);
    ~Frames();
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    Frame draw(Wait wait);

private:
    void submit(VkCommandBuffer commands, Wait wait);
    bool reached(uint64_t timeout) const;
    bool fence_reached() const;

    const Vulkan& vk_;
    const Way& way_;
    const Maker& maker_;
    const Drawing drawing_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
    uint64_t value_ = 0;
    VkFence fence_ = VK_NULL_HANDLE;
    std::vector<Program> own_, drawn_;
};

} // namespace kobalt::memory
