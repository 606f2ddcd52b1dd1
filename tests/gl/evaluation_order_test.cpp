// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// GLSL 4.60, 5.8 and 6.1.1: what stands left is evaluated before what stands right of it, in
// assignments as in arguments.

namespace kobalt::gltest {
namespace {

class EvaluationOrderTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 0}; }
};

TEST_F(EvaluationOrderTest, LeftToRight) {
    const std::string declarations =
        "uniform int five; struct S { int m; int n; }; int global; int changes_global() { global = "
        "5; return 5; } int f(int p, int q) { return p * 100 + q; } int plus_one(inout int p) { "
        "return ++p; }";
    struct Case {
        const char* statements;
        const char* value;
        int expected;
    };
    for (const Case& one : std::initializer_list<Case>{
             {"", "f(x, ++x)", 506},
             {"", "f(x++, x)", 506},
             {"", "f(x, x++)", 505},
             {"", "f(x + 0, x += 3)", 508},
             {"", "f(a[0], a[0] = 7)", 307},
             {"", "f(v.x, ++v.x)", 102},
             {"", "f(s.m, s.m = 8)", 408},
             {"", "f(x, plus_one(x))", 506},
             {"", "f(global, changes_global())", 105},
             {"", "min(x, ++x)", 5},
             {"", "ivec2(x, ++x).x", 5},
             {"", "ivec3(v, v.x = 8).x", 1},
             {"", "int[2](x, ++x)[0]", 5},
             {"", "S(x, ++x).m", 5},
             {"a[x - 5] = ++x;", "a[0]", 6},
             {"a[global - 1] = changes_global();", "a[0]", 5},
             {"int k = 0; b[k] = k = 2;", "b[0] * 10 + b[2]", 25},
             {"int k = 0; b[k++] += 5;", "k * 100 + b[0]", 108},
             {"int k = 0; bool q = k++ == 1 && k++ == 1;", "k", 1},
         }) {
        const std::string body =
            " int result_of() { int x = five; int a[2] = int[2](x - 2, 4); int b[3] = int[3](x - "
            "2, x - 1, x); ivec2 v = ivec2(x - 4, 2); S s = S(x - 1, x); global = x - 4; " +
            std::string(one.statements) + " return " + one.value + "; }";
        const Float4 found = evaluate(declarations + body, "vec4(result_of())", [](GLuint program) {
            gl::Uniform1i(gl::GetUniformLocation(program, "five"), 5);
        });
        EXPECT_EQ(found[0], static_cast<float>(one.expected)) << one.statements << one.value;
    }
}

} // namespace
} // namespace kobalt::gltest
