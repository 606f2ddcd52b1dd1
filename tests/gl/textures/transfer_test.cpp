// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <numeric>

namespace kobalt::gltest {
namespace {

std::vector<std::uint8_t> bytes(size_t count, int first = 0) {
    std::vector<std::uint8_t> data(count);
    for (size_t i = 0; i < count; ++i) {
        data[i] = static_cast<std::uint8_t>(static_cast<size_t>(first) + i);
    }
    return data;
}

class TransferTest : public GlTest {};

TEST_F(TransferTest, SubImageLeavesTheRest) {
    texture_2d(GL_R8, 16, 16, GL_RED, GL_UNSIGNED_BYTE, bytes(256).data());
    const std::vector<std::uint8_t> patch(3 * 5, 250);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 4, 6, 3, 5, GL_RED, GL_UNSIGNED_BYTE, patch.data());
    std::vector<std::uint8_t> back(256);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_BYTE, back.data());
    auto expected = bytes(256);
    for (size_t y = 6; y < 11; ++y) {
        for (size_t x = 4; x < 7; ++x) {
            expected[y * 16 + x] = 250;
        }
    }
    EXPECT_EQ(back, expected);
}

// Whole clears wait for the pass that they begin: texels that are uploaded meanwhile come behind
// them.
TEST_F(TransferTest, UploadBehindAClear) {
    const GLuint texture = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    bind_texture_target(texture, 8, 8);
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const Byte4 texel = kGreen;
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    expect_pixel(3, 5, kGreen);
    expect_pixel(4, 5, kBlue);
}

TEST_F(TransferTest, UnpackRowLengthSkipAndAlignment) {
    // A 3x2 window out of an 8x4 picture whose rows are padded to 10 bytes by alignment 2.
    std::vector<std::uint8_t> source(10 * 4);
    std::iota(source.begin(), source.end(), std::uint8_t{0});
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 2);
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 9);
    gl::PixelStorei(GL_UNPACK_SKIP_ROWS, 1);
    gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, 2);
    texture_2d(GL_R8, 3, 2, GL_RED, GL_UNSIGNED_BYTE, source.data());
    std::array<std::uint8_t, 6> back{};
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_BYTE, back.data());
    EXPECT_EQ(back, (std::array<std::uint8_t, 6>{12, 13, 14, 22, 23, 24}));
}

TEST_F(TransferTest, UnpackSwapBytes) {
    const std::array<std::uint16_t, 2> source{0x3412, 0xFF00};
    gl::PixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
    texture_2d(GL_R16, 2, 1, GL_RED, GL_UNSIGNED_SHORT, source.data());
    gl::PixelStorei(GL_UNPACK_SWAP_BYTES, GL_FALSE);
    std::array<std::uint16_t, 2> back{};
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_SHORT, back.data());
    EXPECT_EQ(back, (std::array<std::uint16_t, 2>{0x1234, 0x00FF}));
}

TEST_F(TransferTest, VolumeSubImage) {
    new_texture(GL_TEXTURE_3D);
    gl::TexImage3D(GL_TEXTURE_3D, 0, GL_R8, 4, 4, 4, 0, GL_RED, GL_UNSIGNED_BYTE, bytes(64).data());
    const std::vector<std::uint8_t> patch(8, 200);
    gl::TexSubImage3D(GL_TEXTURE_3D, 0, 1, 1, 2, 2, 2, 2, GL_RED, GL_UNSIGNED_BYTE, patch.data());
    std::vector<std::uint8_t> back(64);
    gl::GetTexImage(GL_TEXTURE_3D, 0, GL_RED, GL_UNSIGNED_BYTE, back.data());
    auto expected = bytes(64);
    for (const size_t i : {37U, 38U, 41U, 42U, 53U, 54U, 57U, 58U}) {
        expected[i] = 200;
    }
    EXPECT_EQ(back, expected);
}

TEST_F(TransferTest, ArrayLayersAndCubeFacesReadBack) {
    new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RG8, 3, 2, 4, 0, GL_RG, GL_UNSIGNED_BYTE,
                   bytes(48).data());
    std::vector<std::uint8_t> back(48);
    gl::GetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RG, GL_UNSIGNED_BYTE, back.data());
    EXPECT_EQ(back, bytes(48));
    new_texture(GL_TEXTURE_CUBE_MAP);
    for (GLuint face = 0; face < 6; ++face) {
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_R8, 2, 2, 0, GL_RED,
                       GL_UNSIGNED_BYTE, bytes(4, static_cast<int>(face) * 4).data());
    }
    for (GLuint face = 0; face < 6; ++face) {
        std::vector<std::uint8_t> side(4);
        gl::GetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RED, GL_UNSIGNED_BYTE,
                        side.data());
        EXPECT_EQ(side, bytes(4, static_cast<int>(face) * 4)) << "face " << face;
    }
}

TEST_F(TransferTest, MipLevelsUploadSeparately) {
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
    // Smallest level first: the driver can't know the final size yet.
    for (int level = 3; level >= 0; --level) {
        const int size = 8 >> level;
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_R8, size, size, 0, GL_RED, GL_UNSIGNED_BYTE,
                       bytes(static_cast<size_t>(size * size), level * 10).data());
    }
    for (int level = 0; level < 4; ++level) {
        const auto count = static_cast<size_t>((8 >> level) * (8 >> level));
        std::vector<std::uint8_t> back(count);
        gl::GetTexImage(GL_TEXTURE_2D, level, GL_RED, GL_UNSIGNED_BYTE, back.data());
        EXPECT_EQ(back, bytes(count, level * 10)) << "level " << level;
    }
    EXPECT_NEAR(evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(0), 3) * 255.0")[0], 30,
                0.01F);
}

TEST_F(TransferTest, RedefiningALevelChangesSizeAndFormat) {
    texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, bytes(64).data());
    EXPECT_NEAR(evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(1, 0), 0) * 255.0")[0], 4,
                0.01F);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 2, 1, 0, GL_RED, GL_FLOAT,
                   std::array<float, 2>{7.5F, 8.5F}.data());
    EXPECT_EQ(evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(1, 0), 0)")[0], 8.5F);
}

TEST_F(TransferTest, PixelUnpackBuffer) {
    auto data = bytes(64 + 16);
    make_buffer(GL_PIXEL_UNPACK_BUFFER, data);
    new_texture(GL_TEXTURE_2D);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   reinterpret_cast<void*>(16));
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    std::vector<std::uint8_t> back(64);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back.data());
    EXPECT_EQ(back, bytes(64, 16));
}

TEST_F(TransferTest, PixelUnpackBufferConverts) {
    const std::vector<float> data{0.2F, 0.4F, 0.6F, 0.8F};
    make_buffer(GL_PIXEL_UNPACK_BUFFER, data);
    new_texture(GL_TEXTURE_2D);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_FLOAT, nullptr);
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))"), {0.2F, 0.4F, 0.6F, 0.8F},
                0.003F);
}

TEST_F(TransferTest, PixelPackBuffer) {
    make_target({8, 8});
    const RectPainter painter;
    painter.fill({0, 0, 1, 1});
    painter.draw({-1, -1, 0, 0}, {1, 0, 0, 1});
    const GLuint buffer =
        make_buffer(GL_PIXEL_PACK_BUFFER, 8 * 8 * 4 + 32, nullptr, GL_STREAM_READ);
    gl::ReadPixels(0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(32));
    const auto* mapped = static_cast<const std::uint8_t*>(
        gl::MapBufferRange(GL_PIXEL_PACK_BUFFER, 32, 256, GL_MAP_READ_BIT));
    ASSERT_NE(mapped, nullptr);
    EXPECT_EQ(mapped[0], 255);
    EXPECT_EQ(mapped[2], 0);
    EXPECT_EQ(mapped[255 - 3], 0);
    EXPECT_EQ(mapped[255 - 1], 255);
    gl::UnmapBuffer(GL_PIXEL_PACK_BUFFER);
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl::DeleteBuffers(1, &buffer);
}

TEST_F(TransferTest, GetTexImageIntoPackBuffer) {
    texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, bytes(64).data());
    make_buffer(GL_PIXEL_PACK_BUFFER, 64, nullptr, GL_STREAM_READ);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    std::vector<std::uint8_t> back(64);
    gl::GetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, 64, back.data());
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    EXPECT_EQ(back, bytes(64));
}

TEST_F(TransferTest, CopyTexImageFromFramebuffer) {
    make_target({16, 16});
    const RectPainter painter;
    painter.fill({0, 0, 0, 1});
    painter.draw({0, 0, 1, 1}, {0, 1, 0, 1});
    new_texture(GL_TEXTURE_2D);
    gl::CopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 8, 8, 0);
    std::vector<std::uint8_t> back(8 * 8 * 4);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back.data());
    for (size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(back[i * 4 + 1], (i % 8 >= 4 && i / 8 >= 4) ? 255 : 0) << i;
    }
}

TEST_F(TransferTest, CopyTexSubImage) {
    texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, std::vector<std::uint8_t>(256, 0).data());
    make_target({16, 16});
    const RectPainter painter;
    painter.fill({1, 0, 0, 1});
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 2, 3, 5, 5, 3, 2);
    std::vector<std::uint8_t> back(256);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back.data());
    for (size_t i = 0; i < 64; ++i) {
        const bool inside = i % 8 >= 2 && i % 8 < 5 && i / 8 >= 3 && i / 8 < 5;
        EXPECT_EQ(back[i * 4], inside ? 255 : 0) << i;
    }
}

TEST_F(TransferTest, CopyTexSubImageIntoLayer) {
    new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   std::vector<std::uint8_t>(192, 0).data());
    make_target({4, 4});
    const RectPainter painter;
    painter.fill({0, 1, 0, 1});
    gl::CopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 1, 0, 0, 4, 4);
    const Float4 value =
        evaluate("uniform sampler2DArray t;",
                 "texelFetch(t, ivec3(1, 1, 0), 0).g, texelFetch(t, ivec3(1, 1, 1), "
                 "0).g, texelFetch(t, ivec3(1, 1, 2), 0).g, 0");
    expect_near(value, {0, 1, 0, 0}, 0.01F);
}

TEST_F(TransferTest, CopyDepthToTexture) {
    make_target({4, 4, GL_RGBA8, GL_DEPTH_COMPONENT24});
    gl::ClearDepth(0.375);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    new_texture(GL_TEXTURE_2D);
    gl::CopyTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 0, 0, 4, 4, 0);
    EXPECT_NEAR(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))")[0], 0.375F, 1e-5F);
}

TEST_F(TransferTest, UploadWhileInUseByEarlierDraws) {
    // Each draw must see the texture as it was when the draw was issued.
    texture_2d(GL_R32F, 1, 1, GL_RED, GL_FLOAT, nullptr);
    make_target({64, 1, GL_RGBA32F});
    const GLuint program =
        vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 result; void main() { "
                             "result = texture(t, vec2(0.5)); }");
    gl::Enable(GL_SCISSOR_TEST);
    for (int i = 0; i < 64; ++i) {
        const float value = static_cast<float>(i * i);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RED, GL_FLOAT, &value);
        gl::Scissor(i, 0, 1, 1);
        draw_fullscreen(program);
    }
    std::array<float, 64> row{};
    gl::ReadPixels(0, 0, 64, 1, GL_RED, GL_FLOAT, row.data());
    for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(row[static_cast<size_t>(i)], static_cast<float>(i * i));
    }
}

struct ReadCase {
    const char* name;
    GLenum format;
    GLenum type;
    std::vector<std::uint8_t> expected;
    friend void PrintTo(const ReadCase& value, std::ostream* out) { *out << value.name; }
};

class ReadPixelsTest : public GlTest, public testing::WithParamInterface<ReadCase> {};

TEST_P(ReadPixelsTest, FormatsConvert) {
    const ReadCase& test = GetParam();
    make_target({4, 4});
    gl::ClearColor(1, 0.2F, 0, 0.4F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    std::vector<std::uint8_t> value(test.expected.size());
    gl::ReadPixels(1, 1, 1, 1, test.format, test.type, value.data());
    EXPECT_EQ(value, test.expected);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, ReadPixelsTest,
    testing::Values(ReadCase{"Rgba", GL_RGBA, GL_UNSIGNED_BYTE, {255, 51, 0, 102}},
                    ReadCase{"Bgra", GL_BGRA, GL_UNSIGNED_BYTE, {0, 51, 255, 102}},
                    ReadCase{
                        "Bgra8888Rev", GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, {0, 51, 255, 102}},
                    ReadCase{"Rgb", GL_RGB, GL_UNSIGNED_BYTE, {255, 51, 0}},
                    ReadCase{"Bgr", GL_BGR, GL_UNSIGNED_BYTE, {0, 51, 255}},
                    ReadCase{"Rg", GL_RG, GL_UNSIGNED_BYTE, {255, 51}},
                    ReadCase{"Alpha", GL_ALPHA, GL_UNSIGNED_BYTE, {102}},
                    ReadCase{"Green", GL_GREEN, GL_UNSIGNED_BYTE, {51}},
                    ReadCase{"Ushort", GL_RG, GL_UNSIGNED_SHORT, {0xFF, 0xFF, 0x33, 0x33}},
                    ReadCase{"Rgba4444", GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, {0x06, 0xF3}},
                    ReadCase{"Float", GL_RED, GL_FLOAT, {0x00, 0x00, 0x80, 0x3F}},
                    ReadCase{"Half", GL_RED, GL_HALF_FLOAT, {0x00, 0x3C}}),
    [](const auto& info) { return info.param.name; });

TEST_F(TransferTest, PackRowLengthAndSkip) {
    make_target({4, 4});
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    std::vector<std::uint8_t> data(8 * 4, 7);
    gl::PixelStorei(GL_PACK_ROW_LENGTH, 8);
    gl::PixelStorei(GL_PACK_SKIP_PIXELS, 1);
    gl::PixelStorei(GL_PACK_SKIP_ROWS, 1);
    gl::ReadPixels(0, 0, 2, 2, GL_RED, GL_UNSIGNED_BYTE, data.data());
    for (size_t i = 0; i < data.size(); ++i) {
        const bool inside = i % 8 >= 1 && i % 8 < 3 && i / 8 >= 1 && i / 8 < 3;
        EXPECT_EQ(data[i], inside ? 255 : 7) << i;
    }
}

TEST_F(TransferTest, ReadOutsideTheFramebufferIsHarmless) {
    make_target({4, 4});
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    std::vector<std::uint8_t> data(8 * 8 * 4, 9);
    gl::ReadPixels(-2, -2, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, data.data());
    EXPECT_EQ(data[(2 * 8 + 2) * 4], 255);
    EXPECT_EQ(data[(5 * 8 + 5) * 4], 255);
}

TEST_F(TransferTest, UploadsAmidDraws) {
    // Some uploads meet a texture that nothing uses, some one that draws before still read: each
    // draw sees what was uploaded before it and nothing of what came after.
    make_target({16, 16});
    bind_new_vao();
    const GLuint program = vs_fs(kFullscreenVs, R"(
uniform sampler2D image;
out vec4 colour;
void main() { colour = texelFetch(image, ivec2(gl_FragCoord.xy) % 8, 0); })");
    std::vector<Byte4> texels(64, kRed);
    texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::UseProgram(program);
    set_uniform(program, "image", 0);
    for (int round = 0; round < 6; ++round) {
        if (round >= 3) {
            gl::Finish(); // idle: the CPU may write it
        }
        texels.assign(64, round % 2 ? kGreen : kBlue);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        gl::Scissor(2 * round, 0, 2, 16);
        gl::Enable(GL_SCISSOR_TEST);
        draw_fullscreen(program);
        gl::Disable(GL_SCISSOR_TEST);
    }
    for (int round = 0; round < 6; ++round) {
        expect_pixel(2 * round, 5, round % 2 ? kGreen : kBlue);
    }
    // A part of it, with rows longer than what is taken of them.
    gl::Finish();
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 8);
    gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
    texels.assign(64, kRed);
    texels[3] = kWhite;
    texels[8 + 4] = kYellow;
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 1, 2, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    draw_fullscreen(program);
    expect_pixel(1, 2, kWhite);
    expect_pixel(2, 2, kRed);
    expect_pixel(1, 3, kRed);
    expect_pixel(2, 3, kYellow);
    expect_pixel(3, 3, kGreen);
    expect_pixel(0, 2, kGreen);
}

} // namespace
} // namespace kobalt::gltest
