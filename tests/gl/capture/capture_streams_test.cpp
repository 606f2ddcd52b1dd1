// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Transform feedback of OpenGL 4 (4.6, 13.3): vertex streams, captures that pause, and draws of
// what was captured.
#include "stream_capture.h"

namespace kobalt::gltest {
namespace {

// OpenGL 4.6, 4.2.1: a query counts the stream that it is begun for, whichever it counted before.
TEST_F(StreamCaptureTest, AQueryOfOneStreamAndAnother) {
    gl::UseProgram(link({{GL_VERTEX_SHADER, "#version 440 core\nvoid main() {}"},
                         {GL_GEOMETRY_SHADER, R"(#version 440 core
layout(points) in;
layout(points, max_vertices = 3) out;
layout(stream = 0) out int a;
layout(stream = 1) out int b;
void main() { a = 1; gl_Position = vec4(0); EmitStreamVertex(0); b = 2; EmitStreamVertex(1); b = 3;
    EmitStreamVertex(1); })"}}));
    GLuint query = 0;
    gl::GenQueries(1, &query);
    for (const GLuint stream : {0U, 1U, 0U}) {
        gl::BeginQueryIndexed(GL_PRIMITIVES_GENERATED, stream, query);
        gl::DrawArrays(GL_POINTS, 0, 5);
        gl::EndQueryIndexed(GL_PRIMITIVES_GENERATED, stream);
        GLuint generated = 0;
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &generated);
        EXPECT_EQ(generated, stream ? 10U : 5U) << stream;
    }
}

constexpr const char* kStreams = R"(#version 440 core
layout(points, invocations = 2) in;
layout(points, max_vertices = 6) out;
layout(stream = 0, xfb_buffer = 0, xfb_stride = 8) out;
layout(stream = 1, xfb_buffer = 1, xfb_stride = 4) out;
layout(stream = 3, xfb_buffer = 3, xfb_stride = 16) out;
layout(stream = 0, xfb_buffer = 0, xfb_offset = 0) flat out ivec2 zero;
layout(stream = 1, xfb_buffer = 1, xfb_offset = 0) flat out int one;
layout(stream = 3, xfb_buffer = 3, xfb_offset = 0) flat out ivec4 three;
void main() {
    int n = int(gl_in[0].gl_Position.x) * 10 + gl_InvocationID;
    zero = ivec2(n, gl_PrimitiveIDIn); EmitStreamVertex(0);
    for (int i = 0; i < 2; ++i) { one = n + i * 100; EmitStreamVertex(1); EndStreamPrimitive(1); }
    for (int i = 0; i < 3; ++i) { three = ivec4(n, i, 7, 8); EmitStreamVertex(3); }
})";

TEST_F(StreamCaptureTest, StreamsGoToTheirBuffers) {
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               "#version 440 core\nvoid main() { gl_Position = vec4(gl_VertexID, 0, 0, 1); }"},
              {GL_GEOMETRY_SHADER, kStreams}});
    const GLuint buffers[] = {bind(0, 16), bind(1, 7), bind(3, 64)};
    constexpr GLenum kTargets[] = {GL_PRIMITIVES_GENERATED,
                                   GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
                                   GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW};
    const bool overflow =
        has_version(4, 6) || has_extension("GL_ARB_transform_feedback_overflow_query");
    GLuint queries[3][4] = {}, any = 0;
    gl::GenQueries(12, &queries[0][0]);
    gl::GenQueries(1, &any);
    const int kinds = overflow ? 3 : 2;
    for (int kind = 0; kind < kinds; ++kind) {
        for (GLuint stream = 0; stream < 4; ++stream) {
            gl::BeginQueryIndexed(kTargets[kind], stream, queries[kind][stream]);
        }
    }
    if (overflow) {
        gl::BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, any);
    }
    capture(program, GL_POINTS, 2);
    for (int kind = 0; kind < kinds; ++kind) {
        for (GLuint stream = 0; stream < 4; ++stream) {
            gl::EndQueryIndexed(kTargets[kind], stream);
        }
    }
    if (overflow) {
        gl::EndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
    }
    EXPECT_EQ(contents<GLint>(buffers[0], 8), (std::vector<GLint>{0, 0, 1, 0, 10, 1, 11, 1}));
    // The second one has room for seven of eight.
    EXPECT_EQ(contents<GLint>(buffers[1], 7), (std::vector<GLint>{0, 100, 1, 101, 10, 110, 11}));
    std::vector<GLint> third;
    for (const GLint n : {0, 1, 10, 11}) {
        for (GLint i = 0; i < 3; ++i) {
            third.insert(third.end(), {n, i, 7, 8});
        }
    }
    EXPECT_EQ(contents<GLint>(buffers[2], 48), third);
    const GLuint64 expected[3][4] = {{4, 8, 0, 12}, {4, 7, 0, 12}, {0, 1, 0, 0}};
    for (int kind = 0; kind < kinds; ++kind) {
        for (GLuint stream = 0; stream < 4; ++stream) {
            GLuint64 value = 99;
            gl::GetQueryObjectui64v(queries[kind][stream], GL_QUERY_RESULT, &value);
            EXPECT_EQ(value, expected[kind][stream]) << kind << ", stream " << stream;
        }
    }
    if (overflow) {
        GLuint64 value = 99;
        gl::GetQueryObjectui64v(any, GL_QUERY_RESULT, &value);
        EXPECT_EQ(value, 1U);
    }
}

// Variables of different streams may come to lie in one Location.
TEST_F(StreamCaptureTest, StreamsShareALocation) {
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               "#version 440 core\nvoid main() { gl_Position = vec4(gl_VertexID * 10, 0, 0, 1); }"},
              {GL_GEOMETRY_SHADER, R"(#version 440 core
layout(points) in;
layout(points, max_vertices = 3) out;
layout(stream = 1) out vec3 a;
layout(stream = 2) out vec3 b;
layout(stream = 2) out float c;
void main() {
    float n = gl_in[0].gl_Position.x;
    a = vec3(n + 1.0, n + 2.0, n + 3.0); EmitStreamVertex(1);
    b = vec3(n + 4.0, n + 5.0, n + 6.0); c = n + 7.0; EmitStreamVertex(2);
})"}},
             [](GLuint name) {
                 const char* const names[] = {"a", "gl_NextBuffer", "b", "c"};
                 gl::TransformFeedbackVaryings(name, 4, names, GL_INTERLEAVED_ATTRIBS);
             });
    const GLuint buffers[] = {bind(0, 6), bind(1, 8)};
    capture(program, GL_POINTS, 2);
    EXPECT_EQ(contents<float>(buffers[0], 6), (std::vector<float>{1, 2, 3, 11, 12, 13}));
    EXPECT_EQ(contents<float>(buffers[1], 8), (std::vector<float>{4, 5, 6, 7, 14, 15, 16, 17}));
}

// 13.3.3: as many vertices as a stream wrote, in as many instances as asked for.
TEST_F(StreamCaptureTest, DrawsWhatAStreamWrote) {
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               "#version 440 core\nvoid main() { gl_Position = vec4(gl_VertexID, 0, 0, 1); }"},
              {GL_GEOMETRY_SHADER, kStreams}});
    GLuint object = 0;
    gl::GenTransformFeedbacks(1, &object);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    bind(0, 64);
    bind(1, 64);
    bind(3, 64);
    capture(program, GL_POINTS, 2);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    gl::Disable(GL_RASTERIZER_DISCARD);
    // Vertices along x, instances along y.
    const GLuint drawer = link(
        {{GL_VERTEX_SHADER, "#version 440 core\nvoid main() { gl_Position = vec4((gl_VertexID + "
                            "0.5) / 8.0 - 1.0, (gl_InstanceID + 0.5) / 8.0 - 1.0, 0, 1); "
                            "gl_PointSize = 1.0; }"},
         {GL_FRAGMENT_SHADER,
          "#version 440 core\nout vec4 c; void main() { c = vec4(0, 1, 0, 1); }"}});
    const auto drawn = [&](const std::function<void()>& draw) {
        gl::UseProgram(drawer);
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw();
        return count_pixels(read_picture(16, 16), kGreen);
    };
    EXPECT_EQ(drawn([&] { gl::DrawTransformFeedback(GL_POINTS, object); }), 4);
    EXPECT_EQ(drawn([&] { gl::DrawTransformFeedbackStream(GL_POINTS, object, 1); }), 8);
    EXPECT_EQ(drawn([&] { gl::DrawTransformFeedbackStreamInstanced(GL_POINTS, object, 3, 5); }),
              60);
    EXPECT_EQ(drawn([&] { gl::DrawTransformFeedbackInstanced(GL_POINTS, object, 3); }), 12);
    expect_area(0, 0, 4, 3, kGreen);
}

// 13.3.3, with a first buffer that nothing is captured into.
TEST_F(StreamCaptureTest, DrawsWhatLiesBehindAnEmptyBuffer) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 440 core\nout float a; void main() { a = 1.0; gl_Position = "
                            "vec4(0); }"}},
        [](GLuint name) {
            const char* const names[] = {"gl_NextBuffer", "a"};
            gl::TransformFeedbackVaryings(name, 2, names, GL_INTERLEAVED_ATTRIBS);
        });
    GLuint object = 0;
    gl::GenTransformFeedbacks(1, &object);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    bind(0, 16);
    bind(1, 16);
    capture(program, GL_POINTS, 5);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, query);
    gl::DrawTransformFeedback(GL_POINTS, object);
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    GLuint drawn = 99;
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &drawn);
    EXPECT_EQ(drawn, 5U);
}

// 13.5: only a capture can overflow, whatever else is counted.
TEST_F(StreamCaptureTest, NothingOverflowsWithoutACapture) {
    if (!has_version(4, 6) && !has_extension("GL_ARB_transform_feedback_overflow_query")) {
        GTEST_SKIP() << "GL_ARB_transform_feedback_overflow_query is not offered";
    }
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 440 core\nlayout(xfb_buffer = 0, xfb_offset = 0) out "
                                 "float a; void main() { a = 1.0; gl_Position = vec4(0); }"}});
    constexpr GLenum kTargets[] = {
        GL_PRIMITIVES_GENERATED, GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
        GL_TRANSFORM_FEEDBACK_OVERFLOW, GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW};
    const auto count = [&](size_t words) {
        bind(0, words);
        std::array<GLuint, 4> queries{}, results{};
        gl::GenQueries(4, queries.data());
        for (size_t i = 0; i < 4; ++i) {
            gl::BeginQuery(kTargets[i], queries[i]);
        }
        gl::UseProgram(program);
        gl::DrawArrays(GL_POINTS, 0, 3);
        capture(program, GL_POINTS, 4);
        gl::DrawArrays(GL_POINTS, 0, 3);
        for (size_t i = 0; i < 4; ++i) {
            gl::EndQuery(kTargets[i]);
            gl::GetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &results[i]);
        }
        return results;
    };
    EXPECT_EQ(count(4), (std::array<GLuint, 4>{10, 4, 0, 0}));
    EXPECT_EQ(count(3), (std::array<GLuint, 4>{10, 3, 1, 1}));
}

// 13.3.2: a capture that goes on appends; what is drawn between isn't captured, by whichever
// program.
TEST_F(StreamCaptureTest, PausesAndGoesOn) {
    const auto program = [](const char* value) {
        return link({{GL_VERTEX_SHADER,
                      std::string("#version 440 core\nlayout(xfb_buffer = 0, xfb_offset = 0) flat "
                                  "out int v; void main() { v = ") +
                          value + "; gl_Position = vec4(0); }"}});
    };
    const GLuint captured = program("gl_VertexID"), other = program("77");
    const GLuint buffer = bind(0, 8);
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    gl::UseProgram(captured);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 1, 2);
    gl::PauseTransformFeedback();
    gl::UseProgram(other);
    gl::DrawArrays(GL_POINTS, 0, 3);
    gl::Finish();
    gl::UseProgram(captured);
    gl::ResumeTransformFeedback();
    gl::DrawArrays(GL_POINTS, 5, 3);
    gl::EndTransformFeedback();
    gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    const auto no = static_cast<GLint>(kUntouched);
    EXPECT_EQ(contents<GLint>(buffer, 8), (std::vector<GLint>{1, 2, 5, 6, 7, no, no, no}));
    GLuint64 written = 0;
    gl::GetQueryObjectui64v(query, GL_QUERY_RESULT, &written);
    EXPECT_EQ(written, 5U);
}

} // namespace
} // namespace kobalt::gltest
