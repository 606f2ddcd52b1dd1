// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <optional>
#include <span>

#include "vulkan/base/vk.h"

namespace kobalt::present {

/// The format of a swapchain and how frames get into it.
struct FormatChoice {
    VkSurfaceFormatKHR surface{};
    bool blit = false; ///< channels or depths differ: convert; otherwise bits are copied
};

/// Whether texels of both formats have the same bits: the formats are equal, or differ only in sRGB
/// encoding, which a copy must not change.
bool same_bits(VkFormat a, VkFormat b);

/// The best surface format for presenting images of format `source`. Empty: none is offered.
std::optional<FormatChoice> choose_format(std::span<const VkSurfaceFormatKHR> offered,
                                          VkFormat source);

/// The present mode for an interval of GLX_EXT_swap_control: 0 presents immediately (tearing, else
/// mailbox), n > 0 at a vertical blank (the window repeats frames for n > 1), n < 0 presents late
/// frames at once (GLX_EXT_swap_control_tear).
VkPresentModeKHR choose_present_mode(std::span<const VkPresentModeKHR> offered, int interval);

/// How the compositor uses alpha: it does only if `translucent`, that is if the drawable has alpha
/// and isn't presented opaque.
VkCompositeAlphaFlagBitsKHR choose_composite_alpha(VkCompositeAlphaFlagsKHR offered,
                                                   bool translucent);

/// The number of images to request: one on the screen, one waiting, one being drawn.
uint32_t choose_image_count(const VkSurfaceCapabilitiesKHR& capabilities, VkPresentModeKHR mode);

/// The extent the swapchain must have: the window's where the platform knows it, else `wanted`
/// within the surface's limits. 0 by 0: nothing can be presented now.
VkExtent2D choose_extent(const VkSurfaceCapabilitiesKHR& capabilities, VkExtent2D wanted);

} // namespace kobalt::present
