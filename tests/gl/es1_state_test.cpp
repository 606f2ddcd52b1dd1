// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// State of OpenGL ES 1.1 as it is set and asked for.
#include "support.h"

namespace kobalt::gltest {
namespace {

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

// 2.7: the units end where MAX_TEXTURE_UNITS says.
TEST_F(Es1StateTest, TextureUnits) {
    GLint units = 0;
    gl::GetIntegerv(GL_MAX_TEXTURE_UNITS, &units);
    ASSERT_GE(units, 2);
    gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(units) - 1);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(units));
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_ENUM});
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

} // namespace
} // namespace kobalt::gltest
