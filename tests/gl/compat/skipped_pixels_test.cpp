// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Pixels that are drawn from the middle of a larger picture, or beyond the framebuffer's edge
// (OpenGL 4.6, compatibility profile, 8.4.4 and 17.3), also where calls are executed by another
// thread (mesa_glthread).
#include <algorithm>

#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class SkippedPixelsTest : public FixedFunctionTest {
protected:
    static constexpr int kRowLength = 9;
    static constexpr int kSkippedRows = 3;
    static constexpr int kSkippedPixels = 2;
    static constexpr int kWidth = 4;
    static constexpr int kHeight = 5;
    static void skip() {
        gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
        gl::PixelStorei(GL_UNPACK_ROW_LENGTH, kRowLength);
        gl::PixelStorei(GL_UNPACK_SKIP_ROWS, kSkippedRows);
        gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, kSkippedPixels);
        gl::RasterPos2f(-1, -1);
    }
};

TEST_F(SkippedPixelsTest, Drawn) {
    skip();
    // The picture's last byte is the last one of the memory that is there.
    std::vector<std::uint8_t> texels(
        (kSkippedRows + kHeight - 1) * kRowLength + kSkippedPixels + kWidth, 200);
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            texels.at(static_cast<std::size_t>((kSkippedRows + y) * kRowLength + kSkippedPixels +
                                               x)) = static_cast<std::uint8_t>(10 * y + x);
        }
    }
    gl::DrawPixels(kWidth, kHeight, GL_RED, GL_UNSIGNED_BYTE, texels.data());
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            expect_pixel(x, y, {static_cast<std::uint8_t>(10 * y + x), 0, 0, 255}, 0);
        }
    }
}

TEST_F(SkippedPixelsTest, Bitmaps) {
    skip();
    constexpr int kRowBytes = (kRowLength + 7) / 8;
    std::vector<std::uint8_t> bits((kSkippedRows + kHeight) * kRowBytes);
    for (int y = 0; y < kHeight; ++y) {
        bits.at(static_cast<std::size_t>((kSkippedRows + y) * kRowBytes)) =
            0x28; // the first and third of four
    }
    gl::Color4f(0, 1, 0, 1);
    gl::RasterPos2f(-1, -1);
    gl::Bitmap(kWidth, kHeight, 0, 0, 0, 0, bits.data());
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            expect_pixel(x, y, x % 2 == 0 ? kGreen : kBlack);
        }
    }
    EXPECT_EQ(lit(), 2 * kHeight);
}

// 17.3: what lies outside is lost, also where the CPU writes stencil values for want of a shader
// that can.
TEST_F(SkippedPixelsTest, StencilBeyondTheEdge) {
    constexpr int kInside = 3;
    constexpr int kPicture = 8;
    gl::ClearStencil(0);
    gl::Clear(GL_STENCIL_BUFFER_BIT);
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
    const std::vector<std::uint8_t> values(std::size_t{kPicture} * kPicture, 7);
    gl::RasterPos2f(1 - kInside * 2.0F / kSize, 1 - kInside * 2.0F / kSize);
    gl::DrawPixels(kPicture, kPicture, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, values.data());
    const auto count = [] {
        std::vector<std::uint8_t> stencil(std::size_t{kSize} * kSize);
        gl::ReadPixels(0, 0, kSize, kSize, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
        return std::ranges::count(stencil, 7);
    };
    EXPECT_EQ(count(), kInside * kInside);
    gl::RasterPos2f(-1, -1);
    gl::CopyPixels(kSize - kInside, kSize - kInside, kInside, kInside, GL_STENCIL);
    EXPECT_EQ(count(), 2 * kInside * kInside);
    gl::RasterPos2f(1 - 2.0F / kSize, 1 - kInside * 2.0F / kSize); // one column of it is inside
    gl::CopyPixels(0, 0, kInside, kInside, GL_STENCIL);
    EXPECT_EQ(count(), 2 * kInside * kInside);
}

} // namespace
} // namespace kobalt::gltest
