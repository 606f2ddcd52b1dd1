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

// 8.21: what clears has the components of what is cleared.
TEST_F(TextureCheckTest, ClearsOfDepthAndStencil) {
    if (!has_extension("GL_ARB_clear_texture")) {
        GTEST_SKIP() << "GL_ARB_clear_texture is not offered";
    }
    const std::array<std::uint32_t, 2> texel{};
    for (const auto& [format, base, type] :
         {std::tuple{GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8},
          std::tuple{GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT}}) {
        const GLuint texture = texture_2d(static_cast<GLenum>(format), 4, 4, GL_DEPTH_STENCIL,
                                          GL_UNSIGNED_INT_24_8, nullptr);
        gl::ClearTexImage(texture, 0, static_cast<GLenum>(base), static_cast<GLenum>(type),
                          texel.data());
        expect(GL_NO_ERROR);
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
