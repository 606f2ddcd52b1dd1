// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Pixels that are drawn from the middle of a larger picture (OpenGL 4.6, compatibility profile,
// 8.4.4), also where calls are executed by another thread (mesa_glthread).
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

} // namespace
} // namespace kobalt::gltest
