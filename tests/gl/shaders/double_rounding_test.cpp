// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// Doubles in shaders (GLSL 4.60).

namespace kobalt::gltest {
namespace {

class DoubleRoundingTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 0}; }
};

// 8.3: doubles have more bits than floats.
TEST_F(DoubleRoundingTest, LargeOnesAndTies) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 400 core\nvoid main() { gl_Position = vec4(vec2((gl_VertexID "
                            "<< 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0, 1); }"},
         {GL_FRAGMENT_SHADER,
          "#version 400 core\nuniform double value; uniform dvec3 wanted; out vec4 result; void "
          "main() { dvec3 found = dvec3(roundEven(value), trunc(value), value - fract(value)); "
          "result = vec4(equal(found, wanted), 1); }"}});
    make_target({4, 4});
    gl::UseProgram(program);
    struct Case {
        double value, even, truncated, floor;
    };
    for (const Case& one : std::initializer_list<Case>{{1.5, 2, 1, 1},
                                                       {-1.5, -2, -1, -2},
                                                       {2.5, 2, 2, 2},
                                                       {3.5, 4, 3, 3},
                                                       {1e10 + 0.75, 1e10 + 1, 1e10, 1e10},
                                                       {-1e10 - 0.25, -1e10, -1e10, -1e10 - 1}}) {
        gl::Uniform1d(gl::GetUniformLocation(program, "value"), one.value);
        const std::array<double, 3> wanted{one.even, one.truncated, one.floor};
        gl_function<decltype(&glUniform3dv)>("glUniform3dv")(
            gl::GetUniformLocation(program, "wanted"), 1, wanted.data());
        draw_fullscreen(program);
        expect_pixel(1, 1, {255, 255, 255, 255});
    }
}

} // namespace
} // namespace kobalt::gltest
