// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What fragments know of the samples that they cover, and what they say of them.
#include "support.h"

namespace kobalt::gltest {
namespace {

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
        const Target target = make_black_target(options);
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

/// A fragment shader of GLSL 4.00 over the whole target.
GLuint covering(const std::string& fragment) {
    const std::string version = "#version 400 core\n";
    return link({{GL_VERTEX_SHADER, version + kFullscreenVs},
                 {GL_FRAGMENT_SHADER, version + "out vec4 c; " + fragment}});
}

// OpenGL 4.6, 14.9.3: without multisampling no sample is taken away.
TEST_F(CoverageTest, MasksCountWithMultisamplingOnly) {
    const GLuint nothing = covering("void main() { gl_SampleMask[0] = 0; c = vec4(0, 1, 0, 1); }");
    gl::ClearColor(1, 0, 0, 1);
    make_target({8, 8});
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_fullscreen(nothing);
    expect_area(0, 0, 8, 8, kGreen);
    for (const bool enabled : {true, false}) {
        TargetOptions options{8, 8};
        options.samples = 4;
        const Target target = make_target(options);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        if (!enabled) {
            gl::Disable(GL_MULTISAMPLE);
        }
        draw_fullscreen(nothing);
        gl::Enable(GL_MULTISAMPLE);
        const Target resolved = make_target({8, 8});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
        gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, resolved.framebuffer);
        expect_area(0, 0, 8, 8, enabled ? kRed : kGreen);
    }
}

// A pixel without multisampling is one sample.
TEST_F(CoverageTest, OnePixelIsOneSample) {
    const GLuint told = covering(
        "void main() { c = gl_SampleMaskIn[0] == 1 ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }");
    make_target({8, 8});
    draw_fullscreen(told);
    expect_area(0, 0, 8, 8, kGreen);
    TargetOptions options{8, 8};
    options.samples = 4;
    const Target target = make_target(options);
    gl::Disable(GL_MULTISAMPLE);
    draw_fullscreen(told);
    gl::Enable(GL_MULTISAMPLE);
    const Target resolved = make_target({8, 8});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
    gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, resolved.framebuffer);
    expect_area(0, 0, 8, 8, kGreen);
}

} // namespace
} // namespace kobalt::gltest
