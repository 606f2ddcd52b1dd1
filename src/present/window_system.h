// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "present/surface.h"
#include "present/window.h"
#include "present/window_choice.h"
#include "present/x11.h"
#include "vulkan/commands/command_pool.h"

namespace kobalt::present {

/// The windows of one device. Thread-safe.
class WindowSystem {
public:
    /// KOBALT_WINDOWS comes from the instance's environment. A value that means nothing is reported
    /// once and ignored.
    explicit WindowSystem(vulkan::Device& device);

    /// The window that `info` names. All drawables of a native window share the object. Fails where
    /// neither kind of window is possible: as Surface::create does, or as the kind without a
    /// swapchain does.
    vulkan::Result<std::shared_ptr<Window>> open(const WindowInfo& info);
    /// The same, but leaves a window as it is that is open already, or lost.
    vulkan::Result<std::shared_ptr<Window>> visit(const WindowInfo& info);
    /// Ends the use of all native windows, and opens none any more: the device is lost, and another
    /// one takes them over.
    void close();

private:
    /// Null: the window isn't open. A lost one only where no other has its id. find() and add()
    /// need windows_mutex_.
    std::shared_ptr<Window> find(const SurfaceInfo& surface);
    vulkan::Result<std::shared_ptr<Window>> add(WindowInfo info);
    vulkan::Result<std::shared_ptr<Window>> make(const WindowInfo& info);
    vulkan::Result<std::shared_ptr<Window>> make_swapchain(const WindowInfo& info);
    vulkan::Result<std::unique_ptr<Window>> make_cpu(const WindowInfo& info);
    /// In place of a swapchain that failed with this error.
    vulkan::Result<std::unique_ptr<Window>> replace_swapchain(const WindowInfo& info,
                                                              const vulkan::Error& why);
    /// Logs why windows go through the CPU, each reason once.
    void tell(const std::string& reason);

    vulkan::Device& device_;
    vulkan::CommandPools pools_;
    X11Connections connections_;
    WindowWish wish_ = WindowWish::automatic;
    std::mutex windows_mutex_; ///< guards the two members below
    std::vector<std::weak_ptr<Window>> windows_;
    bool closed_ = false;
    std::mutex told_mutex_; ///< guards told_
    std::set<std::string> told_;
};

/// What is known of a window on `device` before the Vulkan driver is asked about it.
WindowFacts window_facts(const vulkan::Device& device, const SurfaceInfo& surface, WindowWish wish);

} // namespace kobalt::present
