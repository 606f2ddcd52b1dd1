// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Drawn pixels and bitmaps of compatibility profiles: rows, transfers of indices, zoom and
// overlaps.
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class DrawnPixelsTest : public FixedFunctionTest {
protected:
    void prepare() override {
        FixedFunctionTest::prepare();
        gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    }
    /// Places the raster position at a pixel's lower left corner; it need not be in the window.
    static void place(int x, int y) {
        gl::RasterPos2f(-1, -1);
        gl::Bitmap(0, 0, 0, 0, static_cast<float>(x), static_cast<float>(y), nullptr);
    }
};

// GL 4.6 (compatibility), 8.4.4.1 and 8.4.5: colour indices lie in rows, of which a part may be
// drawn or seen, and are shifted and offset before they are looked up.
TEST_F(DrawnPixelsTest, ColourIndices) {
    std::vector<float> map(256);
    for (size_t i = 0; i < map.size(); ++i)
        map[i] = static_cast<float>(i) / 255;
    for (const GLenum which :
         {GL_PIXEL_MAP_I_TO_R, GL_PIXEL_MAP_I_TO_G, GL_PIXEL_MAP_I_TO_B, GL_PIXEL_MAP_I_TO_A})
        gl::PixelMapfv(which, 256, map.data());
    std::array<std::uint8_t, 12> indices{};
    for (size_t i = 0; i < indices.size(); ++i)
        indices[i] = static_cast<std::uint8_t>(10 * i);
    const auto expect_index = [](int x, int y, int index) {
        const auto value = static_cast<std::uint8_t>(index);
        expect_pixel(x, y, {value, value, value, value}, 1);
    };
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 6);
    gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, 1);
    place(4, 4);
    gl::DrawPixels(4, 2, GL_COLOR_INDEX, GL_UNSIGNED_BYTE, indices.data());
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    place(-2, 8);
    gl::DrawPixels(6, 2, GL_COLOR_INDEX, GL_UNSIGNED_BYTE, indices.data());
    for (int i = 0; i < 4; ++i) {
        expect_index(4 + i, 4, 10 + 10 * i);
        expect_index(4 + i, 5, 70 + 10 * i);
        expect_index(i, 8, 20 + 10 * i);
        expect_index(i, 9, 80 + 10 * i);
    }
    gl::PixelTransferi(GL_INDEX_SHIFT, 1);
    gl::PixelTransferi(GL_INDEX_OFFSET, 5);
    place(0, 8);
    gl::DrawPixels(4, 1, GL_COLOR_INDEX, GL_UNSIGNED_BYTE, indices.data());
    gl::PixelTransferi(GL_INDEX_SHIFT, 0);
    gl::PixelTransferi(GL_INDEX_OFFSET, 0);
    place(0, 9); // of the same memory, but not the same texels
    gl::DrawPixels(4, 1, GL_COLOR_INDEX, GL_UNSIGNED_BYTE, indices.data());
    for (int i = 0; i < 4; ++i) {
        expect_index(i, 8, 20 * i + 5);
        expect_index(i, 9, 10 * i);
    }
}

// GL 4.6 (compatibility), 8.4.5: so are stencil indices.
TEST_F(DrawnPixelsTest, StencilIndices) {
    const std::array<std::uint8_t, 2> indices{1, 6};
    const auto drawn = [&] {
        place(0, 0);
        gl::DrawPixels(2, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, indices.data());
        gl::PixelTransferi(GL_INDEX_SHIFT, 0);
        gl::PixelTransferi(GL_INDEX_OFFSET, 0);
        std::array<std::uint8_t, 4> read{};
        gl::ReadPixels(0, 0, 2, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, read.data());
        return std::array{read[0], read[1]};
    };
    gl::PixelTransferi(GL_INDEX_SHIFT, 1);
    gl::PixelTransferi(GL_INDEX_OFFSET, 3);
    EXPECT_EQ(drawn(), (std::array<std::uint8_t, 2>{5, 15}));
    EXPECT_EQ(drawn(), indices);
}

// GL 4.6 (compatibility), Pixel Rectangles: pixels are drawn whose centres are in the zoomed texel.
TEST_F(DrawnPixelsTest, ZoomedBetweenRows) {
    const std::vector<Byte4> texels(4, kGreen);
    gl::PixelZoom(1, 1.75F);
    place(4, 8);
    gl::DrawPixels(4, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::PixelZoom(1, 1);
    expect_area(4, 8, 4, 2, kGreen);
    EXPECT_EQ(lit(), 8);
}

// GL 4.6 (compatibility), Bitmaps: each draws fragments of its own, also where one was before.
TEST_F(DrawnPixelsTest, BitmapsOverOneAnother) {
    const std::array<GLubyte, 8> solid{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    const auto draw_twice = [&](int x) {
        place(x, 0);
        gl::Bitmap(8, 8, 0, 0, 0, 0, solid.data());
        gl::Bitmap(8, 8, 0, 0, 0, 0, solid.data());
    };
    gl::Color4f(1, 1, 1, 0);
    gl::Enable(GL_COLOR_LOGIC_OP);
    gl::LogicOp(GL_XOR);
    draw_twice(0);
    gl::Disable(GL_COLOR_LOGIC_OP);
    expect_area(0, 0, 8, 8, kBlack);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    gl::Color4f(0, 0.25F, 0, 0);
    draw_twice(8);
    gl::Disable(GL_BLEND);
    expect_area(8, 0, 8, 8, {0, 128, 0, 255});
}

} // namespace
} // namespace kobalt::gltest
