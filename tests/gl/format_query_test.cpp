// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What glGetInternalformativ says of formats (GL_ARB_internalformat_query2).
#include "support.h"

namespace kobalt::gltest {
namespace {

class FormatQueryTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 3, "GL_ARB_internalformat_query2"); }
    static GLint asked(GLenum format, GLenum what, GLenum target = GL_TEXTURE_2D) {
        GLint value = -1;
        gl::GetInternalformativ(target, format, what, 1, &value);
        return value;
    }
};

constexpr std::array kFormats{GL_R8,
                              GL_RG8,
                              GL_RGB8,
                              GL_RGBA8,
                              GL_SRGB8_ALPHA8,
                              GL_RGB9_E5,
                              GL_RG8UI,
                              GL_RGBA8I,
                              GL_RGBA32UI,
                              GL_RG16F,
                              GL_R11F_G11F_B10F,
                              GL_DEPTH_COMPONENT24,
                              GL_DEPTH24_STENCIL8,
                              GL_DEPTH32F_STENCIL8,
                              GL_COMPRESSED_RED_RGTC1};

// Whether a framebuffer with the format is complete is what the answers have to agree with.
TEST_F(FormatQueryTest, WhatCanBeDrawnToCanBeRead) {
    for (const GLenum format : kFormats) {
        SCOPED_TRACE(format);
        GLuint texture = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, format, 4, 4);
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        const bool depth = asked(format, GL_DEPTH_COMPONENTS) == GL_TRUE;
        const bool stencil = asked(format, GL_STENCIL_COMPONENTS) == GL_TRUE;
        gl::FramebufferTexture2D(GL_FRAMEBUFFER,
                                 stencil ? GL_DEPTH_STENCIL_ATTACHMENT
                                 : depth ? GL_DEPTH_ATTACHMENT
                                         : GL_COLOR_ATTACHMENT0,
                                 GL_TEXTURE_2D, texture, 0);
        const bool complete = gl::CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
        const GLint support = complete ? GL_FULL_SUPPORT : GL_NONE;
        EXPECT_EQ(asked(format, GL_FRAMEBUFFER_RENDERABLE), support);
        EXPECT_EQ(asked(format, GL_READ_PIXELS), support);
        EXPECT_EQ(asked(format, GL_COLOR_RENDERABLE), complete && !depth ? GL_TRUE : GL_FALSE);
        EXPECT_EQ(asked(format, GL_INTERNALFORMAT_PREFERRED), static_cast<GLint>(format));
    }
    EXPECT_EQ(asked(GL_RGBA8, GL_READ_PIXELS, GL_TEXTURE_BUFFER), GL_NONE);
}

// What is recommended for uploads and reads is taken.
TEST_F(FormatQueryTest, RecommendedFormatsAndTypesAreLegal) {
    std::vector<std::uint8_t> texels(1024);
    for (const GLenum format : kFormats) {
        SCOPED_TRACE(format);
        if (format == GL_COMPRESSED_RED_RGTC1) {
            continue;
        }
        GLuint texture = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 4, 4, 0,
                       static_cast<GLenum>(asked(format, GL_TEXTURE_IMAGE_FORMAT)),
                       static_cast<GLenum>(asked(format, GL_TEXTURE_IMAGE_TYPE)), texels.data());
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
        gl::GetTexImage(
            GL_TEXTURE_2D, 0, static_cast<GLenum>(asked(format, GL_GET_TEXTURE_IMAGE_FORMAT)),
            static_cast<GLenum>(asked(format, GL_GET_TEXTURE_IMAGE_TYPE)), texels.data());
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
        if (asked(format, GL_COLOR_RENDERABLE) == GL_TRUE) {
            bind_texture_target(texture, 4, 4);
            gl::ReadPixels(0, 0, 4, 4, static_cast<GLenum>(asked(format, GL_READ_PIXELS_FORMAT)),
                           static_cast<GLenum>(asked(format, GL_READ_PIXELS_TYPE)), texels.data());
            EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
        }
    }
}

} // namespace
} // namespace kobalt::gltest
