// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#ifndef GL_RGBA_SIGNED_COMPONENTS_EXT
#define GL_RGBA_SIGNED_COMPONENTS_EXT 0x8C3C
#endif

// Alpha, luminance and intensity where a texture is not just sampled: as a buffer's format, whose
// views Vulkan doesn't swizzle, and drawn to.

namespace kobalt::gltest {
namespace {

/// Where GL wants the channels of a format (OpenGL 4.6 compatibility, table 15.1).
enum class Base { Alpha, Luminance, Intensity, LuminanceAlpha };

Float4 filled(Base base, float first, float second) {
    switch (base) {
    case Base::Alpha:
        return {0, 0, 0, first};
    case Base::Luminance:
        return {first, first, first, 1};
    case Base::Intensity:
        return {first, first, first, first};
    case Base::LuminanceAlpha:
        return {first, first, first, second};
    }
    return {};
}

struct BufferCase {
    const char* name;
    GLenum format;
    Base base;
    friend void PrintTo(const BufferCase& value, std::ostream* out) { *out << value.name; }
};

class LegacyBufferTest : public CompatTest, public testing::WithParamInterface<BufferCase> {
protected:
    /// A buffer texture on the active unit, over 32-bit or 8-bit numbers.
    template <typename T>
    static GLuint buffer_texture(GLenum format, const std::vector<T>& data) {
        const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, data);
        GLuint texture = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_BUFFER, texture);
        gl::TexBuffer(GL_TEXTURE_BUFFER, format, buffer);
        return texture;
    }
    static GLuint floats(GLenum format) {
        return buffer_texture<float>(format, {0.25F, -0.5F, 2.0F, 3.0F});
    }
};

TEST_P(LegacyBufferTest, ReadByFragments) {
    const BufferCase& test = GetParam();
    floats(test.format);
    const bool pairs = test.base == Base::LuminanceAlpha;
    const std::string sampler = "uniform samplerBuffer t;";
    expect_near(evaluate(sampler, "texelFetch(t, 0)"), filled(test.base, 0.25F, -0.5F), 0);
    expect_near(evaluate(sampler, "texelFetch(t, 1)"),
                pairs ? filled(test.base, 2, 3) : filled(test.base, -0.5F, 0), 0);
    // Also where a shader wants some of the channels only.
    EXPECT_EQ(evaluate(sampler, "texelFetch(t, 1).r")[0],
              filled(test.base, pairs ? 2.0F : -0.5F, 3)[0]);
    EXPECT_EQ(evaluate(sampler, "texelFetch(t, 1).a")[0],
              filled(test.base, pairs ? 2.0F : -0.5F, 3)[3]);
}

TEST_P(LegacyBufferTest, ReadByVertices) {
    const BufferCase& test = GetParam();
    floats(test.format);
    make_target({1, 1, GL_RGBA32F});
    draw_fullscreen(vs_fs(R"(
uniform samplerBuffer t;
flat out vec4 texel;
void main() {
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1);
    texel = texelFetch(t, 0);
})",
                          "flat in vec4 texel; out vec4 result; void main() { result = texel; }"));
    expect_near(pixel_float(0, 0), filled(test.base, 0.25F, -0.5F), 0);
}

TEST_P(LegacyBufferTest, OneProgramAndSeveralFormats) {
    const BufferCase& test = GetParam();
    const GLuint plain = floats(GL_RG32F), legacy = floats(test.format);
    make_target({4, 1, GL_RGBA32F});
    const GLuint program =
        vs_fs(kFullscreenVs, "uniform samplerBuffer a, b; out vec4 result; void main() { result = "
                             "gl_FragCoord.y < 0 ? texelFetch(b, 0) : texelFetch(a, 0); }");
    gl::UseProgram(program);
    set_uniform(program, "b", 1);
    gl::Enable(GL_SCISSOR_TEST);
    for (int i = 0; i < 4; ++i) {
        gl::Scissor(i, 0, 1, 1);
        gl::BindTexture(GL_TEXTURE_BUFFER, i % 2 ? legacy : plain);
        draw_fullscreen(program);
    }
    for (int i = 0; i < 4; ++i) {
        expect_near(pixel_float(i, 0),
                    i % 2 ? filled(test.base, 0.25F, -0.5F) : Float4{0.25F, -0.5F, 0, 1}, 0,
                    "draw " + std::to_string(i));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, LegacyBufferTest,
    testing::Values(BufferCase{"Alpha", GL_ALPHA32F_ARB, Base::Alpha},
                    BufferCase{"Luminance", GL_LUMINANCE32F_ARB, Base::Luminance},
                    BufferCase{"Intensity", GL_INTENSITY32F_ARB, Base::Intensity},
                    BufferCase{"LuminanceAlpha", GL_LUMINANCE_ALPHA32F_ARB, Base::LuminanceAlpha}),
    [](const auto& info) { return info.param.name; });

TEST_F(LegacyBufferTest, Integers) {
    buffer_texture<std::int32_t>(GL_LUMINANCE32I_EXT, {-7, 8});
    EXPECT_EQ(evaluate_int("uniform isamplerBuffer t;", "texelFetch(t, 0)"), (Int4{-7, -7, -7, 1}));
    buffer_texture<std::uint32_t>(GL_ALPHA32UI_EXT, {~0U, 8});
    EXPECT_EQ(evaluate_uint("uniform usamplerBuffer t;", "texelFetch(t, 0)"),
              (Uint4{0, 0, 0, ~0U}));
}

TEST_F(LegacyBufferTest, Bytes) {
    buffer_texture<std::uint8_t>(GL_ALPHA8, {51, 102});
    expect_near(evaluate("uniform samplerBuffer t;", "texelFetch(t, 1)"), {0, 0, 0, 0.4F}, 0.001F);
    buffer_texture<std::uint8_t>(GL_LUMINANCE8_ALPHA8, {51, 102});
    expect_near(evaluate("uniform samplerBuffer t;", "texelFetch(t, 0)"), {0.2F, 0.2F, 0.2F, 0.4F},
                0.001F);
}

TEST_F(LegacyBufferTest, ArraysIndexedByTheShader) {
    if (!has_extension("GL_ARB_gpu_shader5")) {
        GTEST_SKIP() << "GL_ARB_gpu_shader5 is not offered";
    }
    gl::ActiveTexture(GL_TEXTURE0 + 3);
    floats(GL_LUMINANCE_ALPHA32F_ARB);
    gl::ActiveTexture(GL_TEXTURE0 + 2);
    floats(GL_R32F);
    gl::ActiveTexture(GL_TEXTURE0 + 1);
    floats(GL_ALPHA32F_ARB);
    make_target({3, 1, GL_RGBA32F});
    const GLuint program = vs_fs(kFullscreenVs, R"(
#extension GL_ARB_gpu_shader5 : require
uniform samplerBuffer all[3];
uniform int index;
out vec4 result;
void main() { result = texelFetch(all[index], 0); })");
    gl::UseProgram(program);
    const std::array<GLint, 3> units{1, 2, 3};
    gl::Uniform1iv(gl::GetUniformLocation(program, "all"), 3, units.data());
    gl::Enable(GL_SCISSOR_TEST);
    for (int i = 0; i < 3; ++i) {
        gl::Scissor(i, 0, 1, 1);
        set_uniform(program, "index", i);
        draw_fullscreen(program);
    }
    expect_near(pixel_float(0, 0), {0, 0, 0, 0.25F}, 0, "alpha");
    expect_near(pixel_float(1, 0), {0.25F, 0, 0, 1}, 0, "red");
    expect_near(pixel_float(2, 0), {0.25F, 0.25F, 0.25F, -0.5F}, 0, "luminance and alpha");
}

class LegacyTargetTest : public CompatTest {
protected:
    /// False, having said why the test is skipped, where the format isn't drawn to.
    static bool draw_to(GLuint texture) {
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        gl::Viewport(0, 0, 4, 1);
        return gl::CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    static Float4 texel(int x) {
        return evaluate("uniform sampler2D t;",
                        "texelFetch(t, ivec2(" + std::to_string(x) + ", 0), 0)");
    }
    /// The column x alone is drawn to.
    static void only_column(int x) {
        gl::Enable(GL_SCISSOR_TEST);
        gl::Scissor(x, 0, 1, 1);
    }
};

TEST_F(LegacyTargetTest, AlphaBlendsItself) {
    const GLuint texture = texture_2d(GL_ALPHA, 4, 1, GL_ALPHA, GL_UNSIGNED_BYTE, nullptr);
    if (!draw_to(texture)) {
        GTEST_SKIP() << "the device has no texture of alpha alone that is drawn to";
    }
    gl::ClearColor(0.9F, 0.9F, 0.9F, 0.2F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const RectPainter painter;
    only_column(1);
    painter.fill({0.1F, 0.1F, 0.1F, 0.6F});
    gl::Enable(GL_BLEND);
    only_column(2);
    gl::BlendFuncSeparate(GL_ZERO, GL_ZERO, GL_DST_ALPHA, GL_ONE);
    painter.fill({0.7F, 0.7F, 0.7F, 0.5F}); // 0.5 * 0.2 + 0.2
    gl::Disable(GL_BLEND);
    only_column(3);
    gl::ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    painter.fill({1, 1, 1, 1});
    gl::ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    EXPECT_NEAR(pixel_float(1, 0)[3], 0.6F, 0.004F);
    gl::Disable(GL_SCISSOR_TEST);
    const std::array<float, 4> expected{0.2F, 0.6F, 0.3F, 0.2F};
    for (int x = 0; x < 4; ++x) {
        expect_near(texel(x), {0, 0, 0, expected[static_cast<size_t>(x)]}, 0.004F,
                    "column " + std::to_string(x));
    }
}

// OpenGL 4.6 compatibility, 18.3.1: pixels are converted to the destination's format, which keeps
// their alpha.
TEST_F(LegacyTargetTest, AlphaIsBlitted) {
    const Target source = make_target({.width = 4, .height = 1});
    gl::ClearColor(0.9F, 0.9F, 0.9F, 0.2F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const GLuint texture = texture_2d(GL_ALPHA, 4, 1, GL_ALPHA, GL_UNSIGNED_BYTE, nullptr);
    if (!draw_to(texture)) {
        GTEST_SKIP() << "the device has no texture of alpha alone that is drawn to";
    }
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    gl::BlitFramebuffer(0, 0, 4, 1, 0, 0, 4, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect_near(texel(2), {0, 0, 0, 0.2F}, 0.004F);
}

TEST_F(LegacyTargetTest, LuminanceIsOpaque) {
    const GLuint texture = texture_2d(GL_LUMINANCE8, 4, 1, GL_LUMINANCE, GL_UNSIGNED_BYTE, nullptr);
    ASSERT_TRUE(draw_to(texture));
    gl::ClearColor(0.2F, 0.9F, 0.9F, 0.9F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const RectPainter painter;
    only_column(1);
    painter.fill({0.6F, 0.1F, 0.1F, 0.1F});
    only_column(2);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA);
    painter.fill({0.4F, 0.1F, 0.1F, 0.1F});
    only_column(3);
    gl::BlendFunc(GL_SRC_ALPHA, GL_ONE);
    painter.fill({0.4F, 0.1F, 0.1F, 0.5F}); // 0.4 * 0.5 + 0.2
    gl::Disable(GL_BLEND);
    gl::Disable(GL_SCISSOR_TEST);
    const std::array<float, 4> expected{0.2F, 0.6F, 0.4F, 0.4F};
    for (int x = 0; x < 4; ++x) {
        const float luminance = expected[static_cast<size_t>(x)];
        expect_near(pixel_float(x, 0), {luminance, 0, 0, 1}, 0.004F, "read back");
        expect_near(texel(x), {luminance, luminance, luminance, 1}, 0.004F, "sampled");
    }
}

TEST_F(LegacyTargetTest, LuminanceMipmaps) {
    const std::vector<std::uint8_t> texels(64, 102);
    texture_2d(GL_LUMINANCE8, 8, 8, GL_LUMINANCE, GL_UNSIGNED_BYTE, texels.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    gl::GenerateMipmap(GL_TEXTURE_2D);
    expect_near(evaluate("uniform sampler2D t;", "textureLod(t, vec2(0.5), 3.0)"),
                {0.4F, 0.4F, 0.4F, 1}, 0.004F);
}

/// EXT_packed_float: which channels of the drawn-to buffer may be negative; luminance has no alpha.
TEST_F(LegacyTargetTest, SignedLuminance) {
    if (!has_extension("GL_EXT_packed_float")) {
        GTEST_SKIP() << "GL_EXT_packed_float is not offered";
    }
    make_target({4, 4, GL_LUMINANCE16F_ARB});
    std::array<GLint, 4> is_signed{};
    gl::GetIntegerv(GL_RGBA_SIGNED_COMPONENTS_EXT, is_signed.data());
    EXPECT_EQ(is_signed, (std::array<GLint, 4>{1, 1, 1, 0}));
}

} // namespace
} // namespace kobalt::gltest
