// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GLSL expressions with results that can be stated.
#include "support.h"

#include <cmath>

namespace kobalt::gltest {
namespace {

struct GlslCase {
    const char* name;
    const char* declarations;
    const char* expression;
    Float4 expected;
    friend void PrintTo(const GlslCase& value, std::ostream* out) { *out << value.name; }
};

class GlslTest : public GlTest, public testing::WithParamInterface<GlslCase> {};

TEST_P(GlslTest, Value) {
    const GlslCase& test = GetParam();
    // The inputs are uniforms, so that nothing is folded away.
    const std::string declarations =
        std::string(
            "uniform float half_; uniform float two; uniform float minus; uniform int three; "
            "uniform int big; uniform uint high; uniform vec4 ramp; uniform bool yes;\n") +
        test.declarations;
    const Float4 value = evaluate(declarations, test.expression, [](GLuint program) {
        set_uniform(program, "half_", 0.5F);
        set_uniform(program, "two", 2.0F);
        set_uniform(program, "minus", -1.75F);
        set_uniform(program, "three", 3);
        set_uniform(program, "big", 1 << 30);
        gl::Uniform1ui(gl::GetUniformLocation(program, "high"), 0xF0000001U);
        set_uniform(program, "ramp", Float4{1, 2, 3, 4});
        set_uniform(program, "yes", 1);
    });
    for (size_t c = 0; c < 4; ++c) {
        EXPECT_NEAR(value[c], test.expected[c], std::max(5e-4F, std::abs(test.expected[c]) * 2e-5F))
            << "component " << c;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, GlslTest,
    testing::Values(
        GlslCase{"Arithmetic",
                 "",
                 "vec4(two + half_, two * minus, half_ / two, -minus)",
                 {2.5F, -3.5F, 0.25F, 1.75F}},
        GlslCase{"Rounding",
                 "",
                 "vec4(floor(minus), ceil(minus), trunc(minus), round(minus))",
                 {-2, -1, -1, -2}},
        GlslCase{"FractModSign",
                 "",
                 "vec4(fract(minus), mod(minus, two), sign(minus), abs(minus))",
                 {0.25F, 0.25F, -1, 1.75F}},
        GlslCase{"RoundEven",
                 "",
                 "vec4(roundEven(half_), roundEven(half_ + 1.0), roundEven(half_ + "
                 "2.0), roundEven(-half_))",
                 {0, 2, 2, 0}},
        GlslCase{"MinMaxClampMix",
                 "",
                 "vec4(min(half_, two), max(half_, two), clamp(minus, -1.0, 1.0), mix(two, 4.0, "
                 "half_))",
                 {0.5F, 2, -1, 3}},
        GlslCase{"StepSmoothstep",
                 "",
                 "vec4(step(half_, two), step(two, half_), smoothstep(0.0, 1.0, half_), "
                 "smoothstep(0.0, two, half_))",
                 {1, 0, 0.5F, 0.15625F}},
        GlslCase{"Trigonometry",
                 "",
                 "vec4(sin(half_), cos(half_), tan(half_), atan(half_, minus))",
                 {0.479426F, 0.877583F, 0.546302F, 2.863293F}},
        GlslCase{"InverseTrigonometry",
                 "",
                 "vec4(asin(half_), acos(half_), atan(two), atan(minus))",
                 {0.523599F, 1.047198F, 1.107149F, -1.051650F}},
        GlslCase{"Hyperbolic",
                 "",
                 "vec4(sinh(half_), cosh(half_), tanh(half_), asinh(two))",
                 {0.521095F, 1.127626F, 0.462117F, 1.443635F}},
        GlslCase{"Exponential",
                 "",
                 "vec4(exp(half_), log(two), exp2(half_), log2(two * 4.0))",
                 {1.648721F, 0.693147F, 1.414214F, 3}},
        GlslCase{"PowerRoots",
                 "",
                 "vec4(pow(two, 5.0), sqrt(two), inversesqrt(two), pow(half_, two))",
                 {32, 1.414214F, 0.707107F, 0.25F}},
        GlslCase{"Geometric",
                 "",
                 "vec4(length(ramp.xy), distance(ramp.x, ramp.w), dot(ramp, ramp), "
                 "normalize(ramp.zw).x)",
                 {2.236068F, 3, 30, 0.6F}},
        GlslCase{"CrossReflect",
                 "",
                 "vec4(cross(ramp.xyz, ramp.yzw), reflect(ramp.xy, vec2(0, 1)).y)",
                 {-1, 2, -1, -2}},
        GlslCase{
            "FaceForwardRefract",
            "",
            "vec4(faceforward(ramp.xy, ramp.xy, ramp.xy), refract(vec2(0.6, -0.8), vec2(0, 1), "
            "half_))",
            {-1, -2, 0.3F, -0.953939F}},
        GlslCase{"Swizzles", "", "ramp.wzyx + ramp.xxyy * 10.0", {14, 13, 22, 21}},
        GlslCase{"SwizzledWrites",
                 "vec4 f() { vec4 v = vec4(0); v.zx = ramp.xy; v.yw = ramp.zz; return v; }",
                 "f()",
                 {2, 3, 1, 3}},
        GlslCase{"DynamicVectorIndex",
                 "float f() { vec4 v = ramp; v[three] = 9.0; return v[three - 1] "
                 "+ v[three]; }",
                 "vec4(f())",
                 {12, 12, 12, 12}},
        GlslCase{"IntegerDivision",
                 "",
                 "vec4(big / three % 1000, -7 / three, 7 % three, three / 2)",
                 {941, -2, 1, 1}},
        GlslCase{"Shifts",
                 "",
                 "vec4(three << 2, -8 >> 1, int(high >> 28u), (1 << three) | 1)",
                 {12, -4, 15, 9}},
        GlslCase{
            "BitOperations", "", "vec4(6 & three, 4 | three, 6 ^ three, ~three)", {2, 7, 5, -4}},
        GlslCase{"UnsignedCompare",
                 "",
                 "vec4(high > 5u ? 1.0 : 0.0, int(high) < 0 ? 1.0 : 0.0, float(high / 16777216u), "
                 "float(high % 10u))",
                 {1, 1, 240, 1}},
        GlslCase{"UnsignedToFloat", "", "vec4(float(high), 0, 0, 0)", {4026531841.0F, 0, 0, 0}},
        GlslCase{"FloatToInteger",
                 "",
                 "vec4(int(minus), int(two + half_), uint(two), bool(half_))",
                 {-1, 2, 2, 1}},
        GlslCase{
            "BitCasts",
            "",
            "vec4(intBitsToFloat(floatBitsToInt(minus)), uintBitsToFloat(0x3F800000u + uint(three) "
            "- 3u), floatBitsToInt(two) >> 23, 0)",
            {-1.75F, 1, 128, 0}},
        GlslCase{"BooleanVectors",
                 "",
                 "vec4(any(lessThan(ramp, vec4(2))), all(greaterThan(ramp, vec4(0))), "
                 "equal(ramp.xy, vec2(1, 1)).y, not(bvec2(yes, false)).y)",
                 {1, 1, 0, 1}},
        GlslCase{"MixByBoolean",
                 "",
                 "mix(ramp, ramp * 10.0, bvec4(yes, !yes, yes, false))",
                 {10, 2, 30, 4}},
        GlslCase{"NanAndInfinity",
                 "",
                 "vec4(isnan(sqrt(minus)), isinf(two / (half_ - 0.5)), isnan(two), isinf(half_))",
                 {1, 1, 0, 0}},
        GlslCase{"DivisionByZero",
                 "",
                 "vec4(isinf(two / 0.0), minus / 0.0 < -1e30, isinf(ramp / vec4(0, 2, -0.0, 4)).z, "
                 "(ramp / vec4(0, 2, -0.0, 4)).w)",
                 {1, 1, 1, 1}},
        GlslCase{"Modf",
                 "float f(out float whole) { return modf(two + half_, whole); }\nvec4 g() { "
                 "float w; float p = f(w); return vec4(p, w, 0, 0); }",
                 "g()",
                 {0.5F, 2, 0, 0}},
        GlslCase{"MatrixTimesVector",
                 "mat3 m() { return mat3(1, 2, 3, 4, 5, 6, 7, 8, two * 4.5); }",
                 "vec4(m() * ramp.xyz, (ramp.xyz * m()).y)",
                 {30, 36, 42, 32}},
        GlslCase{"MatrixTimesMatrix",
                 "mat2 m() { return mat2(1, 2, 3, two + two); }",
                 "vec4((m() * m())[0], (m() * m())[1])",
                 {7, 10, 15, 22}},
        GlslCase{"InverseDeterminantTranspose",
                 "mat2 m() { return mat2(4, 2, 7, three * 2); }",
                 "vec4(determinant(m()), inverse(m())[0], transpose(m())[0][1])",
                 {10, 0.6F, -0.2F, 7}},
        GlslCase{
            "InverseOf4x4",
            "mat4 m() { return mat4(2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 5, 0, 1, 2, 3, two / two); }",
            "inverse(m()) * vec4(3, 6, 8, 1)",
            {1, 1, 1, 1}},
        GlslCase{"OuterProduct", "", "vec4(outerProduct(ramp.xy, ramp.zw))", {3, 6, 4, 8}},
        GlslCase{"NonSquareMatrix",
                 "mat2x3 m() { return mat2x3(1, 2, 3, 4, 5, two * 3.0); }",
                 "vec4(m() * ramp.xy, (ramp.xyz * m()).x)",
                 {9, 12, 15, 14}},
        GlslCase{
            "Loops",
            "float f() { float s = 0.0; for (int i = 0; i < three * 10; ++i) { if (i % 2 == 0) "
            "continue; if (i > 20) break; s += float(i); } return s; }",
            "vec4(f())",
            {100, 100, 100, 100}},
        GlslCase{
            "NestedLoopsAndEarlyReturn",
            "float f() { for (int i = 0; i < 10; ++i) { int j = 0; while (true) { if (i * j == 12) "
            "return float(i * 100 + j); if (++j > three * 2) break; } } return -1.0; }",
            "vec4(f())",
            {206, 206, 206, 206}},
        GlslCase{
            "SwitchWithFallThrough",
            "float f(int x) { float r = 0.0; switch (x) { case 1: r += 1.0; case 3: r += 10.0; "
            "case 5: r += 100.0; break; default: r = -1.0; } return r; }",
            "vec4(f(1), f(three), f(5), f(2))",
            {111, 110, 100, -1}},
        GlslCase{"DoWhile",
                 "int f() { int n = 27; int steps = 0; do { n = (n & 1) == 1 ? n * three + "
                 "1 : n / 2; ++steps; } while (n != 1); return steps; }",
                 "vec4(f())",
                 {111, 111, 111, 111}},
        GlslCase{
            "LocalArrays",
            "float f() { float a[8]; for (int i = 0; i < 8; ++i) a[i] = float(i * i); float s = "
            "0.0; for (int i = 0; i < 8; ++i) s += a[(i * three) % 8]; return s + a[three]; }",
            "vec4(f())",
            {149, 149, 149, 149}},
        GlslCase{"ConstantArrays",
                 "const vec2 table[4] = vec2[4](vec2(1, 2), vec2(3, 4), vec2(5, 6), vec2(7, 8));",
                 "vec4(table[three], table[three - 2])",
                 {7, 8, 3, 4}},
        GlslCase{
            "StructsAndInout",
            "struct S { vec2 a; int b[2]; }; void f(inout S s, const in float x) { s.a *= x; "
            "s.b[1] += int(x); } vec4 g() { S s = S(vec2(1, 2), int[2](3, 4)); f(s, two); S t = s; "
            "return vec4(t.a, t.b[0], t.b[1] + (t == s ? 100 : 0)); }",
            "g()",
            {2, 4, 3, 106}},
        // GLSL 4.60, 5.8: what is assigned is a copy, whatever becomes of what it was copied from.
        GlslCase{
            "CopiesOfArrays",
            "vec4 f() { float b[3]; for (int i = 0; i < three; ++i) b[i] = float(i + 1); float "
            "a[3] = b; b[0] = 100.0 * half_; float s = 0.0; for (int i = 0; i < 3; ++i) s += a[i]; "
            "return vec4(s, a[three - 3], b[three - 3], b[three - 2]); }",
            "f()",
            {6, 1, 50, 2}},
        GlslCase{
            "SwappedArrays",
            "vec4 f() { float a[3], b[3]; for (int i = 0; i < three; ++i) { a[i] = float(i); b[i] "
            "= float(i * 10 + 5); } float t[3] = a; a = b; b = t; return vec4(a[three - 3], "
            "a[three - 1], b[three - 3], b[three - 1]); }",
            "f()",
            {5, 25, 0, 2}},
        GlslCase{"CopiesOfStructs",
                 "struct S { float m[3]; }; vec4 f() { S b = S(float[3](1.0, 2.0, 3.0)), a; float "
                 "q = 0.0; if (yes) q = half_; a = b; b.m[0] = 100.0 + q; float s = 0.0; for (int "
                 "i = 0; i < three; ++i) s += a.m[i]; return vec4(s, a.m[0], b.m[0], b.m[2]); }",
                 "f()",
                 {6, 1, 100.5F, 3}},
        // GLSL 4.60, 6.4: with the loop, and with none of the switches.
        GlslCase{"ContinueWithinTwoSwitches",
                 "vec4 f() { float s = 0.0; int w = 0; for (; w < three && s < 20.0; ++w) { s += "
                 "1.0; switch (three) { default: switch (three) { default: if (yes) continue; } s "
                 "+= 100.0; } s += 100.0; } return vec4(s, w, 0, 0); }",
                 "f()",
                 {3, 3, 0, 0}},
        // GLSL 4.60, 5.4.2: a scalar goes on the diagonal, and what is missing is the identity's.
        GlslCase{"ConstantMatrices",
                 "",
                 "vec4(mat4x2(9.0)[3][0], mat4x2(mat2(1, 2, 3, 4))[3][0], "
                 "mat3(mat3x2(1, 2, 3, 4, 5, 6))[2][2], mat3(mat2x3(1, 2, 3, 4, 5, 6))[1][2])",
                 {0, 0, 1, 6}},
        GlslCase{"MatrixDynamicIndex",
                 "mat4 m() { return mat4(ramp, ramp * 2.0, ramp * 3.0, ramp * "
                 "4.0); }",
                 "vec4(m()[three][three - 1], m()[three - 2])",
                 {12, 2, 4, 6}},
        GlslCase{"Discarded",
                 "vec4 f() { if (half_ > two) discard; return ramp; }",
                 "f()",
                 {1, 2, 3, 4}},
        GlslCase{
            "ShortCircuit",
            "int count = 0; bool touch() { ++count; return true; } vec4 f() { bool a = yes || "
            "touch(); bool b = !yes && touch(); bool c = yes && touch(); return vec4(count, a, b, "
            "c); }",
            "f()",
            {1, 1, 0, 1}},
        GlslCase{"TernaryChain", "", "vec4(three > 5 ? 1.0 : three > 2 ? 2.0 : 3.0)", {2, 2, 2, 2}},
        GlslCase{"PreprocessorVersion",
                 "#if __VERSION__ >= 330\n#define V 33.0\n#else\n#define V "
                 "0.0\n#endif\n",
                 "vec4(V * half_ * two)",
                 {33, 33, 33, 33}}),
    [](const auto& info) { return info.param.name; });

class Int64Test : public GlTest {
protected:
    Missing missing() const override {
        return first_of({lacks(4, 0), lacks("GL_ARB_gpu_shader_int64")});
    }
};

TEST_F(Int64Test, ComponentsOfConstantVectors) {
    const std::string version = "#version 400 core\n#extension GL_ARB_gpu_shader_int64 : require\n";
    const GLuint program =
        link({{GL_VERTEX_SHADER, version + kFullscreenVs}, {GL_FRAGMENT_SHADER, version + R"(
out vec4 result;
const i64vec2 i = i64vec2(3L, -7L);
const u64vec3 u = u64vec3(1UL, 2UL, 5UL);
void main() { result = vec4(float(i[0]), float(i[1]), float(u[2]), float(u[1])); })"}});
    make_target({1, 1, GL_RGBA32F});
    draw_fullscreen(program);
    expect_near(pixel_float(0, 0), {3, -7, 5, 2}, 0);
}

class DoubleTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 0); }
};

// GLSL 4.60, 5.4.2, as ConstantMatrices.
TEST_F(DoubleTest, ConstantMatrices) {
    const std::string version = "#version 400 core\n";
    const GLuint program =
        link({{GL_VERTEX_SHADER, version + kFullscreenVs}, {GL_FRAGMENT_SHADER, version + R"(
out vec4 result;
const dmat3 m = dmat3(dmat2(1.5lf, 2.5lf, 3.5lf, 4.5lf));
void main() { result = vec4(m[0][0], m[1][1], m[2][2], m[2][1] + dmat4x2(dmat2(1))[3][0]); })"}});
    make_target({1, 1, GL_RGBA32F});
    draw_fullscreen(program);
    expect_near(pixel_float(0, 0), {1.5F, 4.5F, 1, 0}, 0);
}

} // namespace
} // namespace kobalt::gltest
