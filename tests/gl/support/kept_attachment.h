// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "strict_stores/seen.h"
#include "support.h"

namespace kobalt::gltest {

/// Whether the environment asks for the layer of tests/strict_stores.
bool strict_stores_wanted();
/// What that layer has seen in this process.
const strict_stores::Seen& seen_by_strict_stores();

// In normalised device coordinates; the depths are 0.25, 0.5 and 0.75.
inline constexpr float kNear = -0.5F, kMiddle = 0.0F, kFar = 0.5F;
inline constexpr Float4 kDrawRed{1, 0, 0, 1}, kDrawGreen{0, 1, 0, 1}, kDrawBlue{0, 0, 1, 1};

/// Depth and stencil that a pass first only tests, and then draws to or clears. What is drawn has
/// to reach the next pass, although the driver need not store what a pass only tests. On lavapipe
/// a lost store shows only above the layer. The driver may store an image always once it was wrong
/// about it, so each case begins with a new one.
class KeptAttachmentTest : public GlTest {
protected:
    /// Fails where the environment asks for the layer and it isn't there.
    void prepare() override;
    /// A new target with black, depth 0.75 and stencil 1, in the next pass. Then draws at kMiddle
    /// pass the depth test.
    void start(GLenum format = GL_DEPTH24_STENCIL8) {
        start_with(make_target({16, 16, GL_RGBA8, format}));
    }
    void start_with(const Target& target) {
        target_ = target;
        target_.bind();
        gl::Disable(GL_SCISSOR_TEST);
        gl::Disable(GL_STENCIL_TEST);
        gl::StencilMask(0xFF);
        gl::DepthMask(GL_TRUE);
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_ALWAYS);
        gl::ClearStencil(1);
        clear_to_black();
        painter_->fill({0, 0, 0, 1}, kFar);
        gl::DepthFunc(GL_LESS);
        next_pass();
    }
    void next_pass() const {
        other_.bind();
        painter_->fill({1, 1, 1, 1});
        target_.bind();
    }
    void left(const Float4& colour, float depth) const {
        painter_->draw({-1, -1, 0, 1}, colour, depth);
    }
    void right(const Float4& colour, float depth) const {
        painter_->draw({0, -1, 1, 1}, colour, depth);
    }
    void right_back_face(const Float4& colour) const {
        painter_->draw({1, -1, 0, 1}, colour, kMiddle);
    }
    void fill(const Float4& colour, float depth) const { painter_->fill(colour, depth); }
    static void test_stencil(GLenum function, GLint value) {
        gl::Enable(GL_STENCIL_TEST);
        gl::StencilFunc(function, value, 0xFF);
        gl::StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    }
    static void replace_stencil(GLint value) {
        gl::Enable(GL_STENCIL_TEST);
        gl::StencilFunc(GL_ALWAYS, value, 0xFF);
        gl::StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    }
    static void clear_right(GLbitfield buffers) {
        gl::Enable(GL_SCISSOR_TEST);
        gl::Scissor(8, 0, 8, 16);
        gl::Clear(buffers);
        gl::Disable(GL_SCISSOR_TEST);
    }
    /// Draws blue at kMiddle in a pass that only tests.
    void fill_next_pass() const {
        next_pass();
        gl::DepthMask(GL_FALSE);
        fill(kDrawBlue, kMiddle);
    }
    static void expect_halves(const Byte4& left, const Byte4& right) {
        expect_area(0, 0, 8, 16, left);
        expect_area(8, 0, 8, 16, right);
    }
    static void expect_depths(float left, float right) {
        std::array<float, 16> depths{};
        gl::ReadPixels(0, 5, 16, 1, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
        EXPECT_NEAR(depths[3], left, 1e-6F);
        EXPECT_NEAR(depths[12], right, 1e-6F);
    }
    static void expect_stencils(int left, int right) {
        std::array<std::uint8_t, 16> values{};
        gl::ReadPixels(0, 5, 16, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, values.data());
        EXPECT_EQ(values[3], left);
        EXPECT_EQ(values[12], right);
    }

private:
    Target other_, target_;
    std::optional<RectPainter> painter_;
};

} // namespace kobalt::gltest
