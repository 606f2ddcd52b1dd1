// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <expected>
#include <string>

#include "demo/offscreen/gl_api.h"

namespace kobalt::drawcost {

inline constexpr GLsizei kTargetSize = 16; ///< framebuffer size in pixels

/// The objects that the cases draw with: two of everything that a case changes between two draws.
/// The scene lives as long as the process; its objects are destroyed with the context.
struct Scene {
    std::array<GLuint, 2> programs{};
    std::array<GLint, 2> tints{}; ///< location of the uniform in each program
    std::array<GLuint, 2> textures{};
    std::array<GLuint, 2> vertex_arrays{};
    std::array<GLuint, 2> lists{}; ///< display lists, with create_lists() alone
    GLuint eight_blocks = 0;       ///< a program with uniform blocks at bindings 1 to 8
    GLuint blocks = 0;             ///< a uniform buffer with room for two blocks
    GLsizeiptr block_step = 0;     ///< bytes from one block to the next

    /// Makes the objects and binds the first of each, with a small framebuffer to draw to. Needs a
    /// current OpenGL 3.3 context; the error is one line.
    static std::expected<Scene, std::string> create();
    /// The same, with display lists alone. Needs a current compatibility context.
    static std::expected<Scene, std::string> create_lists();
};

} // namespace kobalt::drawcost
