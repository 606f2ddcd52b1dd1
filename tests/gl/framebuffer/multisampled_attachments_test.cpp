// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_multisampled_render_to_texture2: depth, stencil, several colours, and formats of other
// kinds.
#include <algorithm>

#include "multisampled_texture.h"

namespace kobalt::gltest {
namespace {

constexpr Float4 kRedColour{1, 0, 0, 1};
constexpr Float4 kBlueColour{0, 0, 1, 1};

class MultisampledAttachmentsTest : public MultisampledTexture {
protected:
    Missing missing() const override { return lacks("GL_EXT_multisampled_render_to_texture2"); }
    static GLuint storage(GLenum format, int size = kSize) {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, format, size, size);
        return texture;
    }
};

// One texture is both: it has its samples as both.
TEST_F(MultisampledAttachmentsTest, DepthAndStencil) {
    attach(4);
    attach(4, GL_DEPTH_STENCIL_ATTACHMENT, storage(GL_DEPTH24_STENCIL8));
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_EQUAL, 0, 255);
    draw_triangle();
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
}

TEST_F(MultisampledAttachmentsTest, DepthIsTestedInLaterPasses) {
    for (const GLenum format : {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32F,
                                GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        SCOPED_TRACE(format);
        attach(4);
        const bool stencil = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, 0, 0);
        attach(4, stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, storage(format));
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl::Enable(GL_DEPTH_TEST);
        draw_rect(0, 0, 8, kSize, kRedColour, -0.5F);
        gl::Disable(GL_DEPTH_TEST);
        draw_elsewhere();
        gl::Enable(GL_DEPTH_TEST);
        draw_rect(0, 0, kSize, 8, kBlueColour, 0.0F);
        gl::DepthFunc(GL_EQUAL);
        draw_rect(0, 12, kSize, 4, {0, 1, 0, 1}, -0.5F);
        gl::DepthFunc(GL_LESS);
        expect_area(0, 0, 8, 12, kRed);
        expect_area(8, 0, 8, 8, kBlue);
        expect_area(8, 8, 8, 8, kBlack);
        expect_area(0, 12, 8, 4, kGreen);
    }
}

// The usual company of a texture with samples.
TEST_F(MultisampledAttachmentsTest, DepthOfARenderbuffer) {
    GLuint depth = 0;
    gl::GenRenderbuffers(1, &depth);
    gl::BindRenderbuffer(GL_RENDERBUFFER, depth);
    gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, kSize, kSize);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                depth);
    attach(4);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    draw_rect(0, 0, 4, kSize, kRedColour, -0.5F);
    draw_triangle();
    draw_elsewhere();
    draw_rect(0, 0, kSize, kSize, kBlueColour, 0.5F);
    expect_area(0, 0, 4, kSize, kRed);
    expect_pixel(5, 1, kGreen);
    expect_pixel(kSize - 1, kSize - 1, kBlue);
    EXPECT_GT(mixed(), 4);
}

// Both aspects are what the app uploaded, though one of them is cleared first.
TEST_F(MultisampledAttachmentsTest, StencilIsLoaded) {
    const GLuint both = storage(GL_DEPTH24_STENCIL8);
    std::vector<GLuint> texels(size_t{kSize} * kSize);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = i % kSize < 8 ? 0x800000A5u : 0x8000005Au;
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8,
                      texels.data());
    attach(4);
    attach(4, GL_DEPTH_STENCIL_ATTACHMENT, both);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_EQUAL, 0xA5, 255);
    gl::Enable(GL_DEPTH_TEST);
    draw_rect(0, 0, kSize, kSize, {0, 1, 0, 1}, 0.5F); // behind 0.5
    expect_area(0, 0, kSize, kSize, kBlack);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    draw_rect(0, 0, kSize, kSize, {0, 1, 0, 1}, 0.5F);
    expect_area(0, 0, 8, kSize, kGreen);
    expect_area(8, 0, 8, kSize, kBlack);
    gl::StencilFunc(GL_EQUAL, 0x5A, 255);
    draw_rect(0, 0, kSize, kSize, kRedColour, 0.5F);
    expect_area(0, 0, 8, kSize, kGreen);
    expect_area(8, 0, 8, kSize, kRed);
}

// A shader that looks at the depth sees what was drawn.
TEST_F(MultisampledAttachmentsTest, DepthIsSampled) {
    const GLuint depth = storage(GL_DEPTH_COMPONENT24);
    attach(4);
    attach(4, GL_DEPTH_ATTACHMENT, depth);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    draw_rect(0, 0, 8, kSize, kRedColour, -0.5F);
    gl::Disable(GL_DEPTH_TEST);
    bind_texture_target(filled_texture(kBlue), kSize, kSize);
    gl::BindTexture(GL_TEXTURE_2D, depth);
    draw_fullscreen(link(
        {{GL_VERTEX_SHADER, "#version 300 es\n" + std::string(kFullscreenVs)},
         {GL_FRAGMENT_SHADER,
          "#version 300 es\nprecision highp float; uniform highp sampler2D picture; in vec2 uv; "
          "out vec4 c; void main() { c = vec4(texture(picture, uv).r, 0, 0, 1); }"}}));
    expect_area(0, 0, 8, kSize, {64, 0, 0, 255});
    expect_area(8, 0, 8, kSize, kRed);
}

TEST_F(MultisampledAttachmentsTest, DepthIsReadWithoutColours) {
    if (!has_extension("GL_NV_read_depth")) {
        GTEST_SKIP() << "GL_NV_read_depth isn't there";
    }
    attach(4, GL_DEPTH_ATTACHMENT, storage(GL_DEPTH_COMPONENT32F));
    gl::ReadBuffer(GL_NONE);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    draw_rect(0, 0, 8, kSize, kRedColour, -0.5F);
    std::vector<float> depths(size_t{kSize} * kSize);
    gl::ReadPixels(0, 0, kSize, kSize, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    for (size_t i = 0; i < depths.size(); ++i) {
        ASSERT_NEAR(depths[i], i % kSize < 8 ? 0.25F : 1.0F, 0.001F) << i;
    }
}

class TwoColours : public MultisampledAttachmentsTest {
protected:
    void prepare() override {
        MultisampledAttachmentsTest::prepare();
        second_ = filled_texture(kBlue);
        texture_ = filled_texture(kRed);
        attach(4);
        attach(4, GL_COLOR_ATTACHMENT1, second_);
        constexpr GLenum buffers[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
        gl::DrawBuffers(2, buffers);
    }
    GLuint second_ = 0;
};

// A clear of one doesn't touch the other, whether something is drawn to it or not.
TEST_F(TwoColours, ClearOfOne) {
    constexpr Float4 yellow{1, 1, 0, 1};
    gl::ClearBufferfv(GL_COLOR, 0, yellow.data());
    gl::ReadBuffer(GL_COLOR_ATTACHMENT1);
    expect_area(0, 0, kSize, kSize, kBlue);
    gl::ReadBuffer(GL_COLOR_ATTACHMENT0);
    expect_area(0, 0, kSize, kSize, kYellow);
    gl::ClearBufferfv(GL_COLOR, 0, kRedColour.data());
    draw_rect(0, 0, 4, 4, {0, 1, 0, 1}); // to the first alone, by its shader
    expect_area(0, 0, 4, 4, kGreen);
    expect_area(4, 0, 12, kSize, kRed);
    gl::ReadBuffer(GL_COLOR_ATTACHMENT1);
    expect_area(4, 0, 12, kSize, kBlue);
}

TEST_F(TwoColours, BothAreDrawnTo) {
    gl::UseProgram(
        link({{GL_VERTEX_SHADER,
               "#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 1.3 : -1.1, "
               "gl_VertexID == 2 ? 1.7 : -1.3, 0, 1); }"},
              {GL_FRAGMENT_SHADER,
               "#version 300 es\nprecision highp float; layout(location = 0) out vec4 a; "
               "layout(location = 1) out vec4 b; void main() { a = vec4(0, 1, 0, 1); b = vec4(1, "
               "1, 0, 1); }"}}));
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kGreen);
    expect_pixel(kSize - 1, kSize - 1, kRed);
    gl::ReadBuffer(GL_COLOR_ATTACHMENT1);
    EXPECT_GT(mixed(), 8);
    expect_pixel(1, 1, kYellow);
    expect_pixel(kSize - 1, kSize - 1, kBlue);
}

// Integers aren't mixed: the value of one sample stays.
TEST_F(MultisampledAttachmentsTest, Integers) {
    const GLuint texture = storage(GL_R32UI);
    std::vector<GLuint> texels(size_t{kSize} * kSize, 0x12345678u);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_RED_INTEGER, GL_UNSIGNED_INT,
                      texels.data());
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    call_attach(4, GL_COLOR_ATTACHMENT0, texture);
    if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        GTEST_SKIP() << "integers have no samples on this device";
    }
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER, "#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 "
                            "? 1.3 : -1.1, gl_VertexID == 2 ? 1.7 : -1.3, 0, 1); }"},
         {GL_FRAGMENT_SHADER, "#version 300 es\nprecision highp float; out highp uint c; void "
                              "main() { c = 0x9ABCDEF0u; }"}}));
    const auto count = [](GLuint value) {
        std::vector<Uint4> all(size_t{kSize} * kSize);
        gl::ReadPixels(0, 0, kSize, kSize, GL_RGBA_INTEGER, GL_UNSIGNED_INT, all.data());
        return std::count_if(all.begin(), all.end(), [=](const Uint4& p) { return p[0] == value; });
    };
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_GT(count(0x9ABCDEF0u), 32);
    EXPECT_GT(count(0x12345678u), 32);
    EXPECT_EQ(count(0x9ABCDEF0u) + count(0x12345678u), kSize * kSize);
    constexpr GLuint seven[4] = {7, 0, 0, 0};
    gl::ClearBufferuiv(GL_COLOR, 0, seven);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_GT(count(7), 32);
    EXPECT_EQ(count(0x9ABCDEF0u) + count(7), kSize * kSize);
}

// Loading changes no bit of what isn't drawn to.
TEST_F(MultisampledAttachmentsTest, BitsStayAsTheyAre) {
    for (const GLenum format : {GL_RGBA8, GL_SRGB8_ALPHA8}) {
        SCOPED_TRACE(format);
        std::vector<Byte4> texels(size_t{kSize} * kSize);
        for (size_t i = 0; i < texels.size(); ++i) {
            const auto value = static_cast<std::uint8_t>(i);
            texels[i] = {value, static_cast<std::uint8_t>(255 - value), value, value};
        }
        const GLuint texture =
            texture_2d(format, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        attach(4, GL_COLOR_ATTACHMENT0, texture);
        draw_rect(0, 0, 1, 1, kRedColour);
        draw_elsewhere();
        draw_rect(1, 0, 1, 1, kRedColour);
        const Picture picture = read_picture(kSize, kSize);
        for (int i = 2; i < kSize * kSize; ++i)
            EXPECT_EQ(texel_of(picture, i % kSize, i / kSize), texels[static_cast<size_t>(i)]);
        expect_area(0, 0, 2, 1, kRed);
    }
}

// The pass has the size that both have; what lies outside of it stays, and is drawn to later.
TEST_F(MultisampledAttachmentsTest, OfSeveralSizes) {
    texture_ = filled_texture(kBlue);
    attach(4);
    attach(4, GL_DEPTH_ATTACHMENT, storage(GL_DEPTH_COMPONENT16, kSize / 2));
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_rect(0, 0, 4, 4, kRedColour);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 0);
    draw_rect(12, 12, 4, 4, kRedColour);
    expect_area(0, 0, 4, 4, kRed);
    expect_area(4, 0, 4, 8, kBlack);
    expect_area(8, 0, 8, 8, kBlue);
    expect_area(0, 8, 12, 8, kBlue);
    expect_area(12, 12, 4, 4, kRed);
}

// Shaders that fetch see the sample that they run at, of what was loaded as well.
TEST_F(MultisampledAttachmentsTest, Fetched) {
    if (!has_extension("GL_EXT_shader_framebuffer_fetch")) {
        GTEST_SKIP() << "GL_EXT_shader_framebuffer_fetch isn't there";
    }
    texture_ = filled_texture({0, 0, 100, 255});
    attach(4);
    draw_triangle();
    const int edge = mixed();
    const std::string header = "#version 300 es\n#extension GL_EXT_shader_framebuffer_fetch : "
                               "require\nprecision highp float;\n";
    draw_fullscreen(
        link({{GL_VERTEX_SHADER, header + kFullscreenVs},
              {GL_FRAGMENT_SHADER, header + "layout(location = 0) inout vec4 c; void main() { c = "
                                            "vec4(c.b, 1.0 - c.g, 0, 1); }"}}));
    expect_pixel(1, 1, kBlack);
    expect_pixel(kSize - 1, kSize - 1, {100, 255, 0, 255});
    EXPECT_EQ(mixed(), edge);
}

TEST_F(MultisampledAttachmentsTest, DepthAndStencilAreFetched) {
    if (!has_extension("GL_ARM_shader_framebuffer_fetch_depth_stencil")) {
        GTEST_SKIP() << "GL_ARM_shader_framebuffer_fetch_depth_stencil isn't there";
    }
    attach(4);
    attach(4, GL_DEPTH_STENCIL_ATTACHMENT, storage(GL_DEPTH24_STENCIL8));
    gl::ClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25F, 40);
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    gl::Enable(GL_STENCIL_TEST);
    draw_rect(0, 0, 8, kSize, kRedColour, 0.0F);
    const std::string header =
        "#version 300 es\n#extension GL_ARM_shader_framebuffer_fetch_depth_stencil : require\n"
        "precision highp float;\n";
    gl::DepthMask(GL_FALSE);
    draw_fullscreen(link(
        {{GL_VERTEX_SHADER, header + kFullscreenVs},
         {GL_FRAGMENT_SHADER, header + "out vec4 c; void main() { c = vec4(gl_LastFragDepthARM, "
                                       "float(gl_LastFragStencilARM) / 255.0, 0, 1); }"}}));
    expect_area(0, 0, 8, kSize, {128, 40, 0, 255});
    expect_area(8, 0, 8, kSize, {64, 40, 0, 255});
}

class MultisampledViewsTest : public MultisampledTexture {
protected:
    Missing missing() const override {
        return first_of({MultisampledTexture::missing(), lacks("GL_OVR_multiview"),
                         lacks("GL_OVR_multiview_multisampled_render_to_texture")});
    }
};

TEST_F(MultisampledViewsTest, EachViewHasItsSamples) {
    using Function = void(APIENTRYP)(GLenum, GLenum, GLuint, GLint, GLsizei, GLint, GLsizei);
    const auto attach_views = reinterpret_cast<Function>(
        eglGetProcAddress("glFramebufferTextureMultisampleMultiviewOVR"));
    ASSERT_NE(attach_views, nullptr);
    const GLuint layers = new_texture(GL_TEXTURE_2D_ARRAY);
    const std::vector<Byte4> blue(size_t{4} * kSize * kSize, kBlue);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, kSize, kSize, 4);
    gl::TexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, kSize, kSize, 4, GL_RGBA, GL_UNSIGNED_BYTE,
                      blue.data());
    attach_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, layers, 0, 4, 1, 2);
    ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
    const std::string header = "#version 300 es\n#extension GL_OVR_multiview : require\n"
                               "precision highp float;\n";
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER,
          header + "layout(num_views = 2) in; void main() { float x = gl_VertexID == 1 ? 1.3 "
                   ": -1.1; gl_Position = vec4(int(gl_ViewID_OVR) == 0 ? x : -x, gl_VertexID == "
                   "2 ? 1.7 : -1.3, 0, 1); }"},
         {GL_FRAGMENT_SHADER, header + "out vec4 c; void main() { c = vec4(0, 1, 0, 1); }"}}));
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    for (int layer = 0; layer < 4; ++layer) {
        SCOPED_TRACE(layer);
        bind_texture_target(layers, kSize, kSize, 0, layer);
        EXPECT_EQ(mixed() > 8, layer == 1 || layer == 2);
        expect_pixel(1, 12, layer == 1 ? kGreen : kBlue);
        expect_pixel(kSize - 2, 12, layer == 2 ? kGreen : kBlue);
    }
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    for (int layer = 0; layer < 4; ++layer) {
        SCOPED_TRACE(layer);
        bind_texture_target(layers, kSize, kSize, 0, layer);
        expect_area(0, 0, kSize, kSize, layer == 1 || layer == 2 ? kRed : kBlue);
    }
}

} // namespace
} // namespace kobalt::gltest
