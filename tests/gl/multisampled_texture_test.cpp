// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_multisampled_render_to_texture: several samples are rendered, one is kept.
#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr int kSize = 16;

class MultisampledTextureTest : public EsTest {
protected:
    Missing missing() const override { return lacks("GL_EXT_multisampled_render_to_texture"); }
    void prepare() override {
        bind_new_vao();
        texture_ = texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::GenFramebuffers(1, &framebuffer_);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        gl::Viewport(0, 0, kSize, kSize);
        program_ = link(
            {{GL_VERTEX_SHADER,
              "#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 "
              "? 1.3 : -1.1, gl_VertexID == 2 ? 1.7 : -1.3, 0, 1); }"},
             {GL_FRAGMENT_SHADER, "#version 300 es\nprecision highp float; out vec4 c; void main() "
                                  "{ c = vec4(0, 1, 0, 1); }"}});
        gl::UseProgram(program_);
        gl::ClearColor(0, 0, 0, 1);
    }
    void attach(int samples) const { attach(samples, GL_COLOR_ATTACHMENT0, texture_); }
    static void attach(int samples, GLenum attachment, GLuint texture) {
        using Function = void(APIENTRYP)(GLenum, GLenum, GLenum, GLuint, GLint, GLsizei);
        const auto attach_multisampled = reinterpret_cast<Function>(
            eglGetProcAddress("glFramebufferTexture2DMultisampleEXT")); // of OpenGL ES alone
        ASSERT_NE(attach_multisampled, nullptr);
        attach_multisampled(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0, samples);
        ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
    }
    /// Pixels between black and green.
    static int mixed() {
        const Picture picture = read_picture(kSize, kSize);
        int count = 0;
        for (int y = 0; y < kSize; ++y) {
            for (int x = 0; x < kSize; ++x) {
                count += picture.at(x, y)[1] > 0 && picture.at(x, y)[1] < 255;
            }
        }
        return count;
    }
    GLuint texture_ = 0, framebuffer_ = 0, program_ = 0;
};

TEST_F(MultisampledTextureTest, EdgesAreMixed) {
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_pixel(kSize - 1, kSize - 1, kBlack);
    const GLuint plain = texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    bind_texture_target(plain, kSize, kSize);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_EQ(mixed(), 0);
}

// What the texture held is what each sample begins with.
TEST_F(MultisampledTextureTest, ContentsAreLoaded) {
    const std::vector<Byte4> blue(kSize * kSize, kBlue);
    gl::BindTexture(GL_TEXTURE_2D, texture_);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, blue.data());
    attach(4);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_pixel(kSize - 1, kSize - 1, kBlue);
}

// One texture is both: it has its samples as both.
TEST_F(MultisampledTextureTest, DepthAndStencil) {
    if (!has_extension("GL_EXT_multisampled_render_to_texture2")) {
        GTEST_SKIP() << "GL_EXT_multisampled_render_to_texture2 isn't there";
    }
    GLuint both = 0;
    gl::GenTextures(1, &both);
    gl::BindTexture(GL_TEXTURE_2D, both);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, kSize, kSize);
    attach(4);
    attach(4, GL_DEPTH_STENCIL_ATTACHMENT, both);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_EQUAL, 0, 255);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
}

} // namespace
} // namespace kobalt::gltest
