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

/// What the X server lacks for the driver; empty: nothing.
std::string lacking(const WindowFacts& facts) {
    if (!facts.x11 || !needs_dri3(facts) || (facts.x11->dri3 && facts.x11->present))
        return {};
    const char* name = facts.x11->dri3 ? "Present" : "DRI3";
    return std::string("the X server has no ") + name + ", which the device's driver needs";
}

} // namespace

std::optional<WindowWish> parse_window_wish(std::string_view text) {
    if (text.empty() || text == "auto")
        return WindowWish::automatic;
    if (text == "swapchain")
        return WindowWish::swapchain;
    if (text == "cpu")
        return WindowWish::cpu;
    return std::nullopt;
}

std::string meaningless_wish(std::string_view text) {
    return "KOBALT_WINDOWS is \"" + std::string(text) +
           "\", which means nothing; use auto, swapchain or cpu";
}

WindowChoice choose_window(const WindowFacts& facts) {
    if (facts.wish == WindowWish::cpu)
        return {WindowKind::cpu, "KOBALT_WINDOWS=cpu"};
    if (!facts.has_surface_extension)
        return {WindowKind::cpu, "Vulkan offers no " + facts.surface_extension, true};
    if (!facts.has_swapchains)
        return {WindowKind::cpu, "the device has no swapchains: " + facts.no_swapchains, true};
    const std::string lack = lacking(facts);
    const bool wished = facts.wish == WindowWish::swapchain;
    if (!lack.empty() && (!wished || crashes_without_dri3(facts)))
        return {WindowKind::cpu, lack, true};
    if (wished)
        return {WindowKind::swapchain, "KOBALT_WINDOWS=swapchain"};
    return {WindowKind::swapchain, "the device presents to this window system"};
}

} // namespace kobalt::present
