// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Whole pictures that need several passes, more stages than two, or fixed functions. As in
// picture_test.cpp, each scene can leave out what it is there to show.
#include "picture_scene.h"

#include <cmath>

namespace kobalt::gltest {
namespace {

TEST_F(PictureTest, GeometryFur) {
    const Mesh mesh = torus(24, 12);
    judge({"geometry_fur", {16, 0.15, 1}}, {"fur"}, [&mesh](const Parts& parts) {
        bind_mesh(mesh);
        const std::string version = "#version 330 core\n";
        const std::string fur =
            "for (int i = 0; i < 2; ++i) { c = vec3(0.1, 0.2, 0.5); gl_Position = camera * "
            "gl_in[i].gl_Position; EmitVertex(); } c = vec3(0.8, 0.95, 1.0); gl_Position = camera "
            "* tip; EmitVertex(); EndPrimitive(); ";
        const GLuint program = link(
            {{GL_VERTEX_SHADER, version + "layout(location = 0) in vec3 position; layout(location "
                                          "= 1) in vec3 normal; out vec3 n; void main() { "
                                          "gl_Position = vec4(position, 1); n = normal; }"},
             {GL_GEOMETRY_SHADER,
              version +
                  "layout(triangles) in; layout(triangle_strip, max_vertices = 6) out; uniform "
                  "mat4 camera; in vec3 n[]; out vec3 c; void main() { vec3 m = (n[0] + n[1] + "
                  "n[2]) / 3.0; vec4 tip = (gl_in[0].gl_Position + gl_in[1].gl_Position + "
                  "gl_in[2].gl_Position) / 3.0 + vec4(m * 0.35, 0); for (int i = 0; i < 3; ++i) { "
                  "c = vec3(0.15, 0.25, 0.6) * (0.4 + 0.6 * max(n[i].y, 0.0)); gl_Position = "
                  "camera * gl_in[i].gl_Position; EmitVertex(); } EndPrimitive(); " +
                  (parts.has("fur") ? fur : "") + "}"},
             {GL_FRAGMENT_SHADER,
              version + "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }"}});
        gl::Enable(GL_DEPTH_TEST);
        set_camera(program, camera(3.8F, 0.4F, 0.8F));
        gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, nullptr);
    });
}

TEST_F(PictureTest, ShadowMap) {
    const Mesh mesh = torus(48, 24);
    judge({"shadow_map", {16, 0.05}}, {"casters"}, [this, &mesh](const Parts& parts) {
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
        set_camera(vs_fs("layout(location = 0) in vec3 position; uniform mat4 camera; void main() "
                         "{ gl_Position = camera * vec4(position, 1); }",
                         "void main() {}"),
                   light);
        if (parts.has("casters")) {
            gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, nullptr);
        }
        gl::Disable(GL_POLYGON_OFFSET_FILL);
        target().bind();
        const char* shade =
            "in vec3 world; uniform sampler2DShadow t; uniform mat4 light; uniform vec4 colour; "
            "out vec4 result; void main() { vec4 p = light * vec4(world, 1); vec3 s = p.xyz / p.w "
            "* 0.5 + 0.5; result = vec4(colour.rgb * (0.3 + 0.7 * texture(t, s)), 1); }";
        const GLuint object = vs_fs(
            "layout(location = 0) in vec3 position; uniform mat4 camera; out vec3 world; void "
            "main() { world = position; gl_Position = camera * vec4(position, 1); }",
            shade);
        const GLuint ground =
            vs_fs("uniform mat4 camera; out vec3 world; void main() { world = "
                  "vec3(float(gl_VertexID & 1) * 6.0 - 3.0, -0.9, 3.0 - float(gl_VertexID >> 1) * "
                  "6.0); gl_Position = camera * vec4(world, 1); }",
                  shade);
        for (const auto& [program, colour] : {std::pair{object, Float4{0.2F, 0.45F, 1.0F, 1}},
                                              {ground, Float4{0.85F, 0.8F, 0.7F, 1}}}) {
            set_camera(program, camera(4.2F, 0.4F, 0.6F));
            gl::UniformMatrix4fv(gl::GetUniformLocation(program, "light"), 1, GL_FALSE,
                                 light.data());
            set_uniform(program, "colour", colour);
            if (program == object) {
                gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, nullptr);
            } else {
                gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            }
        }
    });
}

TEST_F(PictureTest, FeedbackParticles) {
    std::vector<float> state;
    for (int i = 0; i < 256; ++i) {
        const float a = kTau * static_cast<float>(i) / 256;
        state.insert(state.end(), {0.4F * std::cos(a), 0.4F * std::sin(a),
                                   0.5F * std::cos(3 * a + 1.0F), 0.5F * std::sin(2 * a)});
    }
    judge({"feedback_particles", {16, 0.15, 1}}, {"feedback"}, [&state](const Parts& parts) {
        const GLuint step = link(
            {{GL_VERTEX_SHADER,
              "#version 330 core\nlayout(location = 0) in vec4 state; out vec4 next; void main() { "
              "vec2 speed = state.zw - state.xy * 0.08; next = vec4(state.xy + speed * 0.12, "
              "speed); }"}},
            [](GLuint program) {
                const char* output = "next";
                gl::TransformFeedbackVaryings(program, 1, &output, GL_INTERLEAVED_ATTRIBS);
            });
        std::array<GLuint, 2> buffers{};
        for (GLuint& buffer : buffers) {
            buffer = make_buffer(GL_ARRAY_BUFFER, state, GL_DYNAMIC_COPY);
        }
        const GLuint draw =
            vs_fs("layout(location = 0) in vec4 state; out vec3 c; void main() { gl_Position = "
                  "vec4(state.xy, 0, 1); gl_PointSize = 3.0; c = vec3(0.5 + state.z, 0.6, 0.7 - "
                  "state.w); }",
                  "in vec3 c; out vec4 result; void main() { result = vec4(c, 1); }");
        bind_new_vao();
        gl::EnableVertexAttribArray(0);
        gl::Enable(GL_PROGRAM_POINT_SIZE);
        for (size_t i = 0; i < 12; ++i) {
            gl::BindBuffer(GL_ARRAY_BUFFER, buffers[i % 2]);
            gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
            gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[(i + 1) % 2]);
            if (parts.has("feedback")) {
                gl::UseProgram(step);
                gl::Enable(GL_RASTERIZER_DISCARD);
                gl::BeginTransformFeedback(GL_POINTS);
                gl::DrawArrays(GL_POINTS, 0, 256);
                gl::EndTransformFeedback();
                gl::Disable(GL_RASTERIZER_DISCARD);
            }
            if (i % 4 == 3) {
                gl::UseProgram(draw);
                gl::BindBuffer(GL_ARRAY_BUFFER, buffers[(i + 1) % 2]);
                gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
                gl::DrawArrays(GL_POINTS, 0, 256);
            }
        }
    });
}

TEST_F(CompatPictureTest, FixedFunctionScene) {
    const Mesh mesh = torus(40, 20);
    judge({"fixed_function", {10, 0.05}}, {"lighting", "second light"},
          [&mesh](const Parts& parts) {
              gl::MatrixMode(GL_PROJECTION);
              gl::LoadMatrixf(camera(3.6F, 0.6F, 0.8F).data());
              gl::MatrixMode(GL_MODELVIEW);
              gl::Enable(GL_DEPTH_TEST);
              gl::Enable(GL_LIGHT0);
              gl::Enable(GL_NORMALIZE);
              for (const auto& [what, feature] :
                   {std::pair{GL_LIGHTING, "lighting"}, {GL_LIGHT1, "second light"}}) {
                  if (parts.has(feature)) {
                      gl::Enable(static_cast<GLenum>(what));
                  } else {
                      gl::Disable(static_cast<GLenum>(what));
                  }
              }
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
              gl::DrawElements(GL_TRIANGLES, mesh.count(), GL_UNSIGNED_SHORT, mesh.indices.data());
          });
}

void draw_stippled_lines(bool stippled) {
    if (stippled) {
        gl::Enable(GL_LINE_STIPPLE);
    }
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
}

void draw_stippled_polygon(bool stippled) {
    std::array<GLubyte, 128> mask{};
    for (size_t i = 0; i < mask.size(); ++i) {
        mask[i] = static_cast<GLubyte>((i / 4) % 4 < 2 ? 0xCC : 0x33);
    }
    gl::PolygonStipple(mask.data());
    if (stippled) {
        gl::Enable(GL_POLYGON_STIPPLE);
    }
    gl::Begin(GL_POLYGON);
    for (int i = 0; i < 6; ++i) {
        const float a = kTau * static_cast<float>(i) / 6;
        gl::Color3f(0.2F, 0.4F + 0.1F * static_cast<float>(i), 1);
        gl::Vertex2f(0.45F * std::cos(a), 0.45F * std::sin(a) - 0.5F);
    }
    gl::End();
    gl::Disable(GL_POLYGON_STIPPLE);
}

TEST_F(CompatPictureTest, StippledLinesAndPolygons) {
    judge({"stipple", {16, 0.1, 1}}, {"lines", "line stipple", "polygon", "polygon stipple"},
          [](const Parts& parts) {
              if (parts.has("lines")) {
                  draw_stippled_lines(parts.has("line stipple"));
              }
              if (parts.has("polygon")) {
                  draw_stippled_polygon(parts.has("polygon stipple"));
              }
          });
}

} // namespace
} // namespace kobalt::gltest
