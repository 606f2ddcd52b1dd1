// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/device_status.h"

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
    lose(reason, "the Vulkan device \"" + device_name_ + "\" was lost in " + reason +
                     "; the application must create a new context");
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

void DeviceStatus::lose(const std::string& reason, const std::string& message) {
    {
        const std::lock_guard lock(reason_mutex_);
        if (lost_.load(std::memory_order_relaxed))
            return;
        reason_ = reason;
        lost_.store(true, std::memory_order_release);
    }
    log_.error(message);
}

} // namespace kobalt::vulkan
