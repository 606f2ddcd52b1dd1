// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What calls about textures refuse (OpenGL 4.6, chapter 8).
#include "support.h"

namespace kobalt::gltest {
namespace {

class TextureCheckTest : public GlTest {
protected:
    static void expect(int error) { EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error)); }
};

// 8.5 and 8.19: these formats are for two dimensions alone, so the target doesn't fit the format.
TEST_F(TextureCheckTest, CompressedFormatsOfRectangles) {
    new_texture(GL_TEXTURE_RECTANGLE);
    const std::array<std::uint8_t, 8> block{};
    for (const GLenum format : {GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_RGB8_ETC2}) {
        gl::TexImage2D(GL_TEXTURE_RECTANGLE, 0, static_cast<GLint>(format), 4, 4, 0, GL_RGB,
                       GL_UNSIGNED_BYTE, nullptr);
        expect(GL_INVALID_OPERATION);
        gl::CompressedTexImage2D(GL_TEXTURE_RECTANGLE, 0, format, 4, 4, 0, 8, block.data());
        expect(GL_INVALID_OPERATION);
        if (has_extension("GL_ARB_texture_storage")) {
            gl::TexStorage2D(GL_TEXTURE_RECTANGLE, 1, format, 4, 4);
            expect(GL_INVALID_OPERATION);
        }
    }
}

// 8.21: what clears has the components of what is cleared.
TEST_F(TextureCheckTest, ClearsOfDepthAndStencil) {
    if (!has_extension("GL_ARB_clear_texture")) {
        GTEST_SKIP() << "GL_ARB_clear_texture is not offered";
    }
    const std::array<std::uint32_t, 2> texel{};
    for (const auto& [format, base] : {std::pair{GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL},
                                       std::pair{GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT}}) {
        const GLuint texture = texture_2d(static_cast<GLenum>(format), 4, 4, GL_DEPTH_STENCIL,
                                          GL_UNSIGNED_INT_24_8, nullptr);
        gl::ClearTexImage(texture, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, texel.data());
        expect(base == GL_DEPTH_COMPONENT ? GL_NO_ERROR : GL_INVALID_OPERATION);
        gl::ClearTexImage(texture, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, texel.data());
        expect(base == GL_DEPTH_STENCIL ? GL_NO_ERROR : GL_INVALID_OPERATION);
    }
}

// GL 4.6, 2.2.1: to the nearest integer.
TEST_F(TextureCheckTest, LevelsBetweenIntegers) {
    new_texture(GL_TEXTURE_2D);
    for (const auto& [given, level] : {std::pair{1.6F, 2}, {2.4F, 2}, {0.2F, 0}}) {
        gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, &given);
        GLint found = -1;
        gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, &found);
        EXPECT_EQ(found, level);
    }
}

} // namespace
} // namespace kobalt::gltest
