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

// GL 4.6, 22.3.1: layers are drawn to where there are some.
TEST_F(FormatQueryTest, LayersThatCanBeDrawnTo) {
    for (const GLenum target :
         {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP,
          GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY}) {
        EXPECT_EQ(asked(GL_RGBA8, GL_FRAMEBUFFER_RENDERABLE_LAYERED, target), GL_FULL_SUPPORT);
        EXPECT_EQ(asked(GL_RGB9_E5, GL_FRAMEBUFFER_RENDERABLE_LAYERED, target), GL_NONE);
    }
    for (const GLenum target : {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE, GL_RENDERBUFFER,
                                GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BUFFER}) {
        EXPECT_EQ(asked(GL_RGBA8, GL_FRAMEBUFFER_RENDERABLE_LAYERED, target), GL_NONE);
    }
}

// GL 4.6, 22.3.2: formats whose levels nothing generates have some all the same.
TEST_F(FormatQueryTest, LevelsAndFiltersOfIntegersAndStencils) {
    for (const GLenum format : {GL_RGBA8, GL_RGBA8UI, GL_STENCIL_INDEX8, GL_DEPTH24_STENCIL8}) {
        EXPECT_EQ(asked(format, GL_MIPMAP), GL_TRUE);
        EXPECT_EQ(asked(format, GL_MIPMAP, GL_TEXTURE_RECTANGLE), GL_FALSE);
    }
    EXPECT_EQ(asked(GL_RGBA8UI, GL_MANUAL_GENERATE_MIPMAP), GL_NONE);
    for (const GLenum format : {GL_RGBA8UI, GL_STENCIL_INDEX8}) {
        EXPECT_EQ(asked(format, GL_FILTER), GL_NONE);
    }
    for (const GLenum format : {GL_RGBA8, GL_DEPTH24_STENCIL8}) {
        EXPECT_EQ(asked(format, GL_FILTER), GL_FULL_SUPPORT);
    }
}

// GL 4.6, 22.3.2: that of its own component.
TEST_F(FormatQueryTest, TypesOfStencils) {
    for (const GLenum format : {GL_STENCIL_INDEX8, GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        EXPECT_EQ(asked(format, GL_INTERNALFORMAT_STENCIL_TYPE), GL_UNSIGNED_INT) << format;
    }
    EXPECT_EQ(asked(GL_DEPTH24_STENCIL8, GL_INTERNALFORMAT_DEPTH_TYPE), GL_UNSIGNED_NORMALIZED);
    EXPECT_EQ(asked(GL_DEPTH32F_STENCIL8, GL_INTERNALFORMAT_DEPTH_TYPE), GL_FLOAT);
    EXPECT_EQ(asked(GL_RGBA8, GL_INTERNALFORMAT_STENCIL_TYPE), GL_NONE);
}

} // namespace
} // namespace kobalt::gltest
