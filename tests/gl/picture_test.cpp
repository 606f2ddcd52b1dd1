// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Whole pictures, compared with reference/*.png. The metric is that of expect_picture(): the share
// of pixels with a channel that is off by more than a tolerance. Edges may fall either way on
// another rasteriser, so each picture states how many of its pixels are edges.
#include "support.h"

#include <cmath>
#include <numbers>

namespace kobalt::gltest {
namespace {

constexpr int kSize = 128;
constexpr float kTau = 2 * std::numbers::pi_v<float>;

using Matrix = std::array<float, 16>;

Matrix multiply(const Matrix& a, const Matrix& b) {
    Matrix r{};
    for (size_t c = 0; c < 4; ++c) {
        for (size_t row = 0; row < 4; ++row) {
            for (size_t k = 0; k < 4; ++k) {
                r[c * 4 + row] += a[k * 4 + row] * b[c * 4 + k];
            }
        }
    }
    return r;
}

/// Perspective, distance and two rotations: enough of a camera for one object at the origin.
Matrix camera(float distance, float yaw, float pitch) {
    const float f = 1.6F;
    const float near = 0.5F;
    const float far = 20.0F;
    const Matrix projection{f,
                            0,
                            0,
                            0,
                            0,
                            f,
                            0,
                            0,
                            0,
                            0,
                            (far + near) / (near - far),
                            -1,
                            0,
                            0,
                            2 * far * near / (near - far),
                            0};
    const Matrix move{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -distance, 1};
    const float cp = std::cos(pitch);
    const float sp = std::sin(pitch);
    const float cy = std::cos(yaw);
    const float sy = std::sin(yaw);
    const Matrix tilt{1, 0, 0, 0, 0, cp, sp, 0, 0, -sp, cp, 0, 0, 0, 0, 1};
    const Matrix turn{cy, 0, -sy, 0, 0, 1, 0, 0, sy, 0, cy, 0, 0, 0, 0, 1};
    return multiply(projection, multiply(move, multiply(tilt, turn)));
}

struct Mesh {
    std::vector<float> vertices; // position, normal, uv
    std::vector<std::uint16_t> indices;
};

Mesh torus(int around, int across) {
    Mesh mesh;
    for (int i = 0; i <= around; ++i) {
        const float a = kTau * static_cast<float>(i) / static_cast<float>(around);
        for (int j = 0; j <= across; ++j) {
            const float b = kTau * static_cast<float>(j) / static_cast<float>(across);
            const float r = 1.0F + 0.42F * std::cos(b);
            mesh.vertices.insert(mesh.vertices.end(),
                                 {r * std::cos(a), 0.42F * std::sin(b), r * std::sin(a),
                                  std::cos(b) * std::cos(a), std::sin(b), std::cos(b) * std::sin(a),
                                  static_cast<float>(i) / static_cast<float>(around) * 8,
                                  static_cast<float>(j) / static_cast<float>(across) * 2});
        }
    }
    const auto row = static_cast<std::uint16_t>(across + 1);
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const auto a = static_cast<std::uint16_t>(i * row + j);
            for (const int index :
                 {0, 1, static_cast<int>(row), static_cast<int>(row), 1, row + 1}) {
                mesh.indices.push_back(static_cast<std::uint16_t>(a + index));
            }
        }
    }
    return mesh;
}

class PictureTest : public GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (!HasFatalFailure() && !IsSkipped()) {
            target_ = make_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8});
            gl::ClearColor(0.05F, 0.06F, 0.12F, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        }
    }
    const Target& target() const { return target_; }

    static void bind_mesh(const Mesh& mesh) {
        bind_new_vao();
        make_buffer(GL_ARRAY_BUFFER, mesh.vertices);
        make_buffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
        for (const auto& [index, size, offset] : {std::array{0, 3, 0}, {1, 3, 12}, {2, 2, 24}}) {
            gl::VertexAttribPointer(static_cast<GLuint>(index), size, GL_FLOAT, GL_FALSE, 32,
                                    reinterpret_cast<void*>(static_cast<size_t>(offset)));
            gl::EnableVertexAttribArray(static_cast<GLuint>(index));
        }
    }
    static void set_matrix(GLuint program, const Matrix& matrix) {
        gl::UseProgram(program);
        gl::UniformMatrix4fv(gl::GetUniformLocation(program, "camera"), 1, GL_FALSE, matrix.data());
    }
    static constexpr const char* kMeshVs =
        "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal; "
        "layout(location = "
        "2) in vec2 coordinate; uniform mat4 camera; out vec3 n; out vec2 uv; void main() { n = "
        "normal; "
        "uv = coordinate; gl_Position = camera * vec4(position, 1); }";
    static constexpr const char* kLitFs =
        "in vec3 n; in vec2 uv; out vec4 result; void main() { float light = 0.2 + 0.8 * "
        "max(dot(normalize(n), normalize(vec3(0.4, 0.8, 0.5))), 0.0); result = vec4(vec3(0.2, "
        "0.45, "
        "0.95) * light, 1); }";

    /// Checker with a mip chain of distinct tints, so that levels are visible.
    static void tinted_checker() {
        new_texture(GL_TEXTURE_2D);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 6);
        for (int level = 0; level < 7; ++level) {
            const int size = 64 >> level;
            std::vector<std::uint8_t> data;
            for (int y = 0; y < size; ++y) {
                for (int x = 0; x < size; ++x) {
                    const int cell = std::max(8 >> level, 1);
                    const bool odd = ((x / cell) + (y / cell)) % 2;
                    data.insert(data.end(), {static_cast<std::uint8_t>(odd ? 250 : 30 + 30 * level),
                                             static_cast<std::uint8_t>(odd ? 240 - 30 * level : 60),
                                             static_cast<std::uint8_t>(odd ? 220 : 160), 255});
                }
            }
            gl::TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                           data.data());
        }
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    }

    void resolve_from(const Target& source) {
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, target_.framebuffer);
        gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        target_.bind();
    }

private:
    Target target_;
};

TEST_F(PictureTest, Triangle) {
    const GLuint program = vs_fs(
        "out vec3 c; void main() { float a = radians(90.0 + 120.0 * float(gl_VertexID)); "
        "gl_Position = vec4(0.9 * cos(a), 0.9 * sin(a) - 0.15, 0, 1); c = vec3(gl_VertexID == 0, "
        "gl_VertexID == 1, gl_VertexID == 2); }",
        "in vec3 c; out vec4 result; void main() { result = vec4(sqrt(c), 1); }");
    draw_fullscreen(program);
    expect_picture("triangle", kSize, kSize, {8, 0.01});
}

TEST_F(PictureTest, LitTorus) {
    const Mesh mesh = torus(48, 24);
    bind_mesh(mesh);
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_CULL_FACE);
    set_matrix(vs_fs(kMeshVs, kLitFs), camera(3.4F, 0.5F, 0.7F));
    gl::DrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.indices.size()), GL_UNSIGNED_SHORT,
                     nullptr);
    expect_picture("lit_torus", kSize, kSize, {8, 0.01});
}

TEST_F(PictureTest, TexturedTorusWithMipmaps) {
    const Mesh mesh = torus(48, 24);
    tinted_checker();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    bind_mesh(mesh);
    gl::Enable(GL_DEPTH_TEST);
    set_matrix(vs_fs(kMeshVs,
                     "in vec3 n; in vec2 uv; uniform sampler2D t; out vec4 result; void main() "
                     "{ result = texture(t, uv) * (0.4 + 0.6 * abs(normalize(n).y)); }"),
               camera(3.2F, 0.9F, 0.6F));
    gl::DrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.indices.size()), GL_UNSIGNED_SHORT,
                     nullptr);
    // Level selection is only approximately specified (section 3.8.11).
    expect_picture("textured_torus", kSize, kSize, {40, 0.06});
}

TEST_F(PictureTest, InstancedGrid) {
    const GLuint program = vs_fs(
        "out vec3 c; void main() { int x = gl_InstanceID % 8; int y = gl_InstanceID / 8; vec2 "
        "corner = "
        "vec2(gl_VertexID & 1, gl_VertexID >> 1) - 0.5; float a = float(gl_InstanceID) * 0.2; vec2 "
        "p = "
        "mat2(cos(a), sin(a), -sin(a), cos(a)) * corner * (0.09 + 0.0016 * float(gl_InstanceID)); "
        "gl_Position = vec4(p + (vec2(x, y) + 0.5) / 4.0 - 1.0, 0, 1); c = 0.55 + 0.45 * "
        "cos(vec3(0, 2, "
        "4) + float(gl_InstanceID) * 0.35); }",
        "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 64);
    expect_picture("instanced_grid", kSize, kSize, {8, 0.03});
}

TEST_F(PictureTest, PointSprites) {
    const GLuint program = vs_fs(
        "flat out vec3 c; void main() { float t = float(gl_VertexID) / 60.0; float a = t * 25.0; "
        "gl_Position = vec4(vec2(cos(a), sin(a)) * t * 0.85, 0, 1); gl_PointSize = 4.0 + 14.0 * t; "
        "c = 0.5 + 0.5 * cos(vec3(0, 2, 4) + a); }",
        "flat in vec3 c; out vec4 result; void main() { vec2 d = gl_PointCoord - 0.5; float r = "
        "dot(d, d); if (r > 0.25) discard; result = vec4(c * (1.0 - 3.0 * r), 1); }");
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 60);
    gl::Disable(GL_PROGRAM_POINT_SIZE);
    expect_picture("point_sprites", kSize, kSize, {16, 0.05});
}

TEST_F(PictureTest, LineStar) {
    const GLuint program = vs_fs(
        "out vec3 c; void main() { float a = radians(15.0) * float(gl_VertexID / 2); float r = "
        "(gl_VertexID & 1) == 0 ? 0.2 : 0.95; gl_Position = vec4(r * cos(a), r * sin(a), 0, 1); c "
        "= vec3(r, 1.0 - 0.5 * r, 0.4); }",
        "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_LINES, 0, 48);
    expect_picture("line_star", kSize, kSize, {24, 0.03});
}

TEST_F(PictureTest, Wireframe) {
    const Mesh mesh = torus(20, 10);
    bind_mesh(mesh);
    set_matrix(vs_fs(kMeshVs, kLitFs), camera(3.4F, 0.5F, 0.7F));
    gl::Enable(GL_CULL_FACE);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl::DrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.indices.size()), GL_UNSIGNED_SHORT,
                     nullptr);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    expect_picture("wireframe", kSize, kSize, {24, 0.10});
}

TEST_F(PictureTest, MultisampledFan) {
    const Target source = make_target({kSize, kSize, GL_RGBA8, GL_NONE, 4});
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const GLuint program = vs_fs(
        "flat out vec3 c; void main() { int k = gl_VertexID / 3; int v = gl_VertexID % 3; float a "
        "= radians(24.0) * (float(k) + (v == 2 ? 0.45 : 0.0)); float r = v == 0 ? 0.0 : 0.95; "
        "gl_Position = vec4(r * cos(a), r * sin(a), 0, 1); c = k % 2 == 0 ? vec3(0.2, 0.5, 1.0) : "
        "vec3(1.0, 0.8, 0.3); }",
        "flat in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 45);
    resolve_from(source);
    // Sample positions differ between devices: an edge pixel may be off by a quarter or two.
    expect_picture("multisampled_fan", kSize, kSize, {70, 0.03});
}

TEST_F(PictureTest, BlendedDiscs) {
    gl::Enable(GL_BLEND);
    gl::BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE);
    const GLuint program = vs_fs(
        "out vec2 p; flat out int id; void main() { id = gl_InstanceID; p = vec2(gl_VertexID & 1, "
        "gl_VertexID >> 1) * 2.0 - 1.0; float a = float(id) * 2.1; gl_Position = vec4(p * 0.5 + "
        "0.4 * vec2(cos(a), sin(a)), 0, 1); }",
        "in vec2 p; flat in int id; out vec4 result; void main() { float d = length(p); result = "
        "vec4(0.5 + 0.5 * cos(vec3(0, 2, 4) + float(id)), 0.7 * (1.0 - smoothstep(0.85, 0.95, "
        "d))); }");
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 7);
    expect_picture("blended_discs", kSize, kSize, {6, 0.01});
}

TEST_F(PictureTest, StencilOutline) {
    const Mesh mesh = torus(48, 24);
    bind_mesh(mesh);
    const GLuint solid = vs_fs(kMeshVs, kLitFs);
    const GLuint outline = vs_fs(
        "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal; uniform mat4 "
        "camera; void main() { gl_Position = camera * vec4(position + normal * 0.07, 1); }",
        "out vec4 result; void main() { result = vec4(1.0, 0.75, 0.2, 1); }");
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_ALWAYS, 1, 0xFF);
    gl::StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    set_matrix(solid, camera(3.6F, 0.3F, 0.9F));
    const auto count = static_cast<GLsizei>(mesh.indices.size());
    gl::DrawElements(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, nullptr);
    gl::StencilFunc(GL_NOTEQUAL, 1, 0xFF);
    gl::Disable(GL_DEPTH_TEST);
    set_matrix(outline, camera(3.6F, 0.3F, 0.9F));
    gl::DrawElements(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, nullptr);
    expect_picture("stencil_outline", kSize, kSize, {8, 0.015});
}

TEST_F(PictureTest, WrapModeBoard) {
    std::vector<std::uint8_t> texels;
    for (int i = 0; i < 16; ++i) {
        texels.insert(texels.end(), {static_cast<std::uint8_t>(i % 4 * 85),
                                     static_cast<std::uint8_t>(i / 4 * 85), 120, 255});
    }
    texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    const std::array<float, 4> border{1, 0.6F, 0.1F, 1};
    gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
    const GLuint program = vs_fs(
        kFullscreenVs, "in vec2 uv; uniform sampler2D t; out vec4 result; void main() { result = "
                       "texture(t, uv * 3.0 - 1.0); }");
    int cell = 0;
    for (const GLint filter : {GL_NEAREST, GL_LINEAR}) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
        for (const GLint mode :
             {GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER}) {
            gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, mode);
            gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, mode);
            gl::Viewport(cell % 4 * 32, cell / 4 * 64 + 16, 32, 32);
            draw_fullscreen(program);
            ++cell;
        }
    }
    expect_picture("wrap_modes", kSize, kSize, {12, 0.02});
}

TEST_F(PictureTest, FloorInPerspective) {
    tinted_checker();
    const GLuint program = vs_fs("out vec2 uv; void main() { vec2 p = vec2(gl_VertexID & 1, "
                                 "gl_VertexID >> 1); uv = p * 24.0; "
                                 "vec3 v = vec3((p.x - 0.5) * 24.0, -1.2, -1.0 - p.y * 24.0); "
                                 "gl_Position = vec4(v.xy * 1.4, "
                                 "-v.z * 0.9, -v.z); }",
                                 "in vec2 uv; uniform sampler2D t; out vec4 result; void main() { "
                                 "result = texture(t, uv); }");
    bind_new_vao();
    gl::UseProgram(program);
    gl::Enable(GL_SCISSOR_TEST);
    const std::array<GLint, 4> filters{GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST,
                                       GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR};
    for (int i = 0; i < 4; ++i) {
        gl::Scissor(i * 32, 0, 32, kSize);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filters[static_cast<size_t>(i)]);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    gl::Disable(GL_SCISSOR_TEST);
    expect_picture("floor", kSize, kSize, {48, 0.12});
}

TEST_F(PictureTest, GeometryFur) {
    const Mesh mesh = torus(24, 12);
    bind_mesh(mesh);
    const std::string version = "#version 330 core\n";
    const GLuint program = link(
        {{GL_VERTEX_SHADER, version +
                                "layout(location = 0) in vec3 position; layout(location = 1) in "
                                "vec3 normal; out vec3 n; void main() { gl_Position = "
                                "vec4(position, 1); n = normal; }"},
         {GL_GEOMETRY_SHADER,
          version +
              "layout(triangles) in; layout(triangle_strip, max_vertices = 6) out; uniform mat4 "
              "camera; in vec3 n[]; out vec3 c; void main() { vec3 m = (n[0] + n[1] + n[2]) / 3.0; "
              "vec4 tip = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / "
              "3.0 + vec4(m * 0.35, 0); for (int i = 0; i < 3; ++i) { c = vec3(0.15, 0.25, 0.6) * "
              "(0.4 + 0.6 * max(n[i].y, 0.0)); gl_Position = camera * gl_in[i].gl_Position; "
              "EmitVertex(); } EndPrimitive(); for (int i = 0; i < 2; ++i) { c = vec3(0.1, 0.2, "
              "0.5); gl_Position = camera * gl_in[i].gl_Position; EmitVertex(); } c = vec3(0.8, "
              "0.95, 1.0); gl_Position = camera * tip; EmitVertex(); EndPrimitive(); }"},
         {GL_FRAGMENT_SHADER, version +
                                  "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); "
                                  "}"}});
    gl::Enable(GL_DEPTH_TEST);
    set_matrix(program, camera(3.8F, 0.4F, 0.8F));
    gl::DrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.indices.size()), GL_UNSIGNED_SHORT,
                     nullptr);
    expect_picture("geometry_fur", kSize, kSize, {16, 0.06});
}

TEST_F(PictureTest, ShadowMap) {
    const Mesh mesh = torus(48, 24);
    const GLuint depth = new_texture(GL_TEXTURE_2D);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 256, 256, 0, GL_DEPTH_COMPONENT,
                   GL_UNSIGNED_INT, nullptr);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
    gl::DrawBuffer(GL_NONE);
    gl::Viewport(0, 0, 256, 256);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_POLYGON_OFFSET_FILL);
    gl::PolygonOffset(2, 4);
    bind_mesh(mesh);
    const Matrix light = camera(4.0F, -0.5F, 1.1F);
    const auto count = static_cast<GLsizei>(mesh.indices.size());
    set_matrix(vs_fs("layout(location = 0) in vec3 position; uniform mat4 camera; void main() { "
                     "gl_Position = camera * vec4(position, 1); }",
                     "void main() {}"),
               light);
    gl::DrawElements(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, nullptr);
    gl::Disable(GL_POLYGON_OFFSET_FILL);
    target().bind();
    const char* shade = "in vec3 world; uniform sampler2DShadow t; uniform mat4 light; uniform "
                        "vec4 colour; out vec4 "
                        "result; void main() { vec4 p = light * vec4(world, 1); vec3 s = p.xyz / "
                        "p.w * 0.5 + 0.5; result "
                        "= vec4(colour.rgb * (0.3 + 0.7 * texture(t, s)), 1); }";
    const GLuint object =
        vs_fs("layout(location = 0) in vec3 position; uniform mat4 camera; out vec3 "
              "world; void main() { world = position; gl_Position = camera * "
              "vec4(position, 1); }",
              shade);
    const GLuint ground = vs_fs(
        "uniform mat4 camera; out vec3 world; void main() { world = vec3(float(gl_VertexID & 1) * "
        "6.0 - 3.0, -0.9, 3.0 - float(gl_VertexID >> 1) * 6.0); gl_Position = camera * vec4(world, "
        "1); }",
        shade);
    for (const auto& [program, colour] : {std::pair{object, Float4{0.2F, 0.45F, 1.0F, 1}},
                                          {ground, Float4{0.85F, 0.8F, 0.7F, 1}}}) {
        set_matrix(program, camera(4.2F, 0.4F, 0.6F));
        gl::UniformMatrix4fv(gl::GetUniformLocation(program, "light"), 1, GL_FALSE, light.data());
        set_uniform(program, "colour", colour);
        if (program == object) {
            gl::DrawElements(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, nullptr);
        } else {
            gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
    expect_picture("shadow_map", kSize, kSize, {16, 0.03});
}

TEST_F(PictureTest, FeedbackParticles) {
    const GLuint step = link(
        {{GL_VERTEX_SHADER,
          "#version 330 core\nlayout(location = 0) in vec4 state; out vec4 next; void main() { "
          "vec2 "
          "speed = state.zw - state.xy * 0.08; next = vec4(state.xy + speed * 0.12, speed); }"}},
        [](GLuint program) {
            const char* output = "next";
            gl::TransformFeedbackVaryings(program, 1, &output, GL_INTERLEAVED_ATTRIBS);
        });
    std::vector<float> state;
    for (int i = 0; i < 256; ++i) {
        const float a = kTau * static_cast<float>(i) / 256;
        state.insert(state.end(), {0.4F * std::cos(a), 0.4F * std::sin(a),
                                   0.5F * std::cos(3 * a + 1.0F), 0.5F * std::sin(2 * a)});
    }
    std::array<GLuint, 2> buffers{};
    for (GLuint& buffer : buffers) {
        buffer = make_buffer(GL_ARRAY_BUFFER, state, GL_DYNAMIC_COPY);
    }
    const GLuint draw =
        vs_fs("layout(location = 0) in vec4 state; out vec3 c; void main() { "
              "gl_Position = vec4(state.xy, 0, 1); gl_PointSize = 3.0; c = vec3(0.5 + "
              "state.z, 0.6, 0.7 - state.w); }",
              "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
    bind_new_vao();
    gl::EnableVertexAttribArray(0);
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    for (size_t i = 0; i < 12; ++i) {
        gl::BindBuffer(GL_ARRAY_BUFFER, buffers[i % 2]);
        gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[(i + 1) % 2]);
        gl::UseProgram(step);
        gl::Enable(GL_RASTERIZER_DISCARD);
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 256);
        gl::EndTransformFeedback();
        gl::Disable(GL_RASTERIZER_DISCARD);
        if (i % 4 == 3) {
            gl::UseProgram(draw);
            gl::BindBuffer(GL_ARRAY_BUFFER, buffers[(i + 1) % 2]);
            gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
            gl::DrawArrays(GL_POINTS, 0, 256);
        }
    }
    gl::Disable(GL_PROGRAM_POINT_SIZE);
    expect_picture("feedback_particles", kSize, kSize, {16, 0.05});
}

class CompatPictureTest : public CompatTest {
protected:
    void SetUp() override {
        CompatTest::SetUp();
        if (!HasFatalFailure() && !IsSkipped()) {
            make_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8});
            gl::ClearColor(0.05F, 0.06F, 0.12F, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        }
    }
};

TEST_F(CompatPictureTest, FixedFunctionScene) {
    const Mesh mesh = torus(40, 20);
    gl::MatrixMode(GL_PROJECTION);
    gl::LoadMatrixf(camera(3.6F, 0.6F, 0.8F).data());
    gl::MatrixMode(GL_MODELVIEW);
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_LIGHTING);
    gl::Enable(GL_LIGHT0);
    gl::Enable(GL_LIGHT1);
    gl::Enable(GL_NORMALIZE);
    const std::array<float, 4> above{0.5F, 1, 0.3F, 0};
    const std::array<float, 4> side{-3, 0.5F, 1, 1};
    const std::array<float, 4> warm{1, 0.7F, 0.4F, 1};
    const std::array<float, 4> blue{0.25F, 0.45F, 1, 1};
    const std::array<float, 4> white{1, 1, 1, 1};
    gl::Lightfv(GL_LIGHT0, GL_POSITION, above.data());
    gl::Lightfv(GL_LIGHT1, GL_POSITION, side.data());
    gl::Lightfv(GL_LIGHT1, GL_DIFFUSE, warm.data());
    gl::Materialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, blue.data());
    gl::Materialfv(GL_FRONT_AND_BACK, GL_SPECULAR, white.data());
    gl::Materialf(GL_FRONT_AND_BACK, GL_SHININESS, 30);
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::EnableClientState(GL_NORMAL_ARRAY);
    gl::VertexPointer(3, GL_FLOAT, 32, mesh.vertices.data());
    gl::NormalPointer(GL_FLOAT, 32, mesh.vertices.data() + 3);
    gl::DrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.indices.size()), GL_UNSIGNED_SHORT,
                     mesh.indices.data());
    expect_picture("fixed_function", kSize, kSize, {10, 0.015});
}

TEST_F(CompatPictureTest, StippledLinesAndPolygons) {
    gl::Enable(GL_LINE_STIPPLE);
    for (int i = 0; i < 8; ++i) {
        gl::LineStipple(1 + i % 3, static_cast<GLushort>(0x0F0F * (1 + i % 2) | (1 << i)));
        gl::Color3f(1, 1 - 0.1F * static_cast<float>(i), 0.2F);
        const float y = (static_cast<float>(i * 6 + 70) + 0.5F) / 64 - 1;
        gl::Begin(GL_LINE_STRIP);
        gl::Vertex2f(-0.9F, y);
        gl::Vertex2f(0.2F, y);
        gl::Vertex2f(0.9F, y + 0.03F);
        gl::End();
    }
    gl::Disable(GL_LINE_STIPPLE);
    std::array<GLubyte, 128> mask{};
    for (size_t i = 0; i < mask.size(); ++i) {
        mask[i] = static_cast<GLubyte>((i / 4) % 4 < 2 ? 0xCC : 0x33);
    }
    gl::PolygonStipple(mask.data());
    gl::Enable(GL_POLYGON_STIPPLE);
    gl::Begin(GL_POLYGON);
    for (int i = 0; i < 6; ++i) {
        const float a = kTau * static_cast<float>(i) / 6;
        gl::Color3f(0.2F, 0.4F + 0.1F * static_cast<float>(i), 1);
        gl::Vertex2f(0.45F * std::cos(a), 0.45F * std::sin(a) - 0.5F);
    }
    gl::End();
    gl::Disable(GL_POLYGON_STIPPLE);
    expect_picture("stipple", kSize, kSize, {16, 0.04});
}

} // namespace
} // namespace kobalt::gltest
