// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <string>

#include "present/surface_info.h"
#include "present/x11.h"
#include "vulkan/device/device.h"

namespace kobalt::present {

/// The instance extension that surfaces of this structure type need; empty: no window system has
/// such a structure.
std::string surface_extension(VkStructureType type);

/// A VkSurfaceKHR. Swapchains hold it by shared_ptr, so that it is destroyed after them.
class Surface {
public:
    /// Fails with VK_ERROR_EXTENSION_NOT_PRESENT where the instance lacks the platform's extension
    /// and with VK_ERROR_FEATURE_NOT_PRESENT where the graphics queue can't present to it. For an X
    /// window Vulkan gets a connection of `connections`, or else the program's own.
    static vulkan::Result<std::shared_ptr<const Surface>>
    create(vulkan::Device& device, X11Connections& connections, const SurfaceInfo& info);
    ~Surface();
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    VkSurfaceKHR handle() const { return surface_; }
    /// The value passed to create().
    const SurfaceInfo& info() const { return info_; }
    VkResult capabilities(VkSurfaceCapabilitiesKHR& out) const;
    /// The window's current size in pixels, including the program's last requests. An extent of
    /// UINT32_MAX: the frames determine the size. VK_ERROR_SURFACE_LOST_KHR: the window is gone.
    vulkan::Result<VkExtent2D> size() const;
    /// Null where the platform has no connection or the program's own is used.
    const X11Connection* connection() const { return connection_.get(); }

private:
    Surface(vulkan::Device& device, std::shared_ptr<const X11Connection> connection,
            VkSurfaceKHR surface, const SurfaceInfo& info)
        : device_(device), connection_(std::move(connection)), surface_(surface), info_(info) {}

    vulkan::Device& device_;
    std::shared_ptr<const X11Connection> connection_;
    VkSurfaceKHR surface_;
    SurfaceInfo info_;
};

} // namespace kobalt::present
