// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/window_system.h"

namespace kobalt::present {

std::unique_ptr<WindowSystem> WindowSystem::create(vulkan::Device& device) {
    if (!device.instance().has_extension("VK_KHR_surface") ||
        !device.has(vulkan::Capability::swapchain))
        return nullptr;
    return std::unique_ptr<WindowSystem>(new WindowSystem(device));
}

vulkan::Result<std::shared_ptr<Window>> WindowSystem::open(const WindowInfo& info) {
    const std::scoped_lock lock(windows_mutex_);
    std::erase_if(windows_, [](const std::weak_ptr<Window>& window) { return window.expired(); });
    for (const std::weak_ptr<Window>& entry : windows_)
        // A lost window's X id may have been given to a new window.
        if (const auto window = entry.lock();
            window && !window->lost() && window->native().same_native_window(info.surface)) {
            window->set_interval(info.interval);
            return window;
        }

    auto surface = Surface::create(device_, connections_, info.surface);
    if (!surface)
        return std::unexpected(surface.error());
    auto window = std::make_shared<Window>(device_, pools_, std::move(*surface), info);
    windows_.push_back(window);
    return window;
}

} // namespace kobalt::present
