// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/pixel_layout.h"

#include <array>

#include <gtest/gtest.h>

namespace kobalt::present {
namespace {

constexpr PixelMasks usual = {
    .bits = 32, .red = 0xff0000, .green = 0xff00, .blue = 0xff, .depth = 24};

TEST(PixelLayout, MasksNameAFormat) {
    const auto format = [](PixelMasks masks) {
        const auto layout = pixel_layout(masks);
        return layout ? layout->format : VK_FORMAT_UNDEFINED;
    };
    EXPECT_EQ(format(usual), VK_FORMAT_B8G8R8A8_UNORM);
    EXPECT_EQ(format({32, 0xff, 0xff00, 0xff0000, 24}), VK_FORMAT_R8G8B8A8_UNORM);
    EXPECT_EQ(format({32, 0x3ff00000, 0xffc00, 0x3ff, 30}), VK_FORMAT_A2R10G10B10_UNORM_PACK32);
    EXPECT_EQ(format({32, 0x3ff, 0xffc00, 0x3ff00000, 30}), VK_FORMAT_A2B10G10R10_UNORM_PACK32);
    EXPECT_EQ(format({16, 0xf800, 0x7e0, 0x1f, 16}), VK_FORMAT_R5G6B5_UNORM_PACK16);
    EXPECT_EQ(format({16, 0x7c00, 0x3e0, 0x1f, 15}), VK_FORMAT_A1R5G5B5_UNORM_PACK16);
    EXPECT_EQ(format({24, 0xff0000, 0xff00, 0xff, 24}), VK_FORMAT_UNDEFINED);
    EXPECT_EQ(format({8, 0, 0, 0, 8}), VK_FORMAT_UNDEFINED);
}

TEST(PixelLayout, AlphaIsWhatTheDepthHasBeyondTheColours) {
    EXPECT_EQ(pixel_layout(usual)->alpha, 0u);
    PixelMasks argb = usual;
    argb.depth = 32;
    EXPECT_EQ(pixel_layout(argb)->alpha, 0xff000000u);
    EXPECT_EQ(pixel_layout({32, 0x3ff00000, 0xffc00, 0x3ff, 30})->alpha, 0u);
    EXPECT_EQ(pixel_layout({32, 0x3ff00000, 0xffc00, 0x3ff, 32})->alpha, 0xc0000000u);
    EXPECT_EQ(pixel_layout({16, 0x7c00, 0x3e0, 0x1f, 16})->alpha, 0x8000u);
}

TEST(PixelLayout, RowsAreAligned) {
    PixelLayout layout = *pixel_layout({16, 0xf800, 0x7e0, 0x1f, 16});
    EXPECT_EQ(layout.stride(3), 8u);
    EXPECT_EQ(layout.stride(4), 8u);
    layout.row_alignment = 8;
    EXPECT_EQ(layout.stride(5), 16u);
    EXPECT_EQ(pixel_layout(usual)->stride(5), 20u);
}

TEST(PixelLayout, BlitsKeepTheEncoding) {
    const PixelLayout bgra = *pixel_layout(usual);
    EXPECT_EQ(blit_format(VK_FORMAT_R8G8B8A8_SRGB, bgra), VK_FORMAT_B8G8R8A8_SRGB);
    EXPECT_EQ(blit_format(VK_FORMAT_R8G8B8A8_UNORM, bgra), VK_FORMAT_B8G8R8A8_UNORM);
}

TEST(PixelLayout, OnlyAlphaBecomesOpaque) {
    std::array<uint32_t, 2> pixels = {0x00123456, 0x80ffffff};
    make_opaque(std::as_writable_bytes(std::span(pixels)), *pixel_layout(usual));
    EXPECT_EQ(pixels[0], 0x00123456u);
    PixelMasks argb = usual;
    argb.depth = 32;
    make_opaque(std::as_writable_bytes(std::span(pixels)), *pixel_layout(argb));
    EXPECT_EQ(pixels[0], 0xff123456u);
    EXPECT_EQ(pixels[1], 0xffffffffu);
}

} // namespace
} // namespace kobalt::present
