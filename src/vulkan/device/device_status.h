// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/log.h"
#include "vulkan/base/vk.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace kobalt::vulkan {

/// Whether the device still lives, and what was being done when it was lost. A child of fork() has
/// none of the threads of the driver below it: there it counts as lost. Thread-safe.
class DeviceStatus {
public:
    /// `report_file`: gets what is said of a loss, for `kobalt report`; empty: none.
    explicit DeviceStatus(Log log, std::string device_name, std::string report_file = {})
        : log_(std::move(log)), device_name_(std::move(device_name)),
          report_file_(std::move(report_file)) {}

    bool lost() const { return lost_.load(std::memory_order_acquire); }
    /// "vkQueueSubmit2 on the graphics queue"; empty while the device lives.
    std::string reason() const;

    /// Checks a result: VK_ERROR_DEVICE_LOST marks the device, logging one line the first time.
    /// Returns the result unchanged.
    VkResult check(VkResult result, const char* tried);
    /// Marks the device lost (also used by tests to simulate it).
    void mark_lost(const std::string& reason);
    /// Lines that tell more about a loss. Called once, by the thread that notices it, which may be
    /// any: from then on Vulkan calls may fail.
    using Explanation = std::function<std::vector<std::string>()>;
    /// Keeps an explanation in use. Its end waits for the explanation where that is being given.
    class Explainer {
    public:
        Explainer() = default;
        Explainer(Explainer&& other) noexcept
            : status_(std::exchange(other.status_, nullptr)), number_(other.number_) {}
        Explainer& operator=(Explainer&& other) noexcept {
            std::swap(status_, other.status_);
            std::swap(number_, other.number_);
            return *this;
        }
        ~Explainer() {
            if (status_)
                status_->forget(number_);
        }

    private:
        friend class DeviceStatus;
        Explainer(DeviceStatus& status, uint64_t number) : status_(&status), number_(number) {}
        DeviceStatus* status_ = nullptr;
        uint64_t number_ = 0;
    };
    /// The result must not outlive what the explanation uses, nor this object.
    [[nodiscard]] Explainer explain_by(Explanation explanation);
    /// Whether this process is a child of the one that made the device. A system call.
    bool belongs_to_parent() const { return getpid() != process_; }
    /// The same, and marks the device lost there: for what would submit or wait.
    bool lost_by_fork();

private:
    /// Marks the device lost and logs `message`, the first time: true then.
    bool lose(const std::string& reason, const std::string& message);
    void explain(std::string message);
    void forget(uint64_t number);

    Log log_;
    std::string device_name_;
    const std::string report_file_;
    const pid_t process_ = getpid();
    std::atomic<bool> lost_{false};
    mutable std::mutex reason_mutex_;
    std::string reason_;
    std::mutex explanations_mutex_; ///< guards what follows
    uint64_t last_explanation_ = 0;
    std::vector<std::pair<uint64_t, Explanation>> explanations_;
};

} // namespace kobalt::vulkan
