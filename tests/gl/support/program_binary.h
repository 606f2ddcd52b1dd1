// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

struct ProgramBinary {
    GLenum format = GL_NONE;
    std::vector<std::byte> bytes;

    void load(GLuint program) const {
        gl::ProgramBinary(program, format, bytes.data(), static_cast<GLsizei>(bytes.size()));
    }
};

inline ProgramBinary binary_of(GLuint program) {
    GLint size = 0;
    gl::GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    ProgramBinary binary{GL_NONE, std::vector<std::byte>(static_cast<std::size_t>(size))};
    gl::GetProgramBinary(program, size, nullptr, &binary.format, binary.bytes.data());
    return binary;
}

/// A program of the binary of another.
inline GLuint copy_of(GLuint program) {
    const GLuint copy = gl::CreateProgram();
    binary_of(program).load(copy);
    EXPECT_TRUE(did_link(copy));
    return copy;
}

} // namespace kobalt::gltest
