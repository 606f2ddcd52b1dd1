// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstring>

#include "support.h"

// Transform feedback between everything else.

namespace kobalt::gltest {
namespace {

class CaptureTest : public GlTest {};

TEST_F(CaptureTest, OverflowsCleanly) {
    make_target();
    bind_new_vao();
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               "#version 330 core\nout float a; out float b; void main() { a = float(gl_VertexID); "
               "b = -a; gl_Position = vec4(0); }"}},
             [](GLuint name) {
                 const std::array<const char*, 2> names{"a", "b"};
                 gl::TransformFeedbackVaryings(name, 2, names.data(), GL_SEPARATE_ATTRIBS);
             });
    gl::UseProgram(program);
    std::vector<std::uint8_t> fill(256, 0xCD);
    const GLuint a = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, fill);
    const GLuint b = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, fill);
    gl::BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, a, 0, 256);
    gl::BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, b, 8, 4 * 7); // 7 floats: 2 triangles
    std::array<GLuint, 2> queries{};
    gl::GenQueries(2, queries.data());
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[0]);
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, queries[1]);
    gl::BeginTransformFeedback(GL_TRIANGLES);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::Flush();
    gl::DrawArrays(GL_TRIANGLES, 3, 9);
    gl::EndTransformFeedback();
    gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    gl::Disable(GL_RASTERIZER_DISCARD);
    GLuint written = 0, generated = 0;
    gl::GetQueryObjectuiv(queries[0], GL_QUERY_RESULT, &written);
    gl::GetQueryObjectuiv(queries[1], GL_QUERY_RESULT, &generated);
    EXPECT_EQ(written, 2U);
    EXPECT_EQ(generated, 4U);
    std::vector<float> back(8);
    gl::BindBuffer(GL_ARRAY_BUFFER, a);
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 0, 32, back.data());
    for (size_t i = 0; i < 6; ++i)
        EXPECT_EQ(back[i], static_cast<float>(i));
    std::uint32_t raw = 0;
    std::memcpy(&raw, &back[6], 4);
    EXPECT_EQ(raw, 0xCDCDCDCDU);
    gl::BindBuffer(GL_ARRAY_BUFFER, b);
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 8, 32, back.data());
    for (size_t i = 0; i < 6; ++i)
        EXPECT_EQ(back[i], -static_cast<float>(i));
    std::memcpy(&raw, &back[6], 4);
    EXPECT_EQ(raw, 0xCDCDCDCDU);
}

// OpenGL 4.6, 13.3.2, table 13.1: without a geometry shader what is drawn has no neighbours.
TEST_F(CaptureTest, PrimitivesWithNeighboursAreRefused) {
    make_target();
    bind_new_vao();
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 330 core\nout float a; void main() { a = 1.0; "
                                 "gl_Position = vec4(0); }"}},
             [](GLuint name) {
                 const std::array<const char*, 1> names{"a"};
                 gl::TransformFeedbackVaryings(name, 1, names.data(), GL_SEPARATE_ATTRIBS);
             });
    gl::UseProgram(program);
    gl::BindBufferBase(
        GL_TRANSFORM_FEEDBACK_BUFFER, 0,
        make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<std::uint8_t>(256, 0)));
    for (const GLenum captured : {GL_POINTS, GL_LINES}) {
        gl::BeginTransformFeedback(captured);
        for (const GLenum drawn : {GL_LINES_ADJACENCY, GL_LINE_STRIP_ADJACENCY,
                                   GL_TRIANGLES_ADJACENCY, GL_TRIANGLE_STRIP_ADJACENCY}) {
            gl::DrawArrays(drawn, 0, 6);
            EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION}) << captured << ", " << drawn;
        }
        gl::DrawArrays(captured, 0, 6);
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR}) << captured;
        gl::EndTransformFeedback();
    }
}

TEST_F(CaptureTest, GoesOnOverFlushesClearsAndUploads) {
    const Target target = make_target();
    bind_new_vao();
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 330 core\nout float a; void main() { a = "
                                 "float(gl_VertexID); gl_Position = vec4(0); }"},
              {GL_FRAGMENT_SHADER, "#version 330 core\nout vec4 c; void main() { c = vec4(1); }"}},
             [](GLuint name) {
                 const char* out = "a";
                 gl::TransformFeedbackVaryings(name, 1, &out, GL_INTERLEAVED_ATTRIBS);
             });
    std::vector<std::uint8_t> fill(256, 0xCD);
    const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, fill);
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl::UseProgram(program);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 0, 2);
    gl::Flush();
    gl::DrawArrays(GL_POINTS, 2, 2);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::ColorMask(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::ColorMask(1, 1, 1, 1);
    gl::DrawArrays(GL_POINTS, 4, 2);
    texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, std::vector<std::uint8_t>(64).data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    gl::GenerateMipmap(GL_TEXTURE_2D);
    gl::DrawArrays(GL_POINTS, 6, 2);
    (void)pixel(0, 0);
    gl::DrawArrays(GL_POINTS, 8, 2);
    target.bind();
    gl::Finish();
    gl::DrawArrays(GL_POINTS, 10, 2);
    gl::EndTransformFeedback();
    std::vector<float> back(12);
    gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 48, back.data());
    for (size_t i = 0; i < back.size(); ++i)
        EXPECT_EQ(back[i], static_cast<float>(i)) << i;
}

// What a capture wrote is an index buffer, a uniform block, a texture buffer, texels.
TEST_F(CaptureTest, BytesServeEverywhere) {
    make_target({8, 8});
    bind_new_vao();
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 330 core\nflat out uint a; uniform uint base; void "
                            "main() { a = uint(gl_VertexID) + base; gl_Position = vec4(0); }"}},
        [](GLuint name) {
            const char* out = "a";
            gl::TransformFeedbackVaryings(name, 1, &out, GL_INTERLEAVED_ATTRIBS);
        });
    const GLuint buffer =
        make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<std::uint32_t>(64, 77));
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_BUFFER, texture);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    const GLuint reader =
        vs_fs("flat out int i; void main() { i = gl_VertexID; gl_Position = "
              "vec4((float(gl_VertexID % 8) + 0.5) / 4.0 - 1.0, 0, 0, 1); gl_PointSize = 8.0; }",
              "flat in int i; uniform usamplerBuffer t; layout(std140) uniform B { uvec4 b[16]; "
              "}; out uvec4 c; void main() { c = uvec4(texelFetch(t, i % 8).r, b[1].x, uint(i), "
              "0u); }");
    gl::UniformBlockBinding(reader, gl::GetUniformBlockIndex(reader, "B"), 0);
    const Target target = make_target({8, 1, GL_RGBA32UI});
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    for (GLuint round = 0; round < 3; ++round) {
        gl::UseProgram(program);
        gl::Uniform1ui(gl::GetUniformLocation(program, "base"), round * 8);
        gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl::Enable(GL_RASTERIZER_DISCARD);
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 64);
        gl::EndTransformFeedback();
        gl::Disable(GL_RASTERIZER_DISCARD);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
        gl::UseProgram(reader);
        gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
        target.bind();
        const Uint4 zero{};
        gl::ClearBufferuiv(GL_COLOR, 0, zero.data());
        gl::Scissor(0, 0, 8, 1);
        gl::PointSize(1);
        gl::DrawElements(GL_POINTS, 1, GL_UNSIGNED_INT, nullptr);
        EXPECT_EQ(pixel_uint(0, 0), (Uint4{round * 8, round * 8 + 4, round * 8, 0})) << round;
    }
}

// OpenGL 4.6, 13.3.3: the vertices that were captured are counted by the program that captured
// them, whatever drew while that paused, and though nothing was drawn after it.
TEST_F(CaptureTest, CountsWithItsOwnProgram) {
    if (const Missing why = lacks(4, 0)) {
        GTEST_SKIP() << *why;
    }
    make_target();
    bind_new_vao();
    const auto capturing = [](const char* name) {
        return link({{GL_VERTEX_SHADER, "#version 330 core\nout vec3 wide; out float narrow; void "
                                        "main() { wide = vec3(1); narrow = 2.0; gl_Position = "
                                        "vec4(0, 0, 0, 1); }"}},
                    [name](GLuint program) {
                        gl::TransformFeedbackVaryings(program, 1, &name, GL_INTERLEAVED_ATTRIBS);
                    });
    };
    const GLuint wide = capturing("wide"), narrow = capturing("narrow");
    GLuint object = 0, query = 0;
    gl::GenTransformFeedbacks(1, &object);
    gl::GenQueries(1, &query);
    gl::Enable(GL_RASTERIZER_DISCARD);
    for (const auto& [first, second] : {std::pair(wide, narrow), std::pair(narrow, wide)}) {
        gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
        gl::BindBufferBase(
            GL_TRANSFORM_FEEDBACK_BUFFER, 0,
            make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<std::uint8_t>(256, 0)));
        gl::UseProgram(first);
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 10);
        gl::PauseTransformFeedback();
        gl::UseProgram(second);
        gl::DrawArrays(GL_POINTS, 0, 1);
        gl::UseProgram(first);
        gl::ResumeTransformFeedback();
        gl::EndTransformFeedback();
        gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
        gl::BeginQuery(GL_PRIMITIVES_GENERATED, query);
        gl::DrawTransformFeedback(GL_POINTS, object);
        gl::EndQuery(GL_PRIMITIVES_GENERATED);
        GLuint drawn = 0;
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &drawn);
        EXPECT_EQ(drawn, 10U) << (first == wide ? "wide" : "narrow");
    }
}

} // namespace
} // namespace kobalt::gltest
