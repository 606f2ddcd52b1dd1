// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Samples: what covers them, what is drawn to each, and what becomes of them in a resolve.
#include "support.h"

namespace kobalt::gltest {
namespace {

class MultisampleTest : public GlTest {
protected:
    /// Resolves the source's colour into a new single-sampled target and binds that.
    static Target resolve(const Target& source, GLenum format = GL_RGBA8) {
        const Target target = make_target({source.width, source.height, format});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
        gl::BlitFramebuffer(0, 0, source.width, source.height, 0, 0, source.width, source.height,
                            GL_COLOR_BUFFER_BIT, GL_NEAREST);
        target.bind();
        return target;
    }

    /// Of the pixel at 2, 2.
    static void expect_depth_and_stencil(float want_depth, std::uint8_t want_stencil) {
        float depth = 0;
        std::uint8_t stencil = 0;
        gl::ReadPixels(2, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        gl::ReadPixels(2, 2, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        EXPECT_NEAR(depth, want_depth, 1e-5F);
        EXPECT_EQ(stencil, want_stencil);
    }
};

TEST_F(MultisampleTest, ResolveAveragesCoverage) {
    const Target source = make_black_target({16, 16, GL_RGBA8, GL_NONE, 4});
    const RectPainter painter;
    // The right edge lies in the middle of column 8.
    painter.draw({-1, -1, 0.0625F, 1}, {1, 1, 1, 1});
    resolve(source);
    expect_pixel(3, 3, kWhite);
    expect_pixel(12, 3, kBlack);
    EXPECT_NEAR(pixel(8, 8)[0], 128, 66);
}

TEST_F(MultisampleTest, SampleCountIsHonoured) {
    for (const int samples : {2, 4}) {
        make_target({8, 8, GL_RGBA8, GL_DEPTH24_STENCIL8, samples});
        GLint actual = 0;
        gl::GetIntegerv(GL_SAMPLES, &actual);
        EXPECT_GE(actual, samples);
        GLint buffers = 0;
        gl::GetIntegerv(GL_SAMPLE_BUFFERS, &buffers);
        EXPECT_EQ(buffers, 1);
    }
}

TEST_F(MultisampleTest, SamplePositionsLieInThePixel) {
    make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    for (GLuint i = 0; i < 4; ++i) {
        std::array<GLfloat, 2> position{-1, -1};
        gl::GetMultisamplefv(GL_SAMPLE_POSITION, i, position.data());
        for (const GLfloat value : position) {
            EXPECT_GE(value, 0.0F);
            EXPECT_LE(value, 1.0F);
        }
    }
}

TEST_F(MultisampleTest, SampleCoverageMasksSamples) {
    const Target source = make_black_target({8, 8, GL_RGBA8, GL_NONE, 4});
    gl::Enable(GL_SAMPLE_COVERAGE);
    gl::SampleCoverage(0.5F, GL_FALSE);
    const RectPainter painter;
    painter.fill({1, 0, 0, 1});
    gl::SampleCoverage(0.5F, GL_TRUE);
    painter.fill({0, 1, 0, 1});
    gl::Disable(GL_SAMPLE_COVERAGE);
    resolve(source);
    // The inverted mask is the complement: together they cover every sample once.
    expect_pixel(4, 4, {128, 128, 0, 255}, 2);
}

TEST_F(MultisampleTest, AlphaToCoverage) {
    const Target source = make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    const RectPainter painter;
    painter.draw({-1, -1, 0, 0}, {1, 0, 0, 1});
    painter.draw({0, -1, 1, 0}, {1, 0, 0, 0});
    painter.draw({-1, 0, 1, 1}, {1, 0, 0, 0.5F});
    gl::Disable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    resolve(source);
    EXPECT_EQ(pixel(1, 1)[0], 255);
    EXPECT_EQ(pixel(6, 1)[0], 0);
    // Patterns may be dithered over pixels: only the average of a block counts.
    int sum = 0;
    for (int i = 0; i < 16; ++i) {
        sum += pixel(i % 4 + 2, 4 + i / 4)[0];
    }
    EXPECT_NEAR(sum / 16, 128, 66);
}

TEST_F(MultisampleTest, AlphaToOne) {
    const Target source = make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_SAMPLE_ALPHA_TO_ONE);
    const RectPainter painter;
    painter.fill({0, 1, 0, 0.25F});
    gl::Disable(GL_SAMPLE_ALPHA_TO_ONE);
    resolve(source);
    expect_pixel(4, 4, kGreen);
}

TEST_F(MultisampleTest, AlphaToOneComesAfterAlphaToCoverage) {
    const Target target = make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    gl::Enable(GL_SAMPLE_ALPHA_TO_ONE);
    const RectPainter painter;
    painter.draw({-1, -1, 0, 1}, {1, 0, 1, 0.5F});
    painter.draw({0, -1, 1, 1}, {0, 1, 0, 0.0F});
    gl::Disable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    gl::Disable(GL_SAMPLE_ALPHA_TO_ONE);
    resolve(target);
    // Every sample that is covered has an alpha of 1; which those are may be dithered.
    int sum = 0;
    for (int i = 0; i < 16; ++i) {
        const Byte4 colour = pixel(i % 4, i / 4);
        EXPECT_EQ(colour[0], colour[3]);
        sum += colour[3];
    }
    EXPECT_NEAR(sum / 16, 128, 66);
    expect_area(4, 0, 4, 8, {0, 0, 0, 0});
}

TEST_F(MultisampleTest, MinSampleShadingRunsEachSample) {
    if (!has_extension("GL_ARB_sample_shading"))
        GTEST_SKIP() << "needs ARB_sample_shading";
    const Target source = make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    // Samples lie beside the pixel's centre, where a fragment that covers them all lies.
    const GLuint program =
        vs_fs(kFullscreenVs, "out vec4 colour; void main() {"
                             " colour = vec4(fract(gl_FragCoord.x) == 0.5 ? 1 : 0,"
                             "               fract(gl_FragCoord.x) != 0.5 ? 1 : 0, 0, 1); }");
    gl::Enable(GL_SAMPLE_SHADING);
    gl::MinSampleShadingARB(1);
    draw_fullscreen(program);
    gl::Disable(GL_SAMPLE_SHADING);
    resolve(source);
    expect_pixel(4, 4, kGreen);

    source.bind();
    draw_fullscreen(program);
    resolve(source);
    expect_pixel(4, 4, kRed);
}

TEST_F(MultisampleTest, DepthTestWorksBySample) {
    const Target source = make_black_target({16, 16, GL_RGBA8, GL_DEPTH_COMPONENT24, 4});
    gl::Enable(GL_DEPTH_TEST);
    const RectPainter painter;
    painter.draw({-1, -1, 0.0625F, 1}, {1, 0, 0, 1}, -0.5F);
    painter.fill({0, 1, 0, 1}, 0.5F);
    resolve(source);
    expect_pixel(3, 3, kRed);
    expect_pixel(12, 3, kGreen);
    const Byte4 edge = pixel(8, 8);
    EXPECT_NEAR(edge[0] + edge[1], 255, 2);
    EXPECT_GT(edge[0], 30);
    EXPECT_GT(edge[1], 30);
}

TEST_F(MultisampleTest, MultisampleDisabledCoversWholePixels) {
    const Target source = make_black_target({16, 16, GL_RGBA8, GL_NONE, 4});
    gl::Disable(GL_MULTISAMPLE);
    const RectPainter painter;
    painter.draw({-1, -1, 0.11F, 1}, {1, 1, 1, 1});
    gl::Enable(GL_MULTISAMPLE);
    resolve(source);
    const int value = pixel(8, 8)[0];
    EXPECT_TRUE(value == 0 || value == 255) << value;
}

TEST_F(MultisampleTest, FloatAndIntegerFormatsResolve) {
    const Target source = make_target({4, 4, GL_RGBA16F, GL_NONE, 4});
    const Float4 value{-2, 8, 0.5F, 1};
    gl::ClearBufferfv(GL_COLOR, 0, value.data());
    resolve(source, GL_RGBA16F);
    expect_near(pixel_float(2, 2), value, 0);
}

TEST_F(MultisampleTest, DepthResolves) {
    const Target source = make_target({4, 4, GL_RGBA8, GL_DEPTH24_STENCIL8, 4});
    gl::ClearDepth(0.625);
    gl::ClearStencil(77);
    gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    const Target target = make_target({4, 4, GL_RGBA8, GL_DEPTH24_STENCIL8});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT,
                        GL_NEAREST);
    target.bind();
    expect_depth_and_stencil(0.625F, 77);
}

// GL 4.6, 18.3.1: depths and stencil indices are none of the colours' components, of which RG8
// lacks two.
TEST_F(MultisampleTest, DepthResolvesBesideFewerComponents) {
    const Target source = make_target({4, 4, GL_RGBA8, GL_DEPTH24_STENCIL8, 4});
    gl::ClearDepth(0.625);
    gl::ClearStencil(77);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    const Target target = make_target({4, 4, GL_RG8, GL_DEPTH24_STENCIL8});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4,
                        GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT,
                        GL_NEAREST);
    target.bind();
    expect_depth_and_stencil(0.625F, 77);
}

TEST_F(MultisampleTest, CentroidStaysInsideThePrimitive) {
    const Target source = make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    // The value is 1 at the left border and 0 at the slanted edge, negative beyond it.
    const GLuint program = vs_fs(
        "centroid out float inside; void main() { vec2 p = vec2(gl_VertexID == 1 ? 0.9 : -1.0, "
        "gl_VertexID == 2 ? 0.9 : -1.0); inside = gl_VertexID == 0 ? 1.0 : 0.0; gl_Position = "
        "vec4(p, "
        "0, 1); }",
        "centroid in float inside; out vec4 result; void main() { result = inside < -0.001 ? "
        "vec4(1, "
        "0, 0, 1) : vec4(0, 1, 0, 1); }");
    draw_fullscreen(program);
    resolve(source);
    const Picture picture = read_picture(8, 8);
    for (size_t i = 0; i < picture.rgba.size(); i += 4) {
        EXPECT_EQ(picture.rgba[i], 0) << "pixel " << i / 4;
    }
}

} // namespace
} // namespace kobalt::gltest
