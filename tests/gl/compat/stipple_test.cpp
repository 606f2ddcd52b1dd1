// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The pattern of glPolygonStipple lies at the lower left corner of the window, also where the first
// row of the framebuffer's memory is the top one (OpenGL 4.6 compatibility, 14.6.2).
#include <algorithm>

#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

constexpr GLenum kFlipY = 0x8BBB; // GL_FRAMEBUFFER_FLIP_Y_MESA

class StippleTest : public FixedFunctionTest {
protected:
    Missing missing() const override { return lacks("GL_MESA_framebuffer_flip_y"); }
};

// The pattern stays the same, and the framebuffer changes.
TEST_F(StippleTest, PatternInFramebuffersOfBothDirections) {
    constexpr int kWidth = 8;
    constexpr int kDrawn = 4; // rows from below
    std::array<GLubyte, 128> pattern{};
    std::fill_n(pattern.begin(), kDrawn * 4, GLubyte{0xff});
    gl::PolygonStipple(pattern.data());
    std::vector<Target> targets;
    for (const auto& [height, flipped] :
         {std::pair{8, false}, {8, true}, {12, true}, {12, false}, {20, true}}) {
        targets.push_back(make_target({.width = kWidth, .height = height}));
        gl::FramebufferParameteri(GL_FRAMEBUFFER, kFlipY, flipped ? GL_TRUE : GL_FALSE);
    }
    gl::Color4f(0, 1, 0, 1);
    for (const Target& target : targets) {
        SCOPED_TRACE(target.framebuffer);
        target.bind();
        clear_to_black();
        gl::Enable(GL_POLYGON_STIPPLE);
        quad();
        gl::Disable(GL_POLYGON_STIPPLE);
        expect_area(0, 0, kWidth, kDrawn, kGreen);
        expect_area(0, kDrawn, kWidth, target.height - kDrawn, kBlack);
    }
}

} // namespace
} // namespace kobalt::gltest
