// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "compute.h"

namespace kobalt::gltest {
namespace {

// GLSL 4.60, 6.1.1: arguments are worked out once, before the call; what an out parameter is copied
// to does not change with what the function does to the index.
class ArgumentTest : public ComputeTest {
protected:
    /// What the body leaves in result; at is 1, and changed by the functions that it calls.
    static Words result(const char* declarations, const char* body) {
        const GLuint program = compute(std::string{R"(
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint result[4]; uint begin; };
uint at;
)"} + declarations + "\nvoid main() { at = begin;" +
                                       body + "}");
        EXPECT_NE(program, 0U);
        const GLuint buffer = storage(0, {0, 0, 0, 0, 1});
        gl::UseProgram(program);
        gl::DispatchCompute(1, 1, 1);
        return words_of(buffer, 4);
    }
};

TEST_F(ArgumentTest, IndexIsAVariable) {
    EXPECT_EQ(result("void f(out uint x) { x = 7u; at = 3u; }",
                     "uint a[4] = uint[4](0u, 0u, 0u, 0u); f(a[at]); result = a;"),
              (Words{0, 7, 0, 0}));
}

TEST_F(ArgumentTest, IndexIsAnExpression) {
    EXPECT_EQ(result("void f(out uint x) { x = 7u; at = 3u; }",
                     "uint a[4] = uint[4](0u, 0u, 0u, 0u); f(a[at & 3u]); result = a;"),
              (Words{0, 7, 0, 0}));
}

TEST_F(ArgumentTest, ComponentByAnExpression) {
    EXPECT_EQ(result("void f(inout uint x) { x += 7u; at = 2u; }",
                     "uvec4 a[2] = uvec4[2](uvec4(0), uvec4(0)); f(a[at & 1u][at + 1u]);"
                     "for (int i = 0; i < 4; ++i) result[i] = a[1][i];"),
              (Words{0, 0, 7, 0}));
}

TEST_F(ArgumentTest, AnArrayInAnArray) {
    EXPECT_EQ(result("void f(inout uint x[2]) { x[1] += 7u; at = 0u; }",
                     "uint a[2][2] = uint[2][2](uint[2](0u, 0u), uint[2](0u, 0u)); f(a[at]);"
                     "for (int i = 0; i < 4; ++i) result[i] = a[i / 2][i % 2];"),
              (Words{0, 0, 0, 7}));
}

TEST_F(ArgumentTest, AStructureInAnArray) {
    EXPECT_EQ(result("struct S { uint x; uint y; };"
                     "void f(out S s) { s = S(5u, 6u); at = 2u; }",
                     "S a[2] = S[2](S(0u, 0u), S(0u, 0u)); f(a[at - 1u]);"
                     "for (int i = 0; i < 2; ++i) { result[2 * i] = a[i].x; result[2 * i + 1] = "
                     "a[i].y; }"),
              (Words{5, 6, 0, 0}));
}

} // namespace
} // namespace kobalt::gltest
