// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdlib>
#include <string>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "support.h"

namespace kobalt::gltest {

inline constexpr int kWidth = 64, kHeight = 32; ///< rows as long as every device takes them

constexpr EGLint fourcc(const char (&name)[5]) {
    EGLint code = 0;
    for (int i = 0; i < 4; ++i) {
        code |= EGLint{static_cast<unsigned char>(name[i])} << 8 * i;
    }
    return code;
}

/// Opaque descriptors stand in.
inline bool opaque() {
    const char* const faults = std::getenv("KOBALT_FAULT");
    return faults && std::string_view(faults).find("opaque-exports") != std::string_view::npos;
}

struct Exported {
    EGLint fourcc = 0, planes = 0;
    EGLuint64KHR modifier = ~EGLuint64KHR{0};
    int fd = -1;
    EGLint stride = 0, offset = -1;
};

/// OpenGL 3.3 core or what is newer of it.
class DmaBufExportTest : public GlTest {
protected:
    Missing missing() const override {
        const std::string all =
            std::string(" ") + eglQueryString(eglGetCurrentDisplay(), EGL_EXTENSIONS) + " ";
        const auto lacking = [&](const char* name) {
            return all.find(std::string(" ") + name + " ") == std::string::npos;
        };
        return first_of(
            {when(lacking("EGL_MESA_image_dma_buf_export"),
                  "the device exports no dma-bufs (EGL_MESA_image_dma_buf_export)"),
             when(!opaque() && !recording_mode() && lacking("EGL_EXT_image_dma_buf_import"),
                  "what was exported can't be imported (EGL_EXT_image_dma_buf_import)"),
             when(opaque() && !has_extension("GL_EXT_memory_object_fd"),
                  "what was exported can't be imported (GL_EXT_memory_object_fd)")});
    }
    void prepare() override {
        query_ = reinterpret_cast<PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC>(
            eglGetProcAddress("eglExportDMABUFImageQueryMESA"));
        export_ = reinterpret_cast<PFNEGLEXPORTDMABUFIMAGEMESAPROC>(
            eglGetProcAddress("eglExportDMABUFImageMESA"));
        target_ = reinterpret_cast<Target2D>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
        ASSERT_TRUE(query_ && export_ && target_);
    }

    /// RGBA8, one level, with no contents.
    static GLuint storage_2d(GLenum format = GL_RGBA8) {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, format, kWidth, kHeight);
        return texture;
    }
    static EGLImage image_of(GLuint name, EGLenum target = EGL_GL_TEXTURE_2D) {
        const EGLAttrib level[] = {EGL_GL_TEXTURE_LEVEL, 0, EGL_NONE}, none[] = {EGL_NONE};
        const EGLImage image =
            eglCreateImage(eglGetCurrentDisplay(), eglGetCurrentContext(), target,
                           reinterpret_cast<EGLClientBuffer>(static_cast<std::uintptr_t>(name)),
                           target == EGL_GL_RENDERBUFFER ? none : level);
        EXPECT_NE(image, EGL_NO_IMAGE);
        return image;
    }
    Exported export_image(EGLImage image) const {
        Exported exported;
        const EGLDisplay display = eglGetCurrentDisplay();
        EXPECT_TRUE(query_(display, image, &exported.fourcc, &exported.planes, &exported.modifier));
        EXPECT_EQ(exported.planes, 1);
        EXPECT_NE(exported.modifier, 0x00ffffffffffffffU) << "DRM_FORMAT_MOD_INVALID";
        EXPECT_TRUE(export_(display, image, recording_mode() ? nullptr : &exported.fd,
                            &exported.stride, &exported.offset));
        EXPECT_EQ(exported.fd < 0, recording_mode()) << "no kernel gives a descriptor there";
        EXPECT_GT(exported.stride, 0);
        EXPECT_GE(exported.offset, 0);
        return exported;
    }
    /// Another texture in the exported memory, bound; it takes the descriptor.
    GLuint import(const Exported& exported, GLenum format = GL_RGBA8) const {
        if (recording_mode()) {
            return storage_2d(format);
        }
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        if (opaque()) {
            const GLint dedicated = GL_TRUE;
            GLuint object = 0;
            gl::CreateMemoryObjectsEXT(1, &object);
            gl::MemoryObjectParameterivEXT(object, GL_DEDICATED_MEMORY_OBJECT_EXT, &dedicated);
            gl::ImportMemoryFdEXT(
                object, static_cast<GLuint64>(exported.offset + exported.stride * kHeight),
                GL_HANDLE_TYPE_OPAQUE_FD_EXT, exported.fd);
            gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT, GL_LINEAR_TILING_EXT);
            gl::TexStorageMem2DEXT(GL_TEXTURE_2D, 1, format, kWidth, kHeight, object,
                                   static_cast<GLuint64>(exported.offset));
            gl::DeleteMemoryObjectsEXT(1, &object);
            return texture;
        }
        const EGLAttrib attributes[] = {EGL_WIDTH,
                                        kWidth,
                                        EGL_HEIGHT,
                                        kHeight,
                                        EGL_LINUX_DRM_FOURCC_EXT,
                                        exported.fourcc,
                                        EGL_DMA_BUF_PLANE0_FD_EXT,
                                        exported.fd,
                                        EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                                        exported.offset,
                                        EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                        exported.stride,
                                        EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
                                        static_cast<EGLAttrib>(exported.modifier & 0xffffffff),
                                        EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
                                        static_cast<EGLAttrib>(exported.modifier >> 32),
                                        EGL_NONE};
        const EGLImage image = eglCreateImage(eglGetCurrentDisplay(), EGL_NO_CONTEXT,
                                              EGL_LINUX_DMA_BUF_EXT, nullptr, attributes);
        EXPECT_NE(image, EGL_NO_IMAGE);
        target_(GL_TEXTURE_2D, image);
        eglDestroyImage(eglGetCurrentDisplay(), image);
        close(exported.fd);
        return texture;
    }
    /// The same of a texture that is exported for that.
    GLuint other_side(GLuint texture) const {
        const EGLImage image = image_of(texture);
        const GLuint other = import(export_image(image));
        eglDestroyImage(eglGetCurrentDisplay(), image);
        return other;
    }
    static void clear(const Byte4& colour) {
        gl::ClearColor(colour[0] / 255.0F, colour[1] / 255.0F, colour[2] / 255.0F,
                       colour[3] / 255.0F);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    /// What is in a texture, read through a framebuffer of its own: the bound one stays.
    static void expect_texture(GLuint texture, const Byte4& expected, int x = 0, int y = 0,
                               int width = kWidth, int height = kHeight) {
        GLint draw = 0, read = 0;
        gl::Finish();
        gl::GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
        gl::GetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
        bind_texture_target(texture, kWidth, kHeight);
        expect_area(x, y, width, height, expected);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw));
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
    }
    /// Somebody else writes it.
    static void fill_texture(GLuint texture, const Byte4& colour) {
        bind_texture_target(texture, kWidth, kHeight);
        clear(colour);
        gl::Finish();
    }
    static GLuint sampling_program() {
        return vs_fs(kFullscreenVs, "in vec2 uv; uniform sampler2D s; out vec4 colour; void "
                                    "main() { colour = texture(s, uv); }");
    }

    PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query_ = nullptr;
    PFNEGLEXPORTDMABUFIMAGEMESAPROC export_ = nullptr;

private:
    using Target2D = void (*)(GLenum, void*);
    Target2D target_ = nullptr;
};

} // namespace kobalt::gltest
