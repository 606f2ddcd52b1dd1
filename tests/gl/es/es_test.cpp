// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

namespace kobalt::gltest {
namespace {

class EsDrawTest : public EsTest {
protected:
    void prepare() override { make_black_target({16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8}); }
    static GLuint program(const std::string& fragment, const std::string& vertex = kFullscreenVs) {
        const std::string header =
            "#version 300 es\nprecision highp float;\nprecision highp int;\n";
        return link({{GL_VERTEX_SHADER, header + vertex}, {GL_FRAGMENT_SHADER, header + fragment}});
    }
};

TEST_F(EsDrawTest, Triangle) {
    draw_fullscreen(program("out vec4 result; void main() { result = vec4(0, 1, 0, 1); }"));
    expect_area(0, 0, 16, 16, kGreen);
}

TEST_F(EsDrawTest, OldShadingLanguage) {
    const GLuint name = link(
        {{GL_VERTEX_SHADER, "attribute vec2 p; varying vec2 v; void main() { v = p * 0.5 + 0.5; "
                            "gl_Position = vec4(p, 0.0, 1.0); }"},
         {GL_FRAGMENT_SHADER, "precision mediump float; varying vec2 v; uniform sampler2D t; void "
                              "main() { gl_FragColor = texture2D(t, v); }"}},
        [](GLuint program) { gl::BindAttribLocation(program, 0, "p"); });
    const std::array<std::uint8_t, 8> texels{255, 0, 0, 255, 0, 255, 0, 255};
    texture_2d(GL_RGBA8, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 3, -1, -1, 3});
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 8, 16, kRed);
    expect_area(8, 0, 8, 16, kGreen);
}

TEST_F(EsDrawTest, ClientSideVertices) {
    const GLuint name =
        program("out vec4 result; void main() { result = vec4(0, 1, 0, 1); }",
                "layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, "
                "0, 1); }");
    const std::array<float, 6> points{-1, -1, 3, -1, -1, 3};
    gl::BindVertexArray(0);
    gl::BindBuffer(GL_ARRAY_BUFFER, 0);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, points.data());
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 16, 16, kGreen);
}

// Few vertices far apart, from the app's memory, are copied to lie side by side.
TEST_F(EsDrawTest, ClientSideVerticesKeepTheirNumbers) {
    const GLuint name = program(
        "flat in int number; out vec4 result; void main() { result = number == 99 ? vec4(0, "
        "1, 0, 1) : vec4(1, 0, 0, 1); }",
        "layout(location = 0) in vec2 p; flat out int number; void main() { gl_Position = "
        "vec4(p, 0, 1); number = gl_VertexID; }");
    std::vector<float> points(200);
    points[0] = points[1] = points[197] = points[198] = -1;
    points[196] = points[199] = 3;
    const std::array<std::uint8_t, 3> indices{0, 98, 99};
    gl::BindVertexArray(0);
    gl::BindBuffer(GL_ARRAY_BUFFER, 0);
    gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, points.data());
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(name);
    gl::DrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices.data());
    expect_area(0, 0, 16, 16, kGreen);
}

TEST_F(EsDrawTest, ImmutableTexturesAndSwizzle) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 4, 4);
    for (int level = 0; level < 3; ++level) {
        const std::vector<std::uint8_t> data(static_cast<size_t>(64 >> (2 * level)),
                                             static_cast<std::uint8_t>(50 * (level + 1)));
        gl::TexSubImage2D(GL_TEXTURE_2D, level, 0, 0, 4 >> level, 4 >> level, GL_RGBA,
                          GL_UNSIGNED_BYTE, data.data());
    }
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_A, GL_ONE);
    draw_fullscreen(
        program("uniform sampler2D t; out vec4 result; void main() { result = "
                "vec4(textureLod(t, vec2(0.5), 0.0).r, textureLod(t, vec2(0.5), 1.0).r, "
                "textureLod(t, vec2(0.5), 2.0).r, texture(t, vec2(0.5)).a); }"));
    expect_pixel(3, 3, {50, 100, 150, 255});
}

TEST_F(EsDrawTest, StencilTextures) {
    if (!has_version(3, 1)) {
        GTEST_SKIP() << "Mesa takes GL_STENCIL_INDEX from OpenGL ES 3.1 on";
    }
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    const std::array<std::uint8_t, 16> texels{1, 2,  3,  4,  5,  6,  7,  8,
                                              9, 10, 11, 12, 13, 14, 15, 16};
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX8, 4, 4, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,
                   texels.data());
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    EXPECT_TRUE(has_extension("GL_OES_texture_stencil8"));
    gl::DeleteTextures(1, &texture);
}

TEST_F(EsDrawTest, CompressedEtc2) {
    // One ETC2 block in individual mode: both halves of base colour 15,0,0 with modifier 2.
    const std::array<std::uint8_t, 8> block{0xFF, 0x00, 0x00, 0x00, 0, 0, 0, 0};
    new_texture(GL_TEXTURE_2D);
    gl::CompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 0, 8, block.data());
    draw_fullscreen(
        program("uniform sampler2D t; out vec4 result; void main() { result = texture(t, "
                "vec2(0.5)); }"));
    expect_pixel(3, 3, {255, 2, 2, 255}, 1);
}

TEST_F(EsDrawTest, FixedPrimitiveRestart) {
    const GLuint name =
        program("out vec4 result; void main() { result = vec4(0, 1, 0, 1); }",
                "layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, "
                "0, 1); }");
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER,
                std::vector<float>{-1, -1, 0, -1, -1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1});
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER,
                std::vector<std::uint16_t>{0, 1, 2, 3, 0xFFFF, 4, 5, 6, 7});
    gl::Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    gl::UseProgram(name);
    gl::DrawElements(GL_TRIANGLE_STRIP, 9, GL_UNSIGNED_SHORT, nullptr);
    expect_area(0, 0, 8, 8, kGreen);
    expect_area(8, 8, 8, 8, kGreen);
    EXPECT_EQ(count_pixels(read_picture(16, 16), kGreen), 128);
}

TEST_F(EsDrawTest, TransformFeedback) {
    const GLuint name =
        link({{GL_VERTEX_SHADER, "#version 300 es\nout vec2 v; void main() { v = vec2(gl_VertexID, "
                                 "gl_VertexID * 2); gl_Position = vec4(0); }"},
              {GL_FRAGMENT_SHADER,
               "#version 300 es\nprecision highp float; in vec2 v; out vec4 result; void "
               "main() { result = v.xyxy; }"}},
             [](GLuint program) {
                 const char* output = "v";
                 gl::TransformFeedbackVaryings(program, 1, &output, GL_INTERLEAVED_ATTRIBS);
             });
    bind_new_vao();
    const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 32, nullptr, GL_STREAM_READ);
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl::UseProgram(name);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 0, 4);
    gl::EndTransformFeedback();
    gl::Disable(GL_RASTERIZER_DISCARD);
    const auto* data = static_cast<const float*>(
        gl::MapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 32, GL_MAP_READ_BIT));
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data[6], 3);
    EXPECT_EQ(data[7], 6);
    gl::UnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

TEST_F(EsDrawTest, OcclusionQuery) {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    const GLuint name = program("out vec4 result; void main() { result = vec4(1); }");
    gl::BeginQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, query);
    draw_fullscreen(name);
    gl::EndQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE);
    GLuint value = 0;
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
    EXPECT_EQ(value, 1U);
}

TEST_F(EsDrawTest, InvalidateKeepsWorking) {
    const GLuint name = program("out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    draw_fullscreen(name);
    const GLenum depth = GL_DEPTH_ATTACHMENT;
    gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &depth);
    expect_area(0, 0, 16, 16, kGreen);
    const GLenum colour = GL_COLOR_ATTACHMENT0;
    gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &colour);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_area(0, 0, 16, 16, kRed);
}

TEST_F(EsDrawTest, IntegerTexturesAndTargets) {
    const std::array<std::uint32_t, 4> texel{7, 70000, 0xFFFFFFFF, 1};
    texture_2d(GL_RGBA32UI, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texel.data());
    make_target({4, 4, GL_RGBA32UI});
    draw_fullscreen(program("uniform highp usampler2D t; out uvec4 result; void main() { result = "
                            "texelFetch(t, ivec2(0), 0) + uvec4(1u); }"));
    EXPECT_EQ(pixel_uint(1, 1), (Uint4{8, 70001, 0, 2}));
}

TEST_F(EsDrawTest, PackingFunctions) {
    make_target({1, 1, GL_RGBA32UI});
    const GLuint name = program(
        "uniform vec2 v; out uvec4 result; void main() { result = uvec4(packHalf2x16(v), "
        "packSnorm2x16(v), packUnorm2x16(v), uint(unpackHalf2x16(0x3C00C000u).x * -10.0)); }");
    gl::UseProgram(name);
    gl::Uniform2f(gl::GetUniformLocation(name, "v"), 1.0F, 0.5F);
    draw_fullscreen(name);
    const Uint4 value = pixel_uint(0, 0);
    EXPECT_EQ(value[0], 0x38003C00U);
    EXPECT_NEAR(value[1], 0x40007FFFU, 0x10000);
    EXPECT_NEAR(value[2], 0x8000FFFFU, 0x10000);
    EXPECT_EQ(value[3], 20U);
}

TEST_F(EsDrawTest, MultisampledRenderbufferResolve) {
    const Target source = make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    draw_fullscreen(program("out vec4 result; void main() { result = vec4(0, 1, 0, 1); }"));
    const Target target = make_target({8, 8});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    target.bind();
    expect_area(0, 0, 8, 8, kGreen);
}

} // namespace
} // namespace kobalt::gltest
