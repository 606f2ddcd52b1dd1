// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Program pipelines (OpenGL 4.6, 7.4) of stages that know nothing of each other but locations: any
// pair, components of a location, a geometry shader in between, uniforms and buffer textures of
// each.
#include "separable.h"

namespace kobalt::gltest {
namespace {

class SeparableTest : public PipelineTestOf<GlTest> {
protected:
    static GLuint separable(GLenum type, const std::string& body) {
        return separable_of(type, kSeparableHeader + body);
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
    gl::Enable(GL_SCISSOR_TEST);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 35; ++i) {
            use(GL_VERTEX_SHADER_BIT, vertex[static_cast<size_t>(i % 5)]);
            use(GL_FRAGMENT_SHADER_BIT, fragment[static_cast<size_t>(i / 5)]);
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
    use(GL_VERTEX_SHADER_BIT, vertex);
    use(GL_FRAGMENT_SHADER_BIT, fragment);
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
    make_target({4, 4, GL_RGBA32F});
    bind_new_vao();
    for (int round = 0; round < 2; ++round) {
        use(GL_VERTEX_SHADER_BIT, vertex);
        use(GL_GEOMETRY_SHADER_BIT, geometry);
        use(GL_FRAGMENT_SHADER_BIT, fragment);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_near(pixel_float(2, 2), {15, 26, 30, 40}, 1e-4F);
        use(GL_GEOMETRY_SHADER_BIT, 0);
        use(GL_FRAGMENT_SHADER_BIT, direct);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_near(pixel_float(2, 2), {1, 2, 3, 4}, 1e-4F);
    }
}

TEST_F(SeparableTest, BufferTexturesInAGeometryProgramAndBehindIt) {
    use(GL_VERTEX_SHADER_BIT,
        separable(GL_VERTEX_SHADER,
                  std::string(kPosition) + "void main() { gl_Position = corner(); }"));
    use(GL_GEOMETRY_SHADER_BIT,
        separable(GL_GEOMETRY_SHADER,
                  "in gl_PerVertex { vec4 gl_Position; } gl_in[]; out gl_PerVertex { vec4 "
                  "gl_Position; };\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) "
                  "out; uniform samplerBuffer t; layout(location = 0) out float a; void main() { "
                  "for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; a = "
                  "texelFetch(t, 1).r; EmitVertex(); } }"));
    use(GL_FRAGMENT_SHADER_BIT,
        separable(GL_FRAGMENT_SHADER,
                  "uniform samplerBuffer t; layout(location = 0) in float a; out vec4 result; void "
                  "main() { result = vec4(a, texelFetch(t, 2).r, textureSize(t), 1); }"));
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, std::vector<float>{1, 2, 3, 4});
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_BUFFER, texture);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32F, buffer);
    make_target({4, 4, GL_RGBA32F});
    bind_new_vao();
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_near(pixel_float(2, 2), {2, 3, 4, 1}, 1e-4F);
}

TEST_F(SeparableTest, UniformsOfEachProgram) {
    const GLuint vertex = separable(
        GL_VERTEX_SHADER, std::string(kPosition) +
                              "uniform float value; layout(location = 0) out float a; void "
                              "main() { gl_Position = corner(); a = value; }");
    const GLuint fragment = separable(
        GL_FRAGMENT_SHADER, "uniform float value; layout(location = 0) in float a; out vec4 "
                            "result; void main() { result = vec4(a, value, 0, 1); }");
    use(GL_VERTEX_SHADER_BIT, vertex);
    use(GL_FRAGMENT_SHADER_BIT, fragment);
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

// An array of samplers under an index reaches its own elements alone: those behind it are of other
// types. With a geometry shader stages draw as shader objects, where the device has them.
TEST_F(SeparableTest, IndexedSamplersBesideOthers) {
    if (!has_version(4, 1)) {
        GTEST_SKIP() << "no indices that aren't constants";
    }
    const std::vector<GLuint> numbers{100, 101, 102, 103};
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, numbers);
    for (const GLenum unit : {GL_TEXTURE3, GL_TEXTURE4}) {
        gl::ActiveTexture(unit);
        new_texture(GL_TEXTURE_BUFFER);
        gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    }
    for (const GLenum unit : {GL_TEXTURE6, GL_TEXTURE7}) {
        gl::ActiveTexture(unit);
        texture_2d(GL_R32UI, 2, 2, GL_RED_INTEGER, GL_UNSIGNED_INT, numbers.data());
    }
    use(GL_VERTEX_SHADER_BIT,
        separable(GL_VERTEX_SHADER, kPosition + std::string("void main() { gl_Position = "
                                                            "corner(); }")));
    const GLuint geometry = separable_of(
        GL_GEOMETRY_SHADER,
        "#version 410 core\nin gl_PerVertex { vec4 gl_Position; } gl_in[];\nout gl_PerVertex { "
        "vec4 "
        "gl_Position; };\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out; "
        "layout(location = 0) flat out uvec4 found; uniform usamplerBuffer t[2]; uniform "
        "usampler2D s[2]; uniform int index; void main() { for (int i = 0; i < 3; ++i) { found = "
        "uvec4(texelFetch(t[index], 3).x, texelFetch(t[1 - index], 2).x, texelFetch(s[index], "
        "ivec2(1, 0), 0).x, texelFetch(s[1 - index], ivec2(0, 1), 0).x); gl_Position = "
        "gl_in[i].gl_Position; EmitVertex(); } }");
    const auto set = gl_function<PFNGLPROGRAMUNIFORM1IPROC>("glProgramUniform1i");
    const auto set_all = gl_function<PFNGLPROGRAMUNIFORM1IVPROC>("glProgramUniform1iv");
    const std::array<GLint, 2> first{3, 4};
    const std::array<GLint, 2> second{6, 7};
    set_all(geometry, gl::GetUniformLocation(geometry, "t"), 2, first.data());
    set_all(geometry, gl::GetUniformLocation(geometry, "s"), 2, second.data());
    use(GL_GEOMETRY_SHADER_BIT, geometry);
    use(GL_FRAGMENT_SHADER_BIT,
        separable(GL_FRAGMENT_SHADER, "layout(location = 0) flat in uvec4 found; out vec4 result; "
                                      "void main() { result = vec4(found) / 255.0; }"));
    make_target();
    bind_new_vao();
    for (const GLint index : {0, 1}) {
        set(geometry, gl::GetUniformLocation(geometry, "index"), index);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_pixel(1, 1, {103, 102, 101, 102}, 0);
    }
}

} // namespace
} // namespace kobalt::gltest
