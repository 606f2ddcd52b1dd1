// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/device_status.h"

#include "vulkan/base/file.h"

#include <filesystem>
#include <span>
#include <system_error>

namespace kobalt::vulkan {

std::string DeviceStatus::reason() const {
    const std::lock_guard lock(reason_mutex_);
    return reason_;
}

VkResult DeviceStatus::check(VkResult result, const char* tried) {
    if (result == VK_ERROR_DEVICE_LOST)
        mark_lost(tried);
    return result;
}

void DeviceStatus::mark_lost(const std::string& reason) {
    const std::string message = "the Vulkan device \"" + device_name_ + "\" was lost in " + reason +
                                "; the application must create a new context";
    if (lose(reason, message))
        explain(message);
}

DeviceStatus::Explainer DeviceStatus::explain_by(Explanation explanation) {
    const std::lock_guard lock(explanations_mutex_);
    explanations_.emplace_back(++last_explanation_, std::move(explanation));
    return {*this, last_explanation_};
}

void DeviceStatus::forget(uint64_t number) {
    const std::lock_guard lock(explanations_mutex_);
    std::erase_if(explanations_, [number](const auto& entry) { return entry.first == number; });
}

void DeviceStatus::explain(std::string message) {
    std::string report = std::move(message) + "\n";
    {
        const std::lock_guard lock(explanations_mutex_);
        for (const auto& [number, explanation] : explanations_)
            for (const std::string& line : explanation()) {
                log_.error(line);
                report += line + "\n";
            }
    }
    if (report_file_.empty())
        return;
    std::error_code failed; // ignored, as is a full disk: the log has it all
    std::filesystem::create_directories(std::filesystem::path(report_file_).parent_path(), failed);
    std::string ignored;
    (void)write_file_atomically(report_file_, std::as_bytes(std::span(report)), ignored,
                                Durability::process);
}

bool DeviceStatus::lost_by_fork() {
    if (!belongs_to_parent())
        return false;
    lose("a child of fork()",
         "process " + std::to_string(getpid()) +
             " is a child of fork(): its GL contexts are its parent's, and nothing is drawn with "
             "them. It can call exec(), or make a display of its own behind eglReleaseThread() and "
             "eglTerminate()");
    return true;
}

bool DeviceStatus::lose(const std::string& reason, const std::string& message) {
    {
        const std::lock_guard lock(reason_mutex_);
        if (lost_.load(std::memory_order_relaxed))
            return false;
        reason_ = reason;
        lost_.store(true, std::memory_order_release);
    }
    log_.error(message);
    return true;
}

} // namespace kobalt::vulkan
