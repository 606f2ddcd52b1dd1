// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <memory>

#include "vulkan/device.h"

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
};

/// A VkSurfaceKHR. Swapchains hold it by shared_ptr, so that it is destroyed after them.
class Surface {
public:
    /// Fails with VK_ERROR_EXTENSION_NOT_PRESENT where the instance lacks the platform's extension
    /// and with VK_ERROR_FEATURE_NOT_PRESENT where the graphics queue can't present to it.
    static vulkan::Result<std::shared_ptr<const Surface>> create(vulkan::Device& device,
                                                                 const SurfaceInfo& info);
    ~Surface();
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    VkSurfaceKHR handle() const { return surface_; }
    const SurfaceInfo& info() const { return info_; }
    VkResult capabilities(VkSurfaceCapabilitiesKHR& out) const;

private:
    Surface(vulkan::Device& device, VkSurfaceKHR surface, const SurfaceInfo& info)
        : device_(device), surface_(surface), info_(info) {}

    vulkan::Device& device_;
    VkSurfaceKHR surface_;
    SurfaceInfo info_;
};

} // namespace kobalt::present
