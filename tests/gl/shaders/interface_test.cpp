// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Stages that are compiled alone must agree about their varyings whatever the other side reads:
// outputs that nobody reads, holes, arrays, components, structs, built-ins, in linked programs, in
// chains through a geometry shader and in separable programs.
#include "separable.h"

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
    if (const Missing reason = lacks(4, 1, "GL_ARB_separate_shader_objects")) {
        GTEST_SKIP() << *reason;
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
    std::string vertex = vertex_source(test);
    const std::string header = kSeparableHeader + "out gl_PerVertex { vec4 gl_Position; };\n";
    vertex.replace(0, std::string("#version 330 core\n").size(), header);
    make_target({4, 4, GL_RGBA32F});
    bind_pipeline(
        {{GL_VERTEX_SHADER_BIT, separable_of({{GL_VERTEX_SHADER, vertex}})},
         {GL_FRAGMENT_SHADER_BIT, separable_of({{GL_FRAGMENT_SHADER, fragment_source(test)}})}});
    bind_new_vao();
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_near(pixel_float(2, 1), test.expected, 1e-4F);
}

INSTANTIATE_TEST_SUITE_P(Cases, InterfaceTest, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

class InterfaceBuiltinTest : public GlTest {};
class InterfaceBlockTest : public GlTest {};

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

// Blocks match by their names: the one has an instance name, the other none, and their members have
// locations.
TEST_F(InterfaceBlockTest, BlocksWithLocationsAndOneInstanceName) {
    if (lacks(4, 4, "GL_ARB_enhanced_layouts"))
        GTEST_SKIP() << "the members of blocks have no locations";
    const std::string version = "#version 330 core\n#extension GL_ARB_enhanced_layouts : require\n"
                                "#extension GL_ARB_separate_shader_objects : require\n";
    const std::string members = "{ layout(location = 3) vec2 a; layout(location = 1) vec3 b[2]; }";
    const GLuint program =
        link({{GL_VERTEX_SHADER, version + "out First " + members + R"(;
            void main() {
                a = vec2(gl_VertexID, 2);
                b[0] = vec3(3);
                b[1] = vec3(4, 5, 6);
            })"},
              {GL_GEOMETRY_SHADER, version +
                                       "layout(points) in;\n"
                                       "layout(points, max_vertices = 1) out;\n"
                                       "in First " +
                                       members + " first[];\nout Second " + members + R"( second;
            void main() {
                gl_Position = vec4(0, 0, 0, 1);
                second.a = first[0].a;
                second.b = first[0].b;
                EmitVertex();
            })"},
              {GL_FRAGMENT_SHADER, version + "in Second " + members + R"(;
            out vec4 result;
            void main() { result = vec4(a, b[0].x, b[1].z); })"}});
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 7, 1);
    expect_near(pixel_float(0, 0), {7, 2, 3, 6}, 1e-4F);
}

// GLSL 4.60, 4.4.1: what may have no location are the members of such blocks.
TEST_F(InterfaceBlockTest, ArraysOfBlocksWithALocation) {
    if (lacks(4, 4, "GL_ARB_enhanced_layouts"))
        GTEST_SKIP() << "blocks have no locations";
    const std::string version = "#version 330 core\n#extension GL_ARB_enhanced_layouts : require\n"
                                "#extension GL_ARB_separate_shader_objects : require\n";
    const GLuint program = link({{GL_VERTEX_SHADER, version + R"(
            layout(location = 2) out Block { float a; vec2 b; } made[2];
            void main() {
                gl_Position = vec4(0, 0, 0, 1);
                made[0].a = float(gl_VertexID);
                made[0].b = vec2(1, 2);
                made[1].a = 3;
                made[1].b = vec2(4, 5);
            })"},
                                 {GL_FRAGMENT_SHADER, version + R"(
            layout(location = 2) in Block { float a; vec2 b; } read[2];
            out vec4 result;
            void main() { result = vec4(read[0].a, read[0].b.y, read[1].a, read[1].b.x); })"}});
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 7, 1);
    expect_near(pixel_float(0, 0), {7, 2, 3, 4}, 1e-4F);
}

// GLSL 4.60, 4.3.9: arrays of blocks match by their sizes and members. What is captured of a block
// belongs to the stage that writes it.
TEST_F(InterfaceBlockTest, ArraysOfBlocksThatAreCaptured) {
    if (lacks(4, 4, "GL_ARB_enhanced_layouts"))
        GTEST_SKIP() << "shaders don't say what is captured";
    const std::string version = "#version 330 core\n#extension GL_ARB_enhanced_layouts : require\n";
    const GLuint program = link({{GL_VERTEX_SHADER, version + R"(
            layout(xfb_buffer = 1) out Block { layout(xfb_offset = 0) vec4 a; } made[2];
            void main() {
                gl_Position = vec4(0, 0, 0, 1);
                made[0].a = vec4(1, 2, 3, 4);
                made[1].a = vec4(5, 6, 7, 8);
            })"},
                                 {GL_FRAGMENT_SHADER, version + R"(
            in Block { vec4 a; } read[2];
            out vec4 result;
            void main() { result = vec4(read[0].a.xy, read[1].a.zw); })"}});
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_near(pixel_float(0, 0), {1, 2, 7, 8}, 1e-4F);
}

} // namespace
} // namespace kobalt::gltest
