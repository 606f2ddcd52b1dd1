// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where layout qualifiers put what transform feedback captures (OpenGL 4.6, 11.1.2.1): built-in
// outputs, arrays, doubles, gaps and the next buffer.
#include "stream_capture.h"

namespace kobalt::gltest {
namespace {

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
