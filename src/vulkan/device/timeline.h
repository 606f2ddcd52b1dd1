// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace kobalt::vulkan {

class Device;

/// A timeline semaphore that numbers the submissions of one queue, 1, 2, 3, ... A resource keeps
/// the value of its last use, so that tracking a use takes one store. Thread-safe.
class Timeline {
public:
    static Result<std::unique_ptr<Timeline>> create(Device& device, const char* name);
    Timeline(Device& device, Semaphore semaphore);

    VkSemaphore semaphore() const { return semaphore_.get(); }

    /// The value the next submission will probably signal. Queue::submit decides: another thread
    /// may submit first.
    uint64_t next() const { return submitted_.load(std::memory_order_acquire) + 1; }
    /// The value of the last submission.
    uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }
    /// The highest value known to be completed, without asking the device.
    uint64_t known_completed() const { return completed_.load(std::memory_order_acquire); }

    /// Whether `value` is completed; asks the device only if it isn't known already. Value 0 is
    /// always reached. Once the device is lost every value counts as completed, so that nothing
    /// waits for ever.
    bool reached(uint64_t value) {
        return value <= completed_.load(std::memory_order_acquire) || ask(value);
    }
    /// Waits until `value` is completed. False: the time (nanoseconds) ran out. Waiting for a value
    /// that is not submitted yet is allowed. Fails with VK_ERROR_DEVICE_LOST.
    Result<bool> wait(uint64_t value, uint64_t timeout_ns = UINT64_MAX);
    /// Waits until nothing up to `value` is in use by the device, or the device is lost. Gives the
    /// device up (Device::give_up) where it completes nothing for the device's patience.
    void wait_to_destroy(uint64_t value);
    /// How long wait() polls the device before it sleeps, in nanoseconds.
    void set_polling(uint64_t longest_ns) { polling_ns_ = longest_ns; }
    /// What it is where the device isn't the CPU. A sleeping thread takes about as long to run
    /// again, so a wait that polls no longer loses little, and no wait keeps a processor busy.
    static constexpr uint64_t default_polling_ns = 50'000;

private:
    friend class Queue;
    /// Notes a submission that the device has taken. (A value that was never submitted would be
    /// waited for without end.)
    void publish(uint64_t value) { submitted_.store(value, std::memory_order_release); }
    void note_completed(uint64_t value);
    VkResult wait_on_device(uint64_t value, uint64_t timeout_ns);
    VkResult counter_reaches(uint64_t value);
    bool ask(uint64_t value);
    bool reached_within(uint64_t value, uint64_t timeout_ns);

    Device& device_;
    Semaphore semaphore_;
    uint64_t polling_ns_ = 0;
    std::atomic<uint64_t> submitted_{0};
    std::atomic<uint64_t> completed_{0};
};

} // namespace kobalt::vulkan
