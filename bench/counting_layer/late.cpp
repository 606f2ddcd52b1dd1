// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "counting_layer/late.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "counting_layer/counters.h"
#include "counting_layer/immortal.h"

namespace kobalt::counting {

namespace {

constexpr std::size_t kMostPoints = 4096;

std::chrono::microseconds wanted_delay() {
    const char* text = std::getenv("KOBALT_LATE_US");
    return std::chrono::microseconds(text ? std::atoll(text) : 0);
}

} // namespace

Late& Late::instance() {
    static Immortal<Late> late(wanted_delay());
    return late.value;
}

Late::Clock::time_point Late::submit(VkFence fence) {
    const std::lock_guard lock(mutex_);
    last_done_ = std::max(last_done_, Clock::now() + delay_);
    if (fence)
        fences_[fence] = last_done_;
    return last_done_;
}

void Late::signal(VkSemaphore semaphore, std::uint64_t value, Clock::time_point when) {
    if (value == 0)
        return;
    const std::lock_guard lock(mutex_);
    std::deque<Point>& points = points_[semaphore];
    points.push_back({value, when});
    if (points.size() > kMostPoints)
        points.pop_front();
}

Late::Clock::time_point Late::done(VkSemaphore semaphore, std::uint64_t value) {
    const std::lock_guard lock(mutex_);
    const auto known = points_.find(semaphore);
    if (known == points_.end())
        return {};
    const auto point = std::ranges::find_if(
        known->second, [value](const Point& one) { return one.value >= value; });
    return point == known->second.end() ? Clock::time_point{} : point->done;
}

Late::Clock::time_point Late::done(VkFence fence) {
    const std::lock_guard lock(mutex_);
    const auto known = fences_.find(fence);
    return known == fences_.end() ? Clock::time_point{} : known->second;
}

Late::Clock::time_point Late::all_done() {
    const std::lock_guard lock(mutex_);
    return last_done_;
}

bool Late::poll(VkFence fence) {
    return wait_until(done(fence), 0);
}

std::uint64_t Late::value_now(VkSemaphore semaphore, std::uint64_t value) {
    const Clock::time_point now = Clock::now();
    const std::lock_guard lock(mutex_);
    const auto known = points_.find(semaphore);
    if (known != points_.end())
        for (const Point& point : known->second)
            if (point.done > now) {
                add(Counter::busy_polls);
                return std::min(value, point.value - 1);
            }
    return value;
}

bool Late::wait_until(Clock::time_point when, std::uint64_t timeout_ns) {
    const Clock::time_point now = Clock::now();
    if (when <= now)
        return true;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(when - now);
    const bool enough = timeout_ns >= static_cast<std::uint64_t>(left.count());
    const auto slept = enough ? left : std::chrono::nanoseconds(timeout_ns);
    if (timeout_ns == 0) {
        add(Counter::busy_polls);
    } else {
        add(Counter::blocked_waits);
        add(Counter::blocked_us, static_cast<std::uint64_t>(slept.count()) / 1000);
        std::this_thread::sleep_for(slept);
    }
    return enough;
}

} // namespace kobalt::counting
