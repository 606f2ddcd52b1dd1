// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <limits>
#include <string_view>

// GL_TEXTURE_BORDER_COLOR in the channels that a format has.

namespace kobalt::gltest {
namespace {

class BorderTest : public GlTest {};
class BorderCompatTest : public CompatTest {};

struct BorderCase {
    const char* name;
    GLenum internal, format, type;
    Float4 expected; ///< of a border (0.2, 0.4, 0.6, 0.8)
};

TEST_F(BorderTest, EveryClassOfFormat) {
    const Float4 border{0.2F, 0.4F, 0.6F, 0.8F};
    const std::vector<std::uint8_t> zeros(64, 0);
    for (const BorderCase& item : {
             BorderCase{"R8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, {0.2F, 0, 0, 1}},
             {"RG8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, {0.2F, 0.4F, 0, 1}},
             {"RGB8", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, {0.2F, 0.4F, 0.6F, 1}},
             {"RGBA8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, border},
             {"SRGB8_A8", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, border},
             {"SRGB8", GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, {0.2F, 0.4F, 0.6F, 1}},
             {"BGRA upload", GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE, border},
             {"RGB565", GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, {0.2F, 0.4F, 0.6F, 1}},
             {"RGBA4", GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, border},
             {"RGB5A1", GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, {0.2F, 0.4F, 0.6F, -1}},
             {"RGB10A2",
              GL_RGB10_A2,
              GL_RGBA,
              GL_UNSIGNED_INT_2_10_10_10_REV,
              {0.2F, 0.4F, 0.6F, -1}},
             {"R11G11B10", GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, {0.2F, 0.4F, 0.6F, 1}},
             {"RGB9E5", GL_RGB9_E5, GL_RGB, GL_FLOAT, {0.2F, 0.4F, 0.6F, 1}},
             {"RGBA16F", GL_RGBA16F, GL_RGBA, GL_FLOAT, border},
             {"RGB16F", GL_RGB16F, GL_RGB, GL_FLOAT, {0.2F, 0.4F, 0.6F, 1}},
             {"R16F", GL_R16F, GL_RED, GL_FLOAT, {0.2F, 0, 0, 1}},
             {"RGBA8S", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, border},
             {"D24", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, {0.2F, 0, 0, 1}},
             {"D32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, {0.2F, 0, 0, 1}},
             {"D24S8",
              GL_DEPTH24_STENCIL8,
              GL_DEPTH_STENCIL,
              GL_UNSIGNED_INT_24_8,
              {0.2F, 0, 0, 1}},
         }) {
        texture_2d(item.internal, 1, 1, item.format, item.type, zeros.data());
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
        gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
        Float4 value = evaluate("uniform sampler2D t;", "texture(t, vec2(3.0, 0.5))");
        Float4 expected = item.expected;
        if (expected[3] < 0)
            expected[3] = value[3]; // few bits: the device may clamp to them or not
        expect_near(value, expected, 0.02F, item.name);
        // The same through a swizzle. An alpha that is taken from an sRGB colour is left out:
        // NVIDIA's driver (580.159), which can't swizzle borders by itself, decodes it once more.
        const bool srgb = std::string_view(item.name).starts_with("SRGB");
        const std::array<GLint, 4> swizzle{GL_GREEN, GL_RED, GL_ONE, srgb ? GL_ALPHA : GL_BLUE};
        gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle.data());
        value = evaluate("uniform sampler2D t;", "texture(t, vec2(3.0, 0.5))");
        expect_near(value, {expected[1], expected[0], 1, expected[srgb ? 3 : 2]}, 0.02F,
                    std::string(item.name) + " swizzled");
    }
}

// OpenGL 4.6, 8.10 and 8.11: an integer that sets a channel comes back from the query.
TEST_F(BorderTest, ColoursOfIntegers) {
    const std::array<GLint, 4> border{0, 1, 1000, std::numeric_limits<GLint>::max()};
    std::array<GLint, 4> found{};
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
    gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, found.data());
    EXPECT_EQ(found, border);
    GLuint sampler = 0;
    gl::GenSamplers(1, &sampler);
    gl::SamplerParameteriv(sampler, GL_TEXTURE_BORDER_COLOR, border.data());
    found.fill(-7);
    gl::GetSamplerParameteriv(sampler, GL_TEXTURE_BORDER_COLOR, found.data());
    EXPECT_EQ(found, border);
}

TEST_F(BorderCompatTest, LegacyFormats) {
    const Float4 border{0.2F, 0.4F, 0.6F, 0.8F};
    const std::vector<std::uint8_t> zeros(64, 0);
    for (const BorderCase& item : {
             BorderCase{"A8", GL_ALPHA8, GL_ALPHA, GL_UNSIGNED_BYTE, {0, 0, 0, 0.8F}},
             {"L8", GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, {0.2F, 0.2F, 0.2F, 1}},
             {"LA8",
              GL_LUMINANCE8_ALPHA8,
              GL_LUMINANCE_ALPHA,
              GL_UNSIGNED_BYTE,
              {0.2F, 0.2F, 0.2F, 0.8F}},
             {"I8", GL_INTENSITY8, GL_LUMINANCE, GL_UNSIGNED_BYTE, {0.2F, 0.2F, 0.2F, 0.2F}},
             {"SLA8",
              GL_SLUMINANCE8_ALPHA8,
              GL_LUMINANCE_ALPHA,
              GL_UNSIGNED_BYTE,
              {0.2F, 0.2F, 0.2F, 0.8F}},
         }) {
        texture_2d(item.internal, 1, 1, item.format, item.type, zeros.data());
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
        gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
        expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(3.0, 0.5))"), item.expected,
                    0.02F, item.name);
    }
}

/// Half of the border's colour is mixed in at the edge, and no more beyond it.
class OldClampTest : public CompatTest {
protected:
    void prepare() override {
        make_target();
        bind_new_vao();
        texture_2d(GL_RGBA8, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, std::array{kGreen, kGreen}.data());
        filters(GL_LINEAR);
        const Float4 border{1, 0, 0, 1};
        gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
        program_ =
            vs_fs(kFullscreenVs, "uniform sampler2D s; out vec4 result; void main() { result "
                                 "= texture(s, vec2(1.5, 0.5)); }");
    }
    static void filters(GLint filter) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    }
    static void wrap(GLint mode) { gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, mode); }
    void expect_half() const {
        draw_fullscreen(program_);
        expect_pixel(1, 1, {128, 128, 0, 255}, 2);
    }
    void expect_border() const {
        draw_fullscreen(program_);
        expect_pixel(1, 1, kRed, 1);
    }

    GLuint program_ = 0;
};

// OpenGL 4.6 (compatibility), 8.14.2.
TEST_F(OldClampTest, MixesInHalfOfTheBorder) {
    wrap(GL_CLAMP);
    expect_half();
    wrap(GL_CLAMP_TO_BORDER);
    expect_border();
    wrap(GL_CLAMP);
    expect_half();
}

} // namespace
} // namespace kobalt::gltest
