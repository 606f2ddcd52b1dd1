// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>
#include <vector>

#include "figures.h"
#include "shader_text.h"

namespace kobalt::sso {

/// Makes and binds a vertex array whose attribute 0 holds a triangle that covers the viewport.
void bind_triangle();

/// Draws that triangle.
inline void draw_triangle() {
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
}

/// Calls glCreateShaderProgramv. The link status isn't queried, since that would wait for the
/// compiler.
GLuint separable_program(Stage stage, const std::string& text);

/// Links a program of a vertex and a fragment shader. The link status isn't queried either.
GLuint whole_program(const std::string& vertex, const std::string& fragment);

/// Waits for a program's link. Fails with the first line of the driver's log where the link failed.
Outcome linked(GLuint program);
Outcome linked(const std::vector<GLuint>& programs);

/// Whole programs, vertex and fragment shader, up to 1,024 of them: no two have a shader in common.
class WholePrograms {
public:
    WholePrograms(const Driver& driver, std::uint64_t seed);

    GLuint make(int number) const;
    Colour colour(int number) const;

private:
    static Choice choice(int number);
    ShaderTexts texts_;
};

} // namespace kobalt::sso
