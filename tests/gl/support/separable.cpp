// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "separable.h"

namespace kobalt::gltest {

GLuint separable_of(GLenum type, const std::string& source) {
    const char* text = source.c_str();
    const GLuint program = gl::CreateShaderProgramv(type, 1, &text);
    GLint good = 0;
    gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    EXPECT_TRUE(good) << "link: " << source;
    return program;
}

GLuint separable_of(const std::vector<Stage>& stages) {
    return link(stages,
                [](GLuint name) { gl::ProgramParameteri(name, GL_PROGRAM_SEPARABLE, GL_TRUE); });
}

GLuint bind_pipeline(const std::vector<std::pair<GLbitfield, GLuint>>& stages) {
    GLuint pipeline = 0;
    gl::GenProgramPipelines(1, &pipeline);
    for (const auto& [stage, program] : stages) {
        gl::UseProgramStages(pipeline, stage, program);
    }
    gl::UseProgram(0);
    gl::BindProgramPipeline(pipeline);
    return pipeline;
}

} // namespace kobalt::gltest
