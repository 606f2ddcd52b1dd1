// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/window_choice.h"

namespace kobalt::present {

namespace {

/// Whether the driver's window code reaches the X server by DRI3 alone. lavapipe and its like put
/// images by themselves. Venus reports the device behind it, which can be a CPU, and presents as
/// drivers of GPUs do.
bool needs_dri3(const WindowFacts& facts) {
    return !facts.is_cpu || facts.driver == VK_DRIVER_ID_MESA_VENUS;
}

/// NVIDIA's driver calls null pointers in its window code on such a server.
bool crashes_without_dri3(const WindowFacts& facts) {
    return facts.driver == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
}

/// Whether the driver's window code is Mesa's.
bool is_mesas(VkDriverId driver) {
    switch (driver) {
    case VK_DRIVER_ID_MESA_RADV:
    case VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA:
    case VK_DRIVER_ID_MESA_LLVMPIPE:
    case VK_DRIVER_ID_MESA_TURNIP:
    case VK_DRIVER_ID_MESA_V3DV:
    case VK_DRIVER_ID_MESA_PANVK:
    case VK_DRIVER_ID_MESA_VENUS:
    case VK_DRIVER_ID_MESA_DOZEN:
    case VK_DRIVER_ID_MESA_NVK:
    case VK_DRIVER_ID_IMAGINATION_OPEN_SOURCE_MESA:
    case VK_DRIVER_ID_MESA_HONEYKRISP:
        return true;
    default:
        return false;
    }
}

/// Whether the driver's swapchains show another picture in a window with such pixels. Mesa's code
/// compares how many bits each colour has, and then sends rows of 32 bits a pixel in the order of
/// these two formats (wsi_common_x11.c of Mesa 25.0.7). On a screen of 16 bits a pixel lavapipe's
/// windows stay black.
bool shows_wrongly(const WindowFacts& facts) {
    return facts.x11_pixels && is_mesas(facts.driver) &&
           *facts.x11_pixels != VK_FORMAT_B8G8R8A8_UNORM &&
           *facts.x11_pixels != VK_FORMAT_A2R10G10B10_UNORM_PACK32;
}

/// lavapipe sends frames through the connection's socket where the server lacks DRI3 or Present,
/// though it has shared memory (wsi_x11_connection_create() of Mesa 25.0.7). At 800x600 that costs
/// the program and the server 1.1 ms of a CPU for each frame more than Kobalt's own copies.
bool ignores_shared_memory(const WindowFacts& facts) {
    return facts.x11 && facts.x11->shm && !(facts.x11->dri3 && facts.x11->present) &&
           facts.driver == VK_DRIVER_ID_MESA_LLVMPIPE;
}

/// What the X server lacks for the driver; empty: nothing.
std::string lacking(const WindowFacts& facts) {
    if (!facts.x11 || !needs_dri3(facts) || (facts.x11->dri3 && facts.x11->present))
        return {};
    const char* name = facts.x11->dri3 ? "Present" : "DRI3";
    return std::string("the X server has no ") + name + ", which the device's driver needs";
}

} // namespace

WindowWish window_wish(std::string_view text) {
    if (text == "swapchain")
        return WindowWish::swapchain;
    if (text == "cpu")
        return WindowWish::cpu;
    return WindowWish::automatic;
}

WindowChoice choose_window(const WindowFacts& facts) {
    if (facts.wish == WindowWish::cpu)
        return {WindowKind::cpu, "KOBALT_WINDOWS=cpu"};
    if (!facts.has_surface_extension)
        return {WindowKind::cpu, "Vulkan offers no " + facts.surface_extension, true};
    if (!facts.has_swapchains)
        return {WindowKind::cpu, "the device has no swapchains: " + facts.no_swapchains, true};
    const bool wished = facts.wish == WindowWish::swapchain;
    const auto copies = [&](const std::string& why) -> WindowChoice {
        return {WindowKind::cpu, (wished ? "KOBALT_WINDOWS=swapchain is impossible: " : "") + why,
                true};
    };
    const std::string lack = lacking(facts);
    if (!lack.empty() && (!wished || crashes_without_dri3(facts)))
        return copies(lack);
    if (shows_wrongly(facts))
        return copies(
            "the X window's pixels aren't 32 bits with blue lowest, which Mesa's swapchains need");
    if (wished)
        return {WindowKind::swapchain, "KOBALT_WINDOWS=swapchain"};
    // Such windows are the usual ones of CPUs on Xvfb and VNC, so nobody is told.
    if (ignores_shared_memory(facts))
        return {WindowKind::cpu, "the device's swapchains use no shared memory without DRI3"};
    return {WindowKind::swapchain, "the device presents to this window system"};
}

} // namespace kobalt::present
