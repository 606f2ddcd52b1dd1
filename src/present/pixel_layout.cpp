// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/pixel_layout.h"

namespace kobalt::present {

namespace {

struct Known {
    uint32_t bits, red, green, blue;
    VkFormat format;
};

// Packed formats name their components from the most significant bit on, the others in the order of
// their bytes. All machines that Mesa's Vulkan drivers run on are little-endian.
constexpr Known known[] = {
    {32, 0x00ff0000, 0x0000ff00, 0x000000ff, VK_FORMAT_B8G8R8A8_UNORM},
    {32, 0x000000ff, 0x0000ff00, 0x00ff0000, VK_FORMAT_R8G8B8A8_UNORM},
    {32, 0x3ff00000, 0x000ffc00, 0x000003ff, VK_FORMAT_A2R10G10B10_UNORM_PACK32},
    {32, 0x000003ff, 0x000ffc00, 0x3ff00000, VK_FORMAT_A2B10G10R10_UNORM_PACK32},
    {16, 0xf800, 0x07e0, 0x001f, VK_FORMAT_R5G6B5_UNORM_PACK16},
    {16, 0x001f, 0x07e0, 0xf800, VK_FORMAT_B5G6R5_UNORM_PACK16},
    {16, 0x7c00, 0x03e0, 0x001f, VK_FORMAT_A1R5G5B5_UNORM_PACK16},
};

uint32_t low_bits(uint32_t count) {
    return count >= 32 ? UINT32_MAX : (1u << count) - 1;
}

template <class Pixel>
void set_bits(std::span<std::byte> pixels, uint32_t mask) {
    auto* pixel = reinterpret_cast<Pixel*>(pixels.data());
    const size_t count = pixels.size() / sizeof(Pixel);
    for (size_t i = 0; i < count; ++i)
        pixel[i] = static_cast<Pixel>(pixel[i] | mask);
}

} // namespace

std::optional<PixelLayout> pixel_layout(const PixelMasks& masks) {
    for (const Known& row : known) {
        if (row.bits != masks.bits || row.red != masks.red || row.green != masks.green ||
            row.blue != masks.blue)
            continue;
        PixelLayout layout;
        layout.format = row.format;
        layout.bytes = masks.bits / 8;
        layout.alpha =
            low_bits(masks.depth) & low_bits(masks.bits) & ~(masks.red | masks.green | masks.blue);
        return layout;
    }
    return std::nullopt;
}

VkFormat blit_format(VkFormat source, const PixelLayout& layout) {
    const bool srgb = source == VK_FORMAT_B8G8R8A8_SRGB || source == VK_FORMAT_R8G8B8A8_SRGB ||
                      source == VK_FORMAT_A8B8G8R8_SRGB_PACK32;
    if (srgb && layout.format == VK_FORMAT_B8G8R8A8_UNORM)
        return VK_FORMAT_B8G8R8A8_SRGB;
    if (srgb && layout.format == VK_FORMAT_R8G8B8A8_UNORM)
        return VK_FORMAT_R8G8B8A8_SRGB;
    return layout.format;
}

void make_opaque(std::span<std::byte> pixels, const PixelLayout& layout) {
    if (layout.alpha && layout.bytes == 4)
        set_bits<uint32_t>(pixels, layout.alpha);
    else if (layout.alpha && layout.bytes == 2)
        set_bits<uint16_t>(pixels, layout.alpha);
}

} // namespace kobalt::present
