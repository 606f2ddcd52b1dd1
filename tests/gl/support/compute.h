// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <bit>

#include "support.h"

// What the tests of compute shaders and storage buffers share.

namespace kobalt::gltest {

using Words = std::vector<std::uint32_t>;

/// OpenGL 4.3 core, skipped where the device ends before.
class ComputeTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 3); }
};

/// A compute program; #version 430 core is put in front.
inline GLuint compute(const std::string& source) {
    return link({{GL_COMPUTE_SHADER, "#version 430 core\n" + source}});
}

/// A buffer of words, bound as a storage buffer.
inline GLuint storage(GLuint binding, const Words& words) {
    const GLuint buffer = make_buffer(GL_SHADER_STORAGE_BUFFER, words, GL_DYNAMIC_COPY);
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
    return buffer;
}

inline Words words_of(GLuint buffer, size_t count, size_t first = 0) {
    Words words(count, 0xdead);
    gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    gl::BindBuffer(GL_COPY_READ_BUFFER, buffer);
    gl::GetBufferSubData(GL_COPY_READ_BUFFER, static_cast<GLintptr>(first * 4),
                         static_cast<GLsizeiptr>(count * 4), words.data());
    return words;
}

inline std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

inline GLint get(GLenum what) {
    GLint value = -1;
    gl::GetIntegerv(what, &value);
    return value;
}

} // namespace kobalt::gltest
