// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_ATI_fragment_shader: what its instructions compute.
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class AtiFragmentShaderTest : public FixedFunctionTest {
protected:
    Missing missing() const override { return lacks("GL_ATI_fragment_shader"); }
};

// The table of instructions: DOT2_ADD is a.r * b.r + a.g * b.g + c.b.
TEST_F(AtiFragmentShaderTest, Dot2AddAddsTheThirdArgument) {
    const auto generate = gl_function<PFNGLGENFRAGMENTSHADERSATIPROC>("glGenFragmentShadersATI");
    const auto bind = gl_function<PFNGLBINDFRAGMENTSHADERATIPROC>("glBindFragmentShaderATI");
    const auto begin = gl_function<PFNGLBEGINFRAGMENTSHADERATIPROC>("glBeginFragmentShaderATI");
    const auto end = gl_function<PFNGLENDFRAGMENTSHADERATIPROC>("glEndFragmentShaderATI");
    const auto constant =
        gl_function<PFNGLSETFRAGMENTSHADERCONSTANTATIPROC>("glSetFragmentShaderConstantATI");
    const auto colour_op = gl_function<PFNGLCOLORFRAGMENTOP3ATIPROC>("glColorFragmentOp3ATI");
    const auto alpha_op = gl_function<PFNGLALPHAFRAGMENTOP1ATIPROC>("glAlphaFragmentOp1ATI");
    bind(generate(1));
    begin();
    const Float4 first{0.5F, 1, 1, 1};
    const Float4 second{0.4F, 0.2F, 0.6F, 1};
    constant(GL_CON_0_ATI, first.data());
    constant(GL_CON_1_ATI, second.data());
    // An instruction reads two constants at most, so the third argument is the primary colour.
    colour_op(GL_DOT2_ADD_ATI, GL_REG_0_ATI, GL_NONE, GL_NONE, GL_CON_0_ATI, GL_NONE, GL_NONE,
              GL_CON_1_ATI, GL_NONE, GL_NONE, GL_PRIMARY_COLOR, GL_NONE, GL_NONE);
    alpha_op(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, GL_ONE, GL_NONE, GL_NONE);
    end();
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    gl::Enable(GL_FRAGMENT_SHADER_ATI);
    gl::Color4f(1, 1, 0.2F, 1);
    quad();
    gl::Disable(GL_FRAGMENT_SHADER_ATI);
    // 0.5 * 0.4 + 1 * 0.2 + 0.2
    expect_area(0, 0, kSize, kSize, {153, 153, 153, 255}, 2);
}

} // namespace
} // namespace kobalt::gltest
