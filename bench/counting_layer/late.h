// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <vulkan/vulkan.h>

namespace kobalt::counting {

/// Makes a device look slow that does its work at once: each submission appears done only
/// KOBALT_LATE_US microseconds after it was made, in order. So a driver that waits where it need
/// not can be seen on a device that draws nothing.
class Late {
public:
    using Clock = std::chrono::steady_clock;

    explicit Late(std::chrono::microseconds delay) : delay_(delay) {}
    /// The one for the process, as the environment asks.
    static Late& instance();

    /// False where the environment asks for no delay; nothing else may be called then.
    bool on() const { return delay_.count() > 0; }

    /// A submission was made, with the fence that it signals, if any; when it will be done.
    Clock::time_point submit(VkFence fence);
    /// The submission that is done at `when` signals the semaphore with this value. Binary
    /// semaphores have none, nobody waits for those on the CPU.
    void signal(VkSemaphore semaphore, std::uint64_t value, Clock::time_point when);

    Clock::time_point done(VkSemaphore semaphore, std::uint64_t value);
    Clock::time_point done(VkFence fence);
    Clock::time_point all_done();
    /// Whether the fence's submission is done, without a wait.
    bool poll(VkFence fence);
    /// The semaphore's value as the slow device would have it, below `value`, the real one.
    std::uint64_t value_now(VkSemaphore semaphore, std::uint64_t value);

    /// Sleeps until `when`, at most as long as Vulkan's timeout says; false where that was too
    /// short. Counts waits that have to sleep, and polls that come too early.
    static bool wait_until(Clock::time_point when, std::uint64_t timeout_ns);

private:
    struct Point {
        std::uint64_t value;
        Clock::time_point done;
    };
    const std::chrono::microseconds delay_;
    std::mutex mutex_; ///< guards the rest
    std::unordered_map<VkSemaphore, std::deque<Point>> points_;
    std::unordered_map<VkFence, Clock::time_point> fences_;
    Clock::time_point last_done_;
};

} // namespace kobalt::counting
