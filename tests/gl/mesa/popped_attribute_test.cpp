// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// glPopAttrib brings back what glPushAttrib kept, also where nothing else of the group changed
// (OpenGL 4.6 compatibility profile, 21.6 and the state tables).
#include "support.h"

namespace kobalt::gltest {
namespace {

class PoppedAttributeTest : public CompatTest {
protected:
    static GLint integer(GLenum what) {
        GLint value = -1;
        gl::GetIntegerv(what, &value);
        return value;
    }
};

TEST_F(PoppedAttributeTest, GenerateMipmap) {
    new_texture(GL_TEXTURE_2D);
    for (const GLint kept : {GL_FALSE, GL_TRUE}) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, kept);
        gl::PushAttrib(GL_TEXTURE_BIT);
        gl::TexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, kept == GL_TRUE ? GL_FALSE : GL_TRUE);
        gl::PopAttrib();
        GLint found = -1;
        gl::GetTexParameteriv(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, &found);
        EXPECT_EQ(found, kept);
    }
}

// Both equations are alike when they are pushed, and only that of alpha changes.
TEST_F(PoppedAttributeTest, EquationOfAlpha) {
    for (const GLenum kept : {GL_FUNC_ADD, GL_MAX}) {
        gl::BlendEquation(kept);
        gl::PushAttrib(GL_COLOR_BUFFER_BIT);
        gl::BlendEquationSeparate(kept, GL_FUNC_SUBTRACT);
        gl::PopAttrib();
        EXPECT_EQ(integer(GL_BLEND_EQUATION_RGB), static_cast<GLint>(kept));
        EXPECT_EQ(integer(GL_BLEND_EQUATION_ALPHA), static_cast<GLint>(kept));
    }
}

// EXT_stencil_two_side: the active face is of the group of the stencil buffer.
TEST_F(PoppedAttributeTest, ActiveStencilFace) {
    if (const Missing reason = lacks("GL_EXT_stencil_two_side")) {
        GTEST_SKIP() << *reason;
    }
    const auto choose = gl_function<PFNGLACTIVESTENCILFACEEXTPROC>("glActiveStencilFaceEXT");
    for (const GLenum kept : {GL_FRONT, GL_BACK}) {
        choose(kept);
        gl::PushAttrib(GL_STENCIL_BUFFER_BIT);
        choose(kept == GL_FRONT ? GL_BACK : GL_FRONT);
        gl::PopAttrib();
        EXPECT_EQ(integer(GL_ACTIVE_STENCIL_FACE_EXT), static_cast<GLint>(kept));
    }
}

} // namespace
} // namespace kobalt::gltest
