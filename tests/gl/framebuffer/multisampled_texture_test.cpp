// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_multisampled_render_to_texture: several samples are rendered, one is kept.
#include "counters.h"
#include "multisampled_texture.h"

namespace kobalt::gltest {
namespace {

constexpr Float4 kRedColour{1, 0, 0, 1};
constexpr Float4 kBlueColour{0, 0, 1, 1};

class MultisampledTextureTest : public MultisampledTexture {};

TEST_F(MultisampledTextureTest, EdgesAreMixed) {
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_pixel(kSize - 1, kSize - 1, kBlack);
    const GLuint plain = texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    bind_texture_target(plain, kSize, kSize);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    EXPECT_EQ(mixed(), 0);
}

// What the texture held is what each sample begins with.
TEST_F(MultisampledTextureTest, ContentsAreLoaded) {
    texture_ = filled_texture(kBlue);
    attach(4);
    draw_triangle();
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_pixel(kSize - 1, kSize - 1, kBlue);
}

TEST_F(MultisampledTextureTest, ReadsBetweenDraws) {
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    const int edge = mixed();
    EXPECT_GT(edge, 8);
    draw_rect(12, 12, 2, 2, kRedColour);
    expect_area(12, 12, 2, 2, kRed);
    draw_rect(14, 14, 2, 2, kBlueColour);
    expect_area(12, 12, 2, 2, kRed);
    expect_area(14, 14, 2, 2, kBlue);
    expect_pixel(1, 1, kGreen);
    EXPECT_EQ(mixed(), edge);
}

TEST_F(MultisampledTextureTest, BlendsOverWhatWasLoaded) {
    texture_ = filled_texture({0, 100, 50, 255});
    attach(4);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    draw_rect(0, 0, 8, kSize, {0.4F, 0, 0.2F, 0});
    expect_area(0, 0, 8, kSize, {102, 100, 101, 255});
    draw_rect(4, 0, 8, kSize, {0.2F, 0, 0, 0});
    expect_area(0, 0, 4, kSize, {102, 100, 101, 255});
    expect_area(4, 0, 4, kSize, {153, 100, 101, 255});
    expect_area(8, 0, 4, kSize, {51, 100, 50, 255});
    expect_area(12, 0, 4, kSize, {0, 100, 50, 255});
}

TEST_F(MultisampledTextureTest, FramebuffersTakeTurns) {
    const GLuint second = filled_texture(kBlue);
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    const GLuint other = framebuffer_of(second);
    draw_triangle();
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    draw_rect(12, 12, 2, 2, kRedColour);
    gl::BindFramebuffer(GL_FRAMEBUFFER, other);
    draw_rect(14, 14, 2, 2, kRedColour);
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_area(12, 12, 2, 2, kBlue);
    expect_area(14, 14, 2, 2, kRed);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_area(12, 12, 2, 2, kRed);
    expect_area(14, 14, 2, 2, kBlack);
}

// Whoever writes the texture between two draws, the second finds it.
TEST_F(MultisampledTextureTest, UploadsBetweenDraws) {
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    const std::vector<Byte4> red(16, kRed);
    gl::BindTexture(GL_TEXTURE_2D, texture_);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 12, 12, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, red.data());
    draw_rect(8, 12, 4, 4, kBlueColour);
    expect_area(12, 12, 4, 4, kRed);
    expect_area(8, 12, 4, 4, kBlue);
    expect_pixel(1, 1, kGreen);
}

TEST_F(MultisampledTextureTest, OthersDrawBetweenDraws) {
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    bind_texture_target(texture_, kSize, kSize);
    draw_rect(12, 12, 4, 4, kRedColour);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    draw_rect(8, 12, 4, 4, kBlueColour);
    expect_area(12, 12, 4, 4, kRed);
    expect_area(8, 12, 4, 4, kBlue);
    expect_pixel(1, 1, kGreen);
    const GLuint source = filled_texture(kYellow);
    bind_texture_target(source, kSize, kSize);
    gl::BindTexture(GL_TEXTURE_2D, texture_);
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 12, 0, 0, 0, 4, 4);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    draw_rect(8, 8, 4, 4, kBlueColour);
    expect_area(12, 0, 4, 4, kYellow);
    expect_area(12, 12, 4, 4, kRed);
    expect_area(8, 8, 4, 4, kBlue);
}

TEST_F(MultisampledTextureTest, ClearsOfAPart) {
    texture_ = filled_texture(kBlue);
    attach(4);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(4, 4, 4, 4);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_SCISSOR_TEST);
    expect_area(4, 4, 4, 4, kRed);
    expect_area(8, 0, 8, kSize, kBlue);
    expect_area(0, 8, kSize, 8, kBlue);
    gl::ClearColor(1, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_area(0, 0, kSize, kSize, kYellow);
    // Without a channel.
    gl::ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect_area(0, 0, kSize, kSize, kGreen);
}

TEST_F(MultisampledTextureTest, Invalidated) {
    texture_ = filled_texture(kBlue);
    attach(4);
    constexpr GLenum colour = GL_COLOR_ATTACHMENT0;
    gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &colour);
    draw_rect(0, 0, kSize, kSize, kRedColour);
    expect_area(0, 0, kSize, kSize, kRed);
    draw_triangle();
    EXPECT_GT(mixed(), 8);
    expect_pixel(kSize - 1, kSize - 1, kRed);
    gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &colour);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    EXPECT_GT(mixed(), 8);
    expect_pixel(kSize - 1, kSize - 1, kBlack);
}

TEST_F(MultisampledTextureTest, TexturesShowWhatWasDrawn) {
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    const int edge = mixed();
    const GLuint shown =
        link({{GL_VERTEX_SHADER, "#version 300 es\n" + std::string(kFullscreenVs)},
              {GL_FRAGMENT_SHADER,
               "#version 300 es\nprecision highp float; uniform sampler2D picture; in vec2 uv; "
               "out vec4 c; void main() { c = texture(picture, uv); }"}});
    const GLuint plain = texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLuint copy = bind_texture_target(plain, kSize, kSize);
    for (int i = 0; i < 2; ++i) {
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        draw_rect(12 + 2 * i, 12, 2, 2, kBlueColour);
        gl::BindFramebuffer(GL_FRAMEBUFFER, copy);
        gl::BindTexture(GL_TEXTURE_2D, texture_);
        gl::UseProgram(shown);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        EXPECT_EQ(mixed(), edge);
        expect_pixel(1, 1, kGreen);
        expect_area(12, 12, 2 + 2 * i, 2, kBlue);
        expect_area(12, 14, 4, 2, kBlack);
    }
}

TEST_F(MultisampledTextureTest, BlitsShowWhatWasDrawn) {
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_triangle();
    const int edge = mixed();
    draw_rect(12, 12, 2, 2, kBlueColour);
    const GLuint plain = texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLuint copy = bind_texture_target(plain, kSize, kSize);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::BindFramebuffer(GL_FRAMEBUFFER, copy);
    EXPECT_EQ(mixed(), edge);
    expect_area(12, 12, 2, 2, kBlue);
}

TEST_F(MultisampledTextureTest, LevelsAndFaces) {
    GLuint levels = 0;
    gl::GenTextures(1, &levels);
    gl::BindTexture(GL_TEXTURE_2D, levels);
    gl::TexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 2 * kSize, 2 * kSize);
    const std::vector<Byte4> blue(size_t{4} * kSize * kSize, kBlue);
    for (int level = 0; level < 2; ++level)
        gl::TexSubImage2D(GL_TEXTURE_2D, level, 0, 0, 2 * kSize >> level, 2 * kSize >> level,
                          GL_RGBA, GL_UNSIGNED_BYTE, blue.data());
    attach(4, GL_COLOR_ATTACHMENT0, levels, GL_TEXTURE_2D, 1);
    draw_triangle();
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_pixel(kSize - 1, kSize - 1, kBlue);
    bind_texture_target(levels, 2 * kSize, 2 * kSize);
    expect_area(0, 0, 2 * kSize, 2 * kSize, kBlue);

    GLuint cube = 0;
    gl::GenTextures(1, &cube);
    gl::BindTexture(GL_TEXTURE_CUBE_MAP, cube);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, kSize, kSize);
    for (GLenum face = 0; face < 6; ++face)
        gl::TexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 0, 0, kSize, kSize, GL_RGBA,
                          GL_UNSIGNED_BYTE, blue.data());
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl::Viewport(0, 0, kSize, kSize);
    for (const GLenum face : {3, 4}) {
        attach(4, GL_COLOR_ATTACHMENT0, cube, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face);
        draw_triangle();
    }
    for (GLenum face = 0; face < 6; ++face) {
        SCOPED_TRACE(face);
        attach(0, GL_COLOR_ATTACHMENT0, cube, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face);
        EXPECT_EQ(mixed() > 8, face == 3 || face == 4);
        expect_pixel(1, 1, face == 3 || face == 4 ? kGreen : kBlue);
        expect_pixel(kSize - 1, kSize - 1, kBlue);
    }
}

// Samples are filled from the texture only where something of it can be seen.
TEST_F(MultisampledTextureTest, NothingIsLoadedInVain) {
    if (!has_extension("GL_AMD_performance_monitor") || !CounterMonitor::offered()) {
        GTEST_SKIP() << "no counters here";
    }
    const CounterMonitor monitor;
    const auto passes = [&](const std::function<void()>& scene) {
        return monitor.measure([&] {
            scene();
            gl::Flush();
        })["passes"];
    };
    attach(4); // never written
    EXPECT_EQ(passes([&] { draw_triangle(); }), 1);
    EXPECT_EQ(passes([&] { draw_triangle(); }), 1);
    const GLuint blue = filled_texture(kBlue);
    attach(4, GL_COLOR_ATTACHMENT0, blue);
    const auto clear_and_draw = [&] {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw_triangle();
    };
    EXPECT_EQ(passes(clear_and_draw), 1);
    gl::BindTexture(GL_TEXTURE_2D, blue);
    const auto upload = [] {
        const std::vector<Byte4> red(16, kRed);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, red.data());
    };
    upload();
    EXPECT_EQ(passes(clear_and_draw), 1);
    upload();
    EXPECT_EQ(passes([&] {
                  constexpr GLenum colour = GL_COLOR_ATTACHMENT0;
                  gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &colour);
                  draw_triangle();
              }),
              1);
    upload();
    EXPECT_LE(passes([&] { draw_triangle(); }), 2);
}

// More than there may be samples for at once (256 MiB): what each holds stays with its texture.
TEST_F(MultisampledTextureTest, LargeOnesTakeTurns) {
    constexpr int sizes[3][2] = {{4096, 2048}, {4096, 2048}, {2048, 4096}};
    constexpr Float4 colours[3] = {kRedColour, {0, 1, 0, 1}, kBlueColour};
    constexpr Byte4 texels[3] = {kRed, kGreen, kBlue};
    GLuint framebuffers[3];
    for (size_t i = 0; i < 3; ++i) {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, sizes[i][0], sizes[i][1]);
        framebuffers[i] = framebuffer_of(texture);
        gl::ClearColor(colours[i][0], colours[i][1], colours[i][2], 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    for (size_t i = 0; i < 3; ++i) {
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
        draw_rect(4, 0, 4, 4, colours[(i + 1) % 3]);
    }
    for (size_t i = 0; i < 3; ++i) {
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
        expect_area(0, 0, 4, 4, texels[i]);
        expect_area(4, 0, 4, 4, texels[(i + 1) % 3]);
        expect_pixel(sizes[i][0] - 1, sizes[i][1] - 1, texels[i]);
    }
}

TEST_F(MultisampledTextureTest, SamplesAreTold) {
    constexpr GLenum texture_samples = 0x8D6C; // FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT
    using Function = void(APIENTRYP)(GLenum, GLenum, GLenum, GLint*);
    const auto get =
        reinterpret_cast<Function>(eglGetProcAddress("glGetFramebufferAttachmentParameteriv"));
    ASSERT_NE(get, nullptr);
    const auto told = [&] {
        GLint samples = -1;
        get(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture_samples, &samples);
        return samples;
    };
    GLint most = 0;
    gl::GetIntegerv(GL_MAX_SAMPLES, &most);
    GLuint depth = 0;
    gl::GenRenderbuffers(1, &depth);
    gl::BindRenderbuffer(GL_RENDERBUFFER, depth);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    for (GLint samples = 1; samples <= most; ++samples) {
        SCOPED_TRACE(samples);
        gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT16, kSize,
                                           kSize);
        attach(samples); // is complete: both have the next count that there is
        EXPECT_GE(told(), samples);
        GLint same = 0;
        gl::GetIntegerv(GL_SAMPLES, &same);
        EXPECT_EQ(same, told());
    }
    call_attach(most + 1, GL_COLOR_ATTACHMENT0, filled_texture(kRed));
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    EXPECT_EQ(told(), most); // nothing was attached
    call_attach(-1, GL_COLOR_ATTACHMENT0, texture_);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0);
    attach(0);
    EXPECT_EQ(told(), 0);
}

// Interactions with OpenGL ES 3.0: renderbuffers that the extension's call made are read as if they
// had one sample; the core's are not.
TEST_F(MultisampledTextureTest, RenderbuffersAreRead) {
    const auto storage = reinterpret_cast<PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC>(
        eglGetProcAddress("glRenderbufferStorageMultisampleEXT"));
    GLuint buffer = 0;
    gl::GenRenderbuffers(1, &buffer);
    gl::BindRenderbuffer(GL_RENDERBUFFER, buffer);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    for (const bool implicit : {true, false, true}) {
        if (implicit) {
            storage(GL_RENDERBUFFER, 4, GL_RGBA8, kSize, kSize);
        } else {
            gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, kSize, kSize);
        }
        gl::ClearColor(0, 0, 1, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw_triangle();
        Byte4 texel{};
        gl::ReadPixels(1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
        if (!implicit) {
            EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
            continue;
        }
        EXPECT_EQ(texel, kGreen);
        expect_pixel(kSize - 1, kSize - 1, kBlue);
        EXPECT_GT(mixed(), 8);
        const GLuint copy = new_texture(GL_TEXTURE_2D);
        gl::CopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, kSize, kSize, 0);
        gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
        bind_texture_target(copy, kSize, kSize);
        expect_pixel(1, 1, kGreen);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    }
}

} // namespace
} // namespace kobalt::gltest
