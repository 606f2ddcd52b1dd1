// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Rectangles and boxes so far away that their ends are beyond what an int holds: what lies outside
// of a framebuffer is undefined and no error (OpenGL 4.6, 8.6 and 18.2), what lies outside of an
// image is one.
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLint kMost = std::numeric_limits<GLint>::max();
constexpr GLint kLeast = std::numeric_limits<GLint>::min();
constexpr GLsizei kSize = 8;

class FarRectangleTest : public GlTest {
protected:
    void prepare() override {
        target_ = make_target({.width = kSize, .height = kSize});
        gl::ClearColor(0, 1, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    static constexpr std::array<std::array<GLint, 2>, 6> kCorners{
        {{kMost, 0}, {0, kMost}, {kMost - 1, kMost}, {kLeast, 0}, {0, kLeast}, {kLeast, kMost}}};
    Target target_;
};

TEST_F(FarRectangleTest, ReadingLeavesMemoryAlone) {
    for (const auto& [x, y] : kCorners) {
        std::array<Byte4, 16> read{};
        read.fill(kBlue);
        gl::ReadPixels(x, y, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    }
    // What is partly inside is there.
    std::array<Byte4, 4> read{};
    gl::ReadPixels(kSize - 1, 0, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
    EXPECT_EQ(read[0], kGreen);
    gl::ReadPixels(-3, 0, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
    EXPECT_EQ(read[3], kGreen);
}

TEST_F(FarRectangleTest, CopiesIntoTextures) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    const std::vector<Byte4> blue(kSize * kSize, kBlue);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   blue.data());
    for (const auto& [x, y] : kCorners) {
        gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, x, y, kSize, kSize);
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    }
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize - 1, kSize - 1, kSize, kSize);
    std::array<Byte4, kSize * kSize> texels{};
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    EXPECT_EQ(texels[0], kGreen);
    EXPECT_EQ(texels[1], kBlue) << "nothing was copied from outside of the framebuffer";
}

TEST_F(FarRectangleTest, BoxesOfTextures) {
    if (!has_extension("GL_ARB_clear_texture") || !has_extension("GL_ARB_copy_image")) {
        GTEST_SKIP() << "no GL_ARB_clear_texture or no GL_ARB_copy_image";
    }
    std::array<GLuint, 2> textures{};
    gl::GenTextures(2, textures.data());
    for (const GLuint texture : textures) {
        gl::BindTexture(GL_TEXTURE_3D, texture);
        gl::TexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, kSize, kSize, kSize, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, nullptr);
        gl::TexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
    }
    const auto clear = gl_function<PFNGLCLEARTEXSUBIMAGEPROC>("glClearTexSubImage");
    const auto copy = gl_function<PFNGLCOPYIMAGESUBDATAPROC>("glCopyImageSubData");
    for (int axis = 0; axis < 3; ++axis) {
        std::array<GLint, 3> at{};
        at.at(static_cast<size_t>(axis)) = kMost;
        clear(textures[0], 0, at[0], at[1], at[2], 2, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION}) << "clear, axis " << axis;
        copy(textures[0], GL_TEXTURE_3D, 0, at[0], at[1], at[2], textures[1], GL_TEXTURE_3D, 0, 0,
             0, 0, 2, 2, 2);
        EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE}) << "copy from, axis " << axis;
        copy(textures[0], GL_TEXTURE_3D, 0, 0, 0, 0, textures[1], GL_TEXTURE_3D, 0, at[0], at[1],
             at[2], 2, 2, 2);
        EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE}) << "copy to, axis " << axis;
    }
}

// OpenGL 4.6, 8.11.4: the z of a box of a cube map is a face, and one that is not there is an
// error.
TEST_F(FarRectangleTest, FacesOfACubeMap) {
    if (const Missing reason = lacks(4, 5, "GL_ARB_get_texture_sub_image")) {
        GTEST_SKIP() << *reason;
    }
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    for (GLenum face = 0; face < 6; ++face) {
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 1, 1, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, kGreen.data());
    }
    const auto get = gl_function<PFNGLGETTEXTURESUBIMAGEPROC>("glGetTextureSubImage");
    std::array<Byte4, 6> texels{};
    for (const auto& [face, count] : {std::pair{kMost, 1}, {kMost - 4, 6}, {5, 2}}) {
        get(cube, 0, 0, 0, face, 1, 1, count, GL_RGBA, GL_UNSIGNED_BYTE, sizeof(texels),
            texels.data());
        EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE}) << face;
    }
    EXPECT_EQ(texels, (std::array<Byte4, 6>{}));
}

} // namespace
} // namespace kobalt::gltest
