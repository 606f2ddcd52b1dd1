// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// ARB_tessellation_shader: what the stages of one program hand to each other.
#include "tessellation_interface.h"

namespace kobalt::gltest {
namespace {

TEST_F(TessellationInterfaceTest, PatchVaryings) {
    TessellatedProgram made;
    made.control = "patch out vec4 a; patch out float b[3]; patch out Block { ivec2 c; mat2 d; } "
                   "block; layout(vertices = 1) out; void main() { " +
                   kOnes +
                   "a = vec4(0.2, 0, 0, 0); for (int i = 0; i < 3; ++i) b[i] = 0.1 * float(i + "
                   "1); block.c = ivec2(51, -51); block.d = mat2(0.1, 0.2, 0.3, 0.4); }";
    made.evaluation = "layout(quads) in; uniform int element; patch in vec4 a; patch in float "
                      "b[3]; patch in Block { ivec2 c; mat2 d; } block; out vec4 colour; void "
                      "main() { " +
                      kSquareOfEvaluation +
                      "colour = vec4(a.x, b[element], float(block.c.x - block.c.y) / 255.0, "
                      "block.d[1][1] * 2.5); }";
    made.fragment = kColourFs;
    const GLuint name = made.link();
    for (const int element : {2, 0, 1}) {
        set_uniform(name, "element", element);
        draw(name, 1, 1);
        expect_all({51, static_cast<std::uint8_t>(25.5 * (element + 1) + 0.5), 102, 255});
    }
}

// GLSL 4.60, 4.3.6: an output has what was stored in it last, by whichever invocation and in
// whichever turn of a loop, though the shader has the value in one place for both outputs.
TEST_F(TessellationInterfaceTest, OneValueStoredAtDifferentTimes) {
    TessellatedProgram made;
    made.control =
        "patch out float first, second; out float whole[], part[]; uniform int element; "
        "layout(vertices = 2) out; void main() { " +
        kOnes +
        "float value = float(gl_InvocationID) + 0.25; if (gl_InvocationID == 0) first = value; "
        "if (gl_InvocationID == 1) second = value; for (int i = 0; i < element; ++i) { "
        "whole[gl_InvocationID] = float(i) * 0.25; if (i < 2) part[gl_InvocationID] = float(i) * "
        "0.25; } }";
    made.evaluation =
        "layout(quads) in; patch in float first, second; in float whole[], part[]; out vec4 "
        "colour; void main() { " +
        kSquareOfEvaluation + "colour = vec4(first, second * 0.4, whole[0], part[1]); }";
    made.fragment = kColourFs;
    const GLuint name = made.link();
    set_uniform(name, "element", 4);
    draw(name, 1, 2);
    expect_all({64, 128, 191, 64});
}

// As many as GL_MAX_TESS_PATCH_COMPONENTS promises, beside varyings of vertices.
TEST_F(TessellationInterfaceTest, AllPatchVaryings) {
    GLint components = 0;
    gl::GetIntegerv(GL_MAX_TESS_PATCH_COMPONENTS, &components);
    EXPECT_GE(components, 120);
    TessellatedProgram made;
    made.control = "patch out vec4 p[30]; out vec4 v[]; layout(vertices = 2) out; void main() { " +
                   kOnes +
                   "v[gl_InvocationID] = vec4(gl_InvocationID); for (int i = 0; i < 30; ++i) p[i] "
                   "= vec4(i, 1, 2, 3); }";
    made.evaluation =
        "layout(quads) in; patch in vec4 p[30]; in vec4 v[]; out vec4 colour; void main() { " +
        kSquareOfEvaluation +
        "float sum = 0.0; for (int i = 0; i < 30; ++i) sum += p[i].x; colour = vec4(sum / 510.0, "
        "p[29].w / 15.0, v[1].x, 1.0 - v[0].y); }";
    made.fragment = kColourFs;
    draw(made.link(), 1, 1);
    expect_all({218, 51, 255, 255}); // 0 + 1 + … + 29 = 435
}

TEST_F(TessellationInterfaceTest, VerticesOfThePatchAndBarrier) {
    TessellatedProgram made;
    made.vertex = "out float value; void main() { value = float(gl_VertexID); gl_Position = "
                  "vec4(gl_VertexID, 0, 0, 1); }";
    // Each invocation reads what its neighbour wrote before the barrier.
    made.control =
        "in float value[]; out float own[]; out float neighbours[]; patch out float all; "
        "layout(vertices = 4) out; void main() { own[gl_InvocationID] = value[gl_InvocationID] * "
        "10.0; gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position * 2.0; "
        "barrier(); int next = (gl_InvocationID + 1) % 4; neighbours[gl_InvocationID] = own[next] "
        "+ gl_out[next].gl_Position.x; if (gl_InvocationID == 0) { all = own[0] + own[1] + own[2] "
        "+ own[3]; " +
        kOnes + "} }";
    made.evaluation = "layout(quads) in; in float own[]; in float neighbours[]; patch in float "
                      "all; out vec4 colour; void main() { " +
                      kSquareOfEvaluation +
                      "colour = vec4(all / 255.0, neighbours[1] / 255.0, neighbours[3] / 255.0 + "
                      "own[3] / 255.0, gl_in[2].gl_Position.x / 4.0); }";
    made.fragment = kColourFs;
    draw(made.link(), 4, 4);
    expect_all({60, 24, 30, 255});
}

TEST_F(TessellationInterfaceTest, LevelsAreRead) {
    TessellatedProgram made;
    made.control = "layout(vertices = 1) out; patch out float copied; void main() { for (int i = "
                   "0; i < 4; ++i) gl_TessLevelOuter[i] = float(i + 1); gl_TessLevelInner[0] = "
                   "gl_TessLevelOuter[1]; gl_TessLevelInner[1] = 5.0; copied = "
                   "gl_TessLevelInner[0] + gl_TessLevelOuter[3]; }";
    made.evaluation = "layout(quads) in; patch in float copied; out vec4 colour; uniform int "
                      "element; void main() { " +
                      kSquareOfEvaluation +
                      "colour = vec4(gl_TessLevelOuter[element] / 5.0, gl_TessLevelInner[1] / "
                      "10.0, gl_TessLevelInner[0] / 10.0, copied / 6.0); }";
    made.fragment = kColourFs;
    const GLuint name = made.link();
    for (const int element : {0, 3}) {
        set_uniform(name, "element", element);
        draw(name, 1, 1);
        expect_all({static_cast<std::uint8_t>(51 * (element + 1)), 128, 51, 255});
    }
}

TEST_F(TessellationInterfaceTest, PrimitiveIds) {
    TessellatedProgram made;
    made.control = "patch out float id; layout(vertices = 1) out; void main() { " + kOnes +
                   "id = float(gl_PrimitiveID); }";
    made.evaluation = "layout(quads) in; patch in float id; out vec4 colour; void main() { colour "
                      "= vec4(id * 10.0 / 255.0, float(gl_PrimitiveID) * 20.0 / 255.0, 0, 1); "
                      "gl_Position = vec4((gl_TessCoord.x + float(gl_PrimitiveID)) / 2.0 - 1.0, "
                      "gl_TessCoord.y * 2.0 - 1.0, 0, 1); }";
    made.fragment = kColourFs;
    draw(made.link(), 3, 12);
    for (int i = 0; i < 4; ++i) {
        expect_area(8 * i, 0, 8, kSize,
                    {static_cast<std::uint8_t>(10 * i), static_cast<std::uint8_t>(20 * i), 0, 255});
    }
}

TEST_F(TessellationInterfaceTest, ClipDistances) {
    TessellatedProgram made;
    made.vertex = "out float gl_ClipDistance[2]; void main() { gl_ClipDistance[0] = 1.0; "
                  "gl_ClipDistance[1] = 0.5; gl_Position = vec4(0); }";
    made.evaluation = "layout(quads) in; out float gl_ClipDistance[1]; void main() { " +
                      kSquareOfEvaluation +
                      "gl_ClipDistance[0] = gl_Position.x * gl_in[0].gl_ClipDistance[1]; }";
    const std::string passing = "layout(vertices = 1) out; void main() { " + kOnes +
                                "gl_out[gl_InvocationID].gl_ClipDistance[0] = 1.0; "
                                "gl_out[gl_InvocationID].gl_ClipDistance[1] = "
                                "gl_in[0].gl_ClipDistance[1]; }";
    gl::Enable(GL_CLIP_DISTANCE0);
    for (const std::string& control : {std::string(), passing}) {
        made.control = control;
        clear_to_black();
        draw(made.link(), 1, 1);
        expect_area(kSize / 2, 0, kSize / 2, kSize, kGreen);
        EXPECT_EQ(count(kGreen), kSize * kSize / 2) << (control.empty() ? "passed" : "controlled");
    }
    gl::Disable(GL_CLIP_DISTANCE0);
}

TEST_F(TessellationInterfaceTest, PointSizeThroughAllStages) {
    TessellatedProgram made;
    made.vertex = "void main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 2.0; }";
    made.control = "layout(vertices = 1) out; void main() { " + kOnes +
                   "gl_out[gl_InvocationID].gl_PointSize = gl_in[0].gl_PointSize * 2.0; }";
    made.evaluation = "layout(quads, point_mode) in; void main() { gl_Position = "
                      "vec4(gl_TessCoord.xy - 0.5, 0, 1); gl_PointSize = gl_in[0].gl_PointSize * "
                      "2.0; }";
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    draw(made.link(), 1, 1);
    expect_area(4, 20, 8, 8, kGreen);
    EXPECT_EQ(count(kGreen), 4 * 64);
    made.control.clear();
    clear_to_black();
    draw(made.link(), 1, 1);
    gl::Disable(GL_PROGRAM_POINT_SIZE);
    EXPECT_EQ(count(kGreen), 4 * 16);
}

TEST_F(TessellationInterfaceTest, UniformsTexturesAndBlocksInEachStage) {
    const std::array<float, 4> texel{0.2F, 0.4F, 0.6F, 1};
    texture_2d(GL_RGBA32F, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
    const std::string resources = "uniform sampler2D t; layout(std140) uniform Block { vec4 share; "
                                  "}; ";
    TessellatedProgram made;
    made.control = resources +
                   "uniform float one; patch out vec4 sum; layout(vertices = 1) out; void main() { "
                   "for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = one; gl_TessLevelInner[0] = "
                   "gl_TessLevelInner[1] = one; sum = texelFetch(t, ivec2(0), 0) * share.x; }";
    made.evaluation = resources +
                      "layout(quads) in; uniform float one; patch in vec4 sum; out vec4 colour; "
                      "void main() { " +
                      kSquareOfEvaluation +
                      "colour = sum + textureLod(t, gl_TessCoord.xy, 0.0) * share.y * one; }";
    made.fragment = kColourFs;
    const GLuint name = made.link();
    gl::UniformBlockBinding(name, gl::GetUniformBlockIndex(name, "Block"), 0);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0,
                       make_buffer(GL_UNIFORM_BUFFER, std::vector<float>(4, 0.5F)));
    set_uniform(name, "one", 1.0F);
    draw(name, 1, 1);
    expect_all({51, 102, 153, 255});
}

// What a control shader alone reads of its outputs may have the value of one that others read.
TEST_F(TessellationInterfaceTest, OutputsThatAreReadBack) {
    const GLuint program =
        TessellatedProgram{
            .control =
                "layout(vertices = 3) out; out vec2 own[]; out float passed[]; void main() { "
                "own[gl_InvocationID] = vec2(gl_InvocationID); passed[gl_InvocationID] = "
                "float(gl_InvocationID); barrier(); float level = own[(gl_InvocationID + 1) "
                "% 3].x > 5.0 ? 2.0 : 1.0; for (int i = 0; i < 3; ++i) "
                "gl_TessLevelOuter[i] = level; gl_TessLevelInner[0] = level; }",
            .evaluation =
                "layout(triangles) in; in float passed[]; out float sum; void main() { "
                "vec3 t = gl_TessCoord; gl_Position = vec4(t.xy * 4.0 - 1.0, 0, 1); sum = "
                "passed[0] + passed[1] + passed[2]; }",
            .fragment =
                "in float sum; out vec4 result; void main() { result = sum == 3.0 ? vec4(0, "
                "1, 0, 1) : vec4(1, 0, 0, 1); }"}
            .link();
    draw(program, 3, 3);
    EXPECT_EQ(count(kGreen), kSize * kSize);
}

} // namespace
} // namespace kobalt::gltest
