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

/// Whether texels of both formats have the same bits: equal, or apart only in sRGB encoding, which
/// a copy must leave alone.
bool same_bits(VkFormat a, VkFormat b);

/// The surface format that shows images of format `source` best. Empty: none is offered.
std::optional<FormatChoice> choose_format(std::span<const VkSurfaceFormatKHR> offered,
                                          VkFormat source);

/// GLX_EXT_swap_control's interval as a present mode: 0 immediately (tearing, else mailbox), n > 0
/// at a vertical blank (the window repeats frames for n > 1), n < 0 late frames at once
/// (GLX_EXT_swap_control_tear).
VkPresentModeKHR choose_present_mode(std::span<const VkPresentModeKHR> offered, int interval);

/// How the compositor reads alpha: only where the drawable has it and isn't presented opaque.
VkCompositeAlphaFlagBitsKHR choose_composite_alpha(VkCompositeAlphaFlagsKHR offered,
                                                   bool translucent);

/// Images to ask for: one being shown, one waiting, one being drawn.
uint32_t choose_image_count(const VkSurfaceCapabilitiesKHR& capabilities, VkPresentModeKHR mode);

/// The extent the swapchain must have: the window's where the platform knows it, else `wanted`
/// within the surface's limits. 0 by 0: nothing can be shown now.
VkExtent2D choose_extent(const VkSurfaceCapabilitiesKHR& capabilities, VkExtent2D wanted);

} // namespace kobalt::present
