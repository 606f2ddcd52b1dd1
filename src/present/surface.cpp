// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/surface.h"

#include <charconv>
#include <string>

#include "vulkan/device/out_of_memory.h"

namespace kobalt::present {

namespace {

struct Platform {
    VkStructureType type;
    const char* extension;
    const char* command;
};

constexpr Platform platforms[] = {
    {VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, "VK_KHR_xcb_surface", "vkCreateXcbSurfaceKHR"},
    {VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR, "VK_KHR_xlib_surface",
     "vkCreateXlibSurfaceKHR"},
    {VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR, "VK_KHR_wayland_surface",
     "vkCreateWaylandSurfaceKHR"},
    {VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT, "VK_EXT_headless_surface",
     "vkCreateHeadlessSurfaceEXT"},
};

/// All platforms' creation commands take the same arguments but for the structure's type. Naming it
/// would need the platforms' own headers.
using CreateSurface = VkResult(VKAPI_PTR*)(VkInstance, const void*, const VkAllocationCallbacks*,
                                           VkSurfaceKHR*);

std::string window_text(const SurfaceInfo& info) {
    char digits[2 * sizeof(uintptr_t)];
    const auto end = std::to_chars(digits, digits + sizeof(digits), info.words[2], 16).ptr;
    return "window 0x" + std::string(digits, end);
}

const Platform* find_platform(VkStructureType type) {
    for (const Platform& platform : platforms)
        if (platform.type == type)
            return &platform;
    return nullptr;
}

} // namespace

std::string surface_extension(VkStructureType type) {
    const Platform* platform = find_platform(type);
    return platform ? platform->extension : std::string();
}

bool SurfaceInfo::same_native_window(const SurfaceInfo& other) const {
    if (type != other.type)
        return false;
    if (is_xcb())
        return words[1] == other.words[1] && xcb_window() == other.xcb_window();
    if (type == VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT)
        return false;
    return words[1] == other.words[1] && words[2] == other.words[2];
}

vulkan::Result<std::shared_ptr<const Surface>>
Surface::create(vulkan::Device& device, X11Connections& connections, const SurfaceInfo& info) {
    const Platform* platform = find_platform(info.type);
    if (!platform)
        return vulkan::fail(VK_ERROR_EXTENSION_NOT_PRESENT, "creating a surface",
                            "window system of structure type " + std::to_string(info.type));
    const vulkan::Instance& instance = device.instance();
    const auto create = instance.has_extension(platform->extension)
                            ? instance.proc<CreateSurface>(platform->command)
                            : nullptr;
    if (!create)
        return vulkan::fail(VK_ERROR_EXTENSION_NOT_PRESENT, platform->command, platform->extension);

    SurfaceInfo reached = info;
    std::shared_ptr<const X11Connection> connection;
    if (info.is_xcb())
        connection = connections.for_window(info.xcb_connection(), info.xcb_window());
    if (connection)
        reached.words[1] = reinterpret_cast<uintptr_t>(connection->handle());
    VkSurfaceKHR handle = VK_NULL_HANDLE;
    const VkResult result = vulkan::with_second_try(
        device, [&] { return create(instance.handle(), &reached, nullptr, &handle); });
    if (result != VK_SUCCESS)
        return vulkan::fail(result, platform->command, window_text(info));
    std::shared_ptr<const Surface> surface(
        new Surface(device, std::move(connection), handle, info));

    VkBool32 supported = VK_FALSE;
    const VkResult asked = vulkan::with_second_try(device, [&] {
        return instance.vk().GetPhysicalDeviceSurfaceSupportKHR(
            device.physical(), device.graphics().family(), handle, &supported);
    });
    if (asked != VK_SUCCESS)
        return vulkan::fail(asked, "vkGetPhysicalDeviceSurfaceSupportKHR", window_text(info));
    if (!supported)
        return vulkan::fail(VK_ERROR_FEATURE_NOT_PRESENT, "presenting from the graphics queue",
                            window_text(info));
    return surface;
}

Surface::~Surface() {
    const vulkan::Instance& instance = device_.instance();
    instance.vk().DestroySurfaceKHR(instance.handle(), surface_, nullptr);
}

VkResult Surface::capabilities(VkSurfaceCapabilitiesKHR& out) const {
    return vulkan::with_second_try(device_, [&] {
        return device_.instance().vk().GetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical(),
                                                                               surface_, &out);
    });
}

vulkan::Result<VkExtent2D> Surface::size() const {
    if (info_.is_xcb()) {
        // Ask over the program's own connection, so that the answer includes a resize that is still
        // queued there.
        const auto size = x11_window_size(info_.xcb_connection(), info_.xcb_window());
        if (!size)
            return vulkan::fail(VK_ERROR_SURFACE_LOST_KHR, "asking for the size",
                                window_text(info_));
        return *size;
    }
    VkSurfaceCapabilitiesKHR capabilities{};
    const VkResult result = this->capabilities(capabilities);
    if (result != VK_SUCCESS)
        return vulkan::fail(result, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR",
                            window_text(info_));
    return capabilities.currentExtent;
}

} // namespace kobalt::present
