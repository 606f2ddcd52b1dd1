// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Objects of a share group live on when one of its contexts is destroyed (OpenGL 4.6, 5.1.3).
#include <optional>
#include <utility>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <malloc.h>

#include "support.h"

namespace kobalt::gltest {
namespace {

class ContextEndTest : public EsTest {
protected:
    // What reads freed memory finds no values that would do.
    void prepare() override { mallopt(M_PERTURB, 0x55); }
    void TearDown() override {
        mallopt(M_PERTURB, 0);
        EsTest::TearDown();
    }

    /// A context of the fixture's share group, or of `group`'s; current.
    std::optional<offscreen::Context> join(const offscreen::Context& group) const {
        auto joined = group.create_shared(request());
        EXPECT_TRUE(joined.has_value()) << joined.error();
        if (!joined || !joined->make_current())
            return std::nullopt;
        watch_contents();
        return std::move(*joined);
    }

    /// A renderbuffer of 8x8 pixels that another context of the group has drawn to, and that was
    /// destroyed behind it. It is bound to a framebuffer of the fixture's.
    void bind_drawn_renderbuffer() {
        std::optional<offscreen::Context> other = join(context());
        ASSERT_TRUE(other.has_value());
        GLuint renderbuffer = 0;
        gl::GenRenderbuffers(1, &renderbuffer);
        gl::BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
        gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 8, 8);
        attach(renderbuffer);
        clear(1, 0);
        expect_pixel(1, 1, kRed);
        gl::Finish();
        ASSERT_TRUE(context().make_current());
        other.reset();
        gl::BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
        attach(renderbuffer);
    }

    static void attach(GLuint renderbuffer) {
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                    renderbuffer);
    }

    static void clear(float red, float green) {
        gl::ClearColor(red, green, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }

    static void set_texels(const Byte4& colour) {
        const std::array<Byte4, 4> texels{colour, colour, colour, colour};
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data());
    }

    /// What the texture on unit 0 shows, in the context that is current.
    static void expect_texel(const Byte4& colour) {
        make_target();
        const GLuint program =
            link({{GL_VERTEX_SHADER,
                   "#version 300 es\nvoid main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, "
                   "gl_VertexID & 2) * 2.0 - 1.0, 0, 1); }"},
                  {GL_FRAGMENT_SHADER, "#version 300 es\nprecision highp float; uniform sampler2D "
                                       "image; out vec4 colour; void main() { colour = "
                                       "texture(image, vec2(0.5)); }"}});
        gl::UseProgram(program);
        GLuint vertex_array = 0;
        gl::GenVertexArrays(1, &vertex_array);
        gl::BindVertexArray(vertex_array);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_pixel(1, 1, colour);
    }
};

TEST_F(ContextEndTest, RenderbuffersGetOtherStorage) {
    bind_drawn_renderbuffer();
    gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    clear(0, 1);
    expect_pixel(12, 12, kGreen);
}

TEST_F(ContextEndTest, RenderbuffersBecomeImages) {
    const auto set = reinterpret_cast<void (*)(GLenum, void*)>(
        eglGetProcAddress("glEGLImageTargetRenderbufferStorageOES"));
    if (!has_extension("GL_OES_EGL_image") || !set)
        GTEST_SKIP() << "GL_OES_EGL_image is missing";
    bind_drawn_renderbuffer();
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    set_texels(kRed);
    const EGLImage image = eglCreateImage(
        eglGetCurrentDisplay(), eglGetCurrentContext(), EGL_GL_TEXTURE_2D,
        reinterpret_cast<EGLClientBuffer>(static_cast<std::uintptr_t>(texture)), nullptr);
    ASSERT_NE(image, EGL_NO_IMAGE);
    set(GL_RENDERBUFFER, image);
    eglDestroyImage(eglGetCurrentDisplay(), image);
    clear(0, 1);
    expect_texel(kGreen);
}

TEST_F(ContextEndTest, DefaultTexturesAreUsedByTheNext) {
    std::optional<offscreen::Context> next;
    {
        auto first = offscreen::Context::create(request());
        ASSERT_TRUE(first.has_value()) << first.error();
        watch_contents();
        set_texels(kRed);
        expect_texel(kRed);
        gl::Finish();
        next = join(*first);
        ASSERT_TRUE(next.has_value());
        expect_texel(kRed);
    }
    set_texels(kGreen);
    expect_texel(kGreen);
    next.reset(); // frees the texture
    ASSERT_TRUE(context().make_current());
}

TEST_F(ContextEndTest, DeletedTexturesAreUsedByTheNext) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    set_texels(kRed);
    gl::Finish();
    std::optional<offscreen::Context> next = join(context());
    ASSERT_TRUE(next.has_value());
    gl::BindTexture(GL_TEXTURE_2D, texture);
    {
        std::optional<offscreen::Context> first = join(context());
        ASSERT_TRUE(first.has_value());
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::Finish();
        ASSERT_TRUE(context().make_current());
        gl::DeleteTextures(1, &texture);
        gl::Finish();
        ASSERT_TRUE(first->make_current());
        expect_texel(kRed);
        ASSERT_TRUE(next->make_current());
    }
    expect_texel(kRed);
    gl::BindTexture(GL_TEXTURE_2D, 0); // frees the texture
    expect_texel(kBlack);
    ASSERT_TRUE(context().make_current());
}

} // namespace
} // namespace kobalt::gltest
