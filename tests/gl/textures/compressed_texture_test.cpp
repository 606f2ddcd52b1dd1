// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Compressed textures: what their blocks decode to, and textures that the driver compresses.
#include "support.h"

namespace kobalt::gltest {
namespace {

struct BlockCase {
    const char* name;
    GLenum format;
    const char* extension;
    std::vector<std::uint8_t> block;
    Float4 expected;
    friend void PrintTo(const BlockCase& value, std::ostream* out) { *out << value.name; }
};

class CompressedTest : public GlTest, public testing::WithParamInterface<BlockCase> {};

TEST_P(CompressedTest, BlockDecodes) {
    const BlockCase& test = GetParam();
    if (test.extension != nullptr && !has_extension(test.extension)) {
        GTEST_SKIP() << test.extension << " is not offered";
    }
    // Two by two blocks; the one at the upper right holds the colour, the others are zero.
    std::vector<std::uint8_t> data(test.block.size() * 4);
    std::copy(test.block.begin(), test.block.end(),
              data.begin() + static_cast<std::ptrdiff_t>(test.block.size() * 3));
    new_texture(GL_TEXTURE_2D);
    gl::CompressedTexImage2D(GL_TEXTURE_2D, 0, test.format, 8, 8, 0,
                             static_cast<GLsizei>(data.size()), data.data());
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.8, 0.7))"), test.expected,
                0.01F);
    std::vector<std::uint8_t> back(data.size());
    gl::GetCompressedTexImage(GL_TEXTURE_2D, 0, back.data());
    EXPECT_EQ(back, data);
    // Replacing one block leaves the others.
    gl::CompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, test.format,
                                static_cast<GLsizei>(test.block.size()), test.block.data());
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.2, 0.3))"), test.expected,
                0.01F);
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.7, 0.8))"), test.expected,
                0.01F);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, CompressedTest,
    testing::Values(BlockCase{"Dxt1",
                              GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
                              "GL_EXT_texture_compression_s3tc",
                              {0x00, 0xF8, 0x1F, 0x00, 0x00, 0x00, 0x00, 0x00},
                              {1, 0, 0, 1}},
                    BlockCase{"Dxt1Alpha",
                              GL_COMPRESSED_RGBA_S3TC_DXT1_EXT,
                              "GL_EXT_texture_compression_s3tc",
                              {0x1F, 0x00, 0x00, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF},
                              {0, 0, 0, 0}},
                    BlockCase{"Dxt3",
                              GL_COMPRESSED_RGBA_S3TC_DXT3_EXT,
                              "GL_EXT_texture_compression_s3tc",
                              {0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0xE0, 0x07, 0x1F, 0,
                               0, 0, 0, 0},
                              {0, 1, 0, 0.533F}},
                    BlockCase{"Dxt5",
                              GL_COMPRESSED_RGBA_S3TC_DXT5_EXT,
                              "GL_EXT_texture_compression_s3tc",
                              {0x80, 0x00, 0, 0, 0, 0, 0, 0, 0x1F, 0x00, 0x1E, 0, 0, 0, 0, 0},
                              {0, 0, 1, 0.502F}},
                    BlockCase{"Rgtc1",
                              GL_COMPRESSED_RED_RGTC1,
                              nullptr,
                              {0xCC, 0x00, 0, 0, 0, 0, 0, 0},
                              {0.8F, 0, 0, 1}},
                    BlockCase{"Rgtc1Signed",
                              GL_COMPRESSED_SIGNED_RED_RGTC1,
                              nullptr,
                              {0x81, 0x7F, 0, 0, 0, 0, 0, 0},
                              {-1, 0, 0, 1}},
                    BlockCase{"Rgtc2",
                              GL_COMPRESSED_RG_RGTC2,
                              nullptr,
                              {0xCC, 0x00, 0, 0, 0, 0, 0, 0, 0x33, 0x00, 0, 0, 0, 0, 0, 0},
                              {0.8F, 0.2F, 0, 1}}),
    [](const auto& info) { return info.param.name; });

class CompressionTest : public GlTest {};

TEST_F(CompressionTest, DriverCompressesUploads) {
    std::vector<std::uint8_t> data(16 * 16, 204);
    texture_2d(GL_COMPRESSED_RED_RGTC1, 16, 16, GL_RED, GL_UNSIGNED_BYTE, data.data());
    GLint compressed = 0;
    gl::GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_COMPRESSED, &compressed);
    EXPECT_EQ(compressed, 1);
    EXPECT_NEAR(evaluate("uniform sampler2D t;", "texture(t, vec2(0.4))")[0], 0.8F, 0.01F);
}

TEST_F(CompressionTest, SizeThatIsNoMultipleOfTheBlock) {
    std::vector<std::uint8_t> blocks(8 * 4);
    blocks[24] = 0xCC;
    new_texture(GL_TEXTURE_2D);
    gl::CompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RED_RGTC1, 6, 5, 0,
                             static_cast<GLsizei>(blocks.size()), blocks.data());
    EXPECT_NEAR(evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(5, 4), 0)")[0], 0.8F, 0.01F);
    EXPECT_NEAR(evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(3, 4), 0)")[0], 0.0F, 0.01F);
}

// OpenGL 4.6, 8.6: texels whose pixels lie outside of the framebuffer are undefined. The others
// begin in the middle of a block.
TEST_F(CompressionTest, CopiesThatBeginOutsideOfTheFramebuffer) {
    make_target();
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    new_texture(GL_TEXTURE_2D);
    gl::CopyTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RG_RGTC2, -3, -2, 8, 8, 0);
    for (const char* const at : {"ivec2(4, 4)", "ivec2(7, 7)", "ivec2(5, 2)"}) {
        const Float4 texel =
            evaluate("uniform sampler2D t;", std::string("texelFetch(t, ") + at + ", 0)");
        expect_near(texel, {0, 1, 0, 1}, 0.01F, at);
    }
}

} // namespace
} // namespace kobalt::gltest
