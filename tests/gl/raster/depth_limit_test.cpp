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

// In parts of the range too; what a shader writes stays what it is, and within the range all else.
TEST_F(DepthLimitTest, OffsetsAtTheEndsOfARange) {
    make_target({4, 4, GL_RGBA8, GL_DEPTH_COMPONENT32F});
    const RectPainter painter;
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    gl::Enable(GL_POLYGON_OFFSET_FILL);
    for (const double near : {1.0, 0.5, 0.0}) {
        for (const bool reversed : {false, true}) {
            gl::DepthRange(reversed ? 1 : near, reversed ? near : 1);
            gl::PolygonOffset(0, 8.0e6F);
            painter.fill({1, 0, 0, 1}, reversed ? -0.999F : 0.999F);
            EXPECT_EQ(depth_at(1, 1), 1.0F) << near << " to 1, " << reversed;
            gl::DepthRange(reversed ? 1 - near : 0, reversed ? 0 : 1 - near);
            gl::PolygonOffset(0, -3.0e7F);
            painter.fill({1, 0, 0, 1}, reversed ? 0.999F : -0.999F);
            EXPECT_EQ(depth_at(1, 1), 0.0F) << "0 to " << 1 - near << ", " << reversed;
        }
    }
    // Half a unit of what is left to the end: not beyond it, and not clamped to anything.
    gl::DepthRange(0.5, 1);
    gl::PolygonOffset(0, -4.0e6F);
    painter.fill({1, 0, 0, 1}, -1);
    EXPECT_LT(depth_at(1, 1), 0.5F);
    EXPECT_GT(depth_at(1, 1), 0.0F);
    bind_new_vao();
    const GLuint program = vs_fs(kFullscreenVs, "out vec4 c; void main() { c = vec4(1); "
                                                "gl_FragDepth = 0.25; }");
    gl::PolygonOffset(0, 4.0e6F);
    draw_fullscreen(program);
    EXPECT_EQ(depth_at(1, 1), 0.25F);
    painter.fill({1, 0, 0, 1}, 0.999F);
    EXPECT_EQ(depth_at(1, 1), 1.0F);
    draw_fullscreen(program);
    EXPECT_EQ(depth_at(1, 1), 0.25F);
    gl::DepthRange(0, 1);
    gl::Disable(GL_POLYGON_OFFSET_FILL);
}

} // namespace
} // namespace kobalt::gltest
