// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>
#include <vector>

#include "support.h"

// Programs whose stages others may replace, and the program pipelines that join them (OpenGL 4.6,
// 7.4; GL_ARB_separate_shader_objects).

namespace kobalt::gltest {

/// In front of each shader of such a program.
inline const std::string kSeparableHeader =
    "#version 330 core\n#extension GL_ARB_separate_shader_objects : enable\n";

/// A program of one stage, made in one call (glCreateShaderProgramv) of the whole `source`.
GLuint separable_of(GLenum type, const std::string& source);
/// A program of several stages, linked with GL_PROGRAM_SEPARABLE.
GLuint separable_of(const std::vector<Stage>& stages);

/// A new pipeline of the stages of these programs, bound in place of any program.
GLuint bind_pipeline(const std::vector<std::pair<GLbitfield, GLuint>>& stages = {});

/// Tests of `Base` with a program pipeline bound, skipped where there are none.
template <typename Base>
class PipelineTestOf : public Base {
protected:
    Missing missing() const override {
        return first_of({Base::missing(), this->lacks(4, 1, "GL_ARB_separate_shader_objects")});
    }
    void prepare() override {
        Base::prepare();
        pipeline_ = bind_pipeline();
    }
    /// Takes the stages from `program`.
    void use(GLbitfield stages, GLuint program) const {
        gl::UseProgramStages(pipeline_, stages, program);
    }

private:
    GLuint pipeline_ = 0;
};

} // namespace kobalt::gltest
