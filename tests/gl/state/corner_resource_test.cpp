// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What one use of a texture or buffer must not do to another.
#include "corner.h"

namespace kobalt::gltest {
namespace {

TEST_F(CornerTest, BufferTextureFollowsOrphanedStorage) {
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, std::vector<std::uint32_t>(16, 5));
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_BUFFER, texture);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    EXPECT_EQ(evaluate_uint("uniform usamplerBuffer t;",
                            "texelFetch(t, 3).r, uint(textureSize(t)), 0u, 0u"),
              (Uint4{5, 16, 0, 0}));
    gl::BindBuffer(GL_TEXTURE_BUFFER, buffer);
    const std::vector<std::uint32_t> more(32, 6);
    gl::BufferData(GL_TEXTURE_BUFFER, 128, more.data(), GL_DYNAMIC_DRAW);
    gl::BindTexture(GL_TEXTURE_BUFFER, texture);
    EXPECT_EQ(evaluate_uint("uniform usamplerBuffer t;",
                            "texelFetch(t, 20).r, uint(textureSize(t)), 0u, 0u"),
              (Uint4{6, 32, 0, 0}));
    for (std::uint32_t i = 0; i < 20; ++i) {
        gl::BufferData(GL_TEXTURE_BUFFER, 128, nullptr, GL_DYNAMIC_DRAW);
        const std::vector<std::uint32_t> round(32, i);
        gl::BufferSubData(GL_TEXTURE_BUFFER, 0, 128, round.data());
        EXPECT_EQ(evaluate_uint("uniform usamplerBuffer t;", "texelFetch(t, 9).r, 0u, 0u, 0u")[0],
                  i);
        gl::BindTexture(GL_TEXTURE_BUFFER, texture);
        gl::BindBuffer(GL_TEXTURE_BUFFER, buffer);
    }
}

TEST_F(CornerTest, PixelsPackedIntoABufferServeAsVerticesAndTexels) {
    make_target({8, 1, GL_RGBA8});
    const RectPainter painter;
    bind_new_vao();
    const GLuint program =
        vs_fs("layout(location = 0) in vec4 a; out vec4 v; void main() { v = a; gl_Position = "
              "vec4((float(gl_VertexID) + 0.5) / 4.0 - 1.0, 0, 0, 1); gl_PointSize = 1.0; }",
              "in vec4 v; out vec4 c; void main() { c = v; }");
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    const GLuint buffer = make_buffer(GL_PIXEL_PACK_BUFFER, 256, nullptr, GL_STREAM_COPY);
    const Target second = make_target({8, 1, GL_RGBA8});
    const Target first = make_target({8, 1, GL_RGBA8});
    for (int round = 0; round < 4; ++round) {
        const float level = static_cast<float>(round) / 4;
        first.bind();
        painter.fill({level, 1 - level, 0.5F, 1});
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
        gl::ReadPixels(0, 0, 8, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        second.bind();
        bind_new_vao();
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::EnableVertexAttribArray(0);
        gl::VertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
        gl::UseProgram(program);
        gl::DrawArrays(GL_POINTS, 0, 8);
        const auto byte = static_cast<std::uint8_t>(level * 255 + 0.5F);
        expect_area(0, 0, 8, 1, {byte, static_cast<std::uint8_t>(255 - byte), 128, 255}, 2);
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        texture_2d(GL_RGBA8, 8, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        std::array<std::uint8_t, 32> back{};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, back.data());
        EXPECT_NEAR(back[16], byte, 1);
    }
}

TEST_F(CornerTest, DepthIsReadWhileStencilIsTested) {
    const GLuint depth =
        texture_2d(GL_DEPTH24_STENCIL8, 8, 8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, nullptr);
    const GLuint framebuffer = make_target({8, 8}).framebuffer;
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, depth, 0);
    gl::ClearDepth(0.5);
    gl::ClearStencil(1);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_EQUAL, 1, 0xFF);
    gl::DepthMask(GL_FALSE);
    gl::BindTexture(GL_TEXTURE_2D, depth);
    draw_fullscreen(vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 c; void main() { c = "
                                         "vec4(texelFetch(t, ivec2(3, 3), 0).r, 0, 0, 1); }"));
    expect_area(0, 0, 8, 8, {128, 0, 0, 255});
    gl::DepthMask(GL_TRUE);
}

TEST_F(CornerTest, TextureViewOfLevelsWhileOthersAreRendered) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    for (int level = 0; level < 4; ++level)
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 8 >> level, 8 >> level, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, nullptr);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    const GLuint program =
        vs_fs(kFullscreenVs, "uniform sampler2D t; in vec2 uv; out vec4 c; void main() { c = "
                             "textureLod(t, uv, 0.0) + vec4(1.0 / 16.0); }");
    bind_texture_target(texture, 8, 8, 0);
    gl::ClearColor(0.25F, 0.25F, 0.25F, 0.25F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    for (int level = 1; level < 4; ++level) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level - 1);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, level - 1);
        bind_texture_target(texture, 8 >> level, 8 >> level, level);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        draw_fullscreen(program);
    }
    expect_pixel(0, 0, {112, 112, 112, 112}, 2);
}

TEST_F(CornerTest, ManyUploadsBetweenDrawsStayInOrder) {
    make_target({64, 1});
    const GLuint texture = texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    (void)texture;
    bind_new_vao();
    const GLuint program =
        vs_fs("uniform int x; void main() { gl_Position = vec4((float(x) + 0.5) / 32.0 - 1.0, 0, "
              "0, 1); gl_PointSize = 1.0; }",
              "uniform sampler2D t; out vec4 c; void main() { c = texelFetch(t, ivec2(1), 0); }");
    gl::UseProgram(program);
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    for (int x = 0; x < 64; ++x) {
        const std::vector<std::uint8_t> texels(64, static_cast<std::uint8_t>(x * 4));
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        gl::Uniform1i(gl::GetUniformLocation(program, "x"), x);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    for (int x = 0; x < 64; ++x) {
        const auto byte = static_cast<std::uint8_t>(x * 4);
        expect_pixel(x, 0, {byte, byte, byte, byte}, 0);
    }
}

TEST_F(CornerTest, CubeFacesFilterIntoEachOther) {
    const GLuint texture = new_texture(GL_TEXTURE_CUBE_MAP);
    (void)texture;
    for (GLenum face = 0; face < 6; ++face) {
        const auto level = static_cast<std::uint8_t>(face == 0 ? 255 : 0);
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_R8, 2, 2, 0, GL_RED,
                       GL_UNSIGNED_BYTE, std::vector<std::uint8_t>(8, level).data());
    }
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl::Enable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    EXPECT_NEAR(evaluate("uniform samplerCube t;", "texture(t, vec3(1.0, 0.9999, 0.0))")[0], 0.5F,
                0.02F);
    gl::Disable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
}

} // namespace
} // namespace kobalt::gltest
