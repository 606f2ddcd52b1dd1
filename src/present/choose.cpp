// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/choose.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace kobalt::present {

namespace {

/// The UNORM format with the same bits, for the sRGB and packed formats of windows.
VkFormat plain(VkFormat format) {
    switch (format) {
    case VK_FORMAT_B8G8R8A8_SRGB:
        return VK_FORMAT_B8G8R8A8_UNORM;
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_UNORM_PACK32: // the same bytes on little-endian machines
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return VK_FORMAT_R8G8B8A8_UNORM;
    default:
        return format;
    }
}

bool is_srgb(VkFormat format) {
    return format == VK_FORMAT_B8G8R8A8_SRGB || format == VK_FORMAT_R8G8B8A8_SRGB ||
           format == VK_FORMAT_A8B8G8R8_SRGB_PACK32;
}

/// The formats to convert to, best first, where no offered format has the image's bits.
std::span<const VkFormat> substitutes(VkFormat source) {
    static constexpr VkFormat srgb[] = {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB,
                                        VK_FORMAT_A8B8G8R8_SRGB_PACK32};
    static constexpr VkFormat deep[] = {
        VK_FORMAT_A2R10G10B10_UNORM_PACK32, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
        VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM};
    static constexpr VkFormat common[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM,
                                          VK_FORMAT_A8B8G8R8_UNORM_PACK32,
                                          VK_FORMAT_R5G6B5_UNORM_PACK16};
    if (is_srgb(source))
        return srgb;
    switch (source) {
    case VK_FORMAT_A2R10G10B10_UNORM_PACK32:
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
    case VK_FORMAT_R16G16B16A16_SFLOAT:
    case VK_FORMAT_R16G16B16A16_UNORM:
        return deep;
    default:
        return common;
    }
}

template <class T>
bool contains(std::span<const T> list, T value) {
    return std::ranges::find(list, value) != list.end();
}

} // namespace

bool same_bits(VkFormat a, VkFormat b) {
    return plain(a) == plain(b);
}

std::optional<FormatChoice> choose_format(std::span<const VkSurfaceFormatKHR> offered,
                                          VkFormat source) {
    const auto find = [&](auto&& fits) -> const VkSurfaceFormatKHR* {
        for (const VkSurfaceFormatKHR& format : offered)
            if (format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR && fits(format.format))
                return &format;
        return nullptr;
    };
    // An UNORM swapchain is preferred even for an sRGB image: the bits are the same, and every
    // platform shows them as sRGB.
    if (const auto* exact = find([&](VkFormat f) { return f == plain(source); }))
        return FormatChoice{*exact, false};
    if (const auto* equal = find([&](VkFormat f) { return same_bits(f, source); }))
        return FormatChoice{*equal, false};
    for (const VkFormat substitute : substitutes(source))
        if (const auto* other = find([&](VkFormat f) { return f == substitute; }))
            return FormatChoice{*other, true};
    if (offered.empty())
        return std::nullopt;
    return FormatChoice{offered.front(), !same_bits(offered.front().format, source)};
}

VkPresentModeKHR choose_present_mode(std::span<const VkPresentModeKHR> offered, int interval) {
    static constexpr VkPresentModeKHR at_once[] = {VK_PRESENT_MODE_IMMEDIATE_KHR,
                                                   VK_PRESENT_MODE_MAILBOX_KHR};
    static constexpr VkPresentModeKHR late_at_once[] = {VK_PRESENT_MODE_FIFO_RELAXED_KHR};
    std::span<const VkPresentModeKHR> wanted;
    if (interval == 0)
        wanted = at_once;
    else if (interval < 0)
        wanted = late_at_once;
    for (const VkPresentModeKHR mode : wanted)
        if (contains(offered, mode))
            return mode;
    return VK_PRESENT_MODE_FIFO_KHR; // the one mode that every surface has
}

VkCompositeAlphaFlagBitsKHR choose_composite_alpha(VkCompositeAlphaFlagsKHR offered,
                                                   bool translucent) {
    static constexpr VkCompositeAlphaFlagBitsKHR with_alpha[] = {
        VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR, VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR};
    static constexpr VkCompositeAlphaFlagBitsKHR without_alpha[] = {
        VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR};
    for (const VkCompositeAlphaFlagBitsKHR bit : translucent ? with_alpha : without_alpha)
        if (offered & bit)
            return bit;
    return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
}

uint32_t choose_image_count(const VkSurfaceCapabilitiesKHR& capabilities, VkPresentModeKHR mode) {
    const uint32_t wanted = mode == VK_PRESENT_MODE_MAILBOX_KHR ? 4 : 3;
    uint32_t count = std::max(capabilities.minImageCount, wanted);
    if (capabilities.maxImageCount)
        count = std::min(count, capabilities.maxImageCount);
    return count;
}

VkExtent2D choose_extent(const VkSurfaceCapabilitiesKHR& capabilities, VkExtent2D wanted) {
    if (capabilities.currentExtent.width != UINT32_MAX)
        return capabilities.currentExtent;
    if (!capabilities.maxImageExtent.width || !capabilities.maxImageExtent.height)
        return {0, 0};
    return {std::clamp(wanted.width, capabilities.minImageExtent.width,
                       capabilities.maxImageExtent.width),
            std::clamp(wanted.height, capabilities.minImageExtent.height,
                       capabilities.maxImageExtent.height)};
}

} // namespace kobalt::present
