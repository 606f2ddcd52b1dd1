// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Mipmaps of cube maps (OpenGL 4.6, 8.14.4): all faces of a level at once, and each from its own
// base.
#include "counters.h"

namespace kobalt::gltest {
namespace {

constexpr GLsizei kSide = 8;
constexpr GLint kLast = 3; ///< the level of one texel

class CubeMipmapTest : public CountedTest {
protected:
    static GLenum face_target(int face) {
        return GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(face);
    }
    /// The faces differ in red, and the quarters of each in green and blue.
    static Byte4 quarter(int face, bool right, bool upper) {
        return {static_cast<std::uint8_t>(30 * (face + 1)),
                static_cast<std::uint8_t>(right ? 200 : 0),
                static_cast<std::uint8_t>(upper ? 200 : 0), 255};
    }
    static std::vector<Byte4> base(int face, GLsizei side = kSide) {
        std::vector<Byte4> texels;
        for (GLsizei y = 0; y < side; ++y)
            for (GLsizei x = 0; x < side; ++x)
                texels.push_back(quarter(face, x >= side / 2, y >= side / 2));
        return texels;
    }
    static GLuint storage(GLenum format) {
        const GLuint made = new_texture(GL_TEXTURE_CUBE_MAP);
        gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, kLast);
        gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, kLast + 1, format, kSide, kSide);
        return made;
    }
    static void fill() {
        for (int face = 0; face < 6; ++face)
            gl::TexSubImage2D(face_target(face), 0, 0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE,
                              base(face).data());
    }
    /// The levels of the bound cube's faces behind `first`, whose side is kSide.
    static void expect_levels(GLint first = 0, int tolerance = 1) {
        for (int face = 0; face < 6; ++face)
            for (GLint level = 1; level <= kLast; ++level) {
                const GLsizei side = kSide >> level;
                std::vector<Byte4> expected = base(face, side);
                if (side == 1)
                    expected = {{static_cast<std::uint8_t>(30 * (face + 1)), 100, 100, 255}};
                std::vector<Byte4> found(expected.size());
                gl::GetTexImage(face_target(face), first + level, GL_RGBA, GL_UNSIGNED_BYTE,
                                found.data());
                for (std::size_t i = 0; i < found.size(); ++i)
                    for (std::size_t channel = 0; channel < 4; ++channel)
                        EXPECT_NEAR(found[i][channel], expected[i][channel], tolerance)
                            << "face " << face << ", level " << level << ", texel " << i;
            }
    }
};

TEST_F(CubeMipmapTest, GoInOneBlitALevel) {
    const GLuint texture = storage(GL_RGBA8);
    bind_texture_target(texture, kSide, kSide);
    fill();
    gl::Finish();
    // The drawing keeps the blits from going before the batch, where no barriers are counted.
    const Spent spent = measure([] {
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
    });
    EXPECT_LE(spent.at("barriers"), 1U + kLast) << "one for the drawing, and one a level";
    fill();
    gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
    expect_levels();
}

TEST_F(CubeMipmapTest, OfImagesGivenFaceByFace) {
    new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BASE_LEVEL, 2);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, 2 + kLast);
    for (int face = 5; face >= 0; --face)
        gl::TexImage2D(face_target(face), 2, GL_RGBA8, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       base(face).data());
    gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
    expect_levels(2);
}

TEST_F(CubeMipmapTest, OfATextureByName) {
    if (!has_extension("GL_ARB_direct_state_access"))
        GTEST_SKIP() << "no direct state access";
    const GLuint texture = storage(GL_RGBA8);
    fill();
    gl::BindTexture(GL_TEXTURE_CUBE_MAP, 0);
    gl::GenerateTextureMipmap(texture);
    gl::BindTexture(GL_TEXTURE_CUBE_MAP, texture);
    expect_levels();
}

/// The blit can't be Vulkan's own, as its format isn't the image's.
TEST_F(CubeMipmapTest, OfSrgbTexelsTakenAsLinear) {
    if (!has_extension("GL_EXT_texture_sRGB_decode"))
        GTEST_SKIP() << "sRGB texels are always decoded";
    storage(GL_SRGB8_ALPHA8);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
    fill();
    gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
    expect_levels();
}

/// No GPU draws to compressed textures: the CPU generates the levels.
TEST_F(CubeMipmapTest, OfCompressedTexels) {
    if (!has_extension("GL_EXT_texture_compression_s3tc"))
        GTEST_SKIP() << "no S3TC";
    storage(GL_COMPRESSED_RGBA_S3TC_DXT5_EXT);
    fill();
    gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
    // A block has two colours and two between them, all of 16 bits.
    constexpr GLint kWholeBlocks = 1;
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, kWholeBlocks);
    for (int face = 0; face < 6; ++face) {
        std::vector<Byte4> found(kSide * kSide / 4);
        gl::GetTexImage(face_target(face), kWholeBlocks, GL_RGBA, GL_UNSIGNED_BYTE, found.data());
        for (const Byte4& texel : found)
            EXPECT_NEAR(texel[0], 30 * (face + 1), 8) << "face " << face;
    }
}

TEST_F(CubeMipmapTest, OfAViewOfSixLayers) {
    if (!has_extension("GL_ARB_texture_view"))
        GTEST_SKIP() << "no views";
    constexpr GLint kLayers = 8;
    const std::vector<Byte4> grey(kSide * kSide, {99, 99, 99, 99});
    const GLuint origin = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, kLast + 1, GL_RGBA8, kSide, kSide, kLayers);
    for (GLint level = 0; level <= kLast; ++level)
        for (GLint layer = 0; layer < kLayers; ++layer)
            gl::TexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, kSide >> level,
                              kSide >> level, 1, GL_RGBA, GL_UNSIGNED_BYTE, grey.data());
    GLuint view = 0;
    gl::GenTextures(1, &view);
    gl::TextureView(view, GL_TEXTURE_CUBE_MAP, origin, GL_RGBA8, 0, kLast + 1, 1, 6);
    gl::BindTexture(GL_TEXTURE_CUBE_MAP, view);
    fill();
    gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
    expect_levels();
    for (const int outside : {0, kLayers - 1}) {
        bind_texture_target(origin, kSide / 2, kSide / 2, 1, outside);
        expect_area(0, 0, kSide / 2, kSide / 2, grey[0]);
    }
}

} // namespace
} // namespace kobalt::gltest
