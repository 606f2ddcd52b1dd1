// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "render/base/ref.h"
#include "vulkan/base/error.h"

namespace kobalt::vulkan {
class Device;
}

namespace kobalt::render {

/// The completion of one batch. Until the batch is submitted there is no timeline value to wait
/// for; a waiter in another thread sleeps until there is one.
class BatchToken : public RefCounted {
public:
    BatchToken(vulkan::Device& device, uint64_t id) : device_(&device), id_(id) {}

    /// A process-wide unique number, larger for batches that began later.
    uint64_t id() const { return id_; }
    bool submitted() const { return value_.load(std::memory_order_acquire) != 0; }
    /// The graphics queue's timeline value, 0 before submission.
    uint64_t timeline_value() const { return value_.load(std::memory_order_acquire); }
    /// Polls; true when the GPU is past the batch (or the device is lost).
    bool completed();
    /// Waits at most `timeout_ns` for submission and completion; true when completed.
    bool wait(uint64_t timeout_ns);
    /// Called by the batch when the queue took it; a failed submission completes the token too.
    void mark_submitted(uint64_t timeline_value);
    void mark_failed();

private:
    vulkan::Device* device_;
    uint64_t id_;
    std::atomic<uint64_t> value_{0};
    std::atomic<bool> done_{false};
    std::mutex submitted_mutex_;
    std::condition_variable submitted_;
};

} // namespace kobalt::render
