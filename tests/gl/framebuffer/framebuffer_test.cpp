// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

namespace kobalt::gltest {
namespace {

class FramebufferTest : public GlTest {};

TEST_F(FramebufferTest, MultipleRenderTargets) {
    constexpr int kTargets = 8;
    const GLuint framebuffer = make_target({8, 8, GL_NONE}).framebuffer;
    std::array<GLenum, kTargets> buffers{};
    std::string outputs;
    std::string body;
    for (GLuint i = 0; i < kTargets; ++i) {
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
        const GLuint texture = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture(GL_FRAMEBUFFER, buffers[i], texture, 0);
        const std::string n = std::to_string(i);
        outputs += "layout(location = " + n + ") out vec4 o" + n + ";\n";
        body += "o" + n + " = vec4(" + n + ".0 / 7.0, 1.0 - " + n + ".0 / 7.0, 0, 1);\n";
    }
    gl::DrawBuffers(kTargets, buffers.data());
    draw_fullscreen(vs_fs(kFullscreenVs, outputs + "void main() {" + body + "}"));
    for (GLuint i = 0; i < kTargets; ++i) {
        gl::ReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        const auto red = static_cast<std::uint8_t>(255.0 * i / 7.0 + 0.5);
        expect_area(0, 0, 8, 8, {red, static_cast<std::uint8_t>(255 - red), 0, 255});
    }
}

TEST_F(FramebufferTest, DrawBuffersReorderAndSkip) {
    const GLuint framebuffer = make_target({8, 8, GL_NONE}).framebuffer;
    for (GLuint i = 0; i < 3; ++i) {
        const GLuint texture = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, texture, 0);
    }
    const std::array<GLenum, 3> all{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                    GL_COLOR_ATTACHMENT2};
    gl::DrawBuffers(3, all.data());
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const std::array<GLenum, 3> some{GL_COLOR_ATTACHMENT2, GL_NONE, GL_COLOR_ATTACHMENT0};
    gl::DrawBuffers(3, some.data());
    draw_fullscreen(vs_fs(
        kFullscreenVs, "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; "
                       "layout(location = 2) out vec4 c; void main() { a = vec4(1, 0, 0, 1); b = "
                       "vec4(0, 1, 0, 1); c = vec4(0, 0, 1, 1); }"));
    for (const auto& [buffer, colour] : {std::pair{GL_COLOR_ATTACHMENT0, kBlue},
                                         {GL_COLOR_ATTACHMENT1, kBlack},
                                         {GL_COLOR_ATTACHMENT2, kRed}}) {
        gl::ReadBuffer(static_cast<GLenum>(buffer));
        expect_pixel(3, 3, colour);
    }
}

TEST_F(FramebufferTest, MixedFormatsInOneFramebuffer) {
    const GLuint framebuffer = make_target({4, 4, GL_NONE}).framebuffer;
    const std::array<GLuint, 3> textures{
        texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr),
        texture_2d(GL_RGBA32F, 4, 4, GL_RGBA, GL_FLOAT, nullptr),
        texture_2d(GL_RG32I, 4, 4, GL_RG_INTEGER, GL_INT, nullptr)};
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    std::array<GLenum, 3> buffers{};
    for (GLuint i = 0; i < 3; ++i) {
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
        gl::FramebufferTexture(GL_FRAMEBUFFER, buffers[i], textures[i], 0);
    }
    gl::DrawBuffers(3, buffers.data());
    draw_fullscreen(vs_fs(
        kFullscreenVs, "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; "
                       "layout(location = 2) out ivec4 c; void main() { a = vec4(0, 1, 0, 1); b = "
                       "vec4(-9.5, 100, 0, 2); c = ivec4(-7, 123456, 0, 0); }"));
    gl::ReadBuffer(GL_COLOR_ATTACHMENT0);
    expect_pixel(1, 1, kGreen);
    gl::ReadBuffer(GL_COLOR_ATTACHMENT1);
    expect_near(pixel_float(1, 1), {-9.5F, 100, 0, 2}, 0);
    gl::ReadBuffer(GL_COLOR_ATTACHMENT2);
    EXPECT_EQ(pixel_int(1, 1), (Int4{-7, 123456, 0, 1}));
}

TEST_F(FramebufferTest, DifferentSizesDrawTheIntersection) {
    const GLuint big = texture_2d(GL_RGBA8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLuint small = texture_2d(GL_RGBA8, 8, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    bind_texture_target(big, 16, 16);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, small, 0);
    const std::array<GLenum, 2> buffers{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    gl::DrawBuffers(2, buffers.data());
    ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER),
              static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
    draw_fullscreen(vs_fs(kFullscreenVs,
                          "layout(location = 0) out vec4 a; layout(location = 1) out "
                          "vec4 b; void main() { a = b = vec4(0, 1, 0, 1); }"));
    expect_area(0, 0, 8, 4, kGreen);
    gl::ReadBuffer(GL_COLOR_ATTACHMENT1);
    expect_area(0, 0, 8, 4, kGreen);
}

TEST_F(FramebufferTest, RenderToMipLevels) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (int level = 0; level < 4; ++level) {
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 16 >> level, 16 >> level, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, nullptr);
    }
    const RectPainter painter;
    for (int level = 0; level < 4; ++level) {
        bind_texture_target(texture, 16 >> level, 16 >> level, level);
        painter.fill({static_cast<float>(level) / 3.0F, 0, 0, 1});
    }
    for (int level = 0; level < 4; ++level) {
        const Float4 value = evaluate("uniform sampler2D t;",
                                      "textureLod(t, vec2(0.5), " + std::to_string(level) + ".0)");
        EXPECT_NEAR(value[0], static_cast<float>(level) / 3.0F, 0.01F) << "level " << level;
    }
}

TEST_F(FramebufferTest, SampleOneLevelWhileRenderingTheNext) {
    // The usual way to build a chain by hand: base and max level keep the levels apart.
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    const std::vector<std::uint8_t> white(16 * 16 * 4, 200);
    for (int level = 0; level < 5; ++level) {
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 16 >> level, 16 >> level, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, level == 0 ? white.data() : nullptr);
    }
    const GLuint program = vs_fs(kFullscreenVs, "in vec2 uv; uniform sampler2D t; out vec4 result; "
                                                "void main() { result = texture(t, uv) * 0.5; }");
    for (int level = 1; level < 5; ++level) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level - 1);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, level - 1);
        bind_texture_target(texture, 16 >> level, 16 >> level, level);
        draw_fullscreen(program);
    }
    EXPECT_NEAR(pixel(0, 0)[0], 12, 2);
}

TEST_F(FramebufferTest, PingPong) {
    std::array<GLuint, 2> textures{};
    std::array<GLuint, 2> framebuffers{};
    for (size_t i = 0; i < 2; ++i) {
        textures[i] = texture_2d(GL_R32F, 4, 4, GL_RED, GL_FLOAT, nullptr);
        framebuffers[i] = bind_texture_target(textures[i], 4, 4);
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    const GLuint program = vs_fs(
        kFullscreenVs, "in vec2 uv; uniform sampler2D t; out vec4 result; void main() { result "
                       "= texture(t, uv) * 2.0 + 1.0; }");
    for (size_t i = 0; i < 10; ++i) {
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffers[(i + 1) % 2]);
        gl::BindTexture(GL_TEXTURE_2D, textures[i % 2]);
        draw_fullscreen(program);
    }
    EXPECT_EQ(pixel_float(2, 2)[0], 1023);
}

TEST_F(FramebufferTest, DepthTextureWrittenThenSampled) {
    const GLuint depth = new_texture(GL_TEXTURE_2D);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 8, 8, 0, GL_DEPTH_COMPONENT,
                   GL_UNSIGNED_INT, nullptr);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
    gl::DrawBuffer(GL_NONE);
    gl::ReadBuffer(GL_NONE);
    ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER),
              static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
    gl::Viewport(0, 0, 8, 8);
    gl::Enable(GL_DEPTH_TEST);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    const RectPainter painter;
    painter.draw({-1, -1, 0, 1}, {1, 1, 1, 1}, -0.5F);
    gl::Disable(GL_DEPTH_TEST);
    const Float4 value = evaluate("uniform sampler2D t;",
                                  "texture(t, vec2(0.25)).r, texture(t, vec2(0.75)).r, 0, 0");
    expect_near(value, {0.25F, 1, 0, 0}, 1e-5F);
}

TEST_F(FramebufferTest, LayeredRenderingFromGeometryShader) {
    const GLuint texture = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   nullptr);
    bind_texture_target(texture, 8, 8);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const GLuint program = link(
        {{GL_VERTEX_SHADER, std::string("#version 330 core\n") + kFullscreenVs},
         {GL_GEOMETRY_SHADER,
          "#version 330 core\nlayout(triangles) in; layout(triangle_strip, max_vertices = 12) out; "
          "flat out int layer; void main() { for (int l = 0; l < 4; ++l) { for (int i = 0; i < 3; "
          "++i) { gl_Layer = 3 - l; layer = 3 - l; gl_Position = gl_in[i].gl_Position; "
          "EmitVertex(); } EndPrimitive(); } }"},
         {GL_FRAGMENT_SHADER,
          "#version 330 core\nflat in int layer; out vec4 result; void main() { "
          "result = vec4(float(layer) / 3.0, 1.0, 0, 1); }"}});
    draw_fullscreen(program);
    for (int layer = 0; layer < 4; ++layer) {
        bind_texture_target(texture, 8, 8, 0, layer);
        expect_area(0, 0, 8, 8, {static_cast<std::uint8_t>(layer * 85), 255, 0, 255});
    }
}

TEST_F(FramebufferTest, LayeredCubeAndVolume) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER, std::string("#version 330 core\n") + kFullscreenVs},
         {GL_GEOMETRY_SHADER,
          "#version 330 core\nlayout(triangles) in; layout(triangle_strip, max_vertices = 18) out; "
          "flat out int layer; void main() { for (int l = 0; l < 6; ++l) { for (int i = 0; i < 3; "
          "++i) { gl_Layer = l; layer = l; gl_Position = gl_in[i].gl_Position; EmitVertex(); } "
          "EndPrimitive(); } }"},
         {GL_FRAGMENT_SHADER,
          "#version 330 core\nflat in int layer; out vec4 result; void main() { "
          "result = vec4(float(layer) / 5.0, 0, 0, 1); }"}});
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    for (GLuint face = 0; face < 6; ++face) {
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 4, 4, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, nullptr);
    }
    bind_texture_target(cube, 4, 4);
    draw_fullscreen(program);
    EXPECT_NEAR(evaluate("uniform samplerCube t;", "texture(t, vec3(0, -1, 0))")[0], 0.6F, 0.01F);
    EXPECT_NEAR(evaluate("uniform samplerCube t;", "texture(t, vec3(0, 0, -1))")[0], 1.0F, 0.01F);
    const GLuint volume = new_texture(GL_TEXTURE_3D);
    gl::TexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 4, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    bind_texture_target(volume, 4, 4);
    draw_fullscreen(program);
    EXPECT_NEAR(evaluate("uniform sampler3D t;", "texelFetch(t, ivec3(1, 1, 2), 0)")[0], 0.4F,
                0.01F);
    EXPECT_NEAR(evaluate("uniform sampler3D t;", "texelFetch(t, ivec3(3, 3, 4), 0)")[0], 0.8F,
                0.01F);
}

TEST_F(FramebufferTest, SliceOfAVolume) {
    const GLuint volume = new_texture(GL_TEXTURE_3D);
    gl::TexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   std::vector<std::uint8_t>(256, 0).data());
    const RectPainter painter;
    bind_texture_target(volume, 4, 4, 0, 2);
    painter.fill({0, 1, 0, 1});
    const Float4 value = evaluate(
        "uniform sampler3D t;", "texelFetch(t, ivec3(1, 1, 1), 0).g, texelFetch(t, ivec3(1, 1, 2), "
                                "0).g, texelFetch(t, ivec3(1, 1, 3), 0).g, 0");
    expect_near(value, {0, 1, 0, 0}, 0.01F);
}

TEST_F(FramebufferTest, SrgbBlendsInLinearLight) {
    make_target({4, 4, GL_SRGB8_ALPHA8});
    gl::Enable(GL_FRAMEBUFFER_SRGB);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    const RectPainter painter;
    painter.fill({1, 1, 1, 0.5F});
    expect_pixel(1, 1, {188, 188, 188, 191}, 2);
    gl::Disable(GL_FRAMEBUFFER_SRGB);
}

TEST_F(FramebufferTest, SrgbToggleBetweenDraws) {
    make_target({4, 4, GL_SRGB8_ALPHA8});
    const RectPainter painter;
    painter.draw({-1, -1, 0, 1}, {0.5F, 0.5F, 0.5F, 1});
    gl::Enable(GL_FRAMEBUFFER_SRGB);
    painter.draw({0, -1, 1, 1}, {0.5F, 0.5F, 0.5F, 1});
    gl::Disable(GL_FRAMEBUFFER_SRGB);
    expect_pixel(0, 0, {128, 128, 128, 255}, 1);
    expect_pixel(3, 0, {188, 188, 188, 255}, 1);
}

TEST_F(FramebufferTest, IncompleteFramebuffersAreReported) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    EXPECT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER),
              static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT));
    gl::Clear(GL_COLOR_BUFFER_BIT);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_FRAMEBUFFER_OPERATION));
}

TEST_F(FramebufferTest, SharedExponentsAreNotRenderable) {
    // OpenGL 4.6, table 8.12. Samples don't change that, whatever they are stored as.
    for (const int samples : {0, 4}) {
        GLuint framebuffer = 0, color = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::GenRenderbuffers(1, &color);
        gl::BindRenderbuffer(GL_RENDERBUFFER, color);
        gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGB9_E5, 8, 8);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
        EXPECT_NE(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE})
            << samples << " samples";
    }
    while (gl::GetError() != GL_NO_ERROR) { // the storage may be refused already
    }
}

TEST_F(FramebufferTest, FragmentsOutsideTheViewportOfALargeTarget) {
    make_black_target({64, 64});
    const RectPainter painter;
    gl::Viewport(10, 20, 16, 8);
    painter.fill({0, 1, 0, 1});
    expect_area(10, 20, 16, 8, kGreen);
    EXPECT_EQ(count_pixels(read_picture(64, 64), kGreen), 128);
    gl::Viewport(-8, -8, 16, 16);
    painter.fill({1, 0, 0, 1});
    expect_area(0, 0, 8, 8, kRed);
    EXPECT_EQ(count_pixels(read_picture(64, 64), kRed), 64);
}

TEST_F(FramebufferTest, ScissorLimitsDraws) {
    make_black_target({32, 32});
    const RectPainter painter;
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(3, 4, 5, 6);
    painter.fill({0, 1, 0, 1});
    gl::Scissor(20, 20, 100, 100);
    painter.fill({1, 0, 0, 1});
    gl::Disable(GL_SCISSOR_TEST);
    const Picture picture = read_picture(32, 32);
    EXPECT_EQ(count_pixels(picture, kGreen), 30);
    EXPECT_EQ(count_pixels(picture, kRed), 144);
}

// A framebuffer without attachments has the samples that it was given, also before the first draw.
TEST_F(FramebufferTest, SamplesWithoutAttachments) {
    if (const Missing reason = lacks(4, 3, "GL_ARB_framebuffer_no_attachments")) {
        GTEST_SKIP() << *reason;
    }
    make_target({8, 8});
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 8);
    gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 8);
    for (const GLint wanted : {4, 0, 4}) {
        gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_SAMPLES, wanted);
        GLint buffers = -1;
        gl::GetIntegerv(GL_SAMPLE_BUFFERS, &buffers);
        EXPECT_EQ(buffers, wanted > 0 ? 1 : 0);
        GLint samples = -1;
        gl::GetIntegerv(GL_SAMPLES, &samples);
        EXPECT_GE(samples, wanted);
        EXPECT_EQ(samples > 0, wanted > 0);
    }
}

TEST_F(FramebufferTest, DeletedAttachmentsMakeRoomForNewOnes) {
    const RectPainter painter;
    for (int round = 0; round < 64; ++round) {
        GLuint texture = texture_2d(GL_RGBA8, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        GLuint framebuffer = bind_texture_target(texture, 64, 64);
        painter.fill({static_cast<float>(round) / 255.0F, 0, 0, 1});
        if (round % 16 == 15) {
            EXPECT_EQ(pixel(9, 9)[0], round);
        }
        gl::DeleteFramebuffers(1, &framebuffer);
        gl::DeleteTextures(1, &texture);
    }
}

// A renderbuffer is seen in its own format and without the encoding, and copied to what has texels
// of its size.
TEST_F(FramebufferTest, RenderbuffersInTheirFormats) {
    if (!has_extension("GL_ARB_copy_image")) {
        GTEST_SKIP() << "GL_ARB_copy_image is not there";
    }
    for (const GLenum format : {GL_RGBA8, GL_SRGB8_ALPHA8}) {
        const Target source = make_target({8, 8, format});
        const RectPainter painter;
        gl::Enable(GL_FRAMEBUFFER_SRGB);
        painter.draw({-1, -1, 0, 1}, {0.5F, 0, 1, 1});
        gl::Disable(GL_FRAMEBUFFER_SRGB);
        painter.draw({0, -1, 1, 1}, {0.5F, 0, 1, 1});
        const auto encoded = static_cast<uint8_t>(format == GL_RGBA8 ? 128 : 188);
        expect_area(0, 0, 4, 8, {encoded, 0, 255, 255});
        expect_area(4, 0, 4, 8, {128, 0, 255, 255});
        const GLuint integers =
            texture_2d(GL_RGBA8UI, 8, 8, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, nullptr);
        gl::CopyImageSubData(source.color, GL_RENDERBUFFER, 0, 0, 0, 0, integers, GL_TEXTURE_2D, 0,
                             0, 0, 0, 8, 8, 1);
        bind_texture_target(integers, 8, 8);
        EXPECT_NEAR(pixel_uint(1, 1)[0], encoded, 1);
        EXPECT_NEAR(pixel_uint(6, 6)[0], 128, 1);
        EXPECT_EQ(pixel_uint(6, 6)[2], 255U);
    }
}

} // namespace
} // namespace kobalt::gltest
