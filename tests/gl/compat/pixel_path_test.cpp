// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Bitmaps, drawn, copied and read pixels, selection and feedback of compatibility profiles.
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

/// A bitmap without a hole.
constexpr std::array<GLubyte, 8> kSolid{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

class PixelPathTest : public FixedFunctionTest {
protected:
    void prepare() override {
        FixedFunctionTest::prepare();
        gl::MatrixMode(GL_PROJECTION);
        gl::LoadIdentity();
        gl::Ortho(0, kSize, 0, kSize, -1, 1);
        gl::MatrixMode(GL_MODELVIEW);
    }
};

TEST_F(PixelPathTest, Bitmap) {
    const std::array<GLubyte, 8> letter{0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81};
    gl::Color4f(0, 1, 0, 1);
    gl::RasterPos2i(4, 4);
    gl::Bitmap(8, 8, 0, 0, 10, 0, letter.data());
    gl::Bitmap(8, 8, 0, 0, 10, 0, letter.data());
    EXPECT_EQ(lit(), 32);
    for (int i = 0; i < 8; ++i) {
        expect_pixel(4 + i, 4 + i, kGreen);
        expect_pixel(14 + i, 11 - i, kGreen);
    }
}

TEST_F(PixelPathTest, BitmapsShareTheCacheInOrder) {
    for (int i = 0; i < 4; ++i) {
        // The colour at glRasterPos counts, not the one at glBitmap.
        gl::Color4f(i % 2 ? 1.0F : 0.0F, i % 2 ? 0.0F : 1.0F, 0, 1);
        gl::RasterPos2i(i * 8, 0);
        gl::Color4f(0, 0, 1, 1);
        gl::Bitmap(8, 8, 0, 0, 0, 0, kSolid.data());
    }
    for (int i = 0; i < 4; ++i) {
        expect_area(i * 8, 0, 8, 8, i % 2 ? kRed : kGreen);
    }
}

// Bitmaps are drawn together later, but as things were at the call.
TEST_F(PixelPathTest, BitmapsOfTexturesThatGo) {
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kGreen.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::Enable(GL_TEXTURE_2D);
    gl::RasterPos2i(0, 0);
    gl::Bitmap(8, 8, 0, 0, 0, 0, kSolid.data());
    gl::Disable(GL_TEXTURE_2D);
    expect_area(0, 0, 8, 8, kGreen);
    gl::Enable(GL_TEXTURE_2D);
    gl::RasterPos2i(8, 0);
    gl::Bitmap(8, 8, 0, 0, 0, 0, kSolid.data());
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kRed.data());
    expect_area(8, 0, 8, 8, kGreen);
    gl::Disable(GL_TEXTURE_2D);
    gl::RasterPos2i(16, 0);
    gl::Color4f(0, 0, 0, 0.2F);
    gl::Bitmap(8, 8, 0, 0, 0, 0, kSolid.data());
    gl::AlphaFunc(GL_LESS, 0.5F);
    gl::Enable(GL_ALPHA_TEST); // after it
    expect_area(16, 0, 8, 8, kWhite);
    gl::Disable(GL_ALPHA_TEST);
}

TEST_F(PixelPathTest, AlphaTest) {
    gl::AlphaFunc(GL_GREATER, 0.5F);
    gl::Enable(GL_ALPHA_TEST);
    for (const bool seen : {false, true}) {
        const Byte4 colour{0, 255, 0, static_cast<std::uint8_t>(seen ? 204 : 51)};
        const std::vector<Byte4> texels(16, colour);
        gl::Color4f(0, 1, 0, seen ? 0.8F : 0.2F);
        gl::RasterPos2i(0, 0);
        gl::Bitmap(4, 4, 0, 0, 0, 0, kSolid.data());
        gl::RasterPos2i(8, 0);
        gl::DrawPixels(4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        EXPECT_EQ(count_pixels(read_picture(kSize, kSize), colour), seen ? 32 : 0);
    }
    gl::Disable(GL_ALPHA_TEST);
}

TEST_F(PixelPathTest, DrawPixels) {
    std::array<Byte4, 16> picture{};
    for (size_t i = 0; i < 16; ++i) {
        picture[i] = {static_cast<std::uint8_t>(i * 16), 255, 7, 255};
    }
    gl::RasterPos2i(3, 5);
    gl::DrawPixels(4, 4, GL_RGBA, GL_UNSIGNED_BYTE, picture.data());
    for (int i = 0; i < 16; ++i) {
        expect_pixel(3 + i % 4, 5 + i / 4, picture[static_cast<size_t>(i)], 0);
    }
}

TEST_F(PixelPathTest, DrawPixelsZoomedAndFlipped) {
    const std::array<Byte4, 4> picture{kRed, kGreen, kBlue, kWhite};
    gl::RasterPos2i(8, 16);
    gl::PixelZoom(4, -4);
    gl::DrawPixels(2, 2, GL_RGBA, GL_UNSIGNED_BYTE, picture.data());
    gl::PixelZoom(1, 1);
    expect_area(8, 12, 4, 4, kRed);
    expect_area(12, 12, 4, 4, kGreen);
    expect_area(8, 8, 4, 4, kBlue);
    expect_area(12, 8, 4, 4, kWhite);
}

// OpenGL 4.6 (compatibility), 8.4.4.1: rows begin at multiples of the alignment, also where the
// same memory was drawn with another one.
TEST_F(PixelPathTest, DrawPixelsWithOtherAlignments) {
    std::array<GLubyte, 16> rows{};
    rows.fill(51);
    rows[3] = 102; // the second row's first, without a gap
    rows[4] = 204; // with one
    for (const auto& [alignment, seen] :
         {std::pair{4, GLubyte{204}}, {1, GLubyte{102}}, {4, GLubyte{204}}}) {
        gl::PixelStorei(GL_UNPACK_ALIGNMENT, alignment);
        gl::RasterPos2i(2, 2);
        gl::DrawPixels(3, 2, GL_LUMINANCE, GL_UNSIGNED_BYTE, rows.data());
        expect_pixel(2, 3, {seen, seen, seen, 255}, 0);
    }
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    rows[4] = 153; // the first 6 bytes are as before, but for one that wasn't drawn
    gl::RasterPos2i(2, 2);
    gl::DrawPixels(3, 2, GL_LUMINANCE, GL_UNSIGNED_BYTE, rows.data());
    expect_pixel(2, 3, {153, 153, 153, 255}, 0);
    rows[6] = 0;
    gl::RasterPos2i(2, 2);
    gl::DrawPixels(3, 2, GL_LUMINANCE, GL_UNSIGNED_BYTE, rows.data());
    expect_pixel(4, 3, {0, 0, 0, 255}, 0);
}

TEST_F(PixelPathTest, DrawPixelsFloatLuminanceAndScale) {
    const std::array<float, 4> picture{0.25F, 0.5F, 0.75F, 1.0F};
    gl::RasterPos2i(0, 0);
    gl::DrawPixels(4, 1, GL_LUMINANCE, GL_FLOAT, picture.data());
    expect_pixel(1, 0, {128, 128, 128, 255}, 1);
    gl::PixelTransferf(GL_RED_SCALE, 0.5F);
    gl::PixelTransferf(GL_GREEN_BIAS, 0.25F);
    gl::RasterPos2i(0, 4);
    gl::DrawPixels(4, 1, GL_LUMINANCE, GL_FLOAT, picture.data());
    gl::PixelTransferf(GL_RED_SCALE, 1);
    gl::PixelTransferf(GL_GREEN_BIAS, 0);
    expect_pixel(1, 4, {64, 191, 128, 255}, 1);
}

TEST_F(PixelPathTest, DrawDepthAndStencilPixels) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    const std::vector<float> depth(16, 0.25F);
    gl::RasterPos2i(2, 2);
    gl::DrawPixels(4, 4, GL_DEPTH_COMPONENT, GL_FLOAT, depth.data());
    float value = 0;
    gl::ReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &value);
    EXPECT_NEAR(value, 0.25F, 1e-5F);
    const std::vector<std::uint8_t> stencil(16, 99);
    gl::DrawPixels(4, 4, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
    std::uint8_t read = 0;
    gl::ReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &read);
    EXPECT_EQ(read, 99);
    const std::array<std::uint8_t, 4> bits{0x40, 0, 0, 0}; // each row has its own word
    gl::DrawPixels(4, 1, GL_STENCIL_INDEX, GL_BITMAP, bits.data());
    std::array<std::uint8_t, 4> row{};
    gl::ReadPixels(2, 2, 4, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, row.data());
    EXPECT_EQ(row, (std::array<std::uint8_t, 4>{0, 1, 0, 0}));
}

TEST_F(PixelPathTest, CopyPixels) {
    gl::Color4f(0, 1, 0, 1);
    quad(0, 0, 8, 8);
    gl::RasterPos2i(16, 16);
    gl::CopyPixels(0, 0, 8, 8, GL_COLOR);
    expect_area(16, 16, 8, 8, kGreen);
    EXPECT_EQ(lit(), 128);
}

TEST_F(PixelPathTest, CopyPixelsZoomed) {
    gl::Color4f(0, 1, 0, 1);
    quad(0, 0, 4, 4);
    gl::RasterPos2i(8, 8);
    gl::PixelZoom(4, 4);
    gl::CopyPixels(0, 0, 4, 4, GL_COLOR);
    gl::PixelZoom(1, 1);
    expect_area(8, 8, 16, 16, kGreen);
}

TEST_F(PixelPathTest, ReadPixelsLuminanceAndIndexMaps) {
    gl::ClearColor(0.2F, 0.4F, 0.2F, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    float luminance = 0;
    gl::ReadPixels(0, 0, 1, 1, GL_LUMINANCE, GL_FLOAT, &luminance);
    EXPECT_NEAR(luminance, 0.8F, 0.01F);
}

// Each channel has a map of its own.
TEST_F(PixelPathTest, MappedColoursOfDrawnAndCopiedPixels) {
    constexpr std::array kMaps{GL_PIXEL_MAP_R_TO_R, GL_PIXEL_MAP_G_TO_G, GL_PIXEL_MAP_B_TO_B,
                               GL_PIXEL_MAP_A_TO_A};
    for (size_t c = 0; c < kMaps.size(); ++c) {
        std::array<float, 4> map{};
        for (size_t i = 0; i < map.size(); ++i) {
            map[i] = static_cast<float>(16 * c + 3 * i + 20) / 255;
        }
        gl::PixelMapfv(static_cast<GLenum>(kMaps[c]), 4, map.data());
    }
    const Byte4 colour{0, 85, 170, 255}; // the first, second, third and last of four
    gl::PixelTransferi(GL_MAP_COLOR, GL_TRUE);
    gl::RasterPos2i(2, 2);
    gl::DrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, colour.data());
    gl::PixelTransferi(GL_MAP_COLOR, GL_FALSE);
    expect_pixel(2, 2, {20, 39, 58, 77});
    const Byte4 between{50, 120, 140, 210}; // 0.59, 1.41, 1.65 and 2.47 of three
    gl::RasterPos2i(3, 2);
    gl::PixelTransferi(GL_MAP_COLOR, GL_TRUE);
    gl::DrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, between.data());
    gl::PixelTransferi(GL_MAP_COLOR, GL_FALSE);
    expect_pixel(3, 2, {23, 39, 58, 74});
    gl::RasterPos2i(4, 4);
    gl::DrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, colour.data());
    gl::PixelTransferi(GL_MAP_COLOR, GL_TRUE);
    gl::RasterPos2i(6, 6);
    gl::CopyPixels(4, 4, 1, 1, GL_COLOR);
    gl::PixelTransferi(GL_MAP_COLOR, GL_FALSE);
    expect_pixel(6, 6, {20, 39, 58, 77});
}

// OpenGL 4.6 (compatibility), 8.11.4: nothing is done to what comes from a texture.
TEST_F(PixelPathTest, TexturesAreReadWithoutTransfers) {
    const std::array<float, 2> depths{0.5F, 1};
    texture_2d(GL_DEPTH_COMPONENT24, 2, 1, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    gl::PixelTransferf(GL_DEPTH_SCALE, 0.5F);
    gl::PixelTransferf(GL_DEPTH_BIAS, 0.25F);
    std::array<std::uint16_t, 2> read{};
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, read.data());
    EXPECT_NEAR(read[0], 0x8000, 1);
    EXPECT_EQ(read[1], 0xffff);
    // What is uploaded is scaled.
    texture_2d(GL_DEPTH_COMPONENT24, 2, 1, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, read.data());
    EXPECT_NEAR(read[0], 0x8000, 1);
    EXPECT_NEAR(read[1], 0xbfff, 1);
    gl::PixelTransferf(GL_DEPTH_SCALE, 1);
    gl::PixelTransferf(GL_DEPTH_BIAS, 0);
}

TEST_F(PixelPathTest, StencilTexelsAreShiftedAndMapped) {
    if (!has_extension("GL_ARB_texture_stencil8")) {
        GTEST_SKIP() << "GL_ARB_texture_stencil8 is not offered";
    }
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    const std::array<std::uint8_t, 2> indices{1, 6};
    const auto uploaded = [&] {
        texture_2d(GL_STENCIL_INDEX8, 2, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, indices.data());
        std::array<std::int16_t, 2> read{};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX, GL_SHORT, read.data());
        return read;
    };
    gl::PixelTransferi(GL_INDEX_SHIFT, 1);
    gl::PixelTransferi(GL_INDEX_OFFSET, 3);
    EXPECT_EQ(uploaded(), (std::array<std::int16_t, 2>{5, 15}));
    gl::PixelTransferi(GL_INDEX_SHIFT, 0);
    gl::PixelTransferi(GL_INDEX_OFFSET, 0);
    constexpr std::array<float, 8> kMap{70, 60, 50, 40, 30, 20, 10, 0};
    gl::PixelMapfv(GL_PIXEL_MAP_S_TO_S, 8, kMap.data());
    gl::PixelTransferi(GL_MAP_STENCIL, GL_TRUE);
    EXPECT_EQ(uploaded(), (std::array<std::int16_t, 2>{60, 10}));
    gl::PixelTransferi(GL_MAP_STENCIL, GL_FALSE);
    EXPECT_EQ(uploaded(), (std::array<std::int16_t, 2>{1, 6}));
}

// OpenGL 4.6, compatibility profile, table 8.7: GL_BITMAP is a type of stencil indices, too.
TEST_F(PixelPathTest, StencilIndicesAsBits) {
    const std::array<std::uint8_t, 4> indices{0, 3, 0, 1};
    gl::RasterPos2i(2, 2);
    gl::DrawPixels(4, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, indices.data());
    std::array<std::uint8_t, 4> bits{}; // each row has its own word
    gl::ReadPixels(2, 2, 4, 1, GL_STENCIL_INDEX, GL_BITMAP, bits.data());
    EXPECT_EQ(bits[0] & 0xf0, 0x50);
    if (has_extension("GL_ARB_texture_stencil8")) {
        texture_2d(GL_STENCIL_INDEX8, 4, 1, GL_STENCIL_INDEX, GL_BITMAP, bits.data());
        std::array<std::uint8_t, 4> read{};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, read.data());
        EXPECT_EQ(read, (std::array<std::uint8_t, 4>{0, 1, 0, 1}));
        read = {};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX, GL_BITMAP, read.data());
        EXPECT_EQ(read[0] & 0xf0, 0x50);
    }
}

TEST_F(PixelPathTest, SelectionAndFeedbackModes) {
    std::array<GLuint, 32> names{};
    gl::SelectBuffer(static_cast<GLsizei>(names.size()), names.data());
    gl::RenderMode(GL_SELECT);
    gl::InitNames();
    gl::PushName(42);
    quad(0, 0, 8, 8);
    gl::LoadName(43);
    quad(100, 100, 108, 108);
    EXPECT_EQ(gl::RenderMode(GL_RENDER), 1);
    EXPECT_EQ(names[3], 42U);
    std::array<GLfloat, 64> feedback{};
    gl::FeedbackBuffer(static_cast<GLsizei>(feedback.size()), GL_2D, feedback.data());
    gl::RenderMode(GL_FEEDBACK);
    gl::Begin(GL_POINTS);
    gl::Vertex2f(8, 16);
    gl::End();
    EXPECT_EQ(gl::RenderMode(GL_RENDER), 3);
    EXPECT_EQ(feedback[0], static_cast<float>(GL_POINT_TOKEN));
    EXPECT_NEAR(feedback[1], 8.0F, 0.01F);
    EXPECT_NEAR(feedback[2], 16.0F, 0.01F);
}

} // namespace
} // namespace kobalt::gltest
