// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "demo/offscreen/gl_api.h"

namespace kobalt::transfer {

/// A format as a program names it to glTexSubImage2D and glReadPixels.
struct Format {
    const char* name;
    GLenum internal, external, type;
    int bytes; ///< of a texel in the program's memory
};

inline constexpr std::array kFormats{
    Format{"rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4},
    Format{"bgra8", GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE, 4},
    Format{"rgb8", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3},
    Format{"r8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1},
    Format{"rgba16f", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8},
    Format{"r32f", GL_R32F, GL_RED, GL_FLOAT, 4},
    Format{"d24s8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4},
    Format{"d32f", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4}};

/// A square texture with one level, and the framebuffer that reads it. Both are bound from the
/// constructor on.
class Subject {
public:
    Subject(const Format& format, int side);
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;
    ~Subject();

    GLsizeiptr bytes() const { return static_cast<GLsizeiptr>(pattern_.size()); }
    /// Texels that every format can hold: no two neighbours are equal.
    const std::vector<std::byte>& pattern() const { return pattern_; }

    /// The calls whose speed is measured. `at` is memory, or an offset into a bound pixel buffer.
    void upload(const void* at) const;
    void read(void* at) const;
    void get(void* at) const;

    /// Empties the texture: all texels are zero.
    void clear() const;
    /// Whether the texture holds the pattern.
    bool holds_pattern() const;

private:
    Format format_;
    int side_;
    std::vector<std::byte> pattern_;
    GLuint texture_ = 0, framebuffer_ = 0;
};

} // namespace kobalt::transfer
