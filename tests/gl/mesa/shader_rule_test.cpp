// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What GLSL ES's compiler accepts and what it refuses; clauses are GLSL ES 3.20's.
#include "support.h"

namespace kobalt::gltest {
namespace {

class ShaderRuleTest : public EsTest {
protected:
    Missing missing() const override { return lacks(3, 2); }
};

class DesktopShaderRuleTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 3); }
};

const std::string kEs = "#version 320 es\nprecision highp float; precision highp int;\n";

bool in_stage(GLenum stage, const std::string& text) {
    return compiles(stage, kEs + text);
}

bool in_vertex(const std::string& text) {
    return in_stage(GL_VERTEX_SHADER, text);
}

bool in_fragment(const std::string& text) {
    return in_stage(GL_FRAGMENT_SHADER, text);
}

bool in_compute(const std::string& text) {
    return in_stage(GL_COMPUTE_SHADER, "layout(local_size_x = 1) in;\n" + text);
}

const std::string kEmptyMain = " void main() {}";

// 5.8: an increment gives a value.
const std::string kValue = "a++";
const char* const kPlaces[] = {"a", "(a)", "a.x", "a[0]", "c[1].q", "(c[1]).q.x", "m[1][0]"};

std::string assigning(const std::string& statement) {
    return "uniform bool u; struct S { vec4 q; }; S s() { return S(vec4(0)); } vec4 f() { return "
           "vec4(0); }\n"
           "void take(out vec4 x) { x = vec4(1); } void take(out float x) { x = 1.0; }\n"
           "void change(inout vec4 x) { ++x; } void change(inout float x) { ++x; }\n"
           "void main() { vec4 a = vec4(0), b = a; S c[2]; mat2 m = mat2(1); c[1].q = a; " +
           statement + "; }";
}

TEST_F(ShaderRuleTest, Places) {
    for (const std::string& statement :
         {kValue + " = a", kValue + " += a", kValue + "++", "--" + kValue, "take(" + kValue + ")",
          "change(" + kValue + ")"}) {
        EXPECT_FALSE(in_vertex(assigning(statement))) << statement;
    }
    for (const std::string place : kPlaces) {
        for (const std::string& statement : {place + " *= 2.0", place + "++", "--" + place,
                                             "take(" + place + ")", "change(" + place + ")"}) {
            EXPECT_TRUE(in_vertex(assigning(statement))) << statement;
        }
    }
    EXPECT_TRUE(in_vertex(assigning("a = b = c[0].q = a")));
    EXPECT_TRUE(in_vertex(assigning("c[0] = c[1] = s()")));
}

TEST_F(DesktopShaderRuleTest, Places) {
    EXPECT_FALSE(compiles(GL_VERTEX_SHADER, "#version 430\n" + assigning(kValue + " = a")));
    for (const std::string place : kPlaces) {
        EXPECT_TRUE(compiles(GL_VERTEX_SHADER, "#version 430\n" + assigning(place + " *= 2.0")))
            << place;
    }
}

// GLSL 4.60, 7.1.5: "must be sized in the fragment shader either implicitly or explicitly".
TEST_F(DesktopShaderRuleTest, SizesOfSampleMasks) {
    const auto accepted = [](const std::string& declaration) {
        return compiles(GL_FRAGMENT_SHADER,
                        "#version 430\n" + declaration + "; void main() { gl_SampleMask[0] = 1; }");
    };
    EXPECT_TRUE(accepted("out int gl_SampleMask[]"));
    EXPECT_TRUE(accepted("out int gl_SampleMask[1]"));
    EXPECT_TRUE(accepted("flat in int gl_SampleMaskIn[1]"));
    EXPECT_FALSE(accepted("out int gl_SampleMask[3]"));
    EXPECT_FALSE(accepted("out float gl_SampleMask[1]"));
}

// 4.3.6: an invocation writes its own vertex only.
TEST_F(ShaderRuleTest, OutputsOfItsOwnVertex) {
    const auto accepted = [](const std::string& place) {
        return in_stage(GL_TESS_CONTROL_SHADER,
                        "layout(vertices = 3) out; out vec4 a[]; patch out vec4 b[2];\n"
                        "void take(out vec4 x) { x = vec4(0); }\n"
                        "void main() { take(" +
                            place + "); }");
    };
    EXPECT_TRUE(accepted("a[gl_InvocationID]"));
    EXPECT_TRUE(accepted("gl_out[gl_InvocationID].gl_Position"));
    EXPECT_TRUE(accepted("b[1]"));
}

// 4.1.1, 4.1.8, 4.3.4.
TEST_F(ShaderRuleTest, MembersAndTypes) {
    EXPECT_TRUE(in_vertex("struct S { int x, y; }; struct T { S x; float S; };" + kEmptyMain));
    EXPECT_FALSE(in_vertex("struct S { void x; };" + kEmptyMain));
    EXPECT_FALSE(in_vertex("struct S { void x[2]; };" + kEmptyMain));
    EXPECT_FALSE(in_vertex("uniform B { void x; };" + kEmptyMain));
    EXPECT_FALSE(in_vertex("void main() { void[2] x; }"));
    EXPECT_FALSE(in_vertex("void main() { void(1); }"));
    EXPECT_TRUE(in_fragment("struct S { int y; vec2 x; }; flat in S s;" + kEmptyMain));
}

// 4.3.6: constants are indices of fragment outputs.
TEST_F(ShaderRuleTest, FragmentOutputs) {
    const auto indexed = [](const std::string& index) {
        return in_fragment("layout(location = 0) out vec4 a[2]; uniform int i;\n"
                           "void main() { const int one = 1; a[" +
                           index + "] = vec4(0); }");
    };
    EXPECT_TRUE(indexed("0"));
    EXPECT_TRUE(indexed("one"));
}

// 4.4.2.
TEST_F(ShaderRuleTest, LocationsOfFragmentOutputs) {
    GLint most = 0;
    gl::GetIntegerv(GL_MAX_DRAW_BUFFERS, &most);
    const auto at = [](int location, const std::string& output) {
        return "layout(location = " + std::to_string(location) + ") out vec4 " + output + "; ";
    };
    EXPECT_TRUE(in_fragment(at(most - 1, "a") + at(0, "b[2]") + at(2, "c") + kEmptyMain));
}

// 4.4: which layouts stand where.
TEST_F(ShaderRuleTest, LayoutsInTheirPlaces) {
    for (const std::string layout :
         {"std140", "shared", "packed", "row_major", "std140, column_major"}) {
        EXPECT_TRUE(in_fragment("layout(" + layout + ") uniform;" + kEmptyMain)) << layout;
    }
    EXPECT_TRUE(in_fragment("layout(binding = 0, offset = 4) uniform atomic_uint;" + kEmptyMain));
    EXPECT_FALSE(in_fragment("layout(early_fragment_tests) uniform vec4 x;" + kEmptyMain));
    EXPECT_FALSE(in_stage(GL_GEOMETRY_SHADER, "layout(points) uniform vec4 x;" + kEmptyMain));
    const std::string depth = "void main() { gl_FragDepth = 0.5; }";
    EXPECT_TRUE(in_fragment(depth));
    EXPECT_TRUE(in_fragment("layout(early_fragment_tests) in;" + kEmptyMain));
}

// KHR_blend_equation_advanced: a list of equations, in which one may stand twice.
TEST_F(ShaderRuleTest, ListsOfBlendEquations) {
    for (const std::string list : {"blend_support_multiply, blend_support_screen",
                                   "blend_support_hardlight, blend_support_hardlight",
                                   "blend_support_all_equations, blend_support_screen"}) {
        EXPECT_TRUE(
            in_fragment("layout(" + list + ") out; layout(location = 0) out vec4 c;" + kEmptyMain))
            << list;
    }
}

// 3.4, 3.7, 3.8, 4.3, 7.2.
TEST_F(ShaderRuleTest, Names) {
    EXPECT_TRUE(in_vertex("int packed; layout(packed) uniform B { int x; };" + kEmptyMain));
    EXPECT_FALSE(compiles(GL_VERTEX_SHADER, "#version 100\nint packed;" + kEmptyMain));
    EXPECT_TRUE(in_vertex("void x() {} uniform B { float x; } b;" + kEmptyMain));
    EXPECT_FALSE(in_vertex("#define __VERSION__ 3\n" + kEmptyMain));
    EXPECT_TRUE(in_vertex("#define " + std::string(1024, 'a') + " 3\n" + kEmptyMain));
    EXPECT_TRUE(in_vertex("void main() { int x = gl_MaxGeometryOutputComponents; }"));
}

// 3.4: the numbers of #line are expressions.
TEST_F(ShaderRuleTest, NumbersOfLines) {
    const auto line_after = [](const std::string& numbers, const std::string& line) {
        return in_vertex("#define HUNDRED 100\n#line " + numbers + "\n#if __LINE__ != " + line +
                         "\n#error another line\n#endif\n" + kEmptyMain);
    };
    EXPECT_TRUE(line_after("20", "20"));
    EXPECT_TRUE(line_after("(20 + 1)", "21"));
    EXPECT_TRUE(line_after("20 + 1", "21"));
    EXPECT_TRUE(line_after("HUNDRED 7", "100"));
    EXPECT_TRUE(line_after("(HUNDRED - 1) (3 * 2)", "99"));
    EXPECT_FALSE(line_after("THOUSAND", "0"));
    EXPECT_FALSE(line_after("", "0"));
}

// 4.7.3, 4.7.4, 4.8.1, 6.1.
TEST_F(ShaderRuleTest, PrecisionAndInvariance) {
    EXPECT_TRUE(in_fragment("precision highp atomic_uint;" + kEmptyMain));
    EXPECT_TRUE(in_fragment("mediump vec2 f() { return vec2(0); }" + kEmptyMain));
    EXPECT_TRUE(in_fragment("void f(int a); void f(highp int a) {}" + kEmptyMain));
    EXPECT_TRUE(in_vertex("out vec4 a; invariant a; invariant gl_Position;" + kEmptyMain));
}

TEST_F(ShaderRuleTest, PragmaOfInvariance) {
    const std::string pragma = "\n#pragma STDGL invariant(all)\n";
    for (const std::string version : {"310", "320"}) {
        EXPECT_TRUE(
            compiles(GL_FRAGMENT_SHADER, "#version " + version + " es" + pragma + kEmptyMain));
    }
    // There it is an error.
    EXPECT_FALSE(compiles(GL_FRAGMENT_SHADER, "#version 300 es" + pragma + kEmptyMain));
}

// 6.1.1.
TEST_F(ShaderRuleTest, ParametersWithoutNames) {
    EXPECT_TRUE(in_vertex("void f(int, float, int x) {} void main() { f(1, 2.0, 3); }"));
    EXPECT_FALSE(in_vertex("void f(int x, float x) {}" + kEmptyMain));
}

// The first two had crashed.
TEST_F(ShaderRuleTest, CallsOfWhatIsNoFunction) {
    EXPECT_FALSE(in_vertex("void main() { 1[2](1.0); }"));
    EXPECT_FALSE(in_vertex("void main() { float a[2][2]; a[1][0](1.0); }"));
    EXPECT_FALSE(in_vertex("void main() { float a[2]; a[1](1.0); }"));
}

// 4.10 and 8.13.
TEST_F(ShaderRuleTest, MemoryAndInputs) {
    EXPECT_TRUE(in_compute(
        "readonly writeonly buffer B { float x; float y[]; }; void main() { y.length(); }"));
    EXPECT_TRUE(in_compute(
        "writeonly buffer B { float w; }; void g(out float x) { x = 1.0; } void main() { g(w); }"));
    EXPECT_FALSE(in_compute("writeonly buffer B { float w; }; void g(inout float x) { x = 1.0; } "
                            "void main() { g(w); }"));
    EXPECT_FALSE(
        in_compute("writeonly buffer B { float w; }; void g(float x) {} void main() { g(w); }"));
    EXPECT_TRUE(
        in_compute("void f(highp uimage2D i) { imageAtomicAdd(i, ivec2(0), 1u); }" + kEmptyMain));
    EXPECT_FALSE(in_compute("layout(binding = 0, rgba8ui) uniform highp uimage2D i;" + kEmptyMain));
    EXPECT_FALSE(in_compute("void f(highp uimage2D i) {} layout(binding = 0, rgba8ui) uniform "
                            "readonly highp uimage2D i;"
                            "void main() { f(i); }"));
    const std::string result = "layout(location = 0) out vec4 c; ";
    EXPECT_TRUE(in_fragment(result +
                            "in B { vec4 a; vec4 d[2]; } b; void main() { "
                            "c = interpolateAtCentroid(b.a) + interpolateAtSample(b.d[1], 0) + "
                            "interpolateAtOffset(b.a, vec2(0)); }"));
    EXPECT_FALSE(in_fragment(
        result + "uniform B { vec4 a; } b; void main() { c = interpolateAtCentroid(b.a); }"));
}

} // namespace
} // namespace kobalt::gltest
