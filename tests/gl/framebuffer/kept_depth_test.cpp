// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "kept_attachment.h"

namespace kobalt::gltest {
namespace {

class KeptDepthTest : public KeptAttachmentTest {};

// Without passes that don't store, the other tests would prove nothing.
TEST_F(KeptDepthTest, PassesThatOnlyTest) {
    start();
    const strict_stores::Seen& seen = seen_by_strict_stores();
    const std::uint32_t depth = seen.depth_unstored, stencil = seen.stencil_unstored;
    gl::DepthMask(GL_FALSE);
    test_stencil(GL_EQUAL, 1);
    left(kDrawRed, kMiddle);
    next_pass();
    right(kDrawGreen, kMiddle);
    next_pass();
    fill(kDrawBlue, 0.6F);
    test_stencil(GL_NOTEQUAL, 1);
    fill(kDrawBlue, kMiddle);
    expect_halves(kRed, kGreen);
    expect_depths(0.75F, 0.75F);
    expect_stencils(1, 1);
    if (strict_stores_wanted()) {
        EXPECT_GT(seen.depth_unstored.load(), depth);
        EXPECT_GT(seen.stencil_unstored.load(), stencil);
    }
}

TEST_F(KeptDepthTest, DrawnBehindTests) {
    for (const GLenum format :
         {GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT32F}) {
        for (const bool by_flush : {false, true}) {
            SCOPED_TRACE(testing::Message() << format << " " << by_flush);
            start(format);
            gl::DepthMask(GL_FALSE);
            left(kDrawRed, kMiddle);
            gl::DepthMask(GL_TRUE);
            right(kDrawGreen, kNear);
            if (by_flush) {
                gl::Flush();
                gl::DepthMask(GL_FALSE);
                fill(kDrawBlue, kMiddle);
            } else {
                fill_next_pass();
            }
            expect_halves(kBlue, kGreen);
        }
    }
}

// The first draw leaves depth alone since the test is off, by which nothing is written either.
TEST_F(KeptDepthTest, DrawnBehindDrawsWithoutTest) {
    start();
    gl::Disable(GL_DEPTH_TEST);
    left(kDrawRed, kMiddle);
    gl::Enable(GL_DEPTH_TEST);
    right(kDrawGreen, kNear);
    fill_next_pass();
    expect_halves(kBlue, kGreen);
}

TEST_F(KeptDepthTest, ClearedBehindTests) {
    for (const bool all : {false, true}) {
        SCOPED_TRACE(all);
        start();
        gl::DepthMask(GL_FALSE);
        left(kDrawRed, kMiddle);
        gl::DepthMask(GL_TRUE);
        gl::ClearDepth(0.25);
        if (all) {
            gl::Clear(GL_DEPTH_BUFFER_BIT);
        } else {
            clear_right(GL_DEPTH_BUFFER_BIT);
        }
        gl::ClearDepth(1);
        fill_next_pass();
        expect_halves(all ? kRed : kBlue, kBlack);
    }
}

// All draws of the pass only test, but what it begins with is a clear.
TEST_F(KeptDepthTest, ClearedInFrontOfTests) {
    for (const bool all : {false, true}) {
        SCOPED_TRACE(all);
        start();
        gl::ClearDepth(0.25);
        if (all) {
            gl::Clear(GL_DEPTH_BUFFER_BIT);
        } else {
            clear_right(GL_DEPTH_BUFFER_BIT);
        }
        gl::ClearDepth(1);
        gl::DepthMask(GL_FALSE);
        fill(kDrawRed, -0.6F);
        fill_next_pass();
        expect_halves(all ? kRed : kBlue, kRed);
    }
}

// A clear of colour begins the pass, while the driver still has the state of a draw that tested.
TEST_F(KeptDepthTest, DrawnBehindClearsOfColour) {
    start();
    gl::DepthMask(GL_FALSE);
    left(kDrawRed, kMiddle);
    next_pass();
    gl::DepthMask(GL_TRUE);
    clear_right(GL_COLOR_BUFFER_BIT);
    right(kDrawGreen, kNear);
    fill_next_pass();
    expect_halves(kBlue, kGreen);
}

TEST_F(KeptDepthTest, EachPassAfterTheFirst) {
    start();
    for (const float depth : {0.25F, 0.0F, -0.25F}) {
        SCOPED_TRACE(depth);
        next_pass();
        gl::DepthMask(GL_FALSE);
        left(kDrawRed, depth);
        gl::DepthMask(GL_TRUE);
        right(kDrawGreen, depth);
        next_pass();
        gl::DepthMask(GL_FALSE);
        fill(kDrawBlue, depth + 0.125F);
        expect_halves(kBlue, kGreen);
        expect_depths(0.75F, (depth + 1) / 2);
    }
}

// The texture is another one, or the depth that is tested. What the shader reads of it is no texel
// that the pass writes (OpenGL 4.6, 9.3.1).
TEST_F(KeptDepthTest, DrawnBehindDrawsThatSample) {
    const GLuint program =
        vs_fs(kFullscreenVs,
              "uniform sampler2D values; out vec4 result; void main() { float value = "
              "texelFetch(values, ivec2(3, 3), 0).r; result = vec4(value < 0.7, value > 0.7, 0, "
              "1); }");
    for (const bool sampled : {false, true}) {
        SCOPED_TRACE(sampled);
        const std::vector<Byte4> white(std::size_t{16} * 16, kWhite);
        const GLuint other = texture_2d(GL_RGBA8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
        const GLuint colour = texture_2d(GL_RGBA8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        const GLuint depth =
            texture_2d(GL_DEPTH_COMPONENT24, 16, 16, GL_DEPTH_COMPONENT, GL_FLOAT, nullptr);
        const GLuint framebuffer = bind_texture_target(colour, 16, 16);
        gl::FramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
        gl::BindTexture(GL_TEXTURE_2D, 0);
        start_with({framebuffer, colour, depth, 16, 16});
        gl::DepthMask(GL_FALSE);
        gl::BindTexture(GL_TEXTURE_2D, sampled ? depth : other);
        draw_fullscreen(program); // at kMiddle
        gl::BindTexture(GL_TEXTURE_2D, 0);
        expect_pixel(3, 3, kGreen);
        next_pass();
        gl::BindTexture(GL_TEXTURE_2D, sampled ? depth : other);
        draw_fullscreen(program);
        gl::BindTexture(GL_TEXTURE_2D, 0);
        gl::DepthMask(GL_TRUE);
        right(kDrawRed, kNear);
        fill_next_pass();
        expect_halves(kBlue, kRed);
        expect_depths(0.75F, 0.25F);
    }
}

} // namespace
} // namespace kobalt::gltest
