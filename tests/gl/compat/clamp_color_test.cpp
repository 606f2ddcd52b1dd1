// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// glClampColor (OpenGL 4.6 compatibility profile, 18.1.1 and 17.3.6): what it is asked for, and no
// more.
#include "support.h"

namespace kobalt::gltest {
namespace {

class ClampColorTest : public CompatTest {
protected:
    /// Textures of these formats as attachments, all drawn to.
    static void targets(const std::vector<GLenum>& formats) {
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        std::vector<GLenum> buffers;
        for (const GLenum format : formats) {
            const GLuint texture = new_texture(GL_TEXTURE_2D);
            const bool integers = format == GL_RGBA32I || format == GL_RGBA32UI;
            gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 2, 2, 0,
                           integers ? GL_RGBA_INTEGER : GL_RGBA, integers ? GL_INT : GL_FLOAT,
                           nullptr);
            const auto attachment = static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + buffers.size());
            gl::FramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0);
            buffers.push_back(attachment);
        }
        gl::DrawBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
        ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER),
                  static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
        gl::Viewport(0, 0, 2, 2);
    }
    static void read_from(int buffer) {
        gl::ClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
        gl::ReadBuffer(static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + buffer));
    }
};

// Which buffers are beside a buffer of floats doesn't count but with GL_FIXED_ONLY.
TEST_F(ClampColorTest, FloatsBesideIntegers) {
    targets({GL_RGBA32F, GL_RGBA32I, GL_RGBA32UI});
    const GLuint program = vs_fs(
        kFullscreenVs, "layout(location = 0) out vec4 a; layout(location = 1) out ivec4 b; "
                       "layout(location = 2) out uvec4 c; void main() { a = vec4(2, -1, 0.5, 1.5); "
                       "b = ivec4(300, -7, 1, 2); c = uvec4(300, 7, 1, 0x40000000); }");
    for (const GLenum clamp : {GL_FALSE, GL_TRUE, GL_FIXED_ONLY}) {
        SCOPED_TRACE(clamp);
        gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, clamp);
        draw_fullscreen(program);
        read_from(0);
        expect_near(pixel_float(1, 1),
                    clamp == GL_TRUE ? Float4{1, 0, 0.5F, 1} : Float4{2, -1, 0.5F, 1.5F}, 0);
        read_from(1);
        EXPECT_EQ(pixel_int(1, 1), (Int4{300, -7, 1, 2}));
        read_from(2);
        EXPECT_EQ(pixel_uint(1, 1), (Uint4{300, 7, 1, 0x40000000}));
    }
    gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FIXED_ONLY);
}

// 17.3.2: the alpha test takes colour number zero, index zero, as it is clamped by then: also where
// the buffer alone would clamp it.
TEST_F(ClampColorTest, TheAlphaTestsColour) {
    targets({GL_RGBA8});
    const GLuint program =
        vs_fs(kFullscreenVs, "out vec4 a; void main() { a = vec4(0, 1, 0, 1.75); }");
    gl::Enable(GL_ALPHA_TEST);
    for (const GLenum clamp : {GL_TRUE, GL_FALSE, GL_FIXED_ONLY}) {
        SCOPED_TRACE(clamp);
        gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, clamp);
        for (const GLenum function : {GL_EQUAL, GL_GREATER}) {
            gl::AlphaFunc(function, 1);
            gl::ClearColor(1, 0, 0, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            draw_fullscreen(program);
            expect_pixel(1, 1, (function == GL_EQUAL) == (clamp != GL_FALSE) ? kGreen : kRed);
        }
    }
    gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FIXED_ONLY);
    if (!has_extension("GL_ARB_blend_func_extended")) {
        return;
    }
    const GLuint two = vs_fs(
        kFullscreenVs, "#extension GL_ARB_explicit_attrib_location : enable\nlayout(location = "
                       "0, index = 0) out vec4 a; layout(location = 0, index = 1) out vec4 b; "
                       "void main() { a = vec4(0, 1, 0, 1); b = vec4(0, 0, 0, 0.2); }");
    gl::AlphaFunc(GL_GREATER, 0.5F);
    draw_fullscreen(two);
    expect_pixel(1, 1, kGreen);
}

// 17.3.6 and 16.4: without clamping the fog has the colour that was given last, also where that is
// the colour before it, clamped.
TEST_F(ClampColorTest, FogInTheClampedColourOfBefore) {
    targets({GL_RGBA32F});
    gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    gl::Fogi(GL_FOG_MODE, GL_LINEAR);
    gl::Fogf(GL_FOG_START, 0);
    gl::Fogf(GL_FOG_END, 1);
    gl::Fogi(GL_FOG_COORD_SRC, GL_FOG_COORD);
    gl::Enable(GL_FOG);
    for (const Float4& colour : {Float4{2, -1, 0.5F, 1}, Float4{1, 0, 0.5F, 1}}) {
        gl::Fogfv(GL_FOG_COLOR, colour.data());
        Float4 found{};
        gl::GetFloatv(GL_FOG_COLOR, found.data());
        EXPECT_EQ(found, colour);
        gl::Color4f(0, 0, 0, 1);
        gl::FogCoordf(2);
        gl::Begin(GL_TRIANGLES);
        for (const auto& [x, y] : {std::pair{-1.0F, -1.0F}, {3.0F, -1.0F}, {-1.0F, 3.0F}}) {
            gl::Vertex2f(x, y);
        }
        gl::End();
        expect_near(pixel_float(1, 1), colour, 1e-4F);
    }
}

} // namespace
} // namespace kobalt::gltest
