// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <cmath>

namespace kobalt::gltest {
namespace {

enum class Kind { Unorm, Snorm, Float, Srgb, Int, Uint };

struct FormatCase {
    const char* name;
    GLenum format;
    Kind kind;
    /// Bits of each channel; 0 where the format lacks it.
    std::array<int, 4> bits;
    bool renderable = true;
    friend void PrintTo(const FormatCase& value, std::ostream* out) { *out << value.name; }
};

const std::vector<FormatCase>& formats() {
    static const std::vector<FormatCase> all{
        {"R8", GL_R8, Kind::Unorm, {8, 0, 0, 0}},
        {"RG8", GL_RG8, Kind::Unorm, {8, 8, 0, 0}},
        {"RGB8", GL_RGB8, Kind::Unorm, {8, 8, 8, 0}},
        {"RGBA8", GL_RGBA8, Kind::Unorm, {8, 8, 8, 8}},
        {"R16", GL_R16, Kind::Unorm, {16, 0, 0, 0}},
        {"RG16", GL_RG16, Kind::Unorm, {16, 16, 0, 0}},
        {"RGB16", GL_RGB16, Kind::Unorm, {16, 16, 16, 0}, false},
        {"RGBA16", GL_RGBA16, Kind::Unorm, {16, 16, 16, 16}},
        {"RGB4", GL_RGB4, Kind::Unorm, {4, 4, 4, 0}},
        {"RGBA4", GL_RGBA4, Kind::Unorm, {4, 4, 4, 4}},
        {"RGB5", GL_RGB5, Kind::Unorm, {5, 5, 5, 0}},
        {"RGB5A1", GL_RGB5_A1, Kind::Unorm, {5, 5, 5, 1}},
        {"R3G3B2", GL_R3_G3_B2, Kind::Unorm, {3, 3, 2, 0}},
        {"RGB10A2", GL_RGB10_A2, Kind::Unorm, {10, 10, 10, 2}},
        {"R8Snorm", GL_R8_SNORM, Kind::Snorm, {7, 0, 0, 0}, false},
        {"RG8Snorm", GL_RG8_SNORM, Kind::Snorm, {7, 7, 0, 0}, false},
        {"RGB8Snorm", GL_RGB8_SNORM, Kind::Snorm, {7, 7, 7, 0}, false},
        {"RGBA8Snorm", GL_RGBA8_SNORM, Kind::Snorm, {7, 7, 7, 7}, false},
        {"R16Snorm", GL_R16_SNORM, Kind::Snorm, {15, 0, 0, 0}, false},
        {"RGBA16Snorm", GL_RGBA16_SNORM, Kind::Snorm, {15, 15, 15, 15}, false},
        {"SRGB8", GL_SRGB8, Kind::Srgb, {8, 8, 8, 0}, false},
        {"SRGB8A8", GL_SRGB8_ALPHA8, Kind::Srgb, {8, 8, 8, 8}, false},
        {"R16F", GL_R16F, Kind::Float, {10, 0, 0, 0}},
        {"RG16F", GL_RG16F, Kind::Float, {10, 10, 0, 0}},
        {"RGB16F", GL_RGB16F, Kind::Float, {10, 10, 10, 0}, false},
        {"RGBA16F", GL_RGBA16F, Kind::Float, {10, 10, 10, 10}},
        {"R32F", GL_R32F, Kind::Float, {23, 0, 0, 0}},
        {"RG32F", GL_RG32F, Kind::Float, {23, 23, 0, 0}},
        {"RGB32F", GL_RGB32F, Kind::Float, {23, 23, 23, 0}, false},
        {"RGBA32F", GL_RGBA32F, Kind::Float, {23, 23, 23, 23}},
        {"R11G11B10F", GL_R11F_G11F_B10F, Kind::Float, {6, 6, 5, 0}},
        {"RGB9E5", GL_RGB9_E5, Kind::Float, {8, 8, 8, 0}, false},
        {"R8I", GL_R8I, Kind::Int, {8, 0, 0, 0}},
        {"RG8I", GL_RG8I, Kind::Int, {8, 8, 0, 0}},
        {"RGB8I", GL_RGB8I, Kind::Int, {8, 8, 8, 0}, false},
        {"RGBA8I", GL_RGBA8I, Kind::Int, {8, 8, 8, 8}},
        {"R16I", GL_R16I, Kind::Int, {16, 0, 0, 0}},
        {"RG16I", GL_RG16I, Kind::Int, {16, 16, 0, 0}},
        {"RGBA16I", GL_RGBA16I, Kind::Int, {16, 16, 16, 16}},
        {"R32I", GL_R32I, Kind::Int, {32, 0, 0, 0}},
        {"RG32I", GL_RG32I, Kind::Int, {32, 32, 0, 0}},
        {"RGB32I", GL_RGB32I, Kind::Int, {32, 32, 32, 0}, false},
        {"RGBA32I", GL_RGBA32I, Kind::Int, {32, 32, 32, 32}},
        {"R8UI", GL_R8UI, Kind::Uint, {8, 0, 0, 0}},
        {"RG8UI", GL_RG8UI, Kind::Uint, {8, 8, 0, 0}},
        {"RGBA8UI", GL_RGBA8UI, Kind::Uint, {8, 8, 8, 8}},
        {"R16UI", GL_R16UI, Kind::Uint, {16, 0, 0, 0}},
        {"RG16UI", GL_RG16UI, Kind::Uint, {16, 16, 0, 0}},
        {"RGB16UI", GL_RGB16UI, Kind::Uint, {16, 16, 16, 0}, false},
        {"RGBA16UI", GL_RGBA16UI, Kind::Uint, {16, 16, 16, 16}},
        {"R32UI", GL_R32UI, Kind::Uint, {32, 0, 0, 0}},
        {"RG32UI", GL_RG32UI, Kind::Uint, {32, 32, 0, 0}},
        {"RGBA32UI", GL_RGBA32UI, Kind::Uint, {32, 32, 32, 32}},
    };
    return all;
}

bool is_integer(Kind kind) {
    return kind == Kind::Int || kind == Kind::Uint;
}

double srgb_to_linear(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// How far a stored channel may be from what was written: a step of its quantisation.
float tolerance_of(const FormatCase& test, size_t channel) {
    const int bits = test.bits[channel];
    switch (test.kind) {
    case Kind::Float:
        return 4.0F * std::ldexp(1.0F, -bits);
    case Kind::Srgb:
        return 0.01F;
    default:
        return 1.01F / static_cast<float>((1 << std::min(bits, 16)) - 1) + 1e-5F;
    }
}

Float4 float_value(const FormatCase& test, int which) {
    Float4 value = which == 0 ? Float4{0.8F, 0.3F, 0.6F, 1.0F} : Float4{0.1F, 0.9F, 0.4F, 0.0F};
    if (test.kind == Kind::Snorm) {
        value[0] = -value[0];
    }
    if (test.kind == Kind::Float) {
        value[1] *= 8.0F;
    }
    return value;
}

class TextureFormatTest : public GlTest, public testing::WithParamInterface<FormatCase> {};

TEST_P(TextureFormatTest, UploadAndSample) {
    const FormatCase& test = GetParam();
    if (is_integer(test.kind)) {
        const Int4 texel{101, test.kind == Kind::Int ? -102 : 102, 103, 104};
        const std::array<Int4, 4> data{Int4{}, Int4{}, Int4{}, texel};
        texture_2d(test.format, 2, 2, GL_RGBA_INTEGER, GL_INT, data.data());
        Int4 expected{0, 0, 0, 1};
        for (size_t c = 0; c < 4; ++c) {
            expected[c] = test.bits[c] ? texel[c] : expected[c];
        }
        const std::string sampler = test.kind == Kind::Int ? "isampler2D" : "usampler2D";
        EXPECT_EQ(evaluate_int("uniform " + sampler + " t;", "texelFetch(t, ivec2(1, 1), 0)"),
                  expected);
        return;
    }
    const Float4 texel = float_value(test, 0);
    const std::array<Float4, 4> data{float_value(test, 1), Float4{}, Float4{}, texel};
    texture_2d(test.format, 2, 2, GL_RGBA, GL_FLOAT, data.data());
    const Float4 actual = evaluate("uniform sampler2D t;", "texture(t, vec2(0.75))");
    for (size_t c = 0; c < 4; ++c) {
        double expected = test.bits[c] ? texel[c] : (c == 3 ? 1.0 : 0.0);
        if (test.kind == Kind::Srgb && c < 3 && test.bits[c]) {
            expected = srgb_to_linear(expected);
        }
        EXPECT_NEAR(actual[c], expected, tolerance_of(test, c)) << "channel " << c;
    }
    // The corner next to it proves that rows and columns are not swapped or shifted.
    const Float4 corner = evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(0, 0), 0)");
    const double red = test.kind == Kind::Srgb ? srgb_to_linear(data[0][0]) : data[0][0];
    EXPECT_NEAR(corner[0], red, tolerance_of(test, 0));
}

class RenderFormatTest : public TextureFormatTest {};

TEST_P(RenderFormatTest, RenderAndReadBack) {
    const FormatCase& test = GetParam();
    const GLuint texture =
        texture_2d(test.format, 8, 8, is_integer(test.kind) ? GL_RGBA_INTEGER : GL_RGBA,
                   is_integer(test.kind) ? GL_INT : GL_FLOAT, nullptr);
    bind_texture_target(texture, 8, 8);
    if (is_integer(test.kind)) {
        const bool is_signed = test.kind == Kind::Int;
        const std::string type = is_signed ? "ivec4" : "uvec4";
        const GLuint program = vs_fs(
            kFullscreenVs, "out " + type + " result; void main() { result = " + type +
                               "(ivec4(101, " + (is_signed ? "-102" : "102") + ", 103, 104)); }");
        draw_fullscreen(program);
        Int4 expected{101, is_signed ? -102 : 102, 103, 104};
        for (size_t c = 0; c < 4; ++c) {
            expected[c] = test.bits[c] ? expected[c] : (c == 3 ? 1 : 0);
        }
        if (is_signed) {
            EXPECT_EQ(pixel_int(5, 6), expected);
        } else {
            const Uint4 value = pixel_uint(5, 6);
            for (size_t c = 0; c < 4; ++c) {
                EXPECT_EQ(static_cast<std::int32_t>(value[c]), expected[c]) << "channel " << c;
            }
        }
        return;
    }
    const RectPainter painter;
    const Float4 value = float_value(test, 0);
    painter.fill(value);
    const Float4 actual = pixel_float(5, 6);
    for (size_t c = 0; c < 4; ++c) {
        const double expected = test.bits[c] ? value[c] : (c == 3 ? 1.0 : 0.0);
        EXPECT_NEAR(actual[c], expected, tolerance_of(test, c)) << "channel " << c;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, TextureFormatTest, testing::ValuesIn(formats()),
                         [](const auto& info) { return info.param.name; });

/// The formats that OpenGL 3.3 requires a driver to render to (section 3.8.1), and no others.
std::vector<FormatCase> renderable_formats() {
    std::vector<FormatCase> result = formats();
    std::erase_if(result, [](const FormatCase& test) { return !test.renderable; });
    return result;
}

INSTANTIATE_TEST_SUITE_P(Formats, RenderFormatTest, testing::ValuesIn(renderable_formats()),
                         [](const auto& info) { return info.param.name; });

struct UploadCase {
    const char* name;
    GLenum internal_format;
    GLenum format;
    GLenum type;
    std::vector<std::uint8_t> texel;
    Float4 expected;
    friend void PrintTo(const UploadCase& value, std::ostream* out) { *out << value.name; }
};

class TextureUploadTypeTest : public GlTest, public testing::WithParamInterface<UploadCase> {};

TEST_P(TextureUploadTypeTest, PackedTypesConvert) {
    const UploadCase& test = GetParam();
    texture_2d(test.internal_format, 1, 1, test.format, test.type, test.texel.data());
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))"), test.expected, 0.005F);
}

INSTANTIATE_TEST_SUITE_P(
    Types, TextureUploadTypeTest,
    testing::Values(
        UploadCase{
            "Bgra", GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE, {255, 51, 0, 102}, {0, 0.2F, 1, 0.4F}},
        UploadCase{"Bgra8888Rev",
                   GL_RGBA8,
                   GL_BGRA,
                   GL_UNSIGNED_INT_8_8_8_8_REV,
                   {255, 51, 0, 102},
                   {0, 0.2F, 1, 0.4F}},
        UploadCase{"Rgba8888",
                   GL_RGBA8,
                   GL_RGBA,
                   GL_UNSIGNED_INT_8_8_8_8,
                   {102, 255, 51, 0},
                   {0, 0.2F, 1, 0.4F}},
        UploadCase{"Rgb565", GL_RGB8, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, {0x1F, 0xF8}, {1, 0, 1, 1}},
        UploadCase{"Rgba4444",
                   GL_RGBA8,
                   GL_RGBA,
                   GL_UNSIGNED_SHORT_4_4_4_4,
                   {0x3F, 0xF0},
                   {1, 0, 0.2F, 1}},
        UploadCase{"Rgba5551",
                   GL_RGBA8,
                   GL_RGBA,
                   GL_UNSIGNED_SHORT_5_5_5_1,
                   {0x3E, 0x07},
                   {0, 0.903F, 1, 0}},
        UploadCase{"Rgba1555Rev",
                   GL_RGBA8,
                   GL_BGRA,
                   GL_UNSIGNED_SHORT_1_5_5_5_REV,
                   {0x1F, 0xFC},
                   {1, 0, 1, 1}},
        UploadCase{"Rgb332", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE_3_3_2, {0xE3}, {1, 0, 1, 1}},
        UploadCase{"Rgba2101010",
                   GL_RGB10_A2,
                   GL_RGBA,
                   GL_UNSIGNED_INT_2_10_10_10_REV,
                   {0x55, 0x01, 0xF0, 0x7F},
                   {0.333F, 0, 1, 0.333F}},
        UploadCase{"Rgb24", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, {255, 51, 0}, {1, 0.2F, 0, 1}},
        UploadCase{"Half",
                   GL_RGBA16F,
                   GL_RGBA,
                   GL_HALF_FLOAT,
                   {0x00, 0x3C, 0x00, 0xC0, 0x00, 0x38, 0x00, 0x00},
                   {1, -2, 0.5F, 0}},
        UploadCase{"Rgb9e5",
                   GL_RGB9_E5,
                   GL_RGB,
                   GL_UNSIGNED_INT_5_9_9_9_REV,
                   {0x00, 0x01, 0x01, 0x80},
                   {1.0F, 0.5F, 0.0F, 1}},
        UploadCase{"Red", GL_R8, GL_RED, GL_UNSIGNED_BYTE, {51}, {0.2F, 0, 0, 1}},
        UploadCase{"Green", GL_RGBA8, GL_GREEN, GL_UNSIGNED_BYTE, {51}, {0, 0.2F, 0, 1}},
        UploadCase{"Ushort",
                   GL_RGBA8,
                   GL_RG,
                   GL_UNSIGNED_SHORT,
                   {0xFF, 0xFF, 0x33, 0x33},
                   {1, 0.2F, 0, 1}}),
    [](const auto& info) { return info.param.name; });

class TextureDepthTest : public GlTest, public testing::WithParamInterface<GLenum> {};

TEST_P(TextureDepthTest, UploadAndSample) {
    const GLenum format = GetParam();
    const bool packed = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
    new_texture(GL_TEXTURE_2D);
    if (format == GL_DEPTH24_STENCIL8) {
        const std::uint32_t texel = (0x400000U << 8) | 0x5AU;
        gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 1, 1, 0, GL_DEPTH_STENCIL,
                       GL_UNSIGNED_INT_24_8, &texel);
    } else if (packed) {
        const struct {
            float depth = 0.25F;
            std::uint32_t stencil = 0x5A;
        } texel;
        gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 1, 1, 0, GL_DEPTH_STENCIL,
                       GL_FLOAT_32_UNSIGNED_INT_24_8_REV, &texel);
    } else {
        const float texel = 0.25F;
        gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 1, 1, 0, GL_DEPTH_COMPONENT,
                       GL_FLOAT, &texel);
    }
    EXPECT_NEAR(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))")[0], 0.25F, 1e-4F);
}

INSTANTIATE_TEST_SUITE_P(Formats, TextureDepthTest,
                         testing::Values(GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24,
                                         GL_DEPTH_COMPONENT32F, GL_DEPTH24_STENCIL8,
                                         GL_DEPTH32F_STENCIL8));

class CompatFormatTest : public CompatTest, public testing::WithParamInterface<FormatCase> {};

TEST_P(CompatFormatTest, LegacyFormatsSample) {
    const FormatCase& test = GetParam();
    const std::array<std::uint8_t, 4> texel{204, 51, 102, 153};
    texture_2d(test.format, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    Float4 expected{};
    switch (test.format) {
    case GL_ALPHA8:
        expected = {0, 0, 0, 0.6F};
        break;
    case GL_LUMINANCE8:
    case GL_LUMINANCE16:
        expected = {0.8F, 0.8F, 0.8F, 1};
        break;
    case GL_LUMINANCE8_ALPHA8:
        expected = {0.8F, 0.8F, 0.8F, 0.6F};
        break;
    default:
        expected = {0.8F, 0.8F, 0.8F, 0.8F};
        break;
    }
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))"), expected, 0.005F);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, CompatFormatTest,
    testing::Values(FormatCase{"Alpha8", GL_ALPHA8, Kind::Unorm, {}},
                    FormatCase{"Luminance8", GL_LUMINANCE8, Kind::Unorm, {}},
                    FormatCase{"Luminance16", GL_LUMINANCE16, Kind::Unorm, {}},
                    FormatCase{"LuminanceAlpha8", GL_LUMINANCE8_ALPHA8, Kind::Unorm, {}},
                    FormatCase{"Intensity8", GL_INTENSITY8, Kind::Unorm, {}}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace kobalt::gltest
