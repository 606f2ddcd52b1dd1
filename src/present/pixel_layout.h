// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "vulkan/base/vk.h"

namespace kobalt::present {

/// How a window system wants its pixels, as an X visual and its server's pixmap format tell.
struct PixelMasks {
    uint32_t bits = 0; ///< of a pixel in memory
    uint32_t red = 0;
    uint32_t green = 0;
    uint32_t blue = 0;
    uint32_t depth = 0; ///< bits of a pixel that count; those beyond the colours are alpha
};

/// Pixels of a window in memory.
struct PixelLayout {
    VkFormat format = VK_FORMAT_UNDEFINED; ///< the same bits, as Vulkan names them
    uint32_t bytes = 0;                    ///< of a pixel
    uint32_t alpha = 0;                    ///< mask of the bits that the window system blends with
    uint32_t row_alignment = 4;            ///< bytes

    /// Bytes from one row to the next.
    uint32_t stride(uint32_t width) const {
        return (width * bytes + row_alignment - 1) / row_alignment * row_alignment;
    }
};

/// Empty: Vulkan has no format with these bits that a GPU could be expected to write.
std::optional<PixelLayout> pixel_layout(const PixelMasks& masks);

/// The format in which an image's texels have the layout's bits once the image was blitted to it:
/// for an sRGB source the sRGB format, so that a blit doesn't change the encoding.
VkFormat blit_format(VkFormat source, const PixelLayout& layout);

/// Sets the alpha bits of all pixels: the window system takes them for coverage, and the drawable
/// has none.
void make_opaque(std::span<std::byte> pixels, const PixelLayout& layout);

} // namespace kobalt::present
