// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Renderbuffers and textures that share an image with a texture (OES_EGL_image, EGL 1.5, section
// 3.9).
#include <array>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "support.h"

namespace kobalt::gltest {
namespace {

EGLImage image_of(GLuint name, EGLenum target, const std::array<EGLAttrib, 5>& which = {EGL_NONE},
                  EGLContext context = eglGetCurrentContext()) {
    return eglCreateImage(eglGetCurrentDisplay(), context, target,
                          reinterpret_cast<EGLClientBuffer>(static_cast<std::uintptr_t>(name)),
                          which.data());
}

/// A texture of an image, bound.
GLuint texture_of(EGLImage image) {
    using Target = void (*)(GLenum, void*);
    const auto set = reinterpret_cast<Target>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
    EXPECT_NE(image, EGL_NO_IMAGE);
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    set(GL_TEXTURE_2D, image);
    eglDestroyImage(eglGetCurrentDisplay(), image);
    return texture;
}

/// Two levels, the first of 8x8 texels.
GLuint two_levels(const Byte4& first, const Byte4& second) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 8, 8);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    for (const GLint level : {0, 1}) {
        const std::vector<Byte4> texels(64, level ? second : first);
        gl::TexSubImage2D(GL_TEXTURE_2D, level, 0, 0, 8 >> level, 8 >> level, GL_RGBA,
                          GL_UNSIGNED_BYTE, texels.data());
    }
    return texture;
}

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
        const EGLImage image = image_of(texture, target, which);
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
        store(image);
        ASSERT_EQ(gl::GetError(), GL_NO_ERROR);
        ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    }

    /// The same of a slice, of 8x8 texels, of a volume's second level.
    void bind_slice() {
        GLuint volume = 0;
        gl::GenTextures(1, &volume);
        gl::BindTexture(GL_TEXTURE_3D, volume);
        gl::TexStorage3D(GL_TEXTURE_3D, 2, GL_RGBA8, 16, 16, 8);
        bind_renderbuffer(volume, EGL_GL_TEXTURE_3D,
                          {EGL_GL_TEXTURE_LEVEL, 1, EGL_GL_TEXTURE_ZOFFSET, 3, EGL_NONE});
    }

    /// Makes the bound renderbuffer of the image, which is destroyed.
    void store(EGLImage image) const {
        storage_(GL_RENDERBUFFER, image);
        eglDestroyImage(eglGetCurrentDisplay(), image);
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
    ASSERT_NO_FATAL_FAILURE(bind_slice());
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    blit_away();
    expect_pixel(7, 7, kGreen);
}

// glCopyImageSubData writes and reads the image, not the texture's first level and layer
// (OES_EGL_image; ES 3.2, 16.2.2).
TEST_F(EglImageTest, CopiesASlice) {
    const auto copy = gl_function<PFNGLCOPYIMAGESUBDATAPROC>("glCopyImageSubData");
    ASSERT_NO_FATAL_FAILURE(bind_slice());
    GLint slice = 0;
    gl::GetIntegerv(GL_RENDERBUFFER_BINDING, &slice);
    const GLuint levels = two_levels(kGreen, kRed);
    copy(levels, GL_TEXTURE_2D, 0, 0, 0, 0, static_cast<GLuint>(slice), GL_RENDERBUFFER, 0, 0, 0, 0,
         8, 8, 1);
    expect_pixel(7, 7, kGreen);
    // And back, over what is red.
    copy(static_cast<GLuint>(slice), GL_RENDERBUFFER, 0, 0, 0, 0, levels, GL_TEXTURE_2D, 1, 0, 0, 0,
         4, 4, 1);
    EXPECT_EQ(gl::GetError(), GL_NO_ERROR);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, levels, 1);
    expect_pixel(3, 3, kGreen);
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

TEST_F(EglImageTest, DepthAndStencil) {
    for (const GLenum format : {GL_DEPTH_COMPONENT16, GL_DEPTH24_STENCIL8, GL_STENCIL_INDEX8}) {
        SCOPED_TRACE(format);
        std::array<GLuint, 2> buffers{};
        gl::GenRenderbuffers(2, buffers.data());
        gl::BindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
        gl::RenderbufferStorage(GL_RENDERBUFFER, format, 8, 8);
        const EGLImage image = image_of(buffers[0], EGL_GL_RENDERBUFFER);
        ASSERT_NE(image, EGL_NO_IMAGE);
        gl::BindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
        store(image);
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
        GLint stored = 0;
        gl::GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &stored);
        EXPECT_EQ(stored, static_cast<GLint>(format));
        make_target({8, 8});
        if (format != GL_STENCIL_INDEX8) {
            gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                        buffers[1]);
        }
        if (format != GL_DEPTH_COMPONENT16) {
            gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                        buffers[1]);
        }
        EXPECT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }
}

TEST_F(EglImageTest, WritesToALevelStayInIt) {
    const GLuint source = two_levels(kRed, kRed);
    const GLuint level =
        texture_of(image_of(source, EGL_GL_TEXTURE_2D, {EGL_GL_TEXTURE_LEVEL, 1, EGL_NONE}));
    const std::vector<Byte4> texels(16, kGreen);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    bind_texture_target(source, 8, 8);
    expect_area(0, 0, 8, 8, kRed);
    bind_texture_target(source, 4, 4, 1);
    expect_area(0, 0, 4, 4, kGreen);
    make_target({4, 4});
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::BindTexture(GL_TEXTURE_2D, level);
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    bind_texture_target(source, 8, 8);
    expect_area(0, 0, 8, 8, kRed);
    bind_texture_target(source, 4, 4, 1);
    expect_area(0, 0, 4, 4, kBlue);
    // New texels are its own.
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   std::vector<Byte4>(64, kYellow).data());
    bind_texture_target(level, 8, 8);
    expect_area(0, 0, 8, 8, kYellow);
    bind_texture_target(source, 4, 4, 1);
    expect_area(0, 0, 4, 4, kBlue);
}

// EGL 1.5, 3.9: EGL_BAD_PARAMETER where the offset exceeds the depth of the level.
TEST_F(EglImageTest, SlicesThatAreNotThere) {
    const GLuint volume = new_texture(GL_TEXTURE_3D);
    gl::TexStorage3D(GL_TEXTURE_3D, 1, GL_RGBA8, 4, 4, 4);
    const auto of = [&](EGLAttrib slice) {
        return image_of(volume, EGL_GL_TEXTURE_3D,
                        {EGL_GL_TEXTURE_LEVEL, 0, EGL_GL_TEXTURE_ZOFFSET, slice, EGL_NONE});
    };
    for (const EGLAttrib slice : {4, 5}) {
        EXPECT_EQ(of(slice), EGL_NO_IMAGE);
        EXPECT_EQ(eglGetError(), EGL_BAD_PARAMETER);
    }
    const EGLImage last = of(3);
    EXPECT_NE(last, EGL_NO_IMAGE);
    eglDestroyImage(eglGetCurrentDisplay(), last);
}

// EGL 1.5, 3.9: EGL_BAD_CONTEXT.
TEST_F(EglImageTest, NamesWithoutAContext) {
    EXPECT_EQ(image_of(two_levels(kRed, kRed), EGL_GL_TEXTURE_2D, {EGL_NONE}, EGL_NO_CONTEXT),
              EGL_NO_IMAGE);
    EXPECT_EQ(eglGetError(), EGL_BAD_CONTEXT);
    EXPECT_EQ(image_of(make_target({8, 8}).color, EGL_GL_RENDERBUFFER, {EGL_NONE}, EGL_NO_CONTEXT),
              EGL_NO_IMAGE);
    EXPECT_EQ(eglGetError(), EGL_BAD_CONTEXT);
}

class EglImageOfViewTest : public GlTest {
protected:
    Missing missing() const override {
        return first_of({lacks("GL_OES_EGL_image"), lacks("GL_ARB_texture_view")});
    }
};

TEST_F(EglImageOfViewTest, LevelAndFormat) {
    const GLuint origin = two_levels(kRed, {255, 188, 0, 255});
    GLuint view = 0;
    gl::GenTextures(1, &view);
    gl::TextureView(view, GL_TEXTURE_2D, origin, GL_SRGB8_ALPHA8, 1, 1, 0, 1);
    const GLuint seen = texture_of(image_of(view, EGL_GL_TEXTURE_2D));
    GLint width = 0;
    gl::GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    EXPECT_EQ(width, 4);
    bind_texture_target(seen, 4, 4);
    expect_area(0, 0, 4, 4, {255, 188, 0, 255});
    make_target({8, 8});
    bind_new_vao();
    gl::BindTexture(GL_TEXTURE_2D, seen);
    draw_fullscreen(vs_fs(kFullscreenVs, "uniform sampler2D s; out vec4 colour; void main() { "
                                         "colour = texture(s, vec2(0.5)); }"));
    expect_area(0, 0, 8, 8, {255, 128, 0, 255});
}

} // namespace
} // namespace kobalt::gltest
