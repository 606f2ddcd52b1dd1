// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstring>

#include "support.h"

namespace kobalt::gltest {

class StreamCaptureTest : public GlTest {
protected:
    Missing missing() const override {
        return first_of({lacks(4, 0), lacks(4, 4, "GL_ARB_enhanced_layouts")});
    }
    void prepare() override {
        make_target({16, 16});
        bind_new_vao();
        gl::Enable(GL_RASTERIZER_DISCARD);
    }
    static constexpr GLuint kUntouched = 0xabcdef01;
    /// A buffer of so many words at a capture's binding.
    static GLuint bind(GLuint index, size_t words) {
        const GLuint name = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER,
                                        std::vector<GLuint>(words, kUntouched), GL_DYNAMIC_COPY);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, index, name);
        return name;
    }
    template <typename T>
    static std::vector<T> contents(GLuint buffer, size_t count) {
        std::vector<T> values(count);
        gl::BindBuffer(GL_COPY_READ_BUFFER, buffer);
        gl::GetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(T)),
                             values.data());
        return values;
    }
    static void capture(GLuint program, GLenum mode, int vertices, int instances = 1) {
        gl::UseProgram(program);
        gl::BeginTransformFeedback(mode);
        gl::DrawArraysInstanced(mode, 0, vertices, instances);
        gl::EndTransformFeedback();
    }
    static std::vector<float> floats_of(const std::vector<GLuint>& words) {
        std::vector<float> values(words.size());
        std::memcpy(values.data(), words.data(), 4 * words.size());
        return values;
    }
};

} // namespace kobalt::gltest
