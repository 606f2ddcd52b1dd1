// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cmath>

#include "support.h"

// OpenGL 4.6, section 14.3.1: without GL_MULTISAMPLE, a multisampled target is drawn to as a
// single-sampled one is, all samples of a pixel alike. So the reference of each picture is the same
// picture drawn without samples.

namespace kobalt::gltest {
namespace {

constexpr int kSize = 32;

class MultisampleRasterTest : public GlTest {
protected:
    void prepare() override {
        gl::ClearColor(0, 0, 0, 1);
        gl::Disable(GL_MULTISAMPLE);
    }

    /// The picture that `draw` makes on a target with so many samples, resolved.
    template <typename Draw>
    static Picture drawn(int samples, const Draw& draw) {
        const Target target = make_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8, samples});
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        draw();
        const Target resolved = make_target({kSize, kSize});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
        gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        resolved.bind();
        return read_picture(kSize, kSize);
    }

    /// Expects `draw` to look the same with and without samples, up to `tolerance`.
    template <typename Draw>
    static void expect_same(const Draw& draw, int tolerance = 0) {
        const Picture expected = drawn(0, draw);
        EXPECT_GT(kSize * kSize - count_pixels(expected, kBlack), 20);
        std::array<GLint, 1> most{};
        gl::GetIntegerv(GL_MAX_SAMPLES, most.data());
        for (int samples = 2; samples <= most[0]; samples *= 2) {
            const Picture picture = drawn(samples, draw);
            int different = 0;
            for (size_t i = 0; i < picture.rgba.size(); ++i) {
                different += std::abs(picture.rgba[i] - expected.rgba[i]) > tolerance ? 1 : 0;
            }
            EXPECT_EQ(different, 0) << samples << " samples";
        }
    }

    static void draw(GLuint program, GLenum mode, const std::vector<float>& points) {
        bind_new_vao();
        make_buffer(GL_ARRAY_BUFFER, points);
        gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
        gl::UseProgram(program);
        gl::DrawArrays(mode, 0, static_cast<GLsizei>(points.size() / 4));
    }
    static GLuint shaded(const std::string& fragment) {
        return vs_fs("layout(location = 0) in vec4 p; out vec4 place; flat out vec4 corner; "
                     "void main() { gl_Position = p; place = p * 0.5 + 0.5; corner = p; }",
                     "in vec4 place; flat in vec4 corner; out vec4 result; void main() { " +
                         fragment + " }");
    }
    static GLuint white() { return shaded("result = vec4(1);"); }
    inline static const std::vector<float> kTriangles{
        -0.91F, -0.83F, -0.5F, 1, 0.87F,  -0.31F, 0.5F, 1, -0.13F, 0.93F,  0.3F,  1,
        0.97F,  0.71F,  0.4F,  1, -0.61F, 0.37F,  0.1F, 1, 0.23F,  -0.97F, -0.6F, 1};
};

// Vulkan has no Bresenham lines with sample shading: the validation layer objected.
TEST_F(MultisampleRasterTest, LinesOfShadersThatRunAtSamples) {
    if (!has_extension("GL_ARB_sample_shading")) {
        GTEST_SKIP() << "GL_ARB_sample_shading is not offered";
    }
    const std::string at_samples =
        "#extension GL_ARB_sample_shading : require\nout vec4 result; void main() { result = "
        "vec4(0, gl_SampleID == 0 ? 1 : 0, 0, 1); }";
    const std::string vertex = "layout(location = 0) in vec4 p; void main() { gl_Position = p; }";
    const GLuint plain =
        vs_fs(vertex, "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    make_target({kSize, kSize});
    for (const GLuint program : {plain, vs_fs(vertex, at_samples), plain}) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw(program, GL_LINES, {-1, 1.0F / kSize, 0, 1, 1, 1.0F / kSize, 0, 1});
        EXPECT_NEAR(count_pixels(read_picture(kSize, kSize), kGreen), kSize, 1);
    }
}

// OpenGL 4.6, section 14.5.1: without samples lines are Bresenham's, however often the shader runs.
TEST_F(MultisampleRasterTest, LinesWithoutSamplesAreBresenhamsForEveryShader) {
    if (!has_extension("GL_ARB_gpu_shader5") || !has_extension("GL_ARB_sample_shading")) {
        GTEST_SKIP() << "GL_ARB_gpu_shader5 or GL_ARB_sample_shading is not offered";
    }
    const auto program = [](const std::string& qualifier, const std::string& amount) {
        const std::string extensions = "#extension GL_ARB_gpu_shader5 : require\n"
                                       "#extension GL_ARB_sample_shading : require\n";
        return vs_fs("#extension GL_ARB_gpu_shader5 : require\nlayout(location = 0) in vec4 p; " +
                         qualifier + " out float one; void main() { gl_Position = p; one = 1.0; }",
                     extensions + qualifier +
                         " in float one; out vec4 result; "
                         "void main() { result = vec4(" +
                         amount + " * one, 0, 1, 1); }");
    };
    std::vector<float> lines;
    for (int i = 0; i < 24; ++i) {
        const float angle = static_cast<float>(i) * 0.2618F + 0.07F;
        for (const float radius : {0.3F, 0.93F}) {
            lines.insert(lines.end(), {radius * std::cos(angle), radius * std::sin(angle), 0, 1});
        }
    }
    const auto picture = [&](GLuint used) {
        return drawn(0, [&] { draw(used, GL_LINES, lines); });
    };
    const GLuint plain = program("", "0.0");
    const Picture expected = picture(plain);
    EXPECT_GT(count_pixels(expected, kBlue), 200);
    EXPECT_EQ(picture(program("", "float(gl_SampleID)")).rgba, expected.rgba);
    EXPECT_EQ(picture(program("", "(gl_SamplePosition.x - 0.5)")).rgba, expected.rgba);
    EXPECT_EQ(picture(program("sample", "0.0")).rgba, expected.rgba);
    EXPECT_EQ(picture(program("sample", "(gl_FragCoord.w - 1.0)")).rgba, expected.rgba);
    gl::Enable(GL_SAMPLE_SHADING);
    gl::MinSampleShadingARB(1);
    EXPECT_EQ(picture(plain).rgba, expected.rgba);
    gl::Disable(GL_SAMPLE_SHADING);
}

TEST_F(MultisampleRasterTest, EdgesAreThoseOfPixels) {
    const GLuint program = white();
    expect_same([&] { draw(program, GL_TRIANGLES, kTriangles); });
}

TEST_F(MultisampleRasterTest, SliversBetweenSamplesAreThoseOfPixels) {
    // Thinner than the distance of two samples, through the centres of a row.
    const GLuint program = white();
    const float y = (10 + 0.5F) / kSize * 2 - 1;
    expect_same([&] {
        draw(program, GL_TRIANGLES,
             {-1, y - 0.002F, 0, 1, 1, y - 0.002F, 0, 1, 1, y + 0.004F, 0, 1});
    });
}

TEST_F(MultisampleRasterTest, WithMultisampleEdgesAreSmooth) {
    const GLuint program = white();
    const Picture picture = drawn(4, [&] {
        gl::Enable(GL_MULTISAMPLE);
        draw(program, GL_TRIANGLES, kTriangles);
        gl::Disable(GL_MULTISAMPLE);
    });
    EXPECT_GT(kSize * kSize - count_pixels(picture, kBlack) - count_pixels(picture, kWhite), 40);
}

TEST_F(MultisampleRasterTest, ColoursAreThoseOfPixelCentres) {
    const GLuint varying = shaded("result = vec4(fract(place.xyz * 7.0), 1);");
    expect_same([&] { draw(varying, GL_TRIANGLES, kTriangles); }, 2);
    const GLuint coordinate =
        shaded("result = vec4(fract(gl_FragCoord.xy * 0.25), gl_FragCoord.z, 1);");
    expect_same([&] { draw(coordinate, GL_TRIANGLES, kTriangles); }, 1);
    const GLuint flat = shaded("result = vec4(abs(corner.xyz), 1);");
    expect_same([&] { draw(flat, GL_TRIANGLES, kTriangles); });
    const GLuint slopes = shaded("result = vec4(abs(dFdx(place.xy)) * 16.0, 0, 1);");
    expect_same([&] { draw(slopes, GL_TRIANGLES, {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}); }, 1);
}

TEST_F(MultisampleRasterTest, Points) {
    gl::PointSize(9);
    const std::vector<float> points{0.013F, 0.21F, 0, 1, -0.57F, -0.43F, 0, 1};
    const GLuint program = white();
    expect_same([&] { draw(program, GL_POINTS, points); });
    const GLuint sprite = shaded("result = vec4(gl_PointCoord, 0, 1);");
    // Vulkan leaves open where in the pixel gl_PointCoord is, and GL allows any place.
    expect_same([&] { draw(sprite, GL_POINTS, points); }, 6);
    gl::PointSize(1);
}

TEST_F(MultisampleRasterTest, Lines) {
    const GLuint program = white();
    expect_same([&] {
        draw(program, GL_LINES,
             {-0.9F, -0.71F, 0, 1, 0.83F, 0.13F, 0, 1, 0.31F, 0.93F, 0, 1, -0.17F, -0.87F, 0, 1});
    });
}

TEST_F(MultisampleRasterTest, DepthIsThatOfPixelCentres) {
    // Two planes that meet in the middle.
    const GLuint program = shaded("result = vec4(abs(corner.z), 1, 1.0 - abs(corner.z), 1);");
    gl::Enable(GL_DEPTH_TEST);
    expect_same([&] {
        draw(program, GL_TRIANGLES, {-1,    -1, -0.9F, 1, 3,    -1, 0.94F,  1, -1,   3, -0.47F, 1,
                                     -0.9F, -1, 0.57F, 1, 0.9F, -1, -0.71F, 1, 0.1F, 1, 0.21F,  1});
    });
    gl::Disable(GL_DEPTH_TEST);
}

TEST_F(MultisampleRasterTest, LayersOfOneDrawKeepTheirOrder) {
    const GLuint program = shaded("result = vec4(corner.xyz * 0.5 + 0.5, 0.5);");
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    expect_same([&] { draw(program, GL_TRIANGLES, kTriangles); });
    gl::Disable(GL_BLEND);
}

TEST_F(MultisampleRasterTest, ViewportsAndScissors) {
    const GLuint program = white();
    expect_same([&] {
        gl::Enable(GL_SCISSOR_TEST);
        gl::Scissor(5, 3, 17, 19);
        gl::Viewport(4, 2, 23, 21);
        draw(program, GL_TRIANGLES, kTriangles);
        gl::Viewport(0, 0, kSize, kSize);
        gl::Disable(GL_SCISSOR_TEST);
    });
}

TEST_F(MultisampleRasterTest, MultisampleFragmentOperationsAreOff) {
    // OpenGL 4.6, section 17.3.2: they need GL_MULTISAMPLE.
    const GLuint program = shaded("result = vec4(1, 1, 0, 0.5);");
    gl::Enable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    gl::Enable(GL_SAMPLE_ALPHA_TO_ONE);
    gl::Enable(GL_SAMPLE_COVERAGE);
    gl::SampleCoverage(0.25F, GL_FALSE);
    gl::Enable(GL_SAMPLE_MASK);
    gl::SampleMaski(0, 1);
    expect_same([&] { draw(program, GL_TRIANGLES, kTriangles); });
    for (const GLenum off : {GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_ALPHA_TO_ONE,
                             GL_SAMPLE_COVERAGE, GL_SAMPLE_MASK}) {
        gl::Disable(off);
    }
    gl::SampleMaski(0, ~0U);
    gl::SampleCoverage(1, GL_FALSE);
}

TEST_F(MultisampleRasterTest, GeometryIsCountedAndCapturedOnce) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 330 core\n"
                                 "layout(location = 0) in vec4 p; out float x; "
                                 "void main() { gl_Position = p; x = p.x; }"},
              {GL_FRAGMENT_SHADER, "#version 330 core\n"
                                   "out vec4 result; void main() { result = "
                                   "vec4(1); }"}},
             [](GLuint made) {
                 const char* name = "x";
                 gl::TransformFeedbackVaryings(made, 1, &name, GL_INTERLEAVED_ATTRIBS);
             });
    make_target({kSize, kSize, GL_RGBA8, GL_NONE, 4});
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const GLuint capture = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(64));
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, capture);
    std::array<GLuint, 3> queries{};
    gl::GenQueries(3, queries.data());
    constexpr std::array<GLenum, 3> kinds{
        GL_PRIMITIVES_GENERATED, GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, GL_SAMPLES_PASSED};
    for (size_t i = 0; i < kinds.size(); ++i) {
        gl::BeginQuery(kinds[i], queries[i]);
    }
    gl::UseProgram(program);
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1});
    gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    gl::BeginTransformFeedback(GL_TRIANGLES);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::EndTransformFeedback();
    std::array<GLuint, 3> results{};
    for (size_t i = 0; i < kinds.size(); ++i) {
        gl::EndQuery(kinds[i]);
        gl::GetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &results[i]);
    }
    EXPECT_EQ(results[0], 2U);
    EXPECT_EQ(results[1], 2U);
    EXPECT_EQ(results[2], 2U * 4 * kSize * kSize);
    std::array<float, 7> captured{};
    gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(captured), captured.data());
    EXPECT_EQ(captured, (std::array<float, 7>{-1, 3, -1, -1, 3, -1, 0}));
}

TEST_F(MultisampleRasterTest, ChangesOfTheSwitchBetweenDraws) {
    const GLuint program = shaded("result = vec4(place.xy, 0, 1);");
    expect_same(
        [&] {
            for (int i = 0; i < 3; ++i) {
                gl::Enable(GL_MULTISAMPLE);
                draw(program, GL_TRIANGLES, {-3, -3, 0, 1, 3, -3, 0, 1, 0, 6, 0, 1});
                gl::Disable(GL_MULTISAMPLE);
                gl::Clear(GL_COLOR_BUFFER_BIT);
                draw(program, GL_TRIANGLES, kTriangles);
            }
        },
        1);
}

} // namespace
} // namespace kobalt::gltest
