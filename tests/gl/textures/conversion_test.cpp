// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// Texels between formats: copies, blits, transfers.

namespace kobalt::gltest {
namespace {

class ConversionTest : public GlTest {};
class ConversionCompatTest : public CompatTest {};

TEST_F(ConversionCompatTest, LuminanceAlphaOfSrgbKeepsAlphaLinear) {
    const std::vector<std::uint8_t> texel{128, 128};
    const GLuint texture =
        texture_2d(GL_SLUMINANCE8_ALPHA8, 1, 1, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, texel.data());
    (void)texture;
    const Float4 value = evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(0), 0)");
    expect_near(value, {0.2158F, 0.2158F, 0.2158F, 128.0F / 255}, 0.01F);
}

TEST_F(ConversionCompatTest, CopiesBetweenFormatsConvert) {
    make_target({4, 4});
    gl::ClearColor(0.25F, 0.5F, 0.75F, 0.5F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    for (const auto& [format, expected] :
         {std::pair<GLenum, Float4>{GL_RGB565, {0.25F, 0.5F, 0.75F, 1}},
          {GL_RGBA16F, {0.25F, 0.5F, 0.75F, 0.5F}},
          {GL_R8, {0.25F, 0, 0, 1}},
          {GL_RG16, {0.25F, 0.5F, 0, 1}},
          {GL_ALPHA8, {0, 0, 0, 0.5F}},
          {GL_LUMINANCE8, {0.25F, 0.25F, 0.25F, 1}},
          {GL_LUMINANCE8_ALPHA8, {0.25F, 0.25F, 0.25F, 0.5F}},
          {GL_INTENSITY8, {0.25F, 0.25F, 0.25F, 0.25F}},
          {GL_RGB10_A2, {0.25F, 0.5F, 0.75F, 2.0F / 3}},
          {GL_RGB8, {0.25F, 0.5F, 0.75F, 1}}}) {
        new_texture(GL_TEXTURE_2D);
        gl::CopyTexImage2D(GL_TEXTURE_2D, 0, format, 0, 0, 4, 4, 0);
        Float4 wanted = expected;
        if (format == GL_RGB10_A2)
            wanted[3] = 0.5F;
        expect_near(evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(2, 2), 0)"), wanted,
                    format == GL_RGB10_A2 ? 0.17F : 0.04F, "format " + std::to_string(format));
        make_target({4, 4});
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
}

TEST_F(ConversionTest, OneDimensionalArrayLayersFromAFramebuffer) {
    const GLuint texture = new_texture(GL_TEXTURE_1D_ARRAY);
    gl::TexImage2D(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   std::vector<std::uint8_t>(128, 0).data());
    make_target({8, 8});
    const RectPainter painter;
    painter.draw({-1, -1, 1, -0.5F}, {1, 0, 0, 1}); // rows 0, 1
    painter.draw({-1, -0.5F, 1, 0}, {0, 1, 0, 1});  // rows 2, 3
    gl::BindTexture(GL_TEXTURE_1D_ARRAY, texture);
    // Rows of the framebuffer become layers.
    gl::CopyTexSubImage2D(GL_TEXTURE_1D_ARRAY, 0, 2, 1, 0, 1, 4, 3);
    std::vector<std::uint8_t> back(128);
    gl::GetTexImage(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, back.data());
    for (size_t layer = 0; layer < 4; ++layer)
        for (size_t x = 0; x < 8; ++x) {
            const bool inside = layer >= 1 && x >= 2 && x < 6;
            const bool red = layer == 1; // row 1
            EXPECT_EQ(back[(layer * 8 + x) * 4], inside && red ? 255 : 0) << layer << " " << x;
            EXPECT_EQ(back[(layer * 8 + x) * 4 + 1], inside && !red ? 255 : 0) << layer << " " << x;
        }
}

TEST_F(ConversionTest, StencilAloneIsBlitted) {
    const Target source = make_target({8, 8, GL_RGBA8, GL_DEPTH24_STENCIL8});
    gl::ClearDepth(0.25);
    gl::ClearStencil(3);
    gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 4, 8);
    gl::ClearStencil(5);
    gl::Clear(GL_STENCIL_BUFFER_BIT);
    gl::Disable(GL_SCISSOR_TEST);
    for (const GLenum mask : {GL_STENCIL_BUFFER_BIT, GL_DEPTH_BUFFER_BIT,
                              GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT}) {
        const Target target = make_target({16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8});
        gl::ClearDepth(0.75);
        gl::ClearStencil(9);
        gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
        gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 16, 16, mask, GL_NEAREST); // scaled
        gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, mask, GL_NEAREST);   // plain
        target.bind();
        const bool stencil = mask & GL_STENCIL_BUFFER_BIT, depth = mask & GL_DEPTH_BUFFER_BIT;
        for (const auto& [x, value] : {std::pair{2, 5}, {6, 5}, {12, 3}}) {
            std::uint8_t read = 0;
            gl::ReadPixels(x, 2, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &read);
            EXPECT_EQ(read, stencil ? value : 9) << mask << " " << x;
            float z = 0;
            gl::ReadPixels(x, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
            EXPECT_NEAR(z, depth ? 0.25F : 0.75F, 1e-4F) << mask << " " << x;
        }
    }
}

TEST_F(ConversionTest, MultisampledStencilIsResolvedAndRead) {
    const Target source = make_target({8, 8, GL_RGBA8, GL_DEPTH24_STENCIL8, 4});
    gl::ClearDepth(0.25);
    gl::ClearStencil(3);
    gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    const Target target = make_target({8, 8, GL_RGBA8, GL_DEPTH24_STENCIL8});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT,
                        GL_NEAREST);
    target.bind();
    std::uint8_t read = 0;
    gl::ReadPixels(2, 2, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &read);
    EXPECT_EQ(read, 3);
    float z = 0;
    gl::ReadPixels(2, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
    EXPECT_NEAR(z, 0.25F, 1e-4F);
}

TEST_F(ConversionTest, DepthStencilPixelsInEveryLayout) {
    for (const GLenum format : {GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        struct Packed {
            float depth;
            std::uint32_t stencil;
        };
        const std::vector<Packed> floats{{0.25F, 0x11}, {0.5F, 0x22}, {0.75F, 0x33}, {1.0F, 0x44}};
        texture_2d(format, 2, 2, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
                   floats.data());
        std::vector<std::uint32_t> packed(4);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed.data());
        for (size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(packed[i] & 0xFF, floats[i].stencil);
            EXPECT_NEAR(static_cast<double>(packed[i] >> 8) / 0xFFFFFF, floats[i].depth, 1e-6);
        }
        std::vector<float> depth(4);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_FLOAT, depth.data());
        for (size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(depth[i], floats[i].depth, 1e-6F);
        // Depth alone (what stencil becomes is undefined).
        const std::uint16_t half = 0x8000;
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 1, 0, 1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,
                          &half);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed.data());
        EXPECT_NEAR(static_cast<double>(packed[1] >> 8) / 0xFFFFFF, 32768.0 / 65535, 1e-5);
        EXPECT_EQ(packed[0] & 0xFF, 0x11U);
        EXPECT_EQ(packed[2] & 0xFF, 0x33U);
    }
}

TEST_F(ConversionTest, ImagesCopyBetweenCompressedAndPlain) {
    if (!has_extension("GL_ARB_copy_image") || !has_extension("GL_EXT_texture_compression_s3tc")) {
        GTEST_SKIP() << "no copies of compressed images";
    }
    // Two by one and a bit blocks, with levels smaller than a block.
    std::vector<std::uint8_t> blocks(16 * 6);
    for (size_t i = 0; i < blocks.size(); ++i)
        blocks[i] = static_cast<std::uint8_t>(i);
    const GLuint compressed = new_texture(GL_TEXTURE_2D);
    gl::CompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 10, 6, 0, 96,
                             blocks.data());
    gl::CompressedTexImage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 5, 3, 0, 32,
                             blocks.data());
    gl::CompressedTexImage2D(GL_TEXTURE_2D, 2, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 2, 1, 0, 16,
                             blocks.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    const GLuint plain = texture_2d(GL_RGBA32UI, 3, 2, GL_RGBA_INTEGER, GL_UNSIGNED_INT, nullptr);
    const auto expect_bytes = [&](size_t texels, size_t first) {
        std::array<std::uint8_t, 96> back{};
        gl::BindTexture(GL_TEXTURE_2D, plain);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, back.data());
        for (size_t i = 0; i < texels * 16; ++i)
            ASSERT_EQ(back[i], first + i) << i;
    };
    gl::CopyImageSubData(compressed, GL_TEXTURE_2D, 0, 0, 0, 0, plain, GL_TEXTURE_2D, 0, 0, 0, 0,
                         10, 6, 1);
    expect_bytes(6, 0);
    gl::CopyImageSubData(compressed, GL_TEXTURE_2D, 2, 0, 0, 0, plain, GL_TEXTURE_2D, 0, 0, 0, 0, 2,
                         1, 1);
    expect_bytes(1, 0);
    gl::CopyImageSubData(compressed, GL_TEXTURE_2D, 0, 8, 4, 0, plain, GL_TEXTURE_2D, 0, 0, 0, 0, 2,
                         2, 1);
    expect_bytes(1, 80);
    // Such a block is a texel, for which there is no room.
    for (const auto& [x, y] : {std::pair(3, 0), std::pair(0, 2)}) {
        gl::CopyImageSubData(compressed, GL_TEXTURE_2D, 2, 0, 0, 0, plain, GL_TEXTURE_2D, 0, x, y,
                             0, 2, 1, 1);
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE)) << x << ", " << y;
    }
    expect_bytes(1, 80);
}

TEST_F(ConversionTest, ImagesCopyIntoVolumesThatCannotBeDrawnTo) {
    if (!has_extension("GL_ARB_copy_image")) {
        GTEST_SKIP() << "GL_ARB_copy_image is missing";
    }
    // Two halves are the bits of a shared exponent: neither is converted.
    constexpr GLuint bits = 0x84203D01;
    const std::vector<GLuint> words(16, bits);
    const GLuint halves = texture_2d(GL_RG16F, 4, 4, GL_RG, GL_HALF_FLOAT, words.data());
    const GLuint volume = new_texture(GL_TEXTURE_3D);
    const std::vector<GLuint> nothing(32);
    gl::TexImage3D(GL_TEXTURE_3D, 0, GL_RGB9_E5, 4, 4, 2, 0, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV,
                   nothing.data());
    gl::CopyImageSubData(halves, GL_TEXTURE_2D, 0, 1, 1, 0, volume, GL_TEXTURE_3D, 0, 2, 0, 1, 2, 3,
                         1);
    std::vector<GLuint> back(32);
    gl::GetTexImage(GL_TEXTURE_3D, 0, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, back.data());
    for (size_t i = 0; i < back.size(); ++i) {
        const bool copied = i >= 16 && i % 4 >= 2 && i % 16 < 12;
        EXPECT_EQ(back[i], copied ? bits : 0) << i;
    }
}

TEST_F(ConversionTest, PackedFormatsReadBack) {
    make_target({4, 4, GL_RG16F});
    const Float4 value{0.25F, 3.0F, 9, 9};
    gl::ClearBufferfv(GL_COLOR, 0, value.data());
    expect_near(pixel_float(0, 0), {0.25F, 3, 0, 1}, 0.001F);
    make_target({4, 4, GL_RGB10_A2UI});
    const Uint4 whole{1023, 5, 0, 3};
    gl::ClearBufferuiv(GL_COLOR, 0, whole.data());
    EXPECT_EQ(pixel_uint(3, 3), whole);
    make_target({4, 4, GL_R11F_G11F_B10F});
    const Float4 small{0.5F, 2.0F, 64.0F, 1};
    gl::ClearBufferfv(GL_COLOR, 0, small.data());
    expect_near(pixel_float(3, 3), small, 0.01F);
}

} // namespace
} // namespace kobalt::gltest
