// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

/// GL_EXT_multisampled_render_to_texture: a texture of so many pixels, and a framebuffer to attach
/// it to with several samples.
class MultisampledTexture : public EsTest {
protected:
    static constexpr int kSize = 16;

    Missing missing() const override { return lacks("GL_EXT_multisampled_render_to_texture"); }
    void prepare() override;

    /// As the framebuffer's first colours.
    void attach(int samples) const { attach(samples, GL_COLOR_ATTACHMENT0, texture_); }
    static void attach(int samples, GLenum attachment, GLuint texture,
                       GLenum target = GL_TEXTURE_2D, int level = 0);
    /// Without a look at what came of it.
    static void call_attach(int samples, GLenum attachment, GLuint texture,
                            GLenum target = GL_TEXTURE_2D, int level = 0);
    /// A texture like the first one, filled with one colour.
    static GLuint filled_texture(const Byte4& colour, GLenum format = GL_RGBA8);
    /// A framebuffer of its own for that texture.
    static GLuint framebuffer_of(GLuint texture, int samples = 4);

    /// A triangle over the lower left half, of which many pixels have an edge.
    void draw_triangle() const;
    /// A rectangle in pixels.
    void draw_rect(int x, int y, int width, int height, const Float4& colour,
                   float depth = 0.0F) const;
    /// Something else with the bound framebuffer's contents: another framebuffer is drawn to.
    void draw_elsewhere() const;
    /// Pixels of the read framebuffer whose green is neither of these.
    static int mixed(int low = 0, int high = 255);

    GLuint texture_ = 0, framebuffer_ = 0, triangle_ = 0, rect_ = 0;
};

} // namespace kobalt::gltest
