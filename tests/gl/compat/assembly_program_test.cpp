// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Programs in assembly (GL_ARB_vertex_program).
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class AssemblyProgramTest : public FixedFunctionTest {
protected:
    /// A new program without a string yet, in use for `target`.
    static void use_new_program(GLenum target) {
        GLuint program = 0;
        gl_function<PFNGLGENPROGRAMSARBPROC>("glGenProgramsARB")(1, &program);
        gl_function<PFNGLBINDPROGRAMARBPROC>("glBindProgramARB")(target, program);
        gl::Enable(target);
    }
    static void load(GLenum target, const std::string& text) {
        gl_function<PFNGLPROGRAMSTRINGARBPROC>("glProgramStringARB")(
            target, GL_PROGRAM_FORMAT_ASCII_ARB, static_cast<GLsizei>(text.size()), text.data());
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    }
};

// One program object gets one string after another, and each is drawn with.
TEST_F(AssemblyProgramTest, StringsFollowEachOther) {
    use_new_program(GL_VERTEX_PROGRAM_ARB);
    for (int i = 0; i < 5; ++i) {
        const std::string text = "!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV "
                                 "result.color, {0, " +
                                 std::to_string(0.2 * i) + ", 0, 1};\nEND\n";
        load(GL_VERTEX_PROGRAM_ARB, text);
        // Feedback keeps the program in a form of its own.
        std::array<float, 64> feedback{};
        gl::FeedbackBuffer(64, GL_3D, feedback.data());
        gl::RenderMode(GL_FEEDBACK);
        quad();
        EXPECT_GT(gl::RenderMode(GL_RENDER), 0);
        quad();
        expect_pixel(kSize / 2, kSize / 2, {0, static_cast<GLubyte>(51 * i), 0, 255}, 1);
    }
    gl::Disable(GL_VERTEX_PROGRAM_ARB);
}

// ARB_fragment_program, 3.11.5.13: 0 to the power of 0 is 1, exponents end before 128.
TEST_F(AssemblyProgramTest, Lit) {
    use_new_program(GL_FRAGMENT_PROGRAM_ARB);
    const std::string text =
        "!!ARBfp1.0\nTEMP a, b;\nMOV a, {1, 0, 0, 0};\nLIT a, a;\nMOV b, {1, 2, "
        "0, 200};\nLIT b, b;\nRCP b.z, b.z;\nSLT b.z, 0, b.z;\n"
        "MOV result.color.x, a.z;\nMOV result.color.yz, b.z;\nMOV "
        "result.color.w, 1;\nEND\n";
    load(GL_FRAGMENT_PROGRAM_ARB, text);
    quad();
    expect_pixel(kSize / 2, kSize / 2, {255, 255, 255, 255});
    gl::Disable(GL_FRAGMENT_PROGRAM_ARB);
}

} // namespace
} // namespace kobalt::gltest
