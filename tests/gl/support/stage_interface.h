// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

/// Whether all compile and link.
inline bool accepted(const std::vector<Stage>& stages) {
    const GLuint program = gl::CreateProgram();
    for (const Stage& stage : stages) {
        const GLuint shader = compile_quietly(stage);
        if (!did_compile(shader))
            return false;
        gl::AttachShader(program, shader);
    }
    gl::LinkProgram(program);
    GLint linked = 0;
    gl::GetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked != 0;
}

class StageInterfaceTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    void prepare() override {
        make_target({.width = 1, .height = 1, .color = GL_RGBA32F});
        bind_new_vao();
    }

    static std::string glsl(const std::string& text) { return "#version 450 core\n" + text; }
    static Stage vertex(const std::string& text) { return {GL_VERTEX_SHADER, glsl(text)}; }
    static Stage fragment(const std::string& text) { return {GL_FRAGMENT_SHADER, glsl(text)}; }
    static Stage geometry(const std::string& text) {
        return {GL_GEOMETRY_SHADER,
                glsl("layout(points) in; layout(points, max_vertices = 1) out;\n" + text)};
    }
    /// A vertex shader alone, whose outputs are captured.
    static GLuint captured(const std::string& outputs, const std::string& writes,
                           const std::vector<const char*>& names = {}) {
        return link({vertex(outputs + "void main() { gl_Position = vec4(0); " + writes + " }")},
                    [&](GLuint program) {
                        if (!names.empty())
                            gl::TransformFeedbackVaryings(program, GLsizei(names.size()),
                                                          names.data(), GL_INTERLEAVED_ATTRIBS);
                    });
    }
    /// What `count` buffers get of one vertex; -9 is left as it was.
    static std::vector<std::vector<float>> capture(GLuint program, GLuint count = 1) {
        const std::vector<float> before(12, -9.0F);
        std::vector<GLuint> buffers;
        for (GLuint i = 0; i < count; ++i) {
            buffers.push_back(make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, before));
            gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffers.back());
        }
        gl::UseProgram(program);
        gl::Enable(GL_RASTERIZER_DISCARD);
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 1);
        gl::EndTransformFeedback();
        std::vector<std::vector<float>> result(count, before);
        for (GLuint i = 0; i < count; ++i) {
            gl::BindBuffer(GL_ARRAY_BUFFER, buffers[i]);
            gl::GetBufferSubData(GL_ARRAY_BUFFER, 0, 48, result[i].data());
        }
        return result;
    }
    static GLint property(GLuint program, GLenum interface, GLuint index, GLenum name) {
        GLint value = -77;
        gl::GetProgramResourceiv(program, interface, index, 1, &name, 1, nullptr, &value);
        return value;
    }

    static constexpr const char* kDistances =
        "gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; float gl_CullDistance[2]; }";
    static constexpr const char* kBoth = "{ gl_Position = vec4(0, 0, 0, 1); for (int i = 0; i < 3; "
                                         "++i) gl_ClipDistance[i] = float(10 + i); "
                                         "gl_CullDistance[0] = 20; gl_CullDistance[1] = 21; }";
    static constexpr const char* kCullReader =
        "in float gl_CullDistance[2]; out vec4 c; void main() { "
        "c = vec4(gl_CullDistance[0], gl_CullDistance[1], 0, 0); }";
};

} // namespace kobalt::gltest
