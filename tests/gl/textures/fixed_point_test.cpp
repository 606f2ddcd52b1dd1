// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Fixed-point components on their way to and from the app's memory (OpenGL 4.6, section 2.3.5).
#include <cmath>
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

class FixedPointTest : public GlTest {
protected:
    static constexpr int kCount = 64;

    /// Values that `Component` has of -1 (or 0, where there are no others) to 1, in equal steps.
    template <class Component>
    static std::vector<Component> components(double least) {
        std::vector<Component> values;
        for (int i = 0; i < kCount; ++i)
            values.push_back(static_cast<Component>(
                std::lround((least + (1 - least) * i / (kCount - 1)) *
                            static_cast<double>(std::numeric_limits<Component>::max()))));
        return values;
    }
    template <class Component>
    static double value(Component component) {
        return static_cast<double>(component) /
               static_cast<double>(std::numeric_limits<Component>::max());
    }

    /// A row of a texture that is uploaded as `Component` and read as floats: within a unit of
    /// `bits` bits.
    template <class Component>
    static void upload(GLenum internal, GLenum format, GLenum type, int bits, double least) {
        SCOPED_TRACE(std::to_string(internal) + " from " + std::to_string(type));
        const auto sent = components<Component>(least);
        texture_2d(internal, kCount, 1, format, type, sent.data());
        std::vector<float> got(kCount);
        gl::GetTexImage(GL_TEXTURE_2D, 0, format, GL_FLOAT, got.data());
        for (size_t i = 0; i < kCount; ++i)
            EXPECT_NEAR(got[i], value(sent[i]), 1.001 / (std::exp2(bits) - 1)) << i;
    }
    template <class Component>
    static void read(GLenum internal, GLenum format, GLenum type, int bits, double least) {
        SCOPED_TRACE(std::to_string(internal) + " as " + std::to_string(type));
        std::vector<float> sent;
        for (int i = 0; i < kCount; ++i)
            sent.push_back(static_cast<float>(least + (1 - least) * i / (kCount - 1)));
        texture_2d(internal, kCount, 1, format, GL_FLOAT, sent.data());
        std::vector<Component> got(kCount);
        gl::GetTexImage(GL_TEXTURE_2D, 0, format, type, got.data());
        for (size_t i = 0; i < kCount; ++i)
            EXPECT_NEAR(value(got[i]), sent[i], 1.001 / (std::exp2(bits) - 1)) << i;
    }
    /// `format` holds 1; it is the largest value that `Component` has.
    template <class Component>
    static void one(GLenum internal, GLenum type) {
        SCOPED_TRACE(std::to_string(internal) + " as " + std::to_string(type));
        const std::array<float, 4> ones{1, 1, 1, 1};
        texture_2d(internal, 1, 1, GL_RGBA, GL_FLOAT, ones.data());
        Component got{};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED, type, &got);
        EXPECT_EQ(got, std::numeric_limits<Component>::max());
    }
};

TEST_F(FixedPointTest, OneIsTheLargestValue) {
    for (const GLenum internal :
         {GL_RGBA32F, GL_RGBA16F, GL_R11F_G11F_B10F, GL_RGBA8, GL_RGBA4, GL_RGBA16, GL_RGBA8_SNORM,
          GL_RGBA16_SNORM, GL_RGB10_A2, GL_RGB9_E5}) {
        one<std::uint8_t>(internal, GL_UNSIGNED_BYTE);
        one<std::uint16_t>(internal, GL_UNSIGNED_SHORT);
        one<std::uint32_t>(internal, GL_UNSIGNED_INT);
        one<std::int8_t>(internal, GL_BYTE);
        one<std::int16_t>(internal, GL_SHORT);
        one<std::int32_t>(internal, GL_INT);
    }
}

TEST_F(FixedPointTest, SignedValuesOfOtherSizes) {
    upload<std::int16_t>(GL_R8_SNORM, GL_RED, GL_SHORT, 7, -1);
    upload<std::int32_t>(GL_R8_SNORM, GL_RED, GL_INT, 7, -1);
    upload<std::int32_t>(GL_R16_SNORM, GL_RED, GL_INT, 15, -1);
    upload<std::int8_t>(GL_R16_SNORM, GL_RED, GL_BYTE, 15, -1);
    read<std::int8_t>(GL_R16_SNORM, GL_RED, GL_BYTE, 7, -1);
    read<std::int16_t>(GL_R32F, GL_RED, GL_SHORT, 15, -1);
    read<std::int32_t>(GL_R32F, GL_RED, GL_INT, 24, -1);
    read<std::uint32_t>(GL_R32F, GL_RED, GL_UNSIGNED_INT, 24, 0);
}

TEST_F(FixedPointTest, DepthsInSignedComponents) {
    upload<std::int8_t>(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_BYTE, 15, 0);
    upload<std::int16_t>(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_SHORT, 20, 0);
    upload<std::int32_t>(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_INT, 23, 0);
    read<std::int8_t>(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_BYTE, 7, 0);
    read<std::int16_t>(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_SHORT, 15, 0);
    read<std::int32_t>(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_INT, 23, 0);
}

// Section 18.2.8: floating-point buffers aren't clamped unless the app wants it.
TEST_F(FixedPointTest, SharedExponentsOfFloats) {
    make_target({4, 4, GL_RGBA16F});
    gl::ClearColor(20, 0.5F, 2, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    std::uint32_t packed = 0;
    gl::ReadPixels(0, 0, 1, 1, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, &packed);
    const double scale = std::exp2(static_cast<int>(packed >> 27) - 15 - 9);
    EXPECT_NEAR((packed & 0x1FF) * scale, 20, 0.1);
    EXPECT_NEAR((packed >> 9 & 0x1FF) * scale, 0.5, 0.1);
    EXPECT_NEAR((packed >> 18 & 0x1FF) * scale, 2, 0.1);
}

} // namespace
} // namespace kobalt::gltest
