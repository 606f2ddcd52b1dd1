// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "blend.h"

namespace kobalt::gltest {
namespace {

Float4 factor(GLenum name) {
    const auto invert = [](Float4 v) {
        for (float& c : v) {
            c = 1 - c;
        }
        return v;
    };
    const auto all = [](float v) { return Float4{v, v, v, v}; };
    const float saturate = std::min(kBlendSource[3], 1 - kBlendDestination[3]);
    switch (name) {
    case GL_ONE:
        return all(1);
    case GL_SRC_COLOR:
        return kBlendSource;
    case GL_ONE_MINUS_SRC_COLOR:
        return invert(kBlendSource);
    case GL_DST_COLOR:
        return kBlendDestination;
    case GL_ONE_MINUS_DST_COLOR:
        return invert(kBlendDestination);
    case GL_SRC_ALPHA:
        return all(kBlendSource[3]);
    case GL_ONE_MINUS_SRC_ALPHA:
        return all(1 - kBlendSource[3]);
    case GL_DST_ALPHA:
        return all(kBlendDestination[3]);
    case GL_ONE_MINUS_DST_ALPHA:
        return all(1 - kBlendDestination[3]);
    case GL_CONSTANT_COLOR:
        return kBlendConstant;
    case GL_ONE_MINUS_CONSTANT_COLOR:
        return invert(kBlendConstant);
    case GL_CONSTANT_ALPHA:
        return all(kBlendConstant[3]);
    case GL_ONE_MINUS_CONSTANT_ALPHA:
        return all(1 - kBlendConstant[3]);
    case GL_SRC_ALPHA_SATURATE:
        return {saturate, saturate, saturate, 1};
    case GL_SRC1_COLOR:
        return kBlendSecond;
    case GL_ONE_MINUS_SRC1_COLOR:
        return invert(kBlendSecond);
    case GL_SRC1_ALPHA:
        return all(kBlendSecond[3]);
    case GL_ONE_MINUS_SRC1_ALPHA:
        return all(1 - kBlendSecond[3]);
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
            painter().fill(kBlendSource);
            Float4 expected{};
            for (size_t c = 0; c < 4; ++c) {
                expected[c] =
                    combine(GL_FUNC_ADD, kBlendSource[c], kBlendDestination[c], factor(source)[c],
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
            painter().fill(kBlendSource);
            Float4 expected{};
            for (size_t c = 0; c < 3; ++c) {
                expected[c] =
                    combine(colour, kBlendSource[c], kBlendDestination[c], kBlendSource[3], 1);
            }
            expected[3] =
                combine(alpha, kBlendSource[3], kBlendDestination[3], 1, kBlendDestination[3]);
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
            expected[c] = combine(GL_FUNC_ADD, kBlendSource[c], kBlendDestination[c],
                                  factor(static_cast<GLenum>(source))[c],
                                  factor(static_cast<GLenum>(destination))[c]);
        }
        expect_near(pixel_float(1, 1), expected, 0.005F);
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

} // namespace
} // namespace kobalt::gltest
