// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The depths that arrive in depth buffers lie between 0 and 1 (OpenGL 4.6, 14.6.5 and 15.2.1).
#include "support.h"

namespace kobalt::gltest {
namespace {

class DepthLimitTest : public GlTest {
protected:
    static float depth_at(int x, int y) {
        float depth = -1;
        gl::ReadPixels(x, y, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        return depth;
    }
};

// "fragment depth values are always limited to the range [0, 1] by clamping after offset addition
// is performed", "even when the depth buffer uses a floating-point representation".
TEST_F(DepthLimitTest, OffsetsInEveryFormat) {
    for (const GLenum format : {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32F,
                                GL_DEPTH32F_STENCIL8}) {
        SCOPED_TRACE(format);
        make_target({4, 4, GL_RGBA8, format});
        const RectPainter painter;
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_ALWAYS);
        gl::Enable(GL_POLYGON_OFFSET_FILL);
        for (const float z : {1.0F, 0.999F}) {
            gl::PolygonOffset(0, 8.0e6F);
            painter.fill({1, 0, 0, 1}, z);
            EXPECT_EQ(depth_at(1, 1), 1.0F);
            gl::DepthRange(1, 0);
            painter.fill({1, 0, 0, 1}, -z);
            EXPECT_EQ(depth_at(1, 1), 1.0F);
            gl::DepthRange(0, 1);
            gl::PolygonOffset(0, -3.0e7F);
            painter.fill({1, 0, 0, 1}, z);
            EXPECT_EQ(depth_at(1, 1), 0.0F);
        }
        // What lies beyond the planes is clipped all the same.
        gl::PolygonOffset(0, 1);
        painter.fill({0, 1, 0, 1}, 1.5F);
        expect_pixel(1, 1, kRed);
        gl::Disable(GL_POLYGON_OFFSET_FILL);
        painter.fill({0, 1, 0, 1}, 0.5F);
        EXPECT_NEAR(depth_at(1, 1), 0.75F, 1.0e-4F);
        gl::DepthFunc(GL_LESS);
    }
}

} // namespace
} // namespace kobalt::gltest
