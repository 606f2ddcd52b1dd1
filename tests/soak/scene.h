// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "demo/offscreen/gl_api.h"

namespace kobalt::soak {

using Byte4 = std::array<std::uint8_t, 4>;

/// A colour that differs from iteration to iteration.
Byte4 colour_of(std::uint32_t iteration);
void set_clear_colour(const Byte4& colour);

/// A square RGBA8 texture in a framebuffer object, both deleted with it.
class Target {
public:
    explicit Target(int size);
    ~Target();
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    /// Binds the framebuffer for drawing and reading, with a full viewport.
    void bind() const;
    int size() const { return size_; }
    GLuint texture() const { return texture_; }
    GLuint framebuffer() const { return framebuffer_; }

private:
    int size_;
    GLuint texture_ = 0;
    GLuint framebuffer_ = 0;
};

/// A texture of 8-bit RGBA with one level, bound; `data` may be null.
GLuint new_texture(int width, int height, const void* data);

/// Links a program of GLSL 3.30 sources; one that fails to link is reported on stderr and is 0.
GLuint link_program(const std::string& vertex, const std::string& fragment);

/// Draws rectangles (x0, y0, x1, y1 in clip space) in one colour; needs a bound vertex array.
class Painter {
public:
    Painter();
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;
    void draw(const std::array<float, 4>& rect, const Byte4& colour) const;

private:
    GLuint program_;
    GLint rect_;
    GLint colour_;
};

/// Generates and binds a vertex array.
GLuint bind_new_vertex_array();

/// Empty where a rectangle of the read framebuffer has the colour throughout (within one), else
/// which pixel has which instead.
std::string wrong_pixels(int x, int y, int width, int height, const Byte4& expected);
/// Empty where all bytes have the value, else which one has which instead.
std::string wrong_bytes(const std::vector<std::uint8_t>& bytes, std::uint8_t expected);

} // namespace kobalt::soak
