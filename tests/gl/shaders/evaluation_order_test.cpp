// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// GLSL 4.60, 5.8 and 6.1.1: an increment is evaluated once, before what stands right of it.

namespace kobalt::gltest {
namespace {

class EvaluationOrderTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 0}; }
};

TEST_F(EvaluationOrderTest, Increments) {
    const std::string declarations =
        "uniform int five; int f(int p, int q) { return p * 100 + q; }";
    struct Case {
        const char* statements;
        const char* value;
        int expected;
    };
    for (const Case& one : std::initializer_list<Case>{
             {"", "f(x++, x)", 506},
             {"int k = 0; b[k++] += 5;", "k * 100 + b[0]", 108},
             {"int k = 0; bool q = k++ == 1 && k++ == 1;", "k", 1},
         }) {
        const std::string body =
            " int result_of() { int x = five; int b[3] = int[3](x - 2, x - 1, x); " +
            std::string(one.statements) + " return " + one.value + "; }";
        const Float4 found = evaluate(declarations + body, "vec4(result_of())", [](GLuint program) {
            gl::Uniform1i(gl::GetUniformLocation(program, "five"), 5);
        });
        EXPECT_EQ(found[0], static_cast<float>(one.expected)) << one.statements << one.value;
    }
}

} // namespace
} // namespace kobalt::gltest
