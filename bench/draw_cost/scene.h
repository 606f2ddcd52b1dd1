// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <expected>
#include <string>

#include "demo/offscreen/gl_api.h"

namespace kobalt::drawcost {

inline constexpr GLsizei kTargetSize = 16; ///< of the framebuffer, pixels

/// All that the cases draw with: two of everything that a case changes between two draws. It lives
/// as long as the process; the context takes its objects along.
struct Scene {
    std::array<GLuint, 2> programs{};
    std::array<GLint, 2> tints{}; ///< location of the uniform in each program
    std::array<GLuint, 2> textures{};
    std::array<GLuint, 2> vertex_arrays{};
    GLuint blocks = 0;         ///< a uniform buffer with room for two blocks
    GLsizeiptr block_step = 0; ///< from one to the next

    /// Makes the objects and binds the first of each, with a small framebuffer to draw to. Needs a
    /// current OpenGL 3.3 context; the error is one line.
    static std::expected<Scene, std::string> create();
};

} // namespace kobalt::drawcost
