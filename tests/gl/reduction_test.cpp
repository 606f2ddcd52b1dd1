// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_ARB_texture_filter_minmax, GL_EXT_texture_filter_minmax, and what fragments know of their
// coverage (GL_ARB_post_depth_coverage).
#include "support.h"

namespace kobalt::gltest {
namespace {

class ReductionTest : public GlTest {};

TEST_F(ReductionTest, LeastAndMostOfTheTexels) {
    if (!has_extension("GL_ARB_texture_filter_minmax") &&
        !has_extension("GL_EXT_texture_filter_minmax")) {
        GTEST_SKIP() << "no texture_filter_minmax";
    }
    const std::array<Byte4, 2> texels{Byte4{10, 200, 90, 255}, Byte4{110, 100, 30, 255}};
    texture_2d(GL_RGBA8, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    const GLuint name =
        vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 c; void main() { c = textureLod(t, "
                             "vec2(0.45, 0.5), 0.0); }");
    make_target({4, 4});
    struct Case {
        GLint mode;
        Byte4 expected;
    };
    for (const Case& one : {Case{GL_MIN, {10, 100, 30, 255}}, Case{GL_MAX, {110, 200, 90, 255}},
                            Case{GL_WEIGHTED_AVERAGE_ARB, {50, 160, 66, 255}}}) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_REDUCTION_MODE_ARB, one.mode);
        draw_fullscreen(name);
        expect_area(0, 0, 4, 4, one.expected, 2);
    }
}

class CoverageTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Core, 4, 0, false}; }
};

// A triangle in front hides some samples of the pixels along its edge. What is drawn behind it
// knows of them only after the depth test.
TEST_F(CoverageTest, AfterTheDepthTest) {
    if (!has_extension("GL_ARB_post_depth_coverage")) {
        GTEST_SKIP() << "GL_ARB_post_depth_coverage is not there";
    }
    constexpr int size = 16;
    const auto partly_covered = [&](const std::string& layout) {
        TargetOptions options{size, size, GL_RGBA8, GL_DEPTH_COMPONENT24, 4};
        const Target target = make_target(options);
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl::Enable(GL_DEPTH_TEST);
        const std::string version = "#version 400 core\n";
        const GLuint front = link(
            {{GL_VERTEX_SHADER,
              version + "void main() { gl_Position = vec4(gl_VertexID == 1 ? 1.3 : -1.1, "
                        "gl_VertexID == 2 ? 1.7 : -1.3, -0.5, 1); }"},
             {GL_FRAGMENT_SHADER, version + "out vec4 c; void main() { c = vec4(0, 0, 0, 1); }"}});
        draw_fullscreen(front);
        // Each fragment writes a colour of its own where it saw some of its samples, not all.
        const GLuint behind = link(
            {{GL_VERTEX_SHADER, version + kFullscreenVs},
             {GL_FRAGMENT_SHADER,
              version + "#extension GL_ARB_post_depth_coverage : require\n" + layout +
                  " out vec4 c; void main() { int n = bitCount(gl_SampleMaskIn[0]); c = n < 4 ? "
                  "vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1); }"}});
        draw_fullscreen(behind);
        gl::Disable(GL_DEPTH_TEST);
        const Target resolved = make_target({size, size});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
        gl::BlitFramebuffer(0, 0, size, size, 0, 0, size, size, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, resolved.framebuffer);
        const Picture picture = read_picture(size, size);
        int red = 0, mixed_green = 0;
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                red += picture.at(x, y)[0] > 0;
                mixed_green += picture.at(x, y)[1] > 0 && picture.at(x, y)[1] < 255;
            }
        }
        return std::pair(red, mixed_green);
    };
    const int early_green = partly_covered("layout(early_fragment_tests) in;").second;
    // lavapipe and llvmpipe tell some fragments of the early test's result anyway.
    EXPECT_GT(early_green, 4);
    const auto [red, green] = partly_covered("layout(post_depth_coverage) in;");
    EXPECT_GE(red, early_green);
    EXPECT_EQ(green, 0);
}

} // namespace
} // namespace kobalt::gltest
