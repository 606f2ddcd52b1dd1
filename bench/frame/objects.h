// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>
#include <string>

#include "demo/offscreen/gl_api.h"

namespace kobalt::frame {

struct Size {
    int width = 0, height = 0;
};

// Functions that create GL objects. A failure prints a line on stderr, and the first draw with the
// object raises a GL error.

/// A program of the two texts, each without its #version.
GLuint make_program(const std::string& vertex, const std::string& fragment);
/// A texture of fixed storage, bound to the current unit.
GLuint make_texture(GLenum format, Size size, int levels = 1);
GLuint make_renderbuffer(GLenum format, Size size, int samples);
/// A buffer with this content, or with storage only; it stays bound.
GLuint make_buffer(GLenum target, GLsizeiptr bytes, const void* data, GLenum usage);
/// A framebuffer of the textures' first levels; 0 for no depth texture. It stays bound.
GLuint make_framebuffer(std::span<const GLuint> colours, GLuint depth = 0,
                        GLenum depth_attachment = GL_DEPTH_STENCIL_ATTACHMENT);

void use(GLuint framebuffer, Size size);
void bind_texture(int unit, GLuint texture);
void draw_triangle();
void invalidate(std::span<const GLenum> attachments);

/// Whether draws test and write depth, and whether they blend.
enum class Depth { Off, Write, Test };
enum class Blend { Off, Add, Over };
void set_state(Depth depth, Blend blend);

/// The vertex shader of a triangle that covers the framebuffer.
std::string cover();
/// The vertex shader of an object, which has a uniform block at 0 and a uniform `place`.
std::string object();
/// A fragment shader with the samplers a to d at units 0 to 3, and one colour: o.
std::string sampling(const std::string& code);

/// Draws objects with a program of object()'s.
class Objects {
public:
    explicit Objects(GLuint program);
    /// `count` draws, each with another value of the uniform.
    void draw(int count) const;
    GLuint program() const { return program_; }

private:
    GLuint program_;
    GLint place_;
};

} // namespace kobalt::frame
