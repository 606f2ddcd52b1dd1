// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <algorithm>

namespace kobalt::gltest {
namespace {

constexpr Float4 kSource{0.6F, 0.3F, 0.8F, 0.4F};
constexpr Float4 kDestination{0.2F, 0.7F, 0.1F, 0.5F};
constexpr Float4 kConstant{0.25F, 0.5F, 0.75F, 0.9F};
constexpr Float4 kSecond{0.9F, 0.2F, 0.5F, 0.3F};

Float4 factor(GLenum name) {
    const auto invert = [](Float4 v) {
        for (float& c : v) {
            c = 1 - c;
        }
        return v;
    };
    const auto all = [](float v) { return Float4{v, v, v, v}; };
    const float saturate = std::min(kSource[3], 1 - kDestination[3]);
    switch (name) {
    case GL_ONE:
        return all(1);
    case GL_SRC_COLOR:
        return kSource;
    case GL_ONE_MINUS_SRC_COLOR:
        return invert(kSource);
    case GL_DST_COLOR:
        return kDestination;
    case GL_ONE_MINUS_DST_COLOR:
        return invert(kDestination);
    case GL_SRC_ALPHA:
        return all(kSource[3]);
    case GL_ONE_MINUS_SRC_ALPHA:
        return all(1 - kSource[3]);
    case GL_DST_ALPHA:
        return all(kDestination[3]);
    case GL_ONE_MINUS_DST_ALPHA:
        return all(1 - kDestination[3]);
    case GL_CONSTANT_COLOR:
        return kConstant;
    case GL_ONE_MINUS_CONSTANT_COLOR:
        return invert(kConstant);
    case GL_CONSTANT_ALPHA:
        return all(kConstant[3]);
    case GL_ONE_MINUS_CONSTANT_ALPHA:
        return all(1 - kConstant[3]);
    case GL_SRC_ALPHA_SATURATE:
        return {saturate, saturate, saturate, 1};
    case GL_SRC1_COLOR:
        return kSecond;
    case GL_ONE_MINUS_SRC1_COLOR:
        return invert(kSecond);
    case GL_SRC1_ALPHA:
        return all(kSecond[3]);
    case GL_ONE_MINUS_SRC1_ALPHA:
        return all(1 - kSecond[3]);
    default:
        return all(0);
    }
}

float combine(GLenum equation, float source, float destination, float source_factor,
              float destination_factor) {
    switch (equation) {
    case GL_FUNC_SUBTRACT:
        return source * source_factor - destination * destination_factor;
    case GL_FUNC_REVERSE_SUBTRACT:
        return destination * destination_factor - source * source_factor;
    case GL_MIN:
        return std::min(source, destination);
    case GL_MAX:
        return std::max(source, destination);
    default:
        return source * source_factor + destination * destination_factor;
    }
}

class BlendTest : public GlTest {
protected:
    void prepare() override {
        painter_ = std::make_unique<RectPainter>();
        gl::BlendColor(kConstant[0], kConstant[1], kConstant[2], kConstant[3]);
    }
    void clear_to_destination() {
        gl::ClearColor(kDestination[0], kDestination[1], kDestination[2], kDestination[3]);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    const RectPainter& painter() const { return *painter_; }

private:
    std::unique_ptr<RectPainter> painter_;
};

TEST_F(BlendTest, EveryFactorForSourceAndDestination) {
    make_target({2, 2, GL_RGBA32F});
    gl::Enable(GL_BLEND);
    const std::array<GLenum, 15> factors{GL_ZERO,
                                         GL_ONE,
                                         GL_SRC_COLOR,
                                         GL_ONE_MINUS_SRC_COLOR,
                                         GL_DST_COLOR,
                                         GL_SRC_ALPHA,
                                         GL_ONE_MINUS_SRC_ALPHA,
                                         GL_ONE_MINUS_DST_COLOR,
                                         GL_DST_ALPHA,
                                         GL_CONSTANT_COLOR,
                                         GL_ONE_MINUS_DST_ALPHA,
                                         GL_ONE_MINUS_CONSTANT_COLOR,
                                         GL_CONSTANT_ALPHA,
                                         GL_ONE_MINUS_CONSTANT_ALPHA,
                                         GL_SRC_ALPHA_SATURATE};
    for (const GLenum source : factors) {
        for (const GLenum destination : {GL_ZERO, GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_SRC_COLOR,
                                         GL_CONSTANT_ALPHA, GL_DST_COLOR}) {
            clear_to_destination();
            gl::BlendFunc(source, static_cast<GLenum>(destination));
            painter().fill(kSource);
            Float4 expected{};
            for (size_t c = 0; c < 4; ++c) {
                expected[c] = combine(GL_FUNC_ADD, kSource[c], kDestination[c], factor(source)[c],
                                      factor(static_cast<GLenum>(destination))[c]);
            }
            expect_near(pixel_float(1, 1), expected, 0.005F,
                        "factors " + std::to_string(source) + " " + std::to_string(destination));
        }
    }
}

TEST_F(BlendTest, EquationsForColourAndAlpha) {
    make_target({2, 2, GL_RGBA32F});
    gl::Enable(GL_BLEND);
    gl::BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE, GL_ONE, GL_DST_ALPHA);
    const std::array<GLenum, 5> equations{GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT,
                                          GL_MIN, GL_MAX};
    for (const GLenum colour : equations) {
        for (const GLenum alpha : equations) {
            clear_to_destination();
            gl::BlendEquationSeparate(colour, alpha);
            painter().fill(kSource);
            Float4 expected{};
            for (size_t c = 0; c < 3; ++c) {
                expected[c] = combine(colour, kSource[c], kDestination[c], kSource[3], 1);
            }
            expected[3] = combine(alpha, kSource[3], kDestination[3], 1, kDestination[3]);
            expect_near(pixel_float(1, 1), expected, 0.005F,
                        "equations " + std::to_string(colour) + " " + std::to_string(alpha));
        }
    }
}

TEST_F(BlendTest, NormalisedTargetClampsAndRounds) {
    make_target({2, 2});
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    clear_to_destination();
    painter().fill({0.9F, 0.1F, 2.0F, 0.2F});
    expect_pixel(0, 0, {255, 204, 255, 179}, 2);
    gl::BlendEquation(GL_FUNC_REVERSE_SUBTRACT);
    painter().fill({2.0F, 0.1F, 0.5F, 0.1F});
    expect_pixel(0, 0, {0, 179, 128, 153}, 3);
}

TEST_F(BlendTest, DestinationAlphaOfAFormatWithoutAlphaIsOne) {
    const GLuint texture = texture_2d(GL_RGB8, 4, 4, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    bind_texture_target(texture, 4, 4);
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_DST_ALPHA, GL_ZERO);
    painter().fill({0, 1, 0, 0});
    expect_pixel(2, 2, kGreen);
    gl::BlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_ONE);
    painter().fill({1, 0, 0, 0});
    expect_pixel(2, 2, kGreen);
}

TEST_F(BlendTest, DualSource) {
    GLint buffers = 0;
    gl::GetIntegerv(GL_MAX_DUAL_SOURCE_DRAW_BUFFERS, &buffers);
    if (buffers < 1) {
        GTEST_SKIP() << "dual source blending is not offered";
    }
    make_target({2, 2, GL_RGBA32F});
    const GLuint program = vs_fs(
        kFullscreenVs, "layout(location = 0, index = 0) out vec4 a; layout(location = 0, index = "
                       "1) out vec4 b; void "
                       "main() { a = vec4(0.6, 0.3, 0.8, 0.4); b = vec4(0.9, 0.2, 0.5, 0.3); }");
    gl::Enable(GL_BLEND);
    for (const auto& [source, destination] : {std::pair{GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR},
                                              {GL_SRC1_ALPHA, GL_ONE_MINUS_SRC1_ALPHA},
                                              {GL_ONE, GL_SRC1_COLOR},
                                              {GL_ONE_MINUS_SRC1_ALPHA, GL_ONE}}) {
        clear_to_destination();
        gl::BlendFunc(static_cast<GLenum>(source), static_cast<GLenum>(destination));
        draw_fullscreen(program);
        Float4 expected{};
        for (size_t c = 0; c < 4; ++c) {
            expected[c] = combine(GL_FUNC_ADD, kSource[c], kDestination[c],
                                  factor(static_cast<GLenum>(source))[c],
                                  factor(static_cast<GLenum>(destination))[c]);
        }
        expect_near(pixel_float(1, 1), expected, 0.005F);
    }
}

constexpr std::array<GLenum, 4> kColours{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                         GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3};

/// Four colours of 4 x 4 pixels, all of them drawn to; the framebuffer is bound.
GLuint four_colours() {
    const GLuint framebuffer = make_target({4, 4, GL_NONE}).framebuffer;
    for (const GLenum buffer : kColours) {
        const GLuint texture = texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture(GL_FRAMEBUFFER, buffer, texture, 0);
    }
    gl::DrawBuffers(4, kColours.data());
    return framebuffer;
}

/// Of the bound framebuffer, a pixel each.
void expect_colours(const std::array<Byte4, 4>& expected) {
    for (size_t i = 0; i < expected.size(); ++i) {
        gl::ReadBuffer(kColours[i]);
        expect_pixel(1, 1, expected[i]);
    }
}

constexpr const char* kRedInFour = "layout(location = 0) out vec4 o[4]; void main() { o[0] = o[1] "
                                   "= o[2] = o[3] = vec4(1, 0, 0, 1); }";

// OpenGL 4.6, 17.3.6 and 17.4.2: what is drawn before, to a framebuffer without colours, is no
// reason for the buffers to be alike.
TEST_F(BlendTest, IndexedEnablesAndMasksBehindADrawOfDepthAlone) {
    const GLuint colours = four_colours();
    const GLuint depth = make_target({4, 4, GL_NONE, GL_DEPTH_COMPONENT24}).framebuffer;
    const GLuint program = vs_fs(kFullscreenVs, kRedInFour);
    gl::Enable(GL_DEPTH_TEST);
    gl::BlendFunc(GL_ONE, GL_ONE);
    for (int round = 0; round < 12; ++round) {
        SCOPED_TRACE(round);
        gl::BindFramebuffer(GL_FRAMEBUFFER, colours);
        gl::ColorMask(1, 1, 1, 1);
        gl::Disable(GL_BLEND);
        draw_fullscreen(program);
        gl::ClearColor(0, 0, 1, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::BindFramebuffer(GL_FRAMEBUFFER, depth);
        gl::Clear(GL_DEPTH_BUFFER_BIT);
        draw_fullscreen(program);
        gl::BindFramebuffer(GL_FRAMEBUFFER, colours);
        gl::Enablei(GL_BLEND, 1);
        gl::ColorMaski(2, GL_FALSE, GL_TRUE, GL_TRUE, GL_TRUE);
        draw_fullscreen(program);
        expect_colours({{{255, 0, 0, 255}, {255, 0, 255, 255}, {0, 0, 0, 255}, {255, 0, 0, 255}}});
    }
}

TEST_F(BlendTest, IndexedEnablesAndMasks) {
    (void)four_colours();
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::BlendFunc(GL_ONE, GL_ONE);
    gl::Enablei(GL_BLEND, 1);
    gl::ColorMaski(2, GL_FALSE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl::Enablei(GL_BLEND, 3);
    gl::ColorMaski(3, GL_TRUE, GL_TRUE, GL_FALSE, GL_TRUE);
    draw_fullscreen(vs_fs(kFullscreenVs, kRedInFour));
    expect_colours({{{255, 0, 0, 255}, {255, 0, 255, 255}, {0, 0, 0, 255}, {255, 0, 255, 255}}});
}

TEST_F(BlendTest, EveryColourMask) {
    make_target({4, 4});
    for (int mask = 0; mask < 16; ++mask) {
        gl::ColorMask(1, 1, 1, 1);
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::ColorMask(mask & 1, (mask >> 1) & 1, (mask >> 2) & 1, (mask >> 3) & 1);
        painter().fill({1, 1, 1, 1});
        Byte4 expected{};
        for (size_t c = 0; c < 4; ++c) {
            expected[c] = (mask >> c) & 1 ? 255 : 0;
        }
        expect_pixel(1, 1, expected);
    }
}

TEST_F(BlendTest, LogicOps) {
    make_target({4, 4});
    gl::Enable(GL_COLOR_LOGIC_OP);
    const std::uint8_t s = 0xAC;
    const std::uint8_t d = 0x65;
    struct Op {
        GLenum name;
        int result;
    };
    for (const Op& op :
         {Op{GL_CLEAR, 0}, Op{GL_AND, s & d}, Op{GL_AND_REVERSE, s & ~d}, Op{GL_COPY, s},
          Op{GL_AND_INVERTED, ~s & d}, Op{GL_NOOP, d}, Op{GL_XOR, s ^ d}, Op{GL_OR, s | d},
          Op{GL_NOR, ~(s | d)}, Op{GL_EQUIV, ~(s ^ d)}, Op{GL_INVERT, ~d},
          Op{GL_OR_REVERSE, s | ~d}, Op{GL_COPY_INVERTED, ~s}, Op{GL_OR_INVERTED, ~s | d},
          Op{GL_NAND, ~(s & d)}, Op{GL_SET, 0xFF}}) {
        gl::LogicOp(GL_COPY);
        painter().fill({d / 255.0F, d / 255.0F, d / 255.0F, d / 255.0F});
        gl::LogicOp(op.name);
        painter().fill({s / 255.0F, s / 255.0F, s / 255.0F, s / 255.0F});
        const auto value = static_cast<std::uint8_t>(op.result & 0xFF);
        const Byte4 actual = pixel(2, 2);
        EXPECT_EQ(actual, (Byte4{value, value, value, value})) << "op 0x" << std::hex << op.name;
    }
    gl::Disable(GL_COLOR_LOGIC_OP);
}

TEST_F(BlendTest, LogicOpReplacesBlending) {
    make_target({4, 4});
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    gl::Enable(GL_COLOR_LOGIC_OP);
    gl::LogicOp(GL_COPY);
    painter().fill({1, 0, 0, 1});
    gl::Disable(GL_COLOR_LOGIC_OP);
    expect_pixel(1, 1, kRed);
}

// A command buffer begins without any state, and a flush begins a new one.
TEST_F(BlendTest, StaysAcrossFlushes) {
    make_target({4, 4});
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    gl::ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    for (int i = 0; i < 4; ++i) {
        painter().fill({0.2F, 0.2F, 0.2F, 0.2F});
        gl::Flush();
    }
    gl::ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    expect_pixel(1, 1, {204, 0, 204, 204});
}

// What does not blend keeps its equation in Vulkan: the next that blends needs its own.
TEST_F(BlendTest, EquationsBehindDisabledBlending) {
    make_target({4, 4});
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    painter().fill({1, 0, 0, 1}); // magenta
    gl::Disable(GL_BLEND);
    gl::BlendFunc(GL_ZERO, GL_ONE);
    painter().fill({0, 1, 0, 1}); // green, whatever the factors say
    expect_pixel(1, 1, kGreen);
    painter().fill({0, 1, 0, 1});
    gl::Enable(GL_BLEND);
    painter().fill({1, 0, 0, 1}); // nothing: the factors drop it
    expect_pixel(1, 1, kGreen);
    gl::Disable(GL_BLEND);
}

TEST_F(BlendTest, ToggledAtEveryDraw) {
    make_target({64, 1});
    gl::ClearColor(0, 0, 0.5F, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_SCISSOR_TEST);
    gl::BlendFunc(GL_ONE, GL_ONE);
    for (int i = 0; i < 64; ++i) {
        gl::Scissor(i, 0, 1, 1);
        (i % 2 ? gl::Enable : gl::Disable)(GL_BLEND);
        painter().fill({1, 0, 0, 1});
    }
    const Picture picture = read_picture(64, 1);
    for (int i = 0; i < 64; ++i) {
        EXPECT_NEAR(picture.at(i, 0)[2], i % 2 ? 128 : 0, 1) << i;
    }
}

TEST_F(BlendTest, IntegerTargetsIgnoreBlending) {
    make_target({4, 4, GL_RGBA32UI});
    const Uint4 zero{1, 1, 1, 1};
    gl::ClearBufferuiv(GL_COLOR, 0, zero.data());
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    draw_fullscreen(vs_fs(kFullscreenVs, "out uvec4 result; void main() { result = uvec4(5u); }"));
    EXPECT_EQ(pixel_uint(1, 1), (Uint4{5, 5, 5, 5}));
}

// GL 3.3 leaves it open whether these can be drawn to; where they can, they blend.
TEST_F(BlendTest, SignedNormalisedTargets) {
    int drawn = 0;
    for (const GLenum format : {GL_R8_SNORM, GL_RG8_SNORM, GL_RGBA8_SNORM, GL_RGBA16_SNORM}) {
        texture_2d(format, 2, 2, GL_RGBA, GL_FLOAT, nullptr);
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        GLint texture = 0;
        gl::GetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                 static_cast<GLuint>(texture), 0);
        if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            continue;
        }
        ++drawn;
        gl::Viewport(0, 0, 2, 2);
        gl::ClearColor(-0.5F, 0.75F, 0.25F, 0.5F);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::Enable(GL_BLEND);
        gl::BlendFunc(GL_ONE, GL_ONE);
        RectPainter().fill({-0.25F, 0.5F, -0.75F, 0.25F}); // the second sum is beyond 1
        gl::Disable(GL_BLEND);
        // Fetched, since glReadPixels clamps fixed-point colours to 0..1 by default.
        const Float4 sum = evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(1), 0)");
        EXPECT_NEAR(sum[0], -0.75F, 0.02F) << std::hex << format;
        if (format != GL_R8_SNORM) {
            EXPECT_NEAR(sum[1], 1.0F, 0.02F) << std::hex << format;
        }
        if (format != GL_R8_SNORM && format != GL_RG8_SNORM) {
            EXPECT_NEAR(sum[2], -0.5F, 0.02F) << std::hex << format;
            EXPECT_NEAR(sum[3], 0.75F, 0.02F) << std::hex << format;
        }
    }
    if (drawn == 0) {
        GTEST_SKIP() << "signed normalised formats are for textures only here";
    }
}

} // namespace
} // namespace kobalt::gltest
