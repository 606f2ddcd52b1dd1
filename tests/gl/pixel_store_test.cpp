// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where texels lie in the program's memory (OpenGL 4.6, 8.4.4.1 and 8.11.4).
#include "support.h"

namespace kobalt::gltest {
namespace {

class PixelStoreTest : public GlTest {
protected:
    void prepare() override {
        gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
        gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    }
    /// Two of four columns and two of three rows, both from the second on.
    static void skip_to_the_middle() {
        gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 4);
        gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, 1);
        gl::PixelStorei(GL_UNPACK_SKIP_ROWS, 1);
    }
    static std::vector<float> reds(size_t count) {
        std::vector<float> texels(count);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, texels.data());
        return texels;
    }
    static GLuint layers(GLenum target, int width, int count) {
        const GLuint texture = new_texture(target);
        std::vector<std::uint8_t> texels(static_cast<size_t>(width * count));
        for (size_t i = 0; i < texels.size(); ++i) {
            texels[i] = static_cast<std::uint8_t>(i + 1);
        }
        if (target == GL_TEXTURE_1D_ARRAY) {
            gl::TexImage2D(target, 0, GL_R8UI, width, count, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                           texels.data());
        } else {
            gl::TexImage3D(target, 0, GL_R8UI, width, 1, count, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                           texels.data());
        }
        return texture;
    }
};

class CompatPixelStoreTest : public PixelStoreTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 3, false}; }
};

TEST_F(PixelStoreTest, SwappedBytesBehindWhatIsSkipped) {
    std::array<std::uint16_t, 12> halves{};
    for (size_t i = 0; i < halves.size(); ++i) { // 1 + i / 16, the bytes the other way round
        halves[i] = static_cast<std::uint16_t>(0x3c | (i * 0x40 & 0xff) << 8 | i / 4);
    }
    gl::PixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
    skip_to_the_middle();
    texture_2d(GL_R16F, 2, 2, GL_RED, GL_HALF_FLOAT, halves.data());
    EXPECT_EQ(reds(4),
              (std::vector<float>{1 + 5 / 16.0F, 1 + 6 / 16.0F, 1 + 9 / 16.0F, 1 + 10 / 16.0F}));
}

TEST_F(CompatPixelStoreTest, BiasedTexelsBehindWhatIsSkipped) {
    std::array<float, 12> values{};
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i);
    }
    skip_to_the_middle();
    gl::PixelTransferf(GL_RED_BIAS, 100);
    texture_2d(GL_R32F, 2, 2, GL_RED, GL_FLOAT, values.data());
    gl::PixelTransferf(GL_RED_BIAS, 0);
    EXPECT_EQ(reds(4), (std::vector<float>{105, 106, 109, 110}));
}

TEST_F(CompatPixelStoreTest, ColourIndicesBehindWhatIsSkipped) {
    std::array<std::uint8_t, 12> indices{};
    for (size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::uint8_t>(i % 4);
    }
    constexpr std::array<float, 4> kMap{0, 1, 0, 1};
    for (const GLenum map :
         {GL_PIXEL_MAP_I_TO_R, GL_PIXEL_MAP_I_TO_G, GL_PIXEL_MAP_I_TO_B, GL_PIXEL_MAP_I_TO_A}) {
        gl::PixelMapfv(map, 4, kMap.data());
    }
    skip_to_the_middle();
    texture_2d(GL_RGBA8, 2, 2, GL_COLOR_INDEX, GL_UNSIGNED_BYTE, indices.data());
    EXPECT_EQ(reds(4), (std::vector<float>{1, 0, 1, 0}));
}

// The layers of a 1D array are the rows of one image.
TEST_F(PixelStoreTest, LayersOfA1DArrayAreRows) {
    layers(GL_TEXTURE_1D_ARRAY, 2, 3);
    gl::PixelStorei(GL_PACK_IMAGE_HEIGHT, 3);
    std::array<std::uint8_t, 16> texels{};
    gl::GetTexImage(GL_TEXTURE_1D_ARRAY, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, texels.data());
    EXPECT_EQ(texels, (std::array<std::uint8_t, 16>{1, 2, 3, 4, 5, 6}));
}

TEST_F(PixelStoreTest, SkippedImagesCountInTheBuffer) {
    layers(GL_TEXTURE_2D_ARRAY, 2, 3);
    gl::PixelStorei(GL_PACK_SKIP_IMAGES, 1);
    const GLuint buffer = make_buffer(GL_PIXEL_PACK_BUFFER, std::vector<std::uint8_t>(7));
    gl::GetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    gl::BufferData(GL_PIXEL_PACK_BUFFER, 8, std::array<std::uint8_t, 8>{}.data(), GL_STREAM_READ);
    gl::GetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    std::array<std::uint8_t, 8> texels{};
    gl::GetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, 8, texels.data());
    EXPECT_EQ(texels, (std::array<std::uint8_t, 8>{0, 0, 1, 2, 3, 4, 5, 6}));
}

TEST_F(PixelStoreTest, SkippedImagesOfACubeMap) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    for (GLuint face = 0; face < 6; ++face) {
        const std::uint8_t texel = static_cast<std::uint8_t>(face + 1);
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_R8UI, 1, 1, 0, GL_RED_INTEGER,
                       GL_UNSIGNED_BYTE, &texel);
    }
    gl::PixelStorei(GL_PACK_SKIP_IMAGES, 2);
    std::array<std::uint8_t, 8> texels{};
    gl::GetTextureImage(cube, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 7, texels.data());
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
    gl::GetTextureImage(cube, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 8, texels.data());
    EXPECT_EQ(texels, (std::array<std::uint8_t, 8>{0, 0, 1, 2, 3, 4, 5, 6}));
}

} // namespace
} // namespace kobalt::gltest
