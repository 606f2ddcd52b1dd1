// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Stages that are compiled alone must agree about their varyings whatever the other side reads:
// outputs that nobody reads, holes, arrays, components, structs, built-ins, in linked programs, in
// chains through a geometry shader and in separable programs.
#include "support.h"

namespace kobalt::gltest {
namespace {

struct InterfaceCase {
    const char* name;
    const char* vertex_declarations;
    const char* vertex_body;
    const char* fragment_declarations;
    const char* fragment_result;
    Float4 expected;
    friend void PrintTo(const InterfaceCase& value, std::ostream* out) { *out << value.name; }
};

const std::vector<InterfaceCase>& cases() {
    static const std::vector<InterfaceCase> all{
        {"OneVec4", "out vec4 a;", "a = vec4(1, 2, 3, 4);", "in vec4 a;", "a", {1, 2, 3, 4}},
        {"UnreadFirst",
         "out vec4 a; out vec4 b;",
         "a = vec4(9); b = vec4(1, 2, 3, 4);",
         "in vec4 b;",
         "b",
         {1, 2, 3, 4}},
        {"UnreadMiddle",
         "out vec4 a; out vec4 b; out vec4 c;",
         "a = vec4(1); b = vec4(9); c = vec4(10, 20, 30, 40);",
         "in vec4 a; in vec4 c;",
         "a + c",
         {11, 21, 31, 41}},
        {"UnreadLast",
         "out vec4 a; out vec4 b;",
         "a = vec4(1, 2, 3, 4); b = vec4(9);",
         "in vec4 a;",
         "a",
         {1, 2, 3, 4}},
        {"NobodyReadsAnything",
         "out vec4 a; out vec2 b[3];",
         "a = vec4(1); b[1] = vec2(2);",
         "",
         "vec4(7)",
         {7, 7, 7, 7}},
        {"ReadInAnotherOrder",
         "out float a; out vec2 b; out vec3 c;",
         "a = 1.0; b = vec2(2, 3); c = vec3(4, 5, 6);",
         "in vec3 c; in float a; in vec2 b;",
         "vec4(a, b, c.z)",
         {1, 2, 3, 6}},
        {"ManyScalars",
         "out float a; out float b; out float c; out float d; out float e;",
         "a = 1.0; b = 2.0; c = 3.0; d = 4.0; e = 5.0;",
         "in float a; in float b; in float c; in float d; in float e;",
         "vec4(a + e, b, c, d)",
         {6, 2, 3, 4}},
        {"ManyScalarsSomeUnread",
         "out float a; out float b; out float c; out float d; out float e;",
         "a = 1.0; b = 2.0; c = 3.0; d = 4.0; e = 5.0;",
         "in float b; in float e;",
         "vec4(b, e, b + e, 0)",
         {2, 5, 7, 0}},
        {"FloatArray",
         "out float a[5];",
         "for (int i = 0; i < 5; ++i) a[i] = float(i + 1);",
         "in float a[5];",
         "vec4(a[0], a[1], a[3], a[4])",
         {1, 2, 4, 5}},
        {"ArrayDynamicIndex",
         "out vec4 a[4]; uniform int zero;",
         "for (int i = 0; i < 4; ++i) a[i + zero] = vec4(i, i * 10, i * 100, 1);",
         "in vec4 a[4]; uniform int zero;",
         "a[zero + 2] + a[3 - zero]",
         {5, 50, 500, 2}},
        {"ArrayPartlyRead",
         "out vec2 a[4]; out vec4 b;",
         "for (int i = 0; i < 4; ++i) a[i] = vec2(i, -i); b = vec4(100);",
         "in vec2 a[4]; in vec4 b;",
         "vec4(a[3], b.xy)",
         {3, -3, 100, 100}},
        {"Matrix",
         "out mat3 m; out vec4 after;",
         "m = mat3(1, 2, 3, 4, 5, 6, 7, 8, 9); after = vec4(50);",
         "in mat3 m; in vec4 after;",
         "vec4(m[0][0], m[1][2], m[2][1], after.w)",
         {1, 6, 8, 50}},
        {"MatrixArray",
         "out mat2 m[2];",
         "m[0] = mat2(1, 2, 3, 4); m[1] = mat2(5, 6, 7, 8);",
         "in mat2 m[2];",
         "vec4(m[0][1], m[1][0])",
         {3, 4, 5, 6}},
        {"FlatInts",
         "flat out int a; flat out uvec2 b; out float c;",
         "a = -70000; b = uvec2(4000000000u, 7u); c = 0.5;",
         "flat in int a; flat in uvec2 b; in float c;",
         "vec4(float(a), b.x == 4000000000u ? 1.0 : 0.0, float(b.y), c)",
         {-70000, 1, 7, 0.5F}},
        {"FlatAndSmoothScalars",
         "flat out int a; out float b; flat out int c; out float d;",
         "a = 1; b = 2.0; c = 3; d = 4.0;",
         "flat in int c; in float d; flat in int a; in float b;",
         "vec4(a, b, c, d)",
         {1, 2, 3, 4}},
        {"NoPerspectiveAndCentroid",
         "noperspective out vec2 a; centroid out vec2 b; smooth out vec2 c;",
         "a = vec2(1, 2); b = vec2(3, 4); c = vec2(5, 6);",
         "noperspective in vec2 a; centroid in vec2 b; smooth in vec2 c;",
         "vec4(a, b.y, c.y)",
         {1, 2, 4, 6}},
        {"Struct",
         "struct S { vec3 a; float b[2]; vec2 c; }; out S s;",
         "s.a = vec3(1, 2, 3); s.b[0] = 4.0; s.b[1] = 5.0; s.c = vec2(6, 7);",
         "struct S { vec3 a; float b[2]; vec2 c; }; in S s;",
         "vec4(s.a.z, s.b[1], s.c)",
         {3, 5, 6, 7}},
        {"FlatStructOfInts",
         "struct S { int a; uvec3 b; }; flat out S s;",
         "s.a = -5; s.b = uvec3(1, 2, 3);",
         "struct S { int a; uvec3 b; }; flat in S s;",
         "vec4(s.a, s.b)",
         {-5, 1, 2, 3}},
        {"Block",
         "out Block { vec4 a; float b; vec3 c; } data;",
         "data.a = vec4(1); data.b = 2.0; data.c = vec3(3, 4, 5);",
         "in Block { vec4 a; float b; vec3 c; } data;",
         "vec4(data.a.x, data.b, data.c.yz)",
         {1, 2, 4, 5}},
        {"BlockPartlyRead",
         "out Block { vec4 a; vec4 b; vec4 c; };",
         "a = vec4(1); b = vec4(2); c = vec4(3, 4, 5, 6);",
         "in Block { vec4 a; vec4 b; vec4 c; };",
         "c",
         {3, 4, 5, 6}},
        {"BlockArray",
         "out Block { vec2 a; flat int b; } data[2];",
         "data[0].a = vec2(1, 2); data[0].b = 3; data[1].a = vec2(4, 5); data[1].b = 6;",
         "in Block { vec2 a; flat int b; } data[2];",
         "vec4(data[0].a, data[1].a.x, data[1].b)",
         {1, 2, 4, 6}},
        {"WrittenPartly",
         "out vec4 a;",
         "a.x = 1.0; a.w = 4.0;",
         "in vec4 a;",
         "vec4(a.x, 2, 3, a.w)",
         {1, 2, 3, 4}},
        {"NeverWritten",
         "out vec4 a; out vec4 b;",
         "b = vec4(1, 2, 3, 4);",
         "in vec4 a; in vec4 b;",
         "b + (a == a ? vec4(0) : vec4(0))",
         {1, 2, 3, 4}},
        {"SixteenVec4s",
         "out vec4 a[15];",
         "for (int i = 0; i < 15; ++i) a[i] = vec4(i, 1, 0, 0);",
         "in vec4 a[15];",
         "a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7] + a[8] + a[9] + a[10] + a[11] + "
         "a[12] + "
         "a[13] + a[14]",
         {105, 15, 0, 0}},
        {"OutputsReadInTheVertexShader",
         "out vec4 a; out vec4 b;",
         "a = vec4(1, 2, 3, 4); b = a * 2.0; a.x = b.y;",
         "in vec4 a; in vec4 b;",
         "vec4(a.xy, b.zw)",
         {4, 2, 6, 8}},
        {"ConditionalWrites",
         "out vec4 a; uniform int zero;",
         "a = vec4(5); if (zero == 0) { a.y = 6.0; } else { a = vec4(9); }",
         "in vec4 a;",
         "a",
         {5, 6, 5, 5}},
    };
    return all;
}

std::string vertex_source(const InterfaceCase& test) {
    return std::string("#version 330 core\n") + test.vertex_declarations +
           "\nvoid main() { vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2); "
           "gl_Position = "
           "vec4(corner * 2.0 - 1.0, 0, 1);\n" +
           test.vertex_body + "\n}";
}

std::string fragment_source(const InterfaceCase& test) {
    return std::string("#version 330 core\n") + test.fragment_declarations +
           "\nout vec4 result; void main() { result = " + test.fragment_result + "; }";
}

class InterfaceTest : public GlTest, public testing::WithParamInterface<InterfaceCase> {};

TEST_P(InterfaceTest, LinkedProgram) {
    const GLuint program = link({{GL_VERTEX_SHADER, vertex_source(GetParam())},
                                 {GL_FRAGMENT_SHADER, fragment_source(GetParam())}});
    make_target({4, 4, GL_RGBA32F});
    draw_fullscreen(program);
    expect_near(pixel_float(2, 1), GetParam().expected, 1e-4F);
}

TEST_P(InterfaceTest, SeparablePrograms) {
    if (!has_version(4, 1) && !has_extension("GL_ARB_separate_shader_objects")) {
        GTEST_SKIP() << "GL_ARB_separate_shader_objects is not offered";
    }
    // Without locations the interfaces must match exactly: those with unread outputs do not.
    const InterfaceCase& test = GetParam();
    const std::string name = test.name;
    const auto unmatched = {"Unread", "Nobody", "Another", "SomeUnread"};
    for (const char* word : unmatched) {
        if (name.find(word) != std::string::npos) {
            return;
        }
    }
    const auto separable = [](const Stage& stage) {
        return link({stage}, [](GLuint program) {
            gl::ProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
        });
    };
    std::string vertex = vertex_source(test);
    const std::string header = "#version 330 core\n#extension GL_ARB_separate_shader_objects : "
                               "enable\nout gl_PerVertex { vec4 gl_Position; };\n";
    vertex.replace(0, std::string("#version 330 core\n").size(), header);
    const GLuint vertex_program = separable({GL_VERTEX_SHADER, vertex});
    const GLuint fragment_program = separable({GL_FRAGMENT_SHADER, fragment_source(test)});
    GLuint pipeline = 0;
    gl::GenProgramPipelines(1, &pipeline);
    gl::UseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex_program);
    gl::UseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment_program);
    make_target({4, 4, GL_RGBA32F});
    gl::UseProgram(0);
    gl::BindProgramPipeline(pipeline);
    bind_new_vao();
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_near(pixel_float(2, 1), test.expected, 1e-4F);
}

INSTANTIATE_TEST_SUITE_P(Cases, InterfaceTest, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

class SeparableTest : public GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (HasFatalFailure() || IsSkipped()) {
            return;
        }
        if (!has_version(4, 1) && !has_extension("GL_ARB_separate_shader_objects")) {
            GTEST_SKIP() << "GL_ARB_separate_shader_objects is not offered";
        }
    }
    static GLuint separable(GLenum type, const std::string& body) {
        const std::string source =
            "#version 330 core\n#extension GL_ARB_separate_shader_objects : enable\n" + body;
        const char* text = source.c_str();
        const GLuint program = gl::CreateShaderProgramv(type, 1, &text);
        GLint good = 0;
        gl::GetProgramiv(program, GL_LINK_STATUS, &good);
        EXPECT_TRUE(good) << source;
        return program;
    }
    static constexpr const char* kPosition = "out gl_PerVertex { vec4 gl_Position; }; vec4 "
                                             "corner() { return vec4(vec2((gl_VertexID << 1) & "
                                             "2, gl_VertexID & 2) * 2.0 - 1.0, 0, 1); }\n";
};

TEST_F(SeparableTest, EveryPairOfVertexAndFragmentPrograms) {
    // Five vertex programs write locations 0..4 their own way, seven fragment programs read some.
    std::vector<GLuint> vertex;
    for (int v = 0; v < 5; ++v) {
        std::string declarations;
        std::string body = "gl_Position = corner();";
        for (int location = 0; location < 5; ++location) {
            const std::string l = std::to_string(location);
            declarations += "layout(location = " + l + ") out vec4 o" + l + ";\n";
            body += "o" + l + " = vec4(" + std::to_string(v * 10 + location) + ");";
        }
        // Some also write what no fragment program reads.
        if (v % 2) {
            declarations += "layout(location = 5) out vec4 unread;\n";
            body += "unread = vec4(999);";
        }
        vertex.push_back(
            separable(GL_VERTEX_SHADER, kPosition + declarations + "void main() {" + body + "}"));
    }
    std::vector<GLuint> fragment;
    for (int f = 0; f < 7; ++f) {
        const std::string first = std::to_string(f % 5);
        const std::string second = std::to_string((f * 2 + 1) % 5);
        std::string declarations = "layout(location = " + first + ") in vec4 x;\n";
        std::string value = "x.x, x.w";
        if (first != second) {
            declarations += "layout(location = " + second + ") in vec4 y;\n";
            value = "x.x, y.y";
        }
        fragment.push_back(separable(GL_FRAGMENT_SHADER, declarations +
                                                             "out vec4 result; void main() "
                                                             "{ result = vec4(" +
                                                             value + ", 0, 1); }"));
    }
    make_target({35, 1, GL_RGBA32F});
    bind_new_vao();
    GLuint pipeline = 0;
    gl::GenProgramPipelines(1, &pipeline);
    gl::BindProgramPipeline(pipeline);
    gl::Enable(GL_SCISSOR_TEST);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 35; ++i) {
            gl::UseProgramStages(pipeline, GL_VERTEX_SHADER_BIT,
                                 vertex[static_cast<size_t>(i % 5)]);
            gl::UseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT,
                                 fragment[static_cast<size_t>(i / 5)]);
            gl::Scissor(i, 0, 1, 1);
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
        }
    }
    for (int i = 0; i < 35; ++i) {
        const int v = i % 5;
        const int f = i / 5;
        expect_near(pixel_float(i, 0),
                    {static_cast<float>(v * 10 + f % 5),
                     static_cast<float>(v * 10 + (f * 2 + 1) % 5), 0, 1},
                    1e-4F, "pair " + std::to_string(v) + " " + std::to_string(f));
    }
}

TEST_F(SeparableTest, ComponentsOfALocation) {
    if (!has_version(4, 4) && !has_extension("GL_ARB_enhanced_layouts")) {
        GTEST_SKIP() << "GL_ARB_enhanced_layouts is not offered";
    }
    const std::string extension = "#extension GL_ARB_enhanced_layouts : enable\n";
    const GLuint vertex = separable(
        GL_VERTEX_SHADER, extension + kPosition +
                              "layout(location = 1, component = 0) out vec2 a; "
                              "layout(location = 1, component = 2) out float b; "
                              "layout(location = 1, component = 3) out float c; void main() { "
                              "gl_Position = corner(); a = vec2(1, 2); b = 3.0; c = 4.0; }");
    const GLuint fragment = separable(
        GL_FRAGMENT_SHADER, extension + "layout(location = 1, component = 3) in float c; "
                                        "layout(location = 1, component = 0) in vec2 a; out vec4 "
                                        "result; void main() { result = vec4(a, 0, c); }");
    GLuint pipeline = 0;
    gl::GenProgramPipelines(1, &pipeline);
    gl::UseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    gl::UseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    gl::BindProgramPipeline(pipeline);
    make_target({4, 4, GL_RGBA32F});
    bind_new_vao();
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_near(pixel_float(2, 2), {1, 2, 0, 4}, 1e-4F);
}

TEST_F(SeparableTest, GeometryProgramInBetween) {
    const GLuint vertex = separable(
        GL_VERTEX_SHADER, std::string(kPosition) +
                              "layout(location = 0) out vec4 a; layout(location = 2) out "
                              "vec2 b; void main() { gl_Position = corner(); a = vec4(1, 2, "
                              "3, 4); b = vec2(5, 6); }");
    const GLuint geometry = separable(
        GL_GEOMETRY_SHADER,
        "in gl_PerVertex { vec4 gl_Position; } gl_in[]; out gl_PerVertex { vec4 gl_Position; };\n"
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; layout(location = 2) "
        "in "
        "vec2 b[]; layout(location = 0) in vec4 a[]; layout(location = 3) out vec4 c; void main() "
        "{ for "
        "(int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; c = a[i] * 10.0 + "
        "vec4(b[i], 0, "
        "0); EmitVertex(); } }");
    const GLuint fragment =
        separable(GL_FRAGMENT_SHADER,
                  "layout(location = 3) in vec4 c; out vec4 result; void main() { result = c; }");
    const GLuint direct =
        separable(GL_FRAGMENT_SHADER,
                  "layout(location = 0) in vec4 a; out vec4 result; void main() { result = a; }");
    GLuint pipeline = 0;
    gl::GenProgramPipelines(1, &pipeline);
    gl::BindProgramPipeline(pipeline);
    make_target({4, 4, GL_RGBA32F});
    bind_new_vao();
    for (int round = 0; round < 2; ++round) {
        gl::UseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
        gl::UseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, geometry);
        gl::UseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_near(pixel_float(2, 2), {15, 26, 30, 40}, 1e-4F);
        gl::UseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, 0);
        gl::UseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, direct);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_near(pixel_float(2, 2), {1, 2, 3, 4}, 1e-4F);
    }
}

TEST_F(SeparableTest, UniformsOfEachProgram) {
    const GLuint vertex = separable(
        GL_VERTEX_SHADER, std::string(kPosition) +
                              "uniform float value; layout(location = 0) out float a; void "
                              "main() { gl_Position = corner(); a = value; }");
    const GLuint fragment = separable(
        GL_FRAGMENT_SHADER, "uniform float value; layout(location = 0) in float a; out vec4 "
                            "result; void main() { result = vec4(a, value, 0, 1); }");
    GLuint pipeline = 0;
    gl::GenProgramPipelines(1, &pipeline);
    gl::UseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    gl::UseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    gl::BindProgramPipeline(pipeline);
    make_target({4, 4, GL_RGBA32F});
    bind_new_vao();
    for (int i = 0; i < 10; ++i) {
        gl::ProgramUniform1f(vertex, gl::GetUniformLocation(vertex, "value"),
                             static_cast<float>(i));
        gl::ProgramUniform1f(fragment, gl::GetUniformLocation(fragment, "value"),
                             static_cast<float>(i * i));
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_near(pixel_float(1, 1), {static_cast<float>(i), static_cast<float>(i * i), 0, 1},
                    1e-4F);
    }
}

class InterfaceBuiltinTest : public GlTest {};

TEST_F(InterfaceBuiltinTest, BuiltinsBesideVaryings) {
    const GLuint program =
        vs_fs("out vec4 a; out float gl_ClipDistance[2]; out vec4 b; void main() { gl_Position = "
              "vec4(0, 0, "
              "0, 1); gl_PointSize = 4.0; gl_ClipDistance[0] = 1.0; gl_ClipDistance[1] = 2.0; a = "
              "vec4(1, 2, "
              "3, 4); b = vec4(5); }",
              "in vec4 b; in vec4 a; out vec4 result; void main() { result = a * 10.0 + b + "
              "vec4(gl_PointCoord.x * 0.0, 0, 0, gl_FragCoord.w - 1.0); }");
    make_target({8, 8, GL_RGBA32F});
    gl::Enable(GL_CLIP_DISTANCE0);
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1);
    gl::Disable(GL_CLIP_DISTANCE0);
    gl::Disable(GL_PROGRAM_POINT_SIZE);
    expect_near(pixel_float(4, 4), {15, 25, 35, 45}, 1e-4F);
}

TEST_F(InterfaceBuiltinTest, OneVertexShaderWithManyFragmentShaders) {
    // The same vertex shader object linked against readers of different subsets.
    const GLuint vertex =
        compile({GL_VERTEX_SHADER,
                 "#version 330 core\nout vec4 a, b, c, d; void main() { gl_Position = "
                 "vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0, 1); a = "
                 "vec4(1); b = vec4(2); c = vec4(4); d = vec4(8); }"});
    make_target({4, 4, GL_RGBA32F});
    for (int subset = 0; subset < 16; ++subset) {
        std::string declarations;
        std::string sum = "vec4(0)";
        for (int i = 0; i < 4; ++i) {
            if ((subset >> i) & 1) {
                const std::string n(1, static_cast<char>('a' + i));
                declarations = "in vec4 " + n + ";\n" + declarations;
                sum += " + " + n;
            }
        }
        const GLuint fragment = compile({GL_FRAGMENT_SHADER, "#version 330 core\n" + declarations +
                                                                 "out vec4 result; void main() { "
                                                                 "result = " +
                                                                 sum + "; }"});
        const GLuint program = gl::CreateProgram();
        gl::AttachShader(program, vertex);
        gl::AttachShader(program, fragment);
        gl::LinkProgram(program);
        draw_fullscreen(program);
        EXPECT_NEAR(pixel_float(1, 1)[2], static_cast<float>(subset), 1e-4F);
    }
}

} // namespace
} // namespace kobalt::gltest
