// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// Clears of attachments that differ from each other.

namespace kobalt::gltest {
namespace {

class LayeredClearTest : public GlTest {};

GLuint layered_texture(GLenum format, int layers, GLenum data_format, GLenum type) {
    const GLuint texture = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, static_cast<GLint>(format), 4, 4, layers, 0, data_format,
                   type, nullptr);
    return texture;
}

TEST_F(LayeredClearTest, ReachesEveryLayerOfEachAttachment) {
    const GLuint color = layered_texture(GL_RGBA8, 2, GL_RGBA, GL_UNSIGNED_BYTE);
    const GLuint depth =
        layered_texture(GL_DEPTH24_STENCIL8, 6, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int layer = 0; layer < 6; ++layer) {
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, depth, 0, layer);
        gl::ClearDepth(1.0);
        gl::ClearStencil(0);
        gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, depth, 0);
    ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
    gl::Viewport(0, 0, 4, 4);
    gl::ClearColor(0, 1, 0, 1);
    gl::ClearDepth(0.25);
    gl::ClearStencil(7);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    for (int layer = 0; layer < 6; ++layer) {
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, depth, 0, layer);
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0, layer % 2);
        float value = -1;
        gl::ReadPixels(1, 1, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &value);
        EXPECT_NEAR(value, 0.25F, 1e-4F) << "layer " << layer;
        std::uint8_t stencil = 0;
        gl::ReadPixels(1, 1, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        EXPECT_EQ(stencil, 7) << "layer " << layer;
    }
}

TEST_F(LayeredClearTest, SrgbLayersClearedUnencoded) {
    const GLuint color = layered_texture(GL_SRGB8_ALPHA8, 4, GL_RGBA, GL_UNSIGNED_BYTE);
    const GLuint other = layered_texture(GL_RGBA8, 1, GL_RGBA, GL_UNSIGNED_BYTE);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, 0);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, other, 0);
    const std::array<GLenum, 2> buffers{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    gl::DrawBuffers(2, buffers.data());
    ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
    gl::ClearColor(0.5F, 0.25F, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    std::vector<std::uint8_t> texels(4 * 4 * 4 * 4);
    gl::BindTexture(GL_TEXTURE_2D_ARRAY, color);
    gl::GetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    for (size_t layer = 0; layer < 4; ++layer) {
        EXPECT_NEAR(texels[layer * 64], 128, 1) << layer;
        EXPECT_NEAR(texels[layer * 64 + 1], 64, 1) << layer;
    }
}

TEST_F(LayeredClearTest, FloatDepthIsClearedUnclamped) {
    make_target({8, 8, GL_RGBA8, GL_DEPTH_COMPONENT32F});
    const float two = 2.0F;
    gl::ClearBufferfv(GL_DEPTH, 0, &two);
    float value = -1;
    gl::ReadPixels(1, 1, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &value);
    EXPECT_EQ(value, 2.0F);
}

} // namespace
} // namespace kobalt::gltest
