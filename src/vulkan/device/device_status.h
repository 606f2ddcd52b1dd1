// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/log.h"
#include "vulkan/base/vk.h"

#include <atomic>
#include <mutex>
#include <string>

#include <unistd.h>

namespace kobalt::vulkan {

/// Whether the device still lives, and what was being done when it was lost. A child of fork() has
/// none of the threads of the driver below it: there it counts as lost. Thread-safe.
class DeviceStatus {
public:
    explicit DeviceStatus(Log log, std::string device_name)
        : log_(std::move(log)), device_name_(std::move(device_name)) {}

    bool lost() const { return lost_.load(std::memory_order_acquire); }
    /// "vkQueueSubmit2 on the graphics queue"; empty while the device lives.
    std::string reason() const;

    /// Checks a result: VK_ERROR_DEVICE_LOST marks the device, logging one line the first time.
    /// Returns the result unchanged.
    VkResult check(VkResult result, const char* tried);
    /// Marks the device lost (also used by tests to simulate it).
    void mark_lost(const std::string& reason);
    /// Whether this process is a child of the one that made the device. A system call.
    bool belongs_to_parent() const { return getpid() != process_; }
    /// The same, and marks the device lost there: for what would submit or wait.
    bool lost_by_fork();

private:
    /// Marks the device lost and logs `message`, the first time.
    void lose(const std::string& reason, const std::string& message);

    Log log_;
    std::string device_name_;
    const pid_t process_ = getpid();
    std::atomic<bool> lost_{false};
    mutable std::mutex reason_mutex_;
    std::string reason_;
};

} // namespace kobalt::vulkan
