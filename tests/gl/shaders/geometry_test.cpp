// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

namespace kobalt::gltest {
namespace {

class GeometryTest : public GlTest {
protected:
    void prepare() override {
        make_black_target({32, 32});
        bind_new_vao();
    }
    static GLuint program(const std::string& vertex, const std::string& geometry,
                          const std::string& fragment) {
        const std::string version = "#version 330 core\n";
        return link({{GL_VERTEX_SHADER, version + vertex},
                     {GL_GEOMETRY_SHADER, version + geometry},
                     {GL_FRAGMENT_SHADER, version + fragment}});
    }
    static constexpr const char* kGreenFs =
        "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }";
};

TEST_F(GeometryTest, PointsBecomeQuads) {
    const GLuint name = program("void main() { gl_Position = vec4(float(gl_VertexID) - 0.5, "
                                "float(gl_VertexID) - 0.5, 0, 1); }",
                                "layout(points) in; layout(triangle_strip, max_vertices = 4) out; "
                                "void main() { for (int i = "
                                "0; i < 4; ++i) { gl_Position = gl_in[0].gl_Position + vec4((i & "
                                "1) == 0 ? -0.25 : 0.25, (i & "
                                "2) == 0 ? -0.25 : 0.25, 0, 0); EmitVertex(); } EndPrimitive(); }",
                                kGreenFs);
    gl::UseProgram(name);
    gl::DrawArrays(GL_POINTS, 0, 2);
    expect_area(4, 4, 8, 8, kGreen);
    expect_area(20, 20, 8, 8, kGreen);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 128);
}

TEST_F(GeometryTest, VaryingsPassThrough) {
    const GLuint name = program(
        "out VertexData { vec3 colour; flat int id; } data; void main() { vec2 p = "
        "vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0; gl_Position = vec4(p, 0, 1); "
        "data.colour = vec3(0.25, 0.5, 0.75); data.id = 51; }",
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in VertexData { vec3 "
        "colour; flat int id; } data[]; out vec3 c; flat out float a; void main() { for (int i = "
        "0; i "
        "< 3; ++i) { gl_Position = gl_in[i].gl_Position; c = data[i].colour; a = float(data[i].id) "
        "/ "
        "255.0; EmitVertex(); } }",
        "in vec3 c; flat in float a; out vec4 result; void main() { result = vec4(c, a); }");
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_pixel(13, 17, {64, 128, 191, 51}, 1);
}

TEST_F(GeometryTest, PrimitiveIdInAndOut) {
    const GLuint name = program(
        "void main() { gl_Position = vec4((float(gl_VertexID) + 0.5) / 16.0 - 1.0, 1.0 / 32.0, 0, "
        "1); }",
        "layout(points) in; layout(points, max_vertices = 1) out; void main() { gl_Position = "
        "gl_in[0].gl_Position; gl_PrimitiveID = gl_PrimitiveIDIn * 7; EmitVertex(); }",
        "out vec4 result; void main() { result = vec4(float(gl_PrimitiveID) / 255.0, 1, 0, 1); }");
    gl::UseProgram(name);
    gl::DrawArrays(GL_POINTS, 0, 8);
    for (int i = 0; i < 8; ++i) {
        expect_pixel(i, 16, {static_cast<std::uint8_t>(i * 7), 255, 0, 255}, 0);
    }
}

TEST_F(GeometryTest, EmitsNothing) {
    const GLuint name =
        program("void main() { gl_Position = vec4(0, 0, 0, 1); }",
                "layout(points) in; layout(points, max_vertices = 1) out; void main() "
                "{ if (gl_in[0].gl_Position.x > 5.0) { EmitVertex(); } }",
                kGreenFs);
    gl::UseProgram(name);
    gl::DrawArrays(GL_POINTS, 0, 8);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 0);
}

TEST_F(GeometryTest, ManyVerticesAndSeveralStrips) {
    const GLuint name = program("void main() { gl_Position = vec4(0, 0, 0, 1); }",
                                "layout(points) in; layout(triangle_strip, max_vertices = 128) "
                                "out; void main() { for (int c = "
                                "0; c < 32; c += 1) { float x0 = float(c) / 16.0 - 1.0; float x1 = "
                                "x0 + 1.0 / 16.0; for (int "
                                "i = 0; i < 4; ++i) { gl_Position = vec4((i & 1) == 0 ? x0 : x1, "
                                "(i & 2) == 0 ? -1.0 : 1.0, 0, "
                                "1); EmitVertex(); } EndPrimitive(); } }",
                                kGreenFs);
    gl::UseProgram(name);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_area(0, 0, 32, 32, kGreen);
}

// GLSL 4.60, 8.15: EmitVertex() takes what the outputs are at that time, though one store in the
// shader writes them all.
TEST_F(GeometryTest, OutputsOfALoopAreInterpolated) {
    const GLuint name = program("void main() { gl_Position = vec4(0, 0, 0, 1); }",
                                "layout(points) in; layout(triangle_strip, max_vertices = 8) out; "
                                "uniform int vertices; out "
                                "float turn; out float same; void main() { float once = "
                                "float(vertices); for (int i = 0; i < "
                                "vertices; ++i) { gl_Position = vec4((i & 1) == 0 ? -1.0 : 1.0, (i "
                                "& 2) == 0 ? -1.0 : 1.0, 0, "
                                "1); turn = float(i & 1); same = once; EmitVertex(); } }",
                                "in float turn; in float same; out vec4 result; void main() { "
                                "result = vec4(turn, same / 4.0, "
                                "0, 1); }");
    gl::UseProgram(name);
    gl::Uniform1i(gl::GetUniformLocation(name, "vertices"), 4);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_pixel(4, 16, {36, 255, 0, 255}, 1);
    expect_pixel(27, 16, {219, 255, 0, 255}, 1);
}

TEST_F(GeometryTest, UniformsTexturesAndBlocks) {
    const std::array<float, 4> texel{0, 0.5F, 0, 0};
    texture_2d(GL_RGBA32F, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
    const GLuint name = program(
        "void main() { gl_Position = vec4(0, 0, 0, 1); }",
        "layout(points) in; layout(triangle_strip, max_vertices = 4) out; uniform float scale; "
        "uniform "
        "sampler2D t; layout(std140) uniform Block { vec4 offset; }; out vec4 colour; void main() "
        "{ for "
        "(int i = 0; i < 4; ++i) { gl_Position = vec4((i & 1) == 0 ? -scale : scale, (i & 2) == 0 "
        "? "
        "-scale : scale, 0, 1); colour = texelFetch(t, ivec2(0), 0) + offset; EmitVertex(); } }",
        "in vec4 colour; out vec4 result; void main() { result = colour; }");
    gl::UniformBlockBinding(name, gl::GetUniformBlockIndex(name, "Block"), 0);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0,
                       make_buffer(GL_UNIFORM_BUFFER, std::vector<float>{0, 0.5F, 0, 1}));
    set_uniform(name, "scale", 0.5F);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_area(8, 8, 16, 16, kGreen);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 256);
}

TEST_F(GeometryTest, PointSizeFromGeometryShader) {
    const GLuint name =
        program("void main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1.0; }",
                "layout(points) in; layout(points, max_vertices = 1) out; void main() "
                "{ gl_Position = gl_in[0].gl_Position; gl_PointSize = "
                "gl_in[0].gl_PointSize * 8.0; EmitVertex(); }",
                kGreenFs);
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    gl::UseProgram(name);
    gl::DrawArrays(GL_POINTS, 0, 1);
    gl::Disable(GL_PROGRAM_POINT_SIZE);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 64);
}

TEST_F(GeometryTest, CornersDrawnAsPointsHaveTheirSize) {
    const auto of_size = [](const std::string& size) {
        return program("void main() {}",
                       "layout(points) in; layout(triangle_strip, max_vertices = 3) out; void "
                       "main() { for (int i = 0; i < 3; ++i) { gl_Position = vec4(i == 1 ? 0.5 : "
                       "-0.5, i == 2 ? 0.5 : -0.5, 0, 1); " +
                           size + " EmitVertex(); } }",
                       kGreenFs);
    };
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    gl::PointSize(4);
    gl::UseProgram(of_size(""));
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_area(6, 6, 4, 4, kGreen);
    expect_area(22, 6, 4, 4, kGreen);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 48);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    gl::UseProgram(of_size("gl_PointSize = 2.0;"));
    gl::DrawArrays(GL_POINTS, 0, 1);
    gl::Disable(GL_PROGRAM_POINT_SIZE);
    gl::PointSize(1);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 12);
}

TEST_F(GeometryTest, ClipDistanceThroughGeometryShader) {
    const GLuint name =
        program("out float gl_ClipDistance[1]; void main() { vec2 p = vec2((gl_VertexID << 1) & 2, "
                "gl_VertexID "
                "& 2) * 2.0 - 1.0; gl_Position = vec4(p, 0, 1); gl_ClipDistance[0] = p.x; }",
                "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; out float "
                "gl_ClipDistance[1]; void main() { for (int i = 0; i < 3; ++i) { gl_Position = "
                "gl_in[i].gl_Position; gl_ClipDistance[0] = -gl_in[i].gl_ClipDistance[0]; "
                "EmitVertex(); } }",
                kGreenFs);
    gl::Enable(GL_CLIP_DISTANCE0);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::Disable(GL_CLIP_DISTANCE0);
    expect_area(0, 0, 16, 32, kGreen);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 512);
}

TEST_F(GeometryTest, ViewportIndex) {
    if (!has_version(4, 1) && !has_extension("GL_ARB_viewport_array")) {
        GTEST_SKIP() << "GL_ARB_viewport_array is not offered";
    }
    const std::string header = "#version 330 core\n#extension GL_ARB_viewport_array : require\n";
    const GLuint name = link(
        {{GL_VERTEX_SHADER, std::string("#version 330 core\n") + kFullscreenVs},
         {GL_GEOMETRY_SHADER,
          header +
              "layout(triangles) in; layout(triangle_strip, max_vertices = 6) out; void main() { "
              "for (int v = 0; v < 2; ++v) { for (int i = 0; i < 3; ++i) { gl_ViewportIndex = v; "
              "gl_Position = gl_in[i].gl_Position; EmitVertex(); } EndPrimitive(); } }"},
         {GL_FRAGMENT_SHADER, std::string("#version 330 core\n") + kGreenFs}});
    gl::ViewportIndexedf(0, 0, 0, 8, 8);
    gl::ViewportIndexedf(1, 16, 16, 4, 4);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 8, 8, kGreen);
    expect_area(16, 16, 4, 4, kGreen);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 80);
}

TEST_F(GeometryTest, Instanced) {
    if (!has_version(4, 0) && !has_extension("GL_ARB_gpu_shader5")) {
        GTEST_SKIP() << "GL_ARB_gpu_shader5 is not offered";
    }
    const std::string header = "#version 330 core\n#extension GL_ARB_gpu_shader5 : require\n";
    const GLuint name = link(
        {{GL_VERTEX_SHADER, "#version 330 core\nvoid main() { gl_Position = vec4(0, 0, 0, 1); }"},
         {GL_GEOMETRY_SHADER,
          header + "layout(points, invocations = 4) in; layout(points, max_vertices = 1) out; void "
                   "main() { gl_Position = vec4((float(gl_InvocationID) + 0.5) / 16.0, 1.0 / 32.0, "
                   "0, 1); "
                   "EmitVertex(); }"},
         {GL_FRAGMENT_SHADER, std::string("#version 330 core\n") + kGreenFs}});
    gl::UseProgram(name);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_area(16, 16, 4, 1, kGreen);
}

} // namespace
} // namespace kobalt::gltest
