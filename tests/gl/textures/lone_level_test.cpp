// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Levels of a texture that don't fit each other: each is there by itself, whichever are sampled
// (OpenGL 4.6, 8.5, 8.6, 8.11 and 18.3.2).
#include <cmath>

#include "support.h"

namespace kobalt::gltest {
namespace {

class LoneLevelTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    static std::vector<Byte4> texels(std::uint8_t value) {
        return std::vector<Byte4>(64, Byte4{value, value, value, value});
    }
    /// Levels of one size, in which `value()` is 10 and 60.
    static GLuint two_levels(std::initializer_list<int> order) {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        for (const int level : order) {
            gl::TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                           texels(level == 0 ? 10 : 60).data());
        }
        return texture;
    }
    static int value(int level) {
        std::array<Byte4, 64> got{};
        gl::GetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, got.data());
        return got[0][0];
    }
    static int sampled() {
        return static_cast<int>(
            std::lround(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))")[0] * 255));
    }
    /// What is sampled once level 1 is the first, and what it reads back as.
    static void expect_second_level(int expected) {
        EXPECT_EQ(value(1), expected);
        EXPECT_EQ(value(0), 10);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
        EXPECT_EQ(sampled(), expected);
        EXPECT_EQ(value(1), expected);
    }
};

TEST_F(LoneLevelTest, SpecifiedUpwardsAndDownwards) {
    two_levels({0, 1});
    expect_second_level(60);
    two_levels({1, 0});
    expect_second_level(60);
}

TEST_F(LoneLevelTest, ReadAfterTheFirstIsSampled) {
    two_levels({0, 1});
    EXPECT_EQ(sampled(), 10);
    expect_second_level(60);
}

TEST_F(LoneLevelTest, WrittenAfterTheFirstIsSampled) {
    two_levels({1, 0});
    EXPECT_EQ(sampled(), 10);
    gl::TexSubImage2D(GL_TEXTURE_2D, 1, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels(99).data());
    expect_second_level(99);
}

TEST_F(LoneLevelTest, CopiedToAfterTheFirstIsSampled) {
    const GLuint texture = two_levels({1, 0});
    EXPECT_EQ(sampled(), 10);
    make_target({8, 8});
    gl::ClearColor(0.2F, 0.2F, 0.2F, 0.2F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 1, 0, 0, 0, 0, 8, 8);
    expect_second_level(51);
}

TEST_F(LoneLevelTest, CopiedFromAfterTheFirstIsSampled) {
    const GLuint texture = two_levels({1, 0});
    EXPECT_EQ(sampled(), 10);
    const GLuint target = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::CopyImageSubData(texture, GL_TEXTURE_2D, 1, 0, 0, 0, target, GL_TEXTURE_2D, 0, 0, 0, 0, 8,
                         8, 1);
    EXPECT_EQ(value(0), 60);
}

} // namespace
} // namespace kobalt::gltest
