// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Transform feedback objects (OpenGL 4.6, 13.3.1): captures that pause, and draws of what was
// captured.
#include "feedback.h"

namespace kobalt::gltest {
namespace {

class FeedbackObjectTest : public FeedbackTest {
protected:
    bool offered() const {
        return has_version(4, 0) || has_extension("GL_ARB_transform_feedback2");
    }
};

TEST_F(FeedbackObjectTest, PauseAndResume) {
    if (!offered()) {
        GTEST_SKIP() << "GL_ARB_transform_feedback2 is not offered";
    }
    const GLuint buffer = feedback_buffer(0, 256);
    const GLuint name = program("out float a; void main() { a = float(gl_VertexID); gl_Position = "
                                "vec4(0); }",
                                {"a"}, GL_INTERLEAVED_ATTRIBS);
    const GLuint other =
        vs_fs(kFullscreenVs, "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(name);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 0, 2);
    gl::PauseTransformFeedback();
    gl::UseProgram(other);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::UseProgram(name);
    gl::ResumeTransformFeedback();
    gl::DrawArrays(GL_POINTS, 10, 2);
    gl::EndTransformFeedback();
    EXPECT_EQ(floats(buffer, 4), (std::vector<float>{0, 1, 10, 11}));
    expect_pixel(30, 30, kGreen);
}

TEST_F(FeedbackObjectTest, DrawTransformFeedback) {
    if (!offered()) {
        GTEST_SKIP() << "GL_ARB_transform_feedback2 is not offered";
    }
    GLuint object = 0;
    gl::GenTransformFeedbacks(1, &object);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    const GLuint buffer = feedback_buffer(0, 256);
    capture(
        program("flat out int id; void main() { id = gl_VertexID; gl_Position = vec4(0); }", {"g"},
                GL_INTERLEAVED_ATTRIBS,
                "layout(points) in; layout(points, max_vertices = 1) out; flat in int id[]; out "
                "vec2 g; void main() { if (id[0] % 2 == 0) { g = vec2((float(id[0]) + 0.5) / 16.0 "
                "- 1.0, -1.0 + 1.0 / 32.0); EmitVertex(); } }"),
        GL_POINTS, GL_POINTS, 10);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const GLuint draw =
        vs_fs("layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(draw);
    gl::DrawTransformFeedback(GL_POINTS, object);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    const Picture picture = read_picture(32, 32);
    EXPECT_EQ(count_pixels(picture, kGreen), 5);
    for (int x = 0; x < 10; ++x) {
        EXPECT_EQ(picture.at(x, 0)[1], x % 2 == 0 ? 255 : 0) << x;
    }
}

TEST_F(FeedbackObjectTest, TwoObjectsInterleaved) {
    if (!offered()) {
        GTEST_SKIP() << "GL_ARB_transform_feedback2 is not offered";
    }
    const GLuint name = program("uniform float base; out float a; void main() { a = base + "
                                "float(gl_VertexID); gl_Position = vec4(0); }",
                                {"a"}, GL_INTERLEAVED_ATTRIBS);
    std::array<GLuint, 2> objects{};
    std::array<GLuint, 2> buffers{};
    gl::GenTransformFeedbacks(2, objects.data());
    gl::Enable(GL_RASTERIZER_DISCARD);
    for (size_t i = 0; i < 2; ++i) {
        gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[i]);
        buffers[i] = feedback_buffer(0, 64);
        set_uniform(name, "base", static_cast<float>(100 * i));
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 2);
        gl::PauseTransformFeedback();
    }
    for (size_t i = 0; i < 2; ++i) {
        gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[i]);
        set_uniform(name, "base", static_cast<float>(1000 + 100 * i));
        gl::ResumeTransformFeedback();
        gl::DrawArrays(GL_POINTS, 0, 1);
        gl::EndTransformFeedback();
    }
    gl::Disable(GL_RASTERIZER_DISCARD);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    EXPECT_EQ(floats(buffers[0], 3), (std::vector<float>{0, 1, 1000}));
    EXPECT_EQ(floats(buffers[1], 3), (std::vector<float>{100, 101, 1100}));
}

} // namespace
} // namespace kobalt::gltest
