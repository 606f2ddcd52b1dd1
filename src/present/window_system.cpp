// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/window_system.h"

#include "present/cpu_window.h"
#include "present/fallback_window.h"
#include "present/wayland_sink.h"
#include "present/x11_refresh.h"
#include "present/x11_sink.h"

namespace kobalt::present {

namespace {

vulkan::Result<std::unique_ptr<FrameSink>> open_sink(const WindowInfo& info) {
    const SurfaceInfo& surface = info.surface;
    if (surface.is_xcb())
        return open_x11_sink(surface.xcb_connection(), surface.xcb_window());
    if (surface.is_wayland())
        return open_wayland_sink(surface, info.translucent);
    return vulkan::fail(VK_ERROR_EXTENSION_NOT_PRESENT, "opening a window without a swapchain",
                        "a window system of structure type " + std::to_string(surface.type));
}

} // namespace

WindowFacts window_facts(const vulkan::Device& device, const SurfaceInfo& surface,
                         WindowWish wish) {
    WindowFacts facts;
    facts.wish = wish;
    facts.surface_extension = surface_extension(surface.type);
    facts.has_surface_extension = device.instance().has_extension("VK_KHR_surface") &&
                                  device.instance().has_extension(facts.surface_extension);
    facts.has_swapchains = device.has(vulkan::Capability::swapchain);
    facts.no_swapchains = device.capabilities().state(vulkan::Capability::swapchain).reason;
    facts.is_cpu = device.properties().core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    facts.driver = device.properties().vulkan12.driverID;
    if (surface.is_xcb() && facts.has_surface_extension && facts.has_swapchains) {
        facts.x11 = x11_extensions(surface.xcb_connection());
        facts.x11_pixels = x11_pixel_format(surface.xcb_connection(), surface.xcb_window());
    }
    return facts;
}

WindowSystem::WindowSystem(vulkan::Device& device)
    : device_(device), pools_(device, device.graphics()) {
    wish_ = window_wish(device.instance().environment().windows);
}

std::shared_ptr<Window> WindowSystem::find(const SurfaceInfo& surface) {
    std::erase_if(windows_, [](const std::weak_ptr<Window>& window) { return window.expired(); });
    std::shared_ptr<Window> found;
    for (const std::weak_ptr<Window>& entry : windows_)
        // A lost window's X id may have been given to a new window.
        if (auto window = entry.lock(); window && window->native().same_native_window(surface))
            if (found = std::move(window); !found->lost())
                break;
    return found;
}

vulkan::Result<std::shared_ptr<Window>> WindowSystem::open(const WindowInfo& info) {
    const std::scoped_lock lock(windows_mutex_);
    if (auto window = find(info.surface); window && !window->lost()) {
        window->set_interval(info.interval);
        return window;
    }
    return add(info);
}

vulkan::Result<std::shared_ptr<Window>> WindowSystem::visit(const WindowInfo& info) {
    const std::scoped_lock lock(windows_mutex_);
    if (auto window = find(info.surface))
        return window;
    return add(info);
}

void WindowSystem::close() {
    const std::scoped_lock lock(windows_mutex_);
    closed_ = true;
    for (const std::weak_ptr<Window>& entry : windows_)
        if (const auto window = entry.lock())
            window->close();
}

vulkan::Result<std::shared_ptr<Window>> WindowSystem::add(WindowInfo info) {
    if (closed_)
        return vulkan::fail(VK_ERROR_DEVICE_LOST, "opening a window");
    info.counters = std::make_shared<SyncCounters>([surface = info.surface] {
        return surface.is_xcb() ? x11_refresh_rate(surface.xcb_connection(), surface.xcb_window())
                                : 0;
    });
    auto window = make(info);
    if (window)
        windows_.push_back(*window);
    return window;
}

vulkan::Result<std::shared_ptr<Window>> WindowSystem::make(const WindowInfo& info) {
    if (surface_extension(info.surface.type).empty())
        return vulkan::fail(VK_ERROR_EXTENSION_NOT_PRESENT, "opening a window",
                            "window system of structure type " + std::to_string(info.surface.type));
    const WindowChoice choice = choose_window(window_facts(device_, info.surface, wish_));
    if (choice.kind == WindowKind::swapchain)
        return make_swapchain(info);
    auto window = make_cpu(info);
    if (window && choice.notable)
        tell(choice.reason);
    return window;
}

vulkan::Result<std::shared_ptr<Window>> WindowSystem::make_swapchain(const WindowInfo& info) {
    auto surface = Surface::create(device_, connections_, info.surface);
    if (!surface)
        return replace_swapchain(info, surface.error());
    auto first = std::make_shared<SwapchainWindow>(device_, pools_, std::move(*surface), info);
    return std::make_shared<FallbackWindow>(
        std::move(first), info,
        [this, info](const vulkan::Error& why) { return replace_swapchain(info, why); },
        device_.log());
}

vulkan::Result<std::unique_ptr<Window>> WindowSystem::replace_swapchain(const WindowInfo& info,
                                                                        const vulkan::Error& why) {
    if (wish_ == WindowWish::swapchain)
        return std::unexpected(why);
    auto window = make_cpu(info);
    if (!window)
        return std::unexpected(why);
    tell(why.to_string());
    return window;
}

vulkan::Result<std::unique_ptr<Window>> WindowSystem::make_cpu(const WindowInfo& info) {
    auto sink = open_sink(info);
    if (!sink)
        return std::unexpected(sink.error());
    return std::make_unique<CpuWindow>(device_, pools_, std::move(*sink), info);
}

void WindowSystem::tell(const std::string& reason) {
    {
        const std::scoped_lock lock(told_mutex_);
        if (!told_.insert(reason).second)
            return;
    }
    device_.log().info("windows are shown by copies through the CPU: " + reason);
}

} // namespace kobalt::present
