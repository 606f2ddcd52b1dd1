// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "feedback.h"

namespace kobalt::gltest {
namespace {

TEST_F(FeedbackTest, Interleaved) {
    const GLuint buffer = feedback_buffer(0, 256);
    capture(
        program("out float a; out vec2 b; void main() { a = float(gl_VertexID); b = vec2(a * 10.0, "
                "a * 100.0); gl_Position = vec4(0); }",
                {"a", "b"}, GL_INTERLEAVED_ATTRIBS),
        GL_POINTS, GL_POINTS, 3);
    EXPECT_EQ(floats(buffer, 9), (std::vector<float>{0, 0, 0, 1, 10, 100, 2, 20, 200}));
}

// Varyings that share a location: what is captured of each component lies 32 words apart.
TEST_F(FeedbackTest, MatricesThatShareALocation) {
    const GLuint buffer = feedback_buffer(0, 256);
    capture(
        link({{GL_VERTEX_SHADER,
               "#version 330 core\nout mat3x2 a; out mat3 b[3]; void main() { a = mat3x2(1, 2, "
               "3, 4, 5, 6); for (int i = 0; i < 3; ++i) { float f = float(i * 9 + 7); b[i] = "
               "mat3(f, f + 1.0, f + 2.0, f + 3.0, f + 4.0, f + 5.0, f + 6.0, f + 7.0, f + "
               "8.0); } gl_Position = vec4(0); }"},
              {GL_FRAGMENT_SHADER, "#version 330 core\nout vec4 c; void main() { c = vec4(1); }"}},
             [](GLuint name) {
                 const std::array<const char*, 2> names{"b", "a"};
                 gl::TransformFeedbackVaryings(name, 2, names.data(), GL_INTERLEAVED_ATTRIBS);
             }),
        GL_POINTS, GL_POINTS, 1);
    std::vector<float> expected;
    for (int i = 7; i <= 33; ++i) {
        expected.push_back(static_cast<float>(i));
    }
    for (int i = 1; i <= 6; ++i) {
        expected.push_back(static_cast<float>(i));
    }
    EXPECT_EQ(floats(buffer, 33), expected);
}

// ARB_transform_feedback3.
TEST_F(FeedbackTest, SkippedComponentsUpToTheLimit) {
    if (!has_version(4, 0)) {
        GTEST_SKIP() << "no components are skipped below OpenGL 4.0";
    }
    GLint limit = 0;
    gl::GetIntegerv(GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, &limit);
    const auto links = [](GLint skips) {
        std::vector<const char*> names(static_cast<std::size_t>(skips) + 1, "gl_SkipComponents4");
        names.front() = "a";
        const GLuint name = gl::CreateProgram();
        gl::AttachShader(name,
                         compile({GL_VERTEX_SHADER, "#version 330 core\nout vec4 a; void main() "
                                                    "{ a = gl_Position = vec4(0); }"}));
        gl::TransformFeedbackVaryings(name, skips + 1, names.data(), GL_INTERLEAVED_ATTRIBS);
        gl::LinkProgram(name);
        GLint linked = 0;
        gl::GetProgramiv(name, GL_LINK_STATUS, &linked);
        return linked == GL_TRUE;
    };
    EXPECT_TRUE(links(limit / 4 - 1));
}

class DoubleFeedbackTest : public FeedbackTest {
protected:
    Missing missing() const override { return lacks(4, 1); }
};

TEST_F(DoubleFeedbackTest, ElementsOfArraysWithALocation) {
    const GLuint buffer = feedback_buffer(0, 64);
    capture(
        link({{GL_VERTEX_SHADER,
               "#version 410 core\nlayout(location = 1) flat out dvec2 v[2]; void main() { v[0] "
               "= dvec2(1, 2); v[1] = dvec2(3, 4); gl_Position = vec4(0); }"}},
             [](GLuint name) {
                 const char* second = "v[1]";
                 gl::TransformFeedbackVaryings(name, 1, &second, GL_INTERLEAVED_ATTRIBS);
             }),
        GL_POINTS, GL_POINTS, 1);
    std::array<double, 2> seen{};
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(seen), seen.data());
    EXPECT_EQ(seen, (std::array<double, 2>{3, 4}));
}

TEST_F(FeedbackTest, Separate) {
    const std::array<GLuint, 3> buffers{feedback_buffer(0, 64), feedback_buffer(1, 64),
                                        feedback_buffer(2, 64)};
    capture(
        program("out float a; out vec2 b; flat out ivec2 c; void main() { a = float(gl_VertexID); "
                "b = vec2(a * 10.0, a * 100.0); c = ivec2(-gl_VertexID, 7); gl_Position = vec4(0); "
                "}",
                {"a", "b", "c"}, GL_SEPARATE_ATTRIBS),
        GL_POINTS, GL_POINTS, 3);
    EXPECT_EQ(floats(buffers[0], 3), (std::vector<float>{0, 1, 2}));
    EXPECT_EQ(floats(buffers[1], 6), (std::vector<float>{0, 0, 10, 100, 20, 200}));
    std::array<int, 6> ints{};
    gl::BindBuffer(GL_ARRAY_BUFFER, buffers[2]);
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(ints), ints.data());
    EXPECT_EQ(ints, (std::array<int, 6>{0, 7, -1, 7, -2, 7}));
}

TEST_F(FeedbackTest, ArraysMatricesAndPosition) {
    const GLuint buffer = feedback_buffer(0, 256);
    capture(
        program("out float a[3]; out mat2 m; void main() { a[0] = 1.0; a[1] = 2.0; a[2] = 3.0; m = "
                "mat2(4, 5, 6, 7); gl_Position = vec4(8, 9, 10, 11); }",
                {"a", "m", "gl_Position"}, GL_INTERLEAVED_ATTRIBS),
        GL_POINTS, GL_POINTS, 1);
    EXPECT_EQ(floats(buffer, 11), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST_F(FeedbackTest, ElementOfAnArray) {
    const GLuint buffer = feedback_buffer(0, 64);
    capture(
        program("out vec2 a[3]; void main() { a[0] = vec2(1, 2); a[1] = vec2(3, 4); a[2] = vec2(5, "
                "6); gl_Position = vec4(0); }",
                {"a[1]"}, GL_INTERLEAVED_ATTRIBS),
        GL_POINTS, GL_POINTS, 1);
    EXPECT_EQ(floats(buffer, 2), (std::vector<float>{3, 4}));
}

TEST_F(FeedbackTest, BufferRange) {
    const GLuint buffer = feedback_buffer(0, 64);
    gl::BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 16, 8);
    capture(
        program("out float a; void main() { a = float(gl_VertexID + 1); gl_Position = vec4(0); }",
                {"a"}, GL_INTERLEAVED_ATTRIBS),
        GL_POINTS, GL_POINTS, 8);
    EXPECT_EQ(floats(buffer, 2, 16), (std::vector<float>{1, 2}));
    std::array<std::uint8_t, 8> around{};
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 12, 4, around.data());
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 24, 4, around.data() + 4);
    for (const std::uint8_t byte : around) {
        EXPECT_EQ(byte, 0xCD);
    }
}

TEST_F(FeedbackTest, StripsBecomeTriangles) {
    const GLuint buffer = feedback_buffer(0, 256);
    capture(program("out float a; void main() { a = float(gl_VertexID); gl_Position = vec4(0); }",
                    {"a"}, GL_INTERLEAVED_ATTRIBS),
            GL_TRIANGLES, GL_TRIANGLE_STRIP, 5);
    const auto data = floats(buffer, 9);
    // Each triangle has its strip's vertices, in an order with the right winding.
    EXPECT_EQ(std::vector<float>(data.begin(), data.begin() + 3), (std::vector<float>{0, 1, 2}));
    EXPECT_EQ(data[3] + data[4] + data[5], 6);
    EXPECT_EQ(data[6] + data[7] + data[8], 9);
}

TEST_F(FeedbackTest, DrawsInOneCaptureAppend) {
    const GLuint buffer = feedback_buffer(0, 256);
    const GLuint name = program("uniform float base; out float a; void main() { a = base + "
                                "float(gl_VertexID); gl_Position = vec4(0); }",
                                {"a"}, GL_INTERLEAVED_ATTRIBS);
    set_uniform(name, "base", 0.0F);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 0, 2);
    gl::Uniform1f(gl::GetUniformLocation(name, "base"), 100.0F);
    gl::DrawArrays(GL_POINTS, 0, 3);
    gl::EndTransformFeedback();
    gl::Disable(GL_RASTERIZER_DISCARD);
    EXPECT_EQ(floats(buffer, 5), (std::vector<float>{0, 1, 100, 101, 102}));
}

TEST_F(FeedbackTest, IndexedAndInstanced) {
    const GLuint buffer = feedback_buffer(0, 256);
    const GLuint name =
        program("out vec2 a; void main() { a = vec2(gl_VertexID, gl_InstanceID); gl_Position = "
                "vec4(0); }",
                {"a"}, GL_INTERLEAVED_ATTRIBS);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{7, 3});
    gl::UseProgram(name);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawElementsInstanced(GL_POINTS, 2, GL_UNSIGNED_SHORT, nullptr, 2);
    gl::EndTransformFeedback();
    gl::Disable(GL_RASTERIZER_DISCARD);
    EXPECT_EQ(floats(buffer, 8), (std::vector<float>{7, 0, 3, 0, 7, 1, 3, 1}));
}

TEST_F(FeedbackTest, FromGeometryShader) {
    const GLuint buffer = feedback_buffer(0, 256);
    capture(
        program("flat out int id; void main() { id = gl_VertexID; gl_Position = vec4(0); }", {"g"},
                GL_INTERLEAVED_ATTRIBS,
                "layout(points) in; layout(points, max_vertices = 2) out; flat in int id[]; out "
                "float g; void main() { g = float(id[0]); EmitVertex(); EndPrimitive(); if (id[0] "
                "% 2 == 1) { g = float(id[0] * 10); EmitVertex(); } }"),
        GL_POINTS, GL_POINTS, 4);
    EXPECT_EQ(floats(buffer, 6), (std::vector<float>{0, 1, 10, 2, 3, 30}));
}

TEST_F(FeedbackTest, RasterisesAtTheSameTime) {
    const GLuint buffer = feedback_buffer(0, 64);
    const GLuint name =
        link({{GL_VERTEX_SHADER, std::string("#version 330 core\nout float a;\n") + kFullscreenVs},
              {GL_FRAGMENT_SHADER,
               "#version 330 core\nout vec4 result; void main() { result = vec4(0, 1, 0, 1); }"}},
             [](GLuint program) {
                 const char* output = "gl_Position";
                 gl::TransformFeedbackVaryings(program, 1, &output, GL_INTERLEAVED_ATTRIBS);
             });
    gl::UseProgram(name);
    gl::BeginTransformFeedback(GL_TRIANGLES);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::EndTransformFeedback();
    EXPECT_EQ(floats(buffer, 12), (std::vector<float>{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}));
    expect_area(0, 0, 32, 32, kGreen);
}

TEST_F(FeedbackTest, CapturedVerticesAreDrawn) {
    const GLuint buffer = feedback_buffer(0, 64);
    capture(
        program("out vec2 p; void main() { p = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 "
                "- 1.0; gl_Position = vec4(0); }",
                {"p"}, GL_INTERLEAVED_ATTRIBS),
        GL_POINTS, GL_POINTS, 3);
    const GLuint draw =
        vs_fs("layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(draw);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 32, 32, kGreen);
}

TEST_F(FeedbackTest, IteratedSimulation) {
    const GLuint name =
        program("layout(location = 0) in float value; out float next; void main() { "
                "next = value * 2.0 + 1.0; gl_Position = vec4(0); }",
                {"next"}, GL_INTERLEAVED_ATTRIBS);
    std::array<GLuint, 2> buffers{};
    for (GLuint& buffer : buffers) {
        buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<float>{0, 1, 2, 3}, GL_DYNAMIC_COPY);
    }
    gl::EnableVertexAttribArray(0);
    for (size_t i = 0; i < 10; ++i) {
        gl::BindBuffer(GL_ARRAY_BUFFER, buffers[i % 2]);
        gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[(i + 1) % 2]);
        capture(name, GL_POINTS, GL_POINTS, 4);
    }
    EXPECT_EQ(floats(buffers[0], 4), (std::vector<float>{1023, 2047, 3071, 4095}));
}

TEST_F(FeedbackTest, QueriesCountWrittenAndGenerated) {
    feedback_buffer(0, 20); // room for five floats
    const GLuint name = program("out float a; void main() { a = 1.0; gl_Position = vec4(0); }",
                                {"a"}, GL_INTERLEAVED_ATTRIBS);
    std::array<GLuint, 2> queries{};
    gl::GenQueries(2, queries.data());
    gl::UseProgram(name);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[0]);
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, queries[1]);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 0, 8);
    gl::EndTransformFeedback();
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    gl::Disable(GL_RASTERIZER_DISCARD);
    std::array<GLuint, 2> results{};
    gl::GetQueryObjectuiv(queries[0], GL_QUERY_RESULT, &results[0]);
    gl::GetQueryObjectuiv(queries[1], GL_QUERY_RESULT, &results[1]);
    EXPECT_EQ(results[0], 5U);
    EXPECT_EQ(results[1], 8U);
}

} // namespace
} // namespace kobalt::gltest
