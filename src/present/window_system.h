// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "present/window.h"

namespace kobalt::present {

/// The windows of one device. Thread-safe.
class WindowSystem {
public:
    /// Null where the instance has no surface extension or the device no swapchains.
    static std::unique_ptr<WindowSystem> create(vulkan::Device& device);

    /// The window that `info` names. A native window has one Vulkan surface at most, so all
    /// drawables of a native window share the object. Fails as Surface::create does.
    vulkan::Result<std::shared_ptr<Window>> open(const WindowInfo& info);

private:
    explicit WindowSystem(vulkan::Device& device)
        : device_(device), pools_(device, device.graphics()) {}

    vulkan::Device& device_;
    vulkan::CommandPools pools_;
    X11Connections connections_;
    std::mutex windows_mutex_; ///< guards windows_
    std::vector<std::weak_ptr<Window>> windows_;
};

} // namespace kobalt::present
