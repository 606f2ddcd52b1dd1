// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What one stage hands to the next, and what is told of it.
#include "separable.h"
#include "stage_interface.h"

namespace kobalt::gltest {
namespace {

/// What one point, or patch of one vertex, becomes.
Float4 drawn(GLenum mode = GL_POINTS) {
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArrays(mode, 0, 1);
    return pixel_float(0, 0);
}

// GLSL 4.60, 7.1: a reader of the one kind alone gets no distances of the other. They are
// constants, since Mesa's Vulkan drivers take the one kind for the other among what a fragment
// shader loads.
TEST_F(StageInterfaceTest, CullDistancesBesideClipDistancesThatNobodyReads) {
    const Stage before = vertex("out " + std::string(kDistances) + "; void main() " + kBoth);
    gl::UseProgram(link({before, fragment(kCullReader)}));
    EXPECT_EQ(drawn(), (Float4{20, 21, 0, 0}));

    gl::UseProgram(link({before,
                         geometry("in " + std::string(kDistances) +
                                  " gl_in[]; out gl_PerVertex { vec4 gl_Position; }; flat out vec4 "
                                  "s; void main() { gl_Position = gl_in[0].gl_Position; s = "
                                  "vec4(gl_in[0].gl_CullDistance[0], gl_in[0].gl_CullDistance[1], "
                                  "0, 0); EmitVertex(); }"),
                         fragment("flat in vec4 s; out vec4 c; void main() { c = s; }")}));
    EXPECT_EQ(drawn(), (Float4{20, 21, 0, 0}));
}

TEST_F(StageInterfaceTest, CullDistancesOfAStageThatReadsClipDistances) {
    gl::UseProgram(
        link({vertex("out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[4]; }; void "
                     "main() { gl_Position = vec4(0, 0, 0, 1); for (int i = 0; i < 4; ++i) "
                     "gl_ClipDistance[i] = float(1 + i); }"),
              geometry("in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[4]; } gl_in[]; "
                       "out gl_PerVertex { vec4 gl_Position; float gl_CullDistance[2]; }; void "
                       "main() { gl_Position = gl_in[0].gl_Position; gl_CullDistance[0] = 5 + "
                       "gl_in[0].gl_ClipDistance[0]; gl_CullDistance[1] = 7; EmitVertex(); }"),
              fragment(kCullReader)}));
    EXPECT_EQ(drawn(), (Float4{6, 7, 0, 0}));
}

// An evaluation shader that anybody may stand before, with what passes patches on between.
// Few of them: the validation layer counts those that pass through a control shader twice.
TEST_F(StageInterfaceTest, CullDistancesThroughAnEvaluationShaderOfItsOwn) {
    const std::string distances =
        "gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[1]; }";
    gl::PatchParameteri(GL_PATCH_VERTICES, 1);
    const GLuint first = separable_of(
        {vertex("out " + distances +
                "; void main() { gl_Position = vec4(0, 0, 0, 1); "
                "gl_ClipDistance[0] = 10; gl_ClipDistance[1] = 11; gl_CullDistance[0] = 20; }")});
    const GLuint evaluation = separable_of(
        {{GL_TESS_EVALUATION_SHADER,
          glsl("layout(isolines, point_mode) in; in " + distances +
               " gl_in[]; out gl_PerVertex { vec4 gl_Position; }; layout(location = 0) flat out "
               "vec4 s; void main() { gl_Position = gl_in[0].gl_Position; s = "
               "vec4(gl_in[0].gl_CullDistance[0], gl_in[0].gl_ClipDistance[1], "
               "gl_in[0].gl_ClipDistance[0], 0); }")}});
    const GLuint last = separable_of(
        {fragment("layout(location = 0) flat in vec4 s; out vec4 c; void main() { c = s; }")});
    bind_pipeline({{GL_VERTEX_SHADER_BIT, first},
                   {GL_TESS_EVALUATION_SHADER_BIT, evaluation},
                   {GL_FRAGMENT_SHADER_BIT, last}});
    EXPECT_EQ(drawn(GL_PATCHES), (Float4{20, 11, 10, 0}));
}

// With an index that the shader works out all of the last vector is written.
TEST_F(StageInterfaceTest, CullDistancesBehindThreeClipDistances) {
    const GLuint program = link(
        {vertex("void main() { gl_Position = vec4(0, 0, 0, 1); }"),
         {GL_GEOMETRY_SHADER,
          glsl("layout(points) in; layout(points, max_vertices = 3) out; uniform int zero; uniform "
               "float value; out float gl_ClipDistance[3]; out float gl_CullDistance[4]; void "
               "main() { for (int e = 0; e < 3 + zero; ++e) { for (int i = 0; i < 3; ++i) { "
               "gl_ClipDistance[i] = value; gl_CullDistance[i] = value + float(i + e); } "
               "gl_CullDistance[3 + zero] = value + float(e + 3); gl_Position = "
               "gl_in[0].gl_Position; EmitVertex(); } }")},
         fragment("in float gl_ClipDistance[3]; in float gl_CullDistance[4]; out vec4 c; void "
                  "main() { c = gl_ClipDistance[0] > 99.0 ? vec4(0) : vec4(gl_CullDistance[0], "
                  "gl_CullDistance[1], gl_CullDistance[2], gl_CullDistance[3]); }")});
    gl::UseProgram(program);
    set_uniform(program, "value", 20.0F);
    EXPECT_EQ(drawn(), (Float4{22, 23, 24, 25}));
}

// GLSL 4.60, 4.4.1.
TEST_F(StageInterfaceTest, PatchVariablesWithoutALocationBesideOneWithIt) {
    gl::PatchParameteri(GL_PATCH_VERTICES, 1);
    gl::UseProgram(link(
        {vertex("void main() { gl_Position = vec4(0, 0, 0, 1); }"),
         {GL_TESS_CONTROL_SHADER,
          glsl("layout(vertices = 1) out; patch out vec4 a[2]; layout(location = 1) patch out vec4 "
               "b; void main() { a[0] = a[1] = vec4(1); b = vec4(2); "
               "gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position; gl_TessLevelOuter[0] = "
               "gl_TessLevelOuter[1] = 1; }")},
         {GL_TESS_EVALUATION_SHADER,
          glsl("layout(isolines, point_mode) in; patch in vec4 a[2]; layout(location = 1) patch in "
               "vec4 b; flat out vec4 s; void main() { s = vec4(a[0].x, b.x, a[1].y, b.y); "
               "gl_Position = gl_in[0].gl_Position; }")},
         fragment("flat in vec4 s; out vec4 c; void main() { c = s; }")}));
    EXPECT_EQ(drawn(GL_PATCHES), (Float4{1, 2, 1, 2}));
}

// Of a separable program with a stage behind the first one, whose variables match by name.
TEST_F(StageInterfaceTest, InputsByNameOfAProgramOfTwoStages) {
    const GLuint first = separable_of(
        {vertex("out gl_PerVertex { vec4 gl_Position; }; out float a[2]; out vec2 b; void main() { "
                "gl_Position = vec4(0, 0, 0, 1); a[0] = a[1] = 1; b = vec2(2); }")});
    const GLuint rest = separable_of(
        {geometry("in gl_PerVertex { vec4 gl_Position; } gl_in[]; out gl_PerVertex { vec4 "
                  "gl_Position; }; in float a[][2]; in vec2 b[]; flat out vec4 s; void main() { "
                  "gl_Position = gl_in[0].gl_Position; s = vec4(a[0][0], b[0].x, a[0][1], b[0].y); "
                  "EmitVertex(); }"),
         fragment("flat in vec4 s; out vec4 c; void main() { c = s; }")});
    bind_pipeline(
        {{GL_VERTEX_SHADER_BIT, first}, {GL_GEOMETRY_SHADER_BIT | GL_FRAGMENT_SHADER_BIT, rest}});
    EXPECT_EQ(drawn(), (Float4{1, 2, 1, 2}));
}

class StageInterfaceEsTest : public EsTest {
protected:
    void prepare() override {
        make_target({.width = 1, .height = 1});
        bind_new_vao();
        if (!has_version(3, 2)) {
            GTEST_SKIP() << "OpenGL ES 3.2 isn't there";
        }
    }
    static std::string glsl(const std::string& text) {
        return "#version 320 es\nprecision highp float;\n" + text;
    }
};

// GL ES 3.2, 7.4.1: blocks match by the block's name.
TEST_F(StageInterfaceEsTest, BlocksWithANameOfTheInstanceOnOneSide) {
    const auto green = [](const char* output, const char* written, const char* input,
                          const char* read) {
        const GLuint first =
            separable_of({{GL_VERTEX_SHADER, glsl("out B { vec4 x; }" + std::string(output) +
                                                  "; void main() { gl_Position = vec4(0, 0, 0, 1); "
                                                  "gl_PointSize = 1.0; " +
                                                  written + " = vec4(0, 1, 0, 1); }")}});
        const GLuint last = separable_of(
            {{GL_FRAGMENT_SHADER, glsl("in B { vec4 x; }" + std::string(input) +
                                       "; out vec4 c; void main() { c = " + read + "; }")}});
        bind_pipeline({{GL_VERTEX_SHADER_BIT, first}, {GL_FRAGMENT_SHADER_BIT, last}});
        clear_to_black();
        gl::DrawArrays(GL_POINTS, 0, 1);
        expect_pixel(0, 0, kGreen);
    };
    green("", "x", " i", "i.x");
    green(" o", "o.x", "", "x");
    green(" o", "o.x", " i", "i.x");
}

TEST_F(StageInterfaceEsTest, PointSizeOnOneSide) {
    EXPECT_TRUE(accepted(
        {{GL_VERTEX_SHADER, glsl("out gl_PerVertex { vec4 gl_Position; float gl_PointSize; }; void "
                                 "main() { gl_Position = vec4(0); gl_PointSize = 1.0; }")},
         {GL_GEOMETRY_SHADER,
          glsl("layout(points) in; layout(points, max_vertices = 1) out; in gl_PerVertex { vec4 "
               "gl_Position; } gl_in[]; out gl_PerVertex { vec4 gl_Position; }; void main() { "
               "gl_Position = gl_in[0].gl_Position; EmitVertex(); }")},
         {GL_FRAGMENT_SHADER, glsl("out vec4 c; void main() { c = vec4(1); }")}}));
}

// ES 3.2, 7.4.1: "treated as though they were not declared as arrays", arrays of arrays and of
// structures too.
TEST_F(StageInterfaceEsTest, ArraysAndStructuresOfEachVertex) {
    const GLuint first = separable_of(
        {{GL_VERTEX_SHADER,
          glsl("struct S { vec2 a; float b; }; flat out vec4 c[2]; flat out S s; void main() "
               "{ gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1.0; c[0] = vec4(0); c[1] = "
               "vec4(0, 0.5, 0, 0.5); s = S(vec2(0), 0.5); }")}});
    const GLuint between = separable_of(
        {{GL_GEOMETRY_SHADER,
          glsl("struct S { vec2 a; float b; }; layout(points) in; layout(points, max_vertices = 1) "
               "out; flat in "
               "vec4 c[][2]; flat in S s[]; flat out vec4 sum; void main() { gl_Position = "
               "gl_in[0].gl_Position; sum = c[0][1] + vec4(s[0].a.x, s[0].b, 0, s[0].b); "
               "EmitVertex(); }")}});
    const GLuint last = separable_of(
        {{GL_FRAGMENT_SHADER, glsl("flat in vec4 sum; out vec4 c; void main() { c = sum; }")}});
    bind_pipeline({{GL_VERTEX_SHADER_BIT, first},
                   {GL_GEOMETRY_SHADER_BIT, between},
                   {GL_FRAGMENT_SHADER_BIT, last}});
    clear_to_black();
    gl::DrawArrays(GL_POINTS, 0, 1);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    expect_pixel(0, 0, kGreen);
}

// ES 3.2, 7.4.1: variables without locations match by name, whatever built-ins one of the stages
// has beside them.
TEST_F(StageInterfaceEsTest, PatchVariablesBehindBuiltins) {
    const GLuint control = separable_of(
        {{GL_VERTEX_SHADER, glsl("void main() { gl_Position = vec4(0, 0, 0, 1); }")},
         {GL_TESS_CONTROL_SHADER, glsl("layout(vertices = 1) out; patch out vec4 above, "
                                       "green, zero; void main() { above = zero = "
                                       "vec4(0, 0, 0, 1); green = vec4(0, 1, 0, 0); "
                                       "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = "
                                       "1.0; }")}});
    const GLuint evaluation = separable_of(
        {{GL_TESS_EVALUATION_SHADER,
          glsl("layout(isolines, point_mode) in; patch in vec4 above, green, zero; out vec4 sum; "
               "void main() "
               "{ gl_Position = vec4(0, 0, 0, 1); sum = green + zero; }")},
         {GL_FRAGMENT_SHADER, glsl("in vec4 sum; out vec4 c; void main() { c = sum; }")}});
    bind_pipeline({{GL_VERTEX_SHADER_BIT | GL_TESS_CONTROL_SHADER_BIT, control},
                   {GL_TESS_EVALUATION_SHADER_BIT | GL_FRAGMENT_SHADER_BIT, evaluation}});
    gl::PatchParameteri(GL_PATCH_VERTICES, 1);
    clear_to_black();
    gl::DrawArrays(GL_PATCHES, 0, 1);
    expect_pixel(0, 0, kGreen);
}

// GLSL 4.60, 4.4.
TEST_F(StageInterfaceTest, LayoutsOfMembers) {
    const auto declared = [](const std::string& what) {
        return accepted({vertex(what + " void main() { gl_Position = vec4(0); }")});
    };
    for (const char* qualifier : {"align = 16", "offset = 16"}) {
        const std::string layout = "layout(" + std::string(qualifier) + ") ";
        EXPECT_TRUE(declared("layout(std140) uniform Block { " + layout + "vec4 member; };"))
            << qualifier;
    }
    EXPECT_TRUE(declared("layout(binding = 0, offset = 16) uniform atomic_uint counter;"));
    EXPECT_TRUE(declared("out Block { layout(location = 1) vec4 member; };"));
}

// 4.7: precision has no meaning, in members of structures neither.
TEST_F(StageInterfaceTest, PrecisionOfMembers) {
    EXPECT_TRUE(accepted({vertex("struct S { mediump vec4 v; }; uniform S s; void main() { "
                                 "gl_Position = s.v; }"),
                          fragment("struct S { highp vec4 v; }; uniform S s; out vec4 c; void "
                                   "main() { c = s.v; }")}));
}

// ESSL 3.20, 9.2.1: where a varying is sampled needn't match.
TEST_F(StageInterfaceEsTest, Samples) {
    const std::string es = "#version 310 es\n#extension GL_OES_shader_multisample_interpolation : "
                           "require\nprecision highp float;\n";
    EXPECT_TRUE(accepted({{GL_VERTEX_SHADER, es + "sample out vec4 v; void main() { gl_Position = "
                                                  "v = vec4(0); }"},
                          {GL_FRAGMENT_SHADER, es + "in vec4 v; out vec4 c; void main() { c = v; "
                                                    "}"}}));
}

// GLSL 4.60, 7.1: a clip distance of a disabled plane isn't defined for the fragment shader, but a
// varying of the same value is.
TEST_F(StageInterfaceTest, AVaryingBesideTheSameClipDistance) {
    const GLuint program = link({
        vertex("out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; }; out vec2 twice; "
               "void "
               "main() { gl_Position = vec4(0, 0, 0, 1); float value = float(gl_VertexID) + 0.5; "
               "gl_ClipDistance[0] = value; twice = vec2(value, value * 2.0); }"),
        fragment(
            "in float gl_ClipDistance[1]; in vec2 twice; out vec4 result; void main() { result = "
            "vec4(twice, 0, min(gl_ClipDistance[0], 0.0)); }"),
    });
    gl::UseProgram(program);
    EXPECT_EQ(drawn(), (Float4{0.5F, 1, 0, 0}));
}

} // namespace
} // namespace kobalt::gltest
