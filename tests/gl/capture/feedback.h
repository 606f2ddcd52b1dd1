// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

class FeedbackTest : public GlTest {
protected:
    void prepare() override {
        make_target();
        bind_new_vao();
    }

    static GLuint program(const std::string& vertex, const std::vector<const char*>& outputs,
                          GLenum mode, const std::string& geometry = {}) {
        std::vector<Stage> stages{{GL_VERTEX_SHADER, "#version 330 core\n" + vertex}};
        if (!geometry.empty()) {
            stages.push_back({GL_GEOMETRY_SHADER, "#version 330 core\n" + geometry});
        }
        return link(stages, [&](GLuint name) {
            gl::TransformFeedbackVaryings(name, static_cast<GLsizei>(outputs.size()),
                                          outputs.data(), mode);
        });
    }

    static GLuint feedback_buffer(GLuint index, GLsizeiptr size) {
        const std::vector<std::uint8_t> fill(static_cast<size_t>(size), 0xCD);
        const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, fill, GL_STREAM_READ);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, index, buffer);
        return buffer;
    }

    static void capture(GLuint program, GLenum primitive, GLenum mode, int vertices) {
        gl::UseProgram(program);
        gl::Enable(GL_RASTERIZER_DISCARD);
        gl::BeginTransformFeedback(primitive);
        gl::DrawArrays(mode, 0, vertices);
        gl::EndTransformFeedback();
        gl::Disable(GL_RASTERIZER_DISCARD);
    }

    static std::vector<float> floats(GLuint buffer, size_t count, GLintptr offset = 0) {
        std::vector<float> data(count);
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::GetBufferSubData(GL_ARRAY_BUFFER, offset, static_cast<GLsizeiptr>(count * 4),
                             data.data());
        return data;
    }
};

} // namespace kobalt::gltest
