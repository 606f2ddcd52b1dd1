// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "present/x11.h"
#include "vulkan/device/device.h"

namespace kobalt::present {

/// Room for any platform's Vk*SurfaceCreateInfo*: two common members, then flags and at most two
/// more words. Xcb: words[1] is the connection, words[2] the window. Wayland: words[1] is the
/// display, words[2] the surface.
struct SurfaceInfo {
    VkStructureType type = VK_STRUCTURE_TYPE_MAX_ENUM;
    const void* next = nullptr;
    uintptr_t words[3] = {};

    /// Whether both describe the same native window. Headless surfaces are all different.
    bool same_native_window(const SurfaceInfo& other) const;

    bool is_xcb() const { return type == VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR; }
    xcb_connection_t* xcb_connection() const {
        return reinterpret_cast<xcb_connection_t*>(words[1]); // NOLINT(performance-no-int-to-ptr)
    }
    /// xcb_window_t has 32 bits; the rest of the word is padding.
    uint32_t xcb_window() const { return static_cast<uint32_t>(words[2]); }
};

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
