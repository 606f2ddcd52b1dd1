// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Whole pictures, compared with reference/*.png: triangles, points, lines, textures, blending. Each
// scene can leave out what it is there to show, to prove that its limits would notice.
#include "picture_scene.h"

namespace kobalt::gltest {
namespace {

TEST_F(PictureTest, Triangle) {
    judge({"triangle", {8, 0.04}}, {"interpolation"}, [](const Parts& parts) {
        const std::string qualifier = parts.has("interpolation") ? "" : "flat ";
        draw_fullscreen(vs_fs(
            qualifier + "out vec3 c; void main() { float a = radians(90.0 + 120.0 * "
                        "float(gl_VertexID)); gl_Position = vec4(0.9 * cos(a), 0.9 * sin(a) - "
                        "0.15, 0, 1); c = vec3(gl_VertexID == 0, gl_VertexID == 1, gl_VertexID == "
                        "2); }",
            qualifier + "in vec3 c; out vec4 result; void main() { result = vec4(sqrt(c), 1); }"));
    });
}

TEST_F(PictureTest, LitTorus) {
    const Mesh mesh = torus(48, 24);
    judge({"lit_torus", {8, 0.04}}, {"light", "hidden surfaces"}, [&mesh](const Parts& parts) {
        bind_mesh(mesh);
        if (parts.has("hidden surfaces")) {
            gl::Enable(GL_DEPTH_TEST);
            gl::Enable(GL_CULL_FACE);
        }
        set_camera(vs_fs(kMeshVs, parts.has("light") ? kLitFs : kUnlitFs),
                   camera(3.4F, 0.5F, 0.7F));
        gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, nullptr);
    });
}

TEST_F(PictureTest, TexturedTorusWithMipmaps) {
    const Mesh mesh = torus(48, 24);
    // Level selection is only approximately specified (section 3.8.11).
    judge({"textured_torus", {40, 0.19}}, {"texture", "mipmaps"}, [&mesh](const Parts& parts) {
        bind_tinted_checker();
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                          parts.has("mipmaps") ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        bind_mesh(mesh);
        gl::Enable(GL_DEPTH_TEST);
        const std::string sampled = parts.has("texture") ? "texture(t, uv)" : "vec4(uv, uv)";
        set_camera(vs_fs(kMeshVs, "in vec3 n; in vec2 uv; uniform sampler2D t; out vec4 result; "
                                  "void main() { result = " +
                                      sampled + " * (0.4 + 0.6 * abs(normalize(n).y)); }"),
                   camera(3.2F, 0.9F, 0.6F));
        gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, nullptr);
    });
}

TEST_F(PictureTest, InstancedGrid) {
    judge({"instanced_grid", {8, 0.1}}, {"instances"}, [](const Parts& parts) {
        const GLuint program =
            vs_fs("out vec3 c; void main() { int x = gl_InstanceID % 8; int y = gl_InstanceID / 8; "
                  "vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) - 0.5; float a = "
                  "float(gl_InstanceID) * 0.2; vec2 p = mat2(cos(a), sin(a), -sin(a), cos(a)) * "
                  "corner * (0.09 + 0.0016 * float(gl_InstanceID)); gl_Position = vec4(p + "
                  "(vec2(x, y) + 0.5) / 4.0 - 1.0, 0, 1); c = 0.55 + 0.45 * cos(vec3(0, 2, 4) + "
                  "float(gl_InstanceID) * 0.35); }",
                  "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
        bind_new_vao();
        gl::UseProgram(program);
        gl::DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, parts.has("instances") ? 64 : 1);
    });
}

TEST_F(PictureTest, PointSprites) {
    judge({"point_sprites", {16, 0.13}}, {"sizes", "sprite coordinates"}, [](const Parts& parts) {
        const std::string coordinate =
            parts.has("sprite coordinates") ? "gl_PointCoord" : "vec2(0.5)";
        const GLuint program = vs_fs(
            "flat out vec3 c; void main() { float t = float(gl_VertexID) / 60.0; float a = t * "
            "25.0; gl_Position = vec4(vec2(cos(a), sin(a)) * t * 0.85, 0, 1); gl_PointSize = 4.0 "
            "+ 14.0 * t; c = 0.5 + 0.5 * cos(vec3(0, 2, 4) + a); }",
            "flat in vec3 c; out vec4 result; void main() { vec2 d = " + coordinate +
                " - 0.5; float r = dot(d, d); if (r > 0.25) discard; result = vec4(c * (1.0 - 3.0 "
                "* r), 1); }");
        if (parts.has("sizes")) {
            gl::Enable(GL_PROGRAM_POINT_SIZE);
        }
        bind_new_vao();
        gl::UseProgram(program);
        gl::DrawArrays(GL_POINTS, 0, 60);
    });
}

TEST_F(PictureTest, LineStar) {
    judge({"line_star", {24, 0.1, 1}}, {"second half"}, [](const Parts& parts) {
        const GLuint program =
            vs_fs("out vec3 c; void main() { float a = radians(15.0) * float(gl_VertexID / 2); "
                  "float r = (gl_VertexID & 1) == 0 ? 0.2 : 0.95; gl_Position = vec4(r * cos(a), r "
                  "* sin(a), 0, 1); c = vec3(r, 1.0 - 0.5 * r, 0.4); }",
                  "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
        bind_new_vao();
        gl::UseProgram(program);
        gl::DrawArrays(GL_LINES, 0, parts.has("second half") ? 48 : 24);
    });
}

TEST_F(PictureTest, Wireframe) {
    const Mesh mesh = torus(20, 10);
    judge({"wireframe", {24, 0.1, 1}}, {"lines", "polygon mode", "second half"},
          [&mesh](const Parts& parts) {
              bind_mesh(mesh);
              set_camera(vs_fs(kMeshVs, kLitFs), camera(3.4F, 0.5F, 0.7F));
              gl::Enable(GL_CULL_FACE);
              if (parts.has("polygon mode")) {
                  gl::PolygonMode(GL_FRONT_AND_BACK, parts.has("lines") ? GL_LINE : GL_POINT);
              }
              gl::DrawElements(GL_TRIANGLES,
                               parts.has("second half") ? mesh.count() : mesh.count() / 2,
                               GL_UNSIGNED_SHORT, nullptr);
          });
}

TEST_F(PictureTest, MultisampledFan) {
    judge({"multisampled_fan", {40, 0.08}}, {"samples"}, [this](const Parts& parts) {
        const Target source = make_target(
            {kPictureSize, kPictureSize, GL_RGBA8, GL_NONE, parts.has("samples") ? 4 : 0});
        gl::Clear(GL_COLOR_BUFFER_BIT);
        const GLuint program = vs_fs(
            "flat out vec3 c; void main() { int k = gl_VertexID / 3; int v = gl_VertexID % 3; "
            "float a = radians(24.0) * (float(k) + (v == 2 ? 0.45 : 0.0)); float r = v == 0 ? 0.0 "
            ": 0.95; gl_Position = vec4(r * cos(a), r * sin(a), 0, 1); c = k % 2 == 0 ? vec3(0.2, "
            "0.5, 1.0) : vec3(1.0, 0.8, 0.3); }",
            "flat in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
        bind_new_vao();
        gl::UseProgram(program);
        gl::DrawArrays(GL_TRIANGLES, 0, 45);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, target().framebuffer);
        gl::BlitFramebuffer(0, 0, kPictureSize, kPictureSize, 0, 0, kPictureSize, kPictureSize,
                            GL_COLOR_BUFFER_BIT, GL_NEAREST);
        target().bind();
    });
}

TEST_F(PictureTest, BlendedDiscs) {
    judge({"blended_discs", {6, 0.02}}, {"blending"}, [](const Parts& parts) {
        if (parts.has("blending")) {
            gl::Enable(GL_BLEND);
        }
        gl::BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE);
        const GLuint program =
            vs_fs("out vec2 p; flat out int id; void main() { id = gl_InstanceID; p = "
                  "vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0; float a = float(id) * 2.1; "
                  "gl_Position = vec4(p * 0.5 + 0.4 * vec2(cos(a), sin(a)), 0, 1); }",
                  "in vec2 p; flat in int id; out vec4 result; void main() { float d = length(p); "
                  "result = vec4(0.5 + 0.5 * cos(vec3(0, 2, 4) + float(id)), 0.7 * (1.0 - "
                  "smoothstep(0.85, 0.95, d))); }");
        bind_new_vao();
        gl::UseProgram(program);
        gl::DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 7);
    });
}

TEST_F(PictureTest, StencilOutline) {
    const Mesh mesh = torus(48, 24);
    judge({"stencil_outline", {8, 0.05}}, {"stencil test", "outline"}, [&mesh](const Parts& parts) {
        bind_mesh(mesh);
        const GLuint solid = vs_fs(kMeshVs, kLitFs);
        const GLuint outline =
            vs_fs("layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal; "
                  "uniform mat4 camera; void main() { gl_Position = camera * vec4(position + "
                  "normal * 0.07, 1); }",
                  "out vec4 result; void main() { result = vec4(1.0, 0.75, 0.2, 1); }");
        gl::Enable(GL_DEPTH_TEST);
        if (parts.has("stencil test")) {
            gl::Enable(GL_STENCIL_TEST);
        }
        gl::StencilFunc(GL_ALWAYS, 1, 0xFF);
        gl::StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
        set_camera(solid, camera(3.6F, 0.3F, 0.9F));
        gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, nullptr);
        gl::StencilFunc(GL_NOTEQUAL, 1, 0xFF);
        gl::Disable(GL_DEPTH_TEST);
        set_camera(outline, camera(3.6F, 0.3F, 0.9F));
        if (parts.has("outline")) {
            gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, nullptr);
        }
    });
}

TEST_F(PictureTest, WrapModeBoard) {
    std::vector<std::uint8_t> texels;
    for (int i = 0; i < 16; ++i) {
        texels.insert(texels.end(), {static_cast<std::uint8_t>(i % 4 * 85),
                                     static_cast<std::uint8_t>(i / 4 * 85), 120, 255});
    }
    judge({"wrap_modes", {12, 0.04}}, {"wrap modes", "linear filter", "border colour"},
          [&texels](const Parts& parts) {
              texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
              const std::array<float, 4> border{1, 0.6F, 0.1F, 1};
              if (parts.has("border colour")) {
                  gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
              }
              const GLuint program =
                  vs_fs(kFullscreenVs, "in vec2 uv; uniform sampler2D t; out vec4 result; void "
                                       "main() { result = texture(t, uv * 3.0 - 1.0); }");
              int cell = 0;
              for (const GLint filter : {GL_NEAREST, GL_LINEAR}) {
                  const GLint used = parts.has("linear filter") ? filter : GL_NEAREST;
                  gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, used);
                  gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, used);
                  for (const GLint mode :
                       {GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER}) {
                      const GLint wrap = parts.has("wrap modes") ? mode : GL_REPEAT;
                      gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
                      gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
                      gl::Viewport(cell % 4 * 32, cell / 4 * 64 + 16, 32, 32);
                      draw_fullscreen(program);
                      ++cell;
                  }
              }
          });
}

TEST_F(PictureTest, FloorInPerspective) {
    judge({"floor", {48, 0.25}}, {"texture", "mipmaps"}, [](const Parts& parts) {
        bind_tinted_checker();
        const std::string sampled = parts.has("texture") ? "texture(t, uv)" : "vec4(uv, uv)";
        const GLuint program = vs_fs(
            "out vec2 uv; void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1); uv "
            "= p * 24.0; vec3 v = vec3((p.x - 0.5) * 24.0, -1.2, -1.0 - p.y * 24.0); "
            "gl_Position = vec4(v.xy * 1.4, -v.z * 0.9, -v.z); }",
            "in vec2 uv; uniform sampler2D t; out vec4 result; void main() { result = " + sampled +
                "; }");
        bind_new_vao();
        gl::UseProgram(program);
        gl::Enable(GL_SCISSOR_TEST);
        const std::array<GLint, 4> filters{GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST,
                                           GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR};
        for (int i = 0; i < 4; ++i) {
            gl::Scissor(i * 32, 0, 32, kPictureSize);
            gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                              filters[parts.has("mipmaps") ? static_cast<size_t>(i) : 0]);
            gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    });
}

} // namespace
} // namespace kobalt::gltest
