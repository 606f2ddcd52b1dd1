// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/sync/batch_token.h"

#include <chrono>

#include "vulkan/device/device.h"

namespace kobalt::render {

bool BatchToken::completed() {
    if (done_.load(std::memory_order_acquire))
        return true;
    const uint64_t value = value_.load(std::memory_order_acquire);
    if (value == 0 || !device_->graphics().timeline().reached(value))
        return false;
    done_.store(true, std::memory_order_release);
    return true;
}

bool BatchToken::wait(uint64_t timeout_ns) {
    using Clock = std::chrono::steady_clock;
    if (completed())
        return true;
    if (timeout_ns == 0)
        return false;
    const bool forever = timeout_ns > uint64_t{1} << 62;
    const auto deadline = Clock::now() + std::chrono::nanoseconds(forever ? 0 : timeout_ns);
    const auto ready = [this] {
        return value_.load(std::memory_order_acquire) != 0 || done_.load(std::memory_order_acquire);
    };
    {
        std::unique_lock lock(submitted_mutex_);
        if (forever)
            submitted_.wait(lock, ready);
        else if (!submitted_.wait_until(lock, deadline, ready))
            return false;
    }
    if (done_.load(std::memory_order_acquire))
        return true;
    uint64_t left = UINT64_MAX;
    if (!forever) {
        const auto remaining =
            std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now()).count();
        left = remaining > 0 ? static_cast<uint64_t>(remaining) : 0;
    }
    const auto waited = device_->graphics().timeline().wait(timeline_value(), left);
    // A lost device never completes anything, so no thread may wait for it.
    const bool finished = !waited || *waited;
    if (finished)
        done_.store(true, std::memory_order_release);
    return finished;
}

void BatchToken::mark_submitted(uint64_t timeline_value) {
    {
        const std::lock_guard lock(submitted_mutex_);
        value_.store(timeline_value, std::memory_order_release);
    }
    submitted_.notify_all();
}

void BatchToken::mark_failed() {
    {
        const std::lock_guard lock(submitted_mutex_);
        done_.store(true, std::memory_order_release);
    }
    submitted_.notify_all();
}

} // namespace kobalt::render
