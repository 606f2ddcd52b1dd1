// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the compiler computes from constants is what a shader would (GLSL 4.60, 5.9 and 8.3).
#include "support.h"

namespace kobalt::gltest {
namespace {

class FoldingTest : public GlTest {
protected:
    static constexpr int kSize = 4;
    void prepare() override {
        make_black_target({kSize, kSize, GL_RGBA8});
        bind_new_vao();
    }
    /// The colour that `expression`, a vec4, gives; `one` is a uniform of 1.
    static Byte4 value_of(const std::string& expression) {
        const GLuint program = vs_fs(kFullscreenVs, "uniform float one; out vec4 result;\n"
                                                    "void main() { result = " +
                                                        expression + "; }");
        gl::UseProgram(program);
        gl::Uniform1f(gl::GetUniformLocation(program, "one"), 1);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        return pixel(0, 0);
    }
};

// 8.3: min and max take a vector and a number.
TEST_F(FoldingTest, LeastAndMostOfVectorsAndNumbers) {
    EXPECT_EQ(value_of("min(vec4(0.2, 3.0, -21.0, 1.0), clamp(2.0, one, 2.0)) * 0.4"),
              (Byte4{20, 204, 0, 102}));
    EXPECT_EQ(value_of("max(vec4(0.2, -3.0, 0.8, 0.0), min(max(0.4, one * 0.4), 0.4))"),
              (Byte4{102, 102, 204, 102}));
}

// 4.1.3: integers wrap; nothing that a shader says ends the program.
TEST_F(FoldingTest, TheLeastIntegerByMinusOne) {
    for (const char* operation : {"/", "%"}) {
        EXPECT_EQ(value_of("vec4((-2147483647 - 1) " + std::string(operation) +
                           " -1 == 5 ? 0.0 : one, 0.0, 0.0, 1.0)"),
                  (Byte4{255, 0, 0, 255}));
        EXPECT_EQ(value_of("vec4(ivec2(-2147483647 - 1, 6) " + std::string(operation) +
                           " ivec2(-1, 4), 0.0, 1.0).yyyw * one"),
                  (Byte4{255, 255, 255, 255}));
    }
}

} // namespace
} // namespace kobalt::gltest
