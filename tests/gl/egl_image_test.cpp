// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Renderbuffers that share an image with a texture (OES_EGL_image, EGL 1.5, section 3.9).
#include <array>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "support.h"

namespace kobalt::gltest {
namespace {

class EglImageTest : public EsTest {
protected:
    Missing missing() const override { return lacks("GL_OES_EGL_image"); }
    void prepare() override {
        storage_ =
            reinterpret_cast<Storage>(eglGetProcAddress("glEGLImageTargetRenderbufferStorageOES"));
        ASSERT_NE(storage_, nullptr);
    }

    /// A framebuffer of a renderbuffer that is the image of a texture, both bound.
    void bind_renderbuffer(GLuint texture, EGLenum target, const std::array<EGLAttrib, 5>& which) {
        const EGLDisplay display = eglGetCurrentDisplay();
        const EGLImage image = eglCreateImage(
            display, eglGetCurrentContext(), target,
            reinterpret_cast<EGLClientBuffer>(static_cast<std::uintptr_t>(texture)), which.data());
        ASSERT_NE(image, EGL_NO_IMAGE);
        GLuint buffer = 0;
        gl::GenRenderbuffers(1, &buffer);
        gl::BindRenderbuffer(GL_RENDERBUFFER, buffer);
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
        // It has no storage yet.
        ASSERT_NE(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
        storage_(GL_RENDERBUFFER, image);
        ASSERT_EQ(gl::GetError(), GL_NO_ERROR);
        eglDestroyImage(display, image);
        ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    }

    /// Copies the bound framebuffer's colours into a new RGBA8 one, which is bound then.
    static void blit_away() {
        GLuint copy = 0, framebuffer = 0;
        gl::GenRenderbuffers(1, &copy);
        gl::BindRenderbuffer(GL_RENDERBUFFER, copy);
        gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 8, 8);
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        gl::FramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                    copy);
        gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    }

private:
    using Storage = void (*)(GLenum, void*);
    Storage storage_ = nullptr;
};

TEST_F(EglImageTest, BlitsFromAFaceOfACube) {
    GLuint cube = 0;
    gl::GenTextures(1, &cube);
    gl::BindTexture(GL_TEXTURE_CUBE_MAP, cube);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 8, 8);
    ASSERT_NO_FATAL_FAILURE(bind_renderbuffer(cube, EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                                              {EGL_GL_TEXTURE_LEVEL, 0, EGL_NONE}));
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    blit_away();
    expect_pixel(7, 7, kGreen);
}

TEST_F(EglImageTest, BlitsFromASlice) {
    GLuint volume = 0;
    gl::GenTextures(1, &volume);
    gl::BindTexture(GL_TEXTURE_3D, volume);
    gl::TexStorage3D(GL_TEXTURE_3D, 2, GL_RGBA8, 16, 16, 8);
    ASSERT_NO_FATAL_FAILURE(bind_renderbuffer(
        volume, EGL_GL_TEXTURE_3D, {EGL_GL_TEXTURE_LEVEL, 1, EGL_GL_TEXTURE_ZOFFSET, 3, EGL_NONE}));
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    blit_away();
    expect_pixel(7, 7, kGreen);
}

TEST_F(EglImageTest, DrawsSrgbIntoAFaceOfACube) {
    GLuint cube = 0, framebuffer = 0;
    gl::GenTextures(1, &cube);
    gl::BindTexture(GL_TEXTURE_CUBE_MAP, cube);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_SRGB8_ALPHA8, 8, 8);
    ASSERT_NO_FATAL_FAILURE(bind_renderbuffer(cube, EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                                              {EGL_GL_TEXTURE_LEVEL, 0, EGL_NONE}));
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                             cube, 0);
    expect_pixel(7, 7, kGreen);
}

TEST_F(EglImageTest, IntegersAreRead) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 8, 8);
    ASSERT_NO_FATAL_FAILURE(
        bind_renderbuffer(texture, EGL_GL_TEXTURE_2D, {EGL_GL_TEXTURE_LEVEL, 0, EGL_NONE}));
    const std::array<GLuint, 4> value{77, 0, 0, 1};
    gl::ClearBufferuiv(GL_COLOR, 0, value.data());
    std::array<GLuint, 4> read{};
    gl::ReadPixels(7, 7, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, read.data());
    EXPECT_EQ(gl::GetError(), GL_NO_ERROR);
    EXPECT_EQ(read, value);
    GLint format = 0;
    gl::GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &format);
    EXPECT_EQ(format, GL_R32UI);
}

TEST_F(EglImageTest, NewStorageIsItsOwn) {
    GLuint texture = 0, framebuffer = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    ASSERT_NO_FATAL_FAILURE(
        bind_renderbuffer(texture, EGL_GL_TEXTURE_2D, {EGL_GL_TEXTURE_LEVEL, 0, EGL_NONE}));
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 8, 8);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    expect_pixel(7, 7, kGreen);
}

} // namespace
} // namespace kobalt::gltest
