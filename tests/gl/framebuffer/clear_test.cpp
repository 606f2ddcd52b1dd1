// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

namespace kobalt::gltest {
namespace {

class ClearTest : public GlTest {};

TEST_F(ClearTest, WholeTarget) {
    make_target();
    gl::ClearColor(0.25F, 0.5F, 0.75F, 1.0F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_area(0, 0, 32, 32, {64, 128, 191, 255});
}

TEST_F(ClearTest, ScissorLimitsTheClear) {
    make_black_target();
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(5, 7, 10, 3);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_area(5, 7, 10, 3, kRed);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kRed), 30);
}

TEST_F(ClearTest, EmptyScissorClearsNothing) {
    make_target();
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(3, 3, 0, 0);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_area(0, 0, 32, 32, kGreen);
}

TEST_F(ClearTest, ColourMaskKeepsChannels) {
    make_target();
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::ColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE);
    gl::ClearColor(0, 1, 1, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_area(0, 0, 32, 32, kYellow);
}

TEST_F(ClearTest, ClearAfterDrawAndDrawAfterClear) {
    make_target();
    const RectPainter painter;
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    painter.draw({-1, -1, 0, 0}, {1, 0, 0, 1});
    gl::Clear(GL_COLOR_BUFFER_BIT);
    painter.draw({0, 0, 1, 1}, {0, 1, 0, 1});
    expect_area(0, 0, 16, 16, kBlue);
    expect_area(16, 16, 16, 16, kGreen);
}

TEST_F(ClearTest, DiscardedRasterIgnoresClear) {
    make_target();
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_RASTERIZER_DISCARD);
    expect_area(0, 0, 32, 32, kGreen);
}

TEST_F(ClearTest, FloatBufferKeepsUnclampedValues) {
    make_target({8, 8, GL_RGBA32F});
    const Float4 value{-2.5F, 100.0F, 0.125F, 7.0F};
    gl::ClearBufferfv(GL_COLOR, 0, value.data());
    expect_near(pixel_float(4, 4), value, 0.0F);
}

TEST_F(ClearTest, SignedIntegerBuffer) {
    make_target({8, 8, GL_RGBA32I});
    const Int4 value{-7, 2147483647, -2147483647, 3};
    gl::ClearBufferiv(GL_COLOR, 0, value.data());
    EXPECT_EQ(pixel_int(7, 7), value);
}

TEST_F(ClearTest, UnsignedIntegerBuffer) {
    make_target({8, 8, GL_RGBA16UI});
    const Uint4 value{65535, 1, 256, 4097};
    gl::ClearBufferuiv(GL_COLOR, 0, value.data());
    EXPECT_EQ(pixel_uint(0, 7), value);
}

TEST_F(ClearTest, EachColourBufferOfMany) {
    const GLuint framebuffer = make_target().framebuffer;
    std::array<GLenum, 4> buffers{};
    for (GLuint i = 0; i < 4; ++i) {
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
        GLuint texture = texture_2d(GL_RGBA8, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture(GL_FRAMEBUFFER, buffers[i], texture, 0);
    }
    gl::DrawBuffers(4, buffers.data());
    for (GLint i = 0; i < 4; ++i) {
        const Float4 value{static_cast<float>(i) / 3.0F, 0, 1, 1};
        gl::ClearBufferfv(GL_COLOR, i, value.data());
    }
    for (GLuint i = 0; i < 4; ++i) {
        gl::ReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        expect_pixel(1, 1, {static_cast<std::uint8_t>(i * 85), 0, 255, 255});
    }
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    for (GLuint i = 0; i < 4; ++i) {
        gl::ReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        expect_area(0, 0, 32, 32, kGreen);
    }
}

class ClearDepthTest : public GlTest, public testing::WithParamInterface<GLenum> {};

TEST_P(ClearDepthTest, DepthAndStencilValues) {
    make_target({8, 8, GL_RGBA8, GetParam()});
    const bool has_depth = GetParam() != GL_STENCIL_INDEX8;
    const bool has_stencil = GetParam() == GL_DEPTH24_STENCIL8 ||
                             GetParam() == GL_DEPTH32F_STENCIL8 || GetParam() == GL_STENCIL_INDEX8;
    gl::ClearDepth(0.25);
    gl::ClearStencil(0xA5);
    gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    if (has_depth) {
        float depth = -1;
        gl::ReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        EXPECT_NEAR(depth, 0.25F, 1.0F / 32768);
    }
    if (has_stencil) {
        std::uint8_t stencil = 0;
        gl::ReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        EXPECT_EQ(stencil, 0xA5);
        gl::StencilMask(0x0F);
        gl::ClearStencil(0x5A);
        gl::Clear(GL_STENCIL_BUFFER_BIT);
        gl::ReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        EXPECT_EQ(stencil, 0xAA);
    }
    if (has_depth) {
        gl::DepthMask(GL_FALSE);
        gl::ClearDepth(1.0);
        gl::Clear(GL_DEPTH_BUFFER_BIT);
        float depth = -1;
        gl::ReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        EXPECT_NEAR(depth, 0.25F, 1.0F / 32768);
    }
    if (has_depth && has_stencil) {
        gl::DepthMask(GL_TRUE);
        gl::StencilMask(0xFF);
        gl::ClearBufferfi(GL_DEPTH_STENCIL, 0, 0.75F, 0x3C);
        float depth = -1;
        std::uint8_t stencil = 0;
        gl::ReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        gl::ReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        EXPECT_NEAR(depth, 0.75F, 1.0F / 32768);
        EXPECT_EQ(stencil, 0x3C);
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, ClearDepthTest,
                         testing::Values(GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24,
                                         GL_DEPTH_COMPONENT32F, GL_DEPTH24_STENCIL8,
                                         GL_DEPTH32F_STENCIL8, GL_STENCIL_INDEX8));

TEST_F(ClearTest, ScissoredDepthAndColourTogether) {
    make_target({16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8});
    gl::ClearColor(0, 0, 0, 1);
    gl::ClearDepth(1.0);
    gl::ClearStencil(1);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 8, 16);
    gl::ClearColor(0, 1, 0, 1);
    gl::ClearDepth(0.5);
    gl::ClearStencil(2);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    expect_area(0, 0, 8, 16, kGreen);
    expect_area(8, 0, 8, 16, kBlack);
    std::array<float, 16> depth{};
    gl::ReadPixels(0, 5, 16, 1, GL_DEPTH_COMPONENT, GL_FLOAT, depth.data());
    EXPECT_NEAR(depth[7], 0.5F, 1e-4F);
    EXPECT_NEAR(depth[8], 1.0F, 1e-4F);
    std::array<std::uint8_t, 16> stencil{};
    gl::ReadPixels(0, 5, 16, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
    EXPECT_EQ(stencil[7], 2);
    EXPECT_EQ(stencil[8], 1);
}

TEST_F(ClearTest, LayeredFramebufferClearsEveryLayer) {
    const GLuint texture = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 8, 8, 5, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   nullptr);
    bind_texture_target(texture, 8, 8);
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    for (int layer = 0; layer < 5; ++layer) {
        bind_texture_target(texture, 8, 8, 0, layer);
        expect_area(0, 0, 8, 8, kBlue);
    }
    bind_texture_target(texture, 8, 8, 0, 2);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    for (int layer = 1; layer < 4; ++layer) {
        bind_texture_target(texture, 8, 8, 0, layer);
        expect_area(0, 0, 8, 8, layer == 2 ? kRed : kBlue);
    }
}

TEST_F(ClearTest, SrgbTargetEncodesTheClearColour) {
    make_target({8, 8, GL_SRGB8_ALPHA8});
    gl::Enable(GL_FRAMEBUFFER_SRGB);
    gl::ClearColor(0.5F, 0.0F, 1.0F, 0.5F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_FRAMEBUFFER_SRGB);
    expect_pixel(2, 2, {188, 0, 255, 128}, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_pixel(2, 2, {128, 0, 255, 128}, 1);
}

} // namespace
} // namespace kobalt::gltest
