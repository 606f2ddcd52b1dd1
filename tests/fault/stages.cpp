// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "stages.h"

namespace kobalt::faults {

GLuint make_stages(std::initializer_list<std::pair<GLenum, std::string>> stages) {
    const GLuint program = gl::CreateProgram();
    for (const auto& [type, source] : stages) {
        const GLuint shader = gl::CreateShader(type);
        const char* text = source.c_str();
        gl::ShaderSource(shader, 1, &text, nullptr);
        gl::CompileShader(shader);
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader);
    }
    gl::LinkProgram(program);
    return program;
}

bool linked(GLuint program) {
    GLint good = 0;
    gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    return good != 0;
}

} // namespace kobalt::faults
