// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

/// A program of the binary of another.
inline GLuint copy_of(GLuint program) {
    GLint bytes = 0, linked = 0;
    GLenum format = 0;
    gl::GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &bytes);
    std::vector<std::byte> binary(static_cast<std::size_t>(bytes));
    gl::GetProgramBinary(program, bytes, nullptr, &format, binary.data());
    const GLuint copy = gl::CreateProgram();
    gl::ProgramBinary(copy, format, binary.data(), bytes);
    gl::GetProgramiv(copy, GL_LINK_STATUS, &linked);
    EXPECT_TRUE(linked);
    return copy;
}

} // namespace kobalt::gltest
