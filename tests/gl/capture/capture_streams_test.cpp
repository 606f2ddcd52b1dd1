// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Transform feedback of OpenGL 4 (4.6, 11.1.2.1 and 13.3): layout qualifiers, doubles, gaps, vertex
// streams, captures that pause, and draws of what was captured.
#include <cstring>

#include "support.h"

namespace kobalt::gltest {
namespace {

class StreamCaptureTest : public GlTest {
protected:
    Missing missing() const override {
        return first_of({lacks(4, 0), lacks(4, 4, "GL_ARB_enhanced_layouts")});
    }
    void prepare() override {
        make_target({16, 16});
        bind_new_vao();
        gl::Enable(GL_RASTERIZER_DISCARD);
    }
    static constexpr GLuint kUntouched = 0xabcdef01;
    /// A buffer of so many words at a capture's binding.
    static GLuint bind(GLuint index, size_t words) {
        const GLuint name = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER,
                                        std::vector<GLuint>(words, kUntouched), GL_DYNAMIC_COPY);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, index, name);
        return name;
    }
    template <typename T>
    static std::vector<T> contents(GLuint buffer, size_t count) {
        std::vector<T> values(count);
        gl::BindBuffer(GL_COPY_READ_BUFFER, buffer);
        gl::GetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(T)),
                             values.data());
        return values;
    }
    static void capture(GLuint program, GLenum mode, int vertices, int instances = 1) {
        gl::UseProgram(program);
        gl::BeginTransformFeedback(mode);
        gl::DrawArraysInstanced(mode, 0, vertices, instances);
        gl::EndTransformFeedback();
    }
    static std::vector<float> floats_of(const std::vector<GLuint>& words) {
        std::vector<float> values(words.size());
        std::memcpy(values.data(), words.data(), 4 * words.size());
        return values;
    }
};

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

TEST_F(StreamCaptureTest, LayoutsPlaceVariables) {
    const GLuint program = link({{GL_VERTEX_SHADER, R"(#version 440 core
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(xfb_buffer = 2, xfb_stride = 12) out;
layout(xfb_buffer = 0, xfb_offset = 8) out vec2 a;
layout(xfb_buffer = 0, xfb_offset = 20) flat out int b;
layout(xfb_buffer = 2, xfb_offset = 4) out Block { float c; float d; };
out vec4 not_captured;
void main() { float n = float(gl_VertexID); a = vec2(n, n + 0.5); b = -gl_VertexID; c = n * 2.0;
    d = n * 3.0; not_captured = vec4(n); gl_Position = vec4(0); })"}});
    const GLuint first = bind(0, 24), second = bind(2, 9);
    capture(program, GL_POINTS, 3);
    const auto words = contents<GLuint>(first, 24), more = contents<GLuint>(second, 9);
    for (GLuint i = 0; i < 3; ++i) {
        const float n = static_cast<float>(i);
        const auto at = floats_of({words.begin() + 8 * i, words.begin() + 8 * i + 8});
        EXPECT_EQ(at[2], n);
        EXPECT_EQ(at[3], n + 0.5F);
        EXPECT_EQ(static_cast<GLint>(words[8 * i + 5]), -static_cast<GLint>(i));
        for (const GLuint gap : {0, 1, 4, 6, 7}) {
            EXPECT_EQ(words[8 * i + gap], kUntouched) << i << ", " << gap;
        }
        const auto other = floats_of({more.begin() + 3 * i, more.begin() + 3 * i + 3});
        EXPECT_EQ(more[3 * i], kUntouched);
        EXPECT_EQ(other[1], n * 2);
        EXPECT_EQ(other[2], n * 3);
    }
}

// GLSL 4.60, 4.4.2.1: so may built-in outputs be placed, in their block or alone.
TEST_F(StreamCaptureTest, LayoutsPlaceBuiltInOutputs) {
    const GLuint in_block = link({{GL_VERTEX_SHADER, R"(#version 440 core
layout(xfb_buffer = 0, xfb_stride = 40) out;
out gl_PerVertex {
    layout(xfb_offset = 20) float gl_PointSize;
    layout(xfb_offset = 4) vec4 gl_Position;
    layout(xfb_offset = 28) float gl_ClipDistance[3];
};
void main() { gl_Position = vec4(1, 2, 3, 4); gl_PointSize = 5.0; gl_ClipDistance[0] = 7.0;
    gl_ClipDistance[1] = 8.0; gl_ClipDistance[2] = 9.0; })"}});
    const GLuint alone = link({{GL_VERTEX_SHADER, R"(#version 440 core
layout(xfb_buffer = 0, xfb_stride = 40) out;
layout(xfb_offset = 28) out float gl_ClipDistance[3];
void main() { gl_Position = vec4(0); for (int i = 0; i < 3; ++i) gl_ClipDistance[i] = 7.0 + i; })"}});
    for (const GLuint program : {in_block, alone}) {
        const GLuint buffer = bind(0, 10);
        capture(program, GL_POINTS, 1);
        const auto words = contents<GLuint>(buffer, 10);
        const auto values = floats_of(words);
        for (const size_t i : {0, 6}) {
            EXPECT_EQ(words[i], kUntouched) << i;
        }
        for (const size_t i : {7, 8, 9}) {
            EXPECT_EQ(values[i], static_cast<float>(i)) << i;
        }
        for (const size_t i : {1, 2, 3, 4, 5}) {
            if (program == in_block) {
                EXPECT_EQ(values[i], static_cast<float>(i)) << i;
            } else {
                EXPECT_EQ(words[i], kUntouched) << i;
            }
        }
    }
}

// GLSL 4.60, 4.4.2: each element of an array lies at the component that the layout names.
TEST_F(StreamCaptureTest, ArraysBehindAComponent) {
    const GLuint program = link({{GL_VERTEX_SHADER, R"(#version 440 core
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(location = 3, component = 2, xfb_offset = 0) out float a[2];
layout(location = 3, component = 0, xfb_offset = 8) out vec2 b[2];
layout(location = 5, component = 3, xfb_offset = 24) out float c[2];
void main() { float n = 10.0 * float(gl_VertexID); a[0] = n; a[1] = n + 1.0;
    b[0] = vec2(n + 2.0, n + 3.0); b[1] = vec2(n + 4.0, n + 5.0); c[0] = n + 6.0; c[1] = n + 7.0;
    gl_Position = vec4(0); })"}});
    const GLuint buffer = bind(0, 24);
    capture(program, GL_POINTS, 3);
    const auto values = contents<float>(buffer, 24);
    for (size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(values[i], static_cast<float>(i / 8 * 10 + i % 8)) << i;
    }
}

TEST_F(StreamCaptureTest, Doubles) {
    const GLuint program = link({{GL_VERTEX_SHADER, R"(#version 440 core
layout(xfb_buffer = 0, xfb_stride = 64) out;
layout(xfb_offset = 0) flat out dvec3 a;
layout(xfb_offset = 24) out float b;
layout(xfb_offset = 32) flat out double c[3];
void main() { double n = double(gl_VertexID) + 1.0lf; a = dvec3(n, n / 3.0lf, -n); b = float(n);
    for (int i = 0; i < 3; ++i) c[i] = n * 1e10lf + double(i); gl_Position = vec4(0); })"}});
    const GLuint buffer = bind(0, 32);
    capture(program, GL_POINTS, 2);
    const auto values = contents<double>(buffer, 16);
    for (size_t i = 0; i < 2; ++i) {
        const double n = static_cast<double>(i) + 1;
        EXPECT_EQ(values[8 * i], n);
        EXPECT_EQ(values[8 * i + 1], n / 3);
        EXPECT_EQ(values[8 * i + 2], -n);
        for (size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(values[8 * i + 4 + k], n * 1e10 + static_cast<double>(k));
        }
    }
    const auto words = contents<GLuint>(buffer, 32);
    EXPECT_EQ(floats_of(words)[6], 1.0F);
    EXPECT_EQ(words[7], kUntouched);
    EXPECT_EQ(words[14], kUntouched);
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

TEST_F(StreamCaptureTest, SkippedComponentsAndNextBuffer) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 440 core\nflat out ivec3 a; flat out int b; void main() { a "
                            "= ivec3(1, 2, 3) * (gl_VertexID + 1); b = -1 - gl_VertexID; "
                            "gl_Position = vec4(0); }"}},
        [](GLuint name) {
            const char* const names[] = {"gl_SkipComponents1", "a", "gl_SkipComponents2",
                                         "gl_NextBuffer",      "b", "gl_SkipComponents1"};
            gl::TransformFeedbackVaryings(name, 6, names, GL_INTERLEAVED_ATTRIBS);
        });
    const GLuint first = bind(0, 12), second = bind(1, 4);
    capture(program, GL_POINTS, 2);
    const auto no = static_cast<GLint>(kUntouched);
    EXPECT_EQ(contents<GLint>(first, 12),
              (std::vector<GLint>{no, 1, 2, 3, no, no, no, 2, 4, 6, no, no}));
    EXPECT_EQ(contents<GLint>(second, 4), (std::vector<GLint>{-1, no, -2, no}));
}

} // namespace
} // namespace kobalt::gltest
