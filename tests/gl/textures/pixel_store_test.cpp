// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where texels lie in the program's memory (OpenGL 4.6, 8.4.4.1 and 8.11.4).
#include <bit>

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

// A row may begin before the one below it has ended.
TEST_F(PixelStoreTest, RowsThatOverlap) {
    const std::array<std::uint8_t, 7> values{10, 20, 30, 40, 50, 60, 70};
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 2);
    texture_2d(GL_R8, 3, 3, GL_RED, GL_UNSIGNED_BYTE, values.data());
    std::array<std::uint8_t, 9> found{};
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_BYTE, found.data());
    EXPECT_EQ(found, (std::array<std::uint8_t, 9>{10, 20, 30, 30, 40, 50, 50, 60, 70}));
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

// GL 4.6, 8.6: the faces are images one behind the other, whatever is done to their texels.
TEST_F(PixelStoreTest, FacesOfACubeMapBehindWhatIsSkipped) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    gl::PixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
    gl::PixelStorei(GL_UNPACK_IMAGE_HEIGHT, 2);
    const std::vector<std::uint8_t> bytes{9, 9, 1, 9, 2, 9};
    const std::vector<std::uint16_t> shorts(bytes.begin(), bytes.end());
    for (const GLenum type : {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT}) {
        const void* const data =
            type == GL_UNSIGNED_BYTE ? static_cast<const void*>(bytes.data()) : shorts.data();
        for (const bool buffered : {false, true}) {
            const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
            gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_R8UI, 1, 1);
            const GLuint buffer =
                make_buffer(GL_PIXEL_UNPACK_BUFFER, type == GL_UNSIGNED_BYTE ? 6 : 12, data);
            gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffered ? buffer : 0);
            gl::TextureSubImage3D(cube, 0, 0, 0, 2, 1, 1, 2, GL_RED_INTEGER, type,
                                  buffered ? nullptr : data);
            gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
            for (const GLuint face : {0U, 1U}) {
                std::uint8_t texel = 0;
                gl::GetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_Y + face, 0, GL_RED_INTEGER,
                                GL_UNSIGNED_BYTE, &texel);
                EXPECT_EQ(texel, face + 1) << type << " " << buffered;
            }
        }
    }
}

// A block of each of two faces that have four: the second's lies right behind the first's.
TEST_F(PixelStoreTest, PartsOfCompressedFaces) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_COMPRESSED_RED_RGTC1, 8, 8);
    const std::array<std::uint8_t, 64> blocks{51, 51, 0, 0, 0, 0, 0, 0, 102, 102};
    gl::CompressedTextureSubImage3D(cube, 0, 4, 4, 1, 4, 4, 2, GL_COMPRESSED_RED_RGTC1, 16,
                                    blocks.data());
    for (const GLuint face : {0U, 1U}) {
        std::array<std::uint8_t, 64> texels{};
        gl::GetTexImage(GL_TEXTURE_CUBE_MAP_NEGATIVE_X + face, 0, GL_RED, GL_UNSIGNED_BYTE,
                        texels.data());
        EXPECT_EQ(texels[63], 51 * (face + 1));
    }
}

TEST_F(PixelStoreTest, CompressedFacesBehindWhatIsSkipped) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_COMPRESSED_RED_RGTC1, 4, 4);
    std::array<std::uint8_t, 56> blocks{};
    for (size_t i = 0; i < blocks.size(); ++i) {
        blocks[i] = static_cast<std::uint8_t>(i);
    }
    for (const auto& [name, value] : {std::pair{GL_UNPACK_COMPRESSED_BLOCK_WIDTH, 4},
                                      {GL_UNPACK_COMPRESSED_BLOCK_HEIGHT, 4},
                                      {GL_UNPACK_COMPRESSED_BLOCK_DEPTH, 1},
                                      {GL_UNPACK_COMPRESSED_BLOCK_SIZE, 8},
                                      {GL_PACK_COMPRESSED_BLOCK_WIDTH, 4},
                                      {GL_PACK_COMPRESSED_BLOCK_HEIGHT, 4},
                                      {GL_PACK_COMPRESSED_BLOCK_DEPTH, 1},
                                      {GL_PACK_COMPRESSED_BLOCK_SIZE, 8},
                                      {GL_UNPACK_SKIP_IMAGES, 1},
                                      {GL_PACK_SKIP_IMAGES, 1}}) {
        gl::PixelStorei(static_cast<GLenum>(name), value);
    }
    gl::CompressedTextureSubImage3D(cube, 0, 0, 0, 0, 4, 4, 6, GL_COMPRESSED_RED_RGTC1, 48,
                                    blocks.data());
    std::array<std::uint8_t, 56> read{};
    gl::GetCompressedTextureImage(cube, 0, 55, read.data());
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
    gl::GetCompressedTextureImage(cube, 0, 56, read.data());
    for (size_t i = 0; i < blocks.size(); ++i) {
        EXPECT_EQ(read[i], i < 8 ? 0 : blocks[i]) << i;
    }
}

class DepthPixelStoreTest : public PixelStoreTest {
protected:
    static std::uint32_t swapped(std::uint32_t word) { return __builtin_bswap32(word); }
    static std::vector<float> depths(size_t count) {
        std::vector<float> texels(count);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_FLOAT, texels.data());
        return texels;
    }
    static void expect_depths(const std::vector<float>& expected) {
        const std::vector<float> found = depths(expected.size());
        for (size_t i = 0; i < expected.size(); ++i) {
            EXPECT_NEAR(found[i], expected[i], 1.0F / 8192) << i;
        }
    }
};

TEST_F(DepthPixelStoreTest, SwappedBytesOfEveryFormatAndType) {
    gl::PixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
    const std::vector<float> expected{0.25F, 0.75F, 0.5F};
    const std::array<std::uint32_t, 3> words{swapped(0x40000000), swapped(0xc0000000),
                                             swapped(0x80000000)};
    const std::array<std::uint16_t, 3> shorts{0x0040, 0x00c0, 0x0080};
    std::array<std::uint32_t, 3> floats{};
    for (size_t i = 0; i < floats.size(); ++i) {
        floats[i] = swapped(std::bit_cast<std::uint32_t>(expected[i]));
    }
    for (const GLenum format :
         {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32F}) {
        SCOPED_TRACE(format);
        texture_2d(format, 3, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, words.data());
        expect_depths(expected);
        texture_2d(format, 3, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, shorts.data());
        expect_depths(expected);
        texture_2d(format, 3, 1, GL_DEPTH_COMPONENT, GL_FLOAT, floats.data());
        expect_depths(expected);
    }
}

TEST_F(DepthPixelStoreTest, SwappedBytesOfDepthAndStencil) {
    const std::vector<float> expected{0.25F, 0.75F, 0.5F};
    const std::array<std::uint32_t, 3> packed{0x40000001, 0xc0000002, 0x80000003};
    std::array<std::uint32_t, 3> words{};
    std::array<std::uint32_t, 6> pairs{};
    for (size_t i = 0; i < words.size(); ++i) {
        words[i] = swapped(packed[i]);
        pairs[2 * i] = swapped(std::bit_cast<std::uint32_t>(expected[i]));
        pairs[2 * i + 1] = swapped(packed[i] & 0xff);
    }
    for (const GLenum format : {GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        for (const GLenum type : {GL_UNSIGNED_INT_24_8, GL_FLOAT_32_UNSIGNED_INT_24_8_REV}) {
            SCOPED_TRACE(format);
            SCOPED_TRACE(type);
            gl::PixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
            texture_2d(format, 3, 1, GL_DEPTH_STENCIL, type,
                       type == GL_UNSIGNED_INT_24_8 ? words.data() : pairs.data());
            gl::PixelStorei(GL_UNPACK_SWAP_BYTES, GL_FALSE);
            expect_depths(expected);
            std::array<std::uint32_t, 6> read{};
            gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
                            read.data());
            gl::PixelStorei(GL_PACK_SWAP_BYTES, GL_TRUE);
            std::array<std::uint32_t, 6> read_swapped{};
            gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
                            read_swapped.data());
            gl::PixelStorei(GL_PACK_SWAP_BYTES, GL_FALSE);
            for (size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(read[2 * i + 1] & 0xff, i + 1);
                EXPECT_EQ(read_swapped[2 * i], swapped(read[2 * i]));
                EXPECT_EQ(swapped(read_swapped[2 * i + 1]) & 0xff, i + 1);
            }
        }
    }
}

// Rows that end between words, or are longer than their texels.
TEST_F(DepthPixelStoreTest, RowsOfAnyLength) {
    const std::array<std::uint8_t, 9> bytes{0, 51, 102, 153, 204, 255, 204, 153, 102};
    const std::vector<float> expected{0, 0.2F, 0.4F, 0.6F, 0.8F, 1, 0.8F, 0.6F, 0.4F};
    std::array<std::uint16_t, 9> shorts{};
    for (size_t i = 0; i < shorts.size(); ++i) {
        shorts[i] = static_cast<std::uint16_t>(bytes[i] * 257);
    }
    for (const GLenum format : {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32F,
                                GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        SCOPED_TRACE(format);
        texture_2d(format, 3, 3, GL_DEPTH_COMPONENT, GL_UNSIGNED_BYTE, bytes.data());
        expect_depths(expected);
        texture_2d(format, 3, 3, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, shorts.data());
        expect_depths(expected);
    }
    // Two words a texel, three texels in rows of five, which end at multiples of 8 bytes.
    std::array<float, 30> pairs{};
    for (size_t i = 0; i < 9; ++i) {
        pairs[2 * (i / 3 * 5 + i % 3)] = expected[i];
    }
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 8);
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 5);
    for (const GLenum format : {GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        SCOPED_TRACE(format);
        texture_2d(format, 3, 3, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, pairs.data());
        expect_depths(expected);
        gl::PixelStorei(GL_PACK_ALIGNMENT, 8);
        gl::PixelStorei(GL_PACK_ROW_LENGTH, 5);
        std::array<float, 30> read{};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
                        read.data());
        for (size_t i = 0; i < 9; ++i) {
            EXPECT_NEAR(read[2 * (i / 3 * 5 + i % 3)], expected[i], 1.0F / 8192) << i;
        }
        gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
        gl::PixelStorei(GL_PACK_ROW_LENGTH, 0);
    }
}

} // namespace
} // namespace kobalt::gltest
