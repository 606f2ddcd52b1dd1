// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// OpenGL ES 1.1: state as it is set and asked for, and drawing that only it has.
#include <algorithm>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLenum kCropRectangle = 0x8B9D;  ///< GL_TEXTURE_CROP_RECT_OES
constexpr GLenum kPointSizeArray = 0x8B9C; ///< GL_POINT_SIZE_ARRAY_OES

class Es1StateTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 1, 1, false}; }
};

// ES 1.1, 6.1.2: numbers are scaled, enumerated values are not.
TEST_F(Es1StateTest, FixedPointValues) {
    const auto get = gl_function<void (*)(GLenum, GLint*)>("glGetFixedv");
    const auto fixed = [&](GLenum name) {
        std::array<GLint, 4> values{};
        get(name, values.data());
        return values[0];
    };
    EXPECT_EQ(fixed(GL_FOG_MODE), GL_EXP);
    EXPECT_EQ(fixed(GL_MATRIX_MODE), GL_MODELVIEW);
    EXPECT_EQ(fixed(GL_SHADE_MODEL), GL_SMOOTH);
    EXPECT_EQ(fixed(GL_DEPTH_FUNC), GL_LESS);
    EXPECT_EQ(fixed(GL_STENCIL_CLEAR_VALUE), 0);
    EXPECT_EQ(fixed(GL_LINE_WIDTH), 1 << 16);
    EXPECT_EQ(fixed(GL_MODELVIEW_STACK_DEPTH), 1 << 16);
    gl::Viewport(0, 0, 7, 5);
    std::array<GLint, 4> viewport{};
    get(GL_VIEWPORT, viewport.data());
    EXPECT_EQ(viewport[2], 7 << 16);
}

// 2.7: there are MAX_TEXTURE_UNITS units.
TEST_F(Es1StateTest, TextureUnits) {
    GLint units = 0;
    gl::GetIntegerv(GL_MAX_TEXTURE_UNITS, &units);
    ASSERT_GE(units, 2);
    gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(units) - 1);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

// 4.2.3 and 3.8: colours are clamped when they are set.
TEST_F(Es1StateTest, ClampedColours) {
    const std::array<float, 4> wild{2, -1, 0.5F, 9};
    const Float4 clamped{1, 0, 0.5F, 1};
    Float4 got{};
    gl::ClearColor(wild[0], wild[1], wild[2], wild[3]);
    gl::GetFloatv(GL_COLOR_CLEAR_VALUE, got.data());
    EXPECT_EQ(got, clamped);
    gl::Fogfv(GL_FOG_COLOR, wild.data());
    gl::GetFloatv(GL_FOG_COLOR, got.data());
    EXPECT_EQ(got, clamped);
}

/// Of OpenGL ES 1.1, in a texture of 16 by 16 pixels.
class Es1DrawTest : public Es1StateTest {
protected:
    static constexpr int kSize = 16;
    void prepare() override {
        const auto generate = gl_function<PFNGLGENFRAMEBUFFERSPROC>("glGenFramebuffersOES");
        const auto bind = gl_function<PFNGLBINDFRAMEBUFFERPROC>("glBindFramebufferOES");
        const auto attach = gl_function<PFNGLFRAMEBUFFERTEXTURE2DPROC>("glFramebufferTexture2DOES");
        const std::vector<GLubyte> black(static_cast<size_t>(kSize * kSize) * 4, 0);
        const GLuint texture = picture(kSize, black.data());
        GLuint framebuffer = 0;
        generate(1, &framebuffer);
        bind(GL_FRAMEBUFFER, framebuffer);
        attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        gl::BindTexture(GL_TEXTURE_2D, 0);
        gl::Viewport(0, 0, kSize, kSize);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    static GLuint picture(int size, const void* texels) {
        GLuint texture = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
            gl::TexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
        }
        return texture;
    }
    static int lit() {
        std::array<Byte4, static_cast<size_t>(kSize) * kSize> texels{};
        gl::ReadPixels(0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        return static_cast<int>(std::ranges::count(texels, kGreen));
    }
};

// OES_draw_texture: a rectangle of fragments is no polygon, and isn't culled.
TEST_F(Es1DrawTest, DrawnTexturesAreNotCulled) {
    const auto draw = gl_function<void (*)(GLint, GLint, GLint, GLint, GLint)>("glDrawTexiOES");
    picture(1, kGreen.data());
    const std::array<GLint, 4> crop{0, 0, 1, 1};
    gl_function<void (*)(GLenum, GLenum, const GLint*)>("glTexParameteriv")(
        GL_TEXTURE_2D, kCropRectangle, crop.data());
    gl::Enable(GL_TEXTURE_2D);
    gl::Enable(GL_CULL_FACE);
    for (const GLenum face : {GL_FRONT, GL_BACK}) {
        gl::CullFace(face);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw(2, 3, 0, 8, 4);
        EXPECT_EQ(lit(), 32);
    }
}

// OES_point_size_array and ES 1.1, 3.3: sizes from an array are attenuated and clamped.
TEST_F(Es1DrawTest, PointSizesOfAnArray) {
    const auto sizes = gl_function<void (*)(GLenum, GLsizei, const void*)>("glPointSizePointerOES");
    const auto parameter = gl_function<void (*)(GLenum, GLfloat)>("glPointParameterf");
    const auto parameters = gl_function<void (*)(GLenum, const GLfloat*)>("glPointParameterfv");
    const std::array<float, 2> origin{0, 0};
    const float size = 8;
    gl_function<void (*)(GLint, GLenum, GLsizei, const void*)>("glVertexPointer")(2, GL_FLOAT, 0,
                                                                                  origin.data());
    const auto enable = gl_function<void (*)(GLenum)>("glEnableClientState");
    enable(GL_VERTEX_ARRAY);
    sizes(GL_FLOAT, 0, &size);
    enable(kPointSizeArray);
    gl_function<void (*)(GLfloat, GLfloat, GLfloat, GLfloat)>("glColor4f")(0, 1, 0, 1);
    const auto drawn = [] {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_POINTS, 0, 1);
        return lit();
    };
    EXPECT_EQ(drawn(), 64);
    parameter(GL_POINT_SIZE_MAX, 6);
    EXPECT_EQ(drawn(), 36);
    parameter(GL_POINT_SIZE_MAX, 64);
    const std::array<float, 3> quarter{4, 0, 0}; // 8 / sqrt(4)
    parameters(GL_POINT_DISTANCE_ATTENUATION, quarter.data());
    EXPECT_EQ(drawn(), 16);
}

} // namespace
} // namespace kobalt::gltest
