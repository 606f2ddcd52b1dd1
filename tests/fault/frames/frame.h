// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "demo/offscreen/gl_api.h"

namespace kobalt::faults {

/// What a program saw of a frame.
struct Seen {
    std::vector<std::string> wrong; ///< what came out otherwise than it should
    std::set<GLenum> errors;        ///< of glGetError
    bool link_failed = false;       ///< a program did not link
    bool incomplete = false;        ///< a framebuffer was not complete
    int swap_error = 0;             ///< of eglSwapBuffers; 0: there is none
};

/// Objects that live for the whole program: what a failed call must not break for good.
class Lasting {
public:
    Lasting();
    bool linked() const { return linked_; }
    /// Draws with the lasting program, texture and buffer, and computes with the lasting shader.
    void use(int number, Seen& seen) const;
    /// Fills the window of that size with window_colour(number), and reads its corners back.
    void fill_window(int number, int width, int height, Seen& seen) const;

private:
    GLuint program_ = 0, compute_ = 0, texture_ = 0, buffer_ = 0, results_ = 0;
    bool linked_ = false;
};

/// A frame of many kinds of GL calls: fresh shaders, textures, buffers, framebuffers, mipmaps,
/// queries, pixel buffers and fences. Each value that it reads back has one right answer, which
/// changes with `number`.
void draw_frame(int number, const Lasting& lasting, Seen& seen);

/// What Lasting::fill_window() draws: red, green, blue, alpha.
std::array<uint8_t, 4> window_colour(int number);

/// Adds what glGetError returns.
void collect_errors(Seen& seen);

} // namespace kobalt::faults
