// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vulkan/base/vk.h"

namespace kobalt::present {

/// What shows the frames of a window.
enum class WindowKind {
    swapchain, ///< Vulkan's own presentation
    cpu,       ///< copies in host memory, which a thread puts to the window system
};

/// KOBALT_WINDOWS.
enum class WindowWish { automatic, swapchain, cpu };

/// The wish of a text of Environment::windows.
WindowWish window_wish(std::string_view text);

/// The extensions of an X server that Vulkan drivers present with.
struct X11Extensions {
    bool dri3 = false;
    bool present = false;
    bool shm = false;
};

/// What decides about the kind of a window. None of it needs the Vulkan driver's window code.
struct WindowFacts {
    WindowWish wish = WindowWish::automatic;
    std::string surface_extension;      ///< the one that the window system needs
    bool has_surface_extension = false; ///< the instance has it
    bool has_swapchains = false;        ///< the device has VK_KHR_swapchain
    std::string no_swapchains;          ///< why it hasn't
    bool is_cpu = false;                ///< the device is a CPU
    VkDriverId driver = VK_DRIVER_ID_MAX_ENUM;
    std::optional<X11Extensions> x11; ///< empty: no X window
    /// Of the X window's pixels, VK_FORMAT_UNDEFINED where no format has their bits. Empty: no X
    /// window, or it is gone.
    std::optional<VkFormat> x11_pixels;
};

struct WindowChoice {
    WindowKind kind = WindowKind::swapchain;
    std::string reason; ///< one line
    /// The kind is not the one that such a device has elsewhere, so the user is told.
    bool notable = false;
};

/// The kind of a window. The wish for a swapchain isn't followed where the driver is known to crash
/// or to show the wrong picture. A swapchain that then can't be made is a reason for the other kind
/// as well, but where the wish is `swapchain`.
WindowChoice choose_window(const WindowFacts& facts);

} // namespace kobalt::present
