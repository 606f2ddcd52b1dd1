// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "compute.h"

// What is drawn or written after glInvalidateFramebuffer stays (OpenGL 4.6, 17.4.4): only what was
// there before it is undefined.

namespace kobalt::gltest {
namespace {

class InvalidateTest : public GlTest {
protected:
    void prepare() override {
        painter_.emplace();
        other_ = make_target();
        texture_ = texture_2d(GL_RGBA8, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        framebuffer_ = bind_texture_target(texture_, 32, 32);
    }
    void bind_other_and_back() const {
        other_.bind();
        painter_->fill({1, 1, 1, 1});
        bind_target();
    }
    void bind_target() const { gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }
    static void invalidate() {
        const GLenum colour = GL_COLOR_ATTACHMENT0;
        gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &colour);
    }
    const RectPainter& painter() const { return *painter_; }
    GLuint texture() const { return texture_; }

private:
    GLuint texture_ = 0, framebuffer_ = 0;
    Target other_;
    std::optional<RectPainter> painter_;
};

TEST_F(InvalidateTest, DrawsAfterItStay) {
    painter().fill({1, 0, 0, 1});
    invalidate();
    painter().draw({-1, -1, 0, 1}, {0, 1, 0, 1});
    bind_other_and_back();
    painter().draw({0, 0, 1, 1}, {0, 0, 1, 1});
    bind_other_and_back();
    expect_area(0, 0, 16, 32, kGreen);
    expect_area(16, 16, 16, 16, kBlue);
}

TEST_F(InvalidateTest, DrawsOfALaterPassStay) {
    painter().fill({1, 0, 0, 1});
    bind_other_and_back();
    invalidate();
    bind_other_and_back();
    painter().draw({-1, -1, 0, 1}, {0, 1, 0, 1});
    bind_other_and_back();
    painter().draw({0, 0, 1, 1}, {0, 0, 1, 1});
    expect_area(0, 0, 16, 32, kGreen);
    expect_area(16, 16, 16, 16, kBlue);
}

TEST_F(InvalidateTest, UploadsAfterItStay) {
    painter().fill({1, 0, 0, 1});
    invalidate();
    const std::vector<Byte4> green(std::size_t{32} * 32, kGreen);
    gl::BindTexture(GL_TEXTURE_2D, texture());
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE, green.data());
    painter().draw({0, 0, 1, 1}, {0, 0, 1, 1});
    expect_area(0, 0, 32, 16, kGreen);
    expect_area(16, 16, 16, 16, kBlue);
}

TEST_F(InvalidateTest, BlitsAndClearsAfterItStay) {
    const Target from = make_target();
    painter().fill({0, 1, 0, 1});
    bind_target();
    painter().fill({1, 0, 0, 1});
    invalidate();
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
    gl::BlitFramebuffer(0, 0, 32, 16, 0, 0, 32, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 16, 32, 8);
    gl::ClearColor(1, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_SCISSOR_TEST);
    bind_target();
    painter().draw({0, 0.5F, 1, 1}, {0, 0, 1, 1});
    expect_area(0, 0, 32, 16, kGreen);
    expect_area(0, 16, 32, 8, kYellow);
    expect_area(16, 24, 16, 8, kBlue);
}

// A shader may write without the driver's knowledge of when.
TEST_F(InvalidateTest, ImageStoresAfterItStay) {
    painter().fill({1, 0, 0, 1});
    gl::BindImageTexture(0, texture(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    const GLuint store =
        compute("layout(local_size_x = 32, local_size_y = 32) in; layout(rgba8) writeonly uniform "
                "image2D to; void main() { imageStore(to, ivec2(gl_LocalInvocationID.xy), vec4(0, "
                "1, 0, 1)); }");
    invalidate();
    gl::UseProgram(store);
    gl::DispatchCompute(1, 1, 1);
    gl::MemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
    painter().draw({0, 0, 1, 1}, {0, 0, 1, 1});
    expect_area(0, 0, 32, 16, kGreen);
    expect_area(16, 16, 16, 16, kBlue);
}

} // namespace
} // namespace kobalt::gltest
