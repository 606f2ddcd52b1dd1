// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Vertices between glBegin and glEnd, whose attributes come and go (OpenGL 4.6, compatibility
// profile, 10.7).
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class ImmediateTest : public FixedFunctionTest {
protected:
    static std::array<float, 4> current_color() {
        std::array<float, 4> color{};
        gl::GetFloatv(GL_CURRENT_COLOR, color.data());
        return color;
    }
    /// A loop of `count` vertices; new attributes come before two of them, counted from 0.
    static void loop(int count, int first_new, int second_new) {
        constexpr std::array<std::pair<float, float>, 5> kCorners{
            {{-0.5F, -0.5F}, {0.5F, -0.5F}, {0.7F, 0.3F}, {0, 0.8F}, {-0.7F, 0.3F}}};
        gl::Begin(GL_LINE_LOOP);
        for (int i = 0; i < count; ++i) {
            if (i == first_new) {
                gl::TexCoord2f(0.5F, 0.5F);
            }
            if (i == second_new) {
                gl::Normal3f(0, 0, 1);
            }
            const auto& [x, y] = kCorners.at(static_cast<std::size_t>(i));
            gl::Vertex2f(x, y);
        }
        gl::End();
    }
    static Picture drawn(const std::function<void()>& draw) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw();
        return read_picture(kSize, kSize);
    }
};

// 10.7.2: what a call doesn't give is 0, and alpha 1, each time.
TEST_F(ImmediateTest, ComponentsThatAreLeftOutAgain) {
    const auto colors = [] {
        for (const float alpha : {0.4F, 0.6F}) {
            gl::Color4f(0.1F, 0.2F, 0.3F, alpha);
            gl::Color3f(0, 1, 0);
        }
    };
    colors();
    EXPECT_EQ(current_color(), (std::array<float, 4>{0, 1, 0, 1}));
    gl::Begin(GL_QUADS);
    colors();
    for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        gl::Vertex2f(static_cast<float>(x), static_cast<float>(y));
    }
    gl::End();
    EXPECT_EQ(lit(), kSize * kSize);
    EXPECT_EQ(current_color(), (std::array<float, 4>{0, 1, 0, 1}));
}

// 10.1.3: a loop joins all its vertices, wherever attributes come that none before it had.
TEST_F(ImmediateTest, LoopsWithNewAttributes) {
    for (int count = 2; count <= 5; ++count) {
        const Picture expected = drawn([&] { loop(count, -1, -1); });
        EXPECT_NE(count_pixels(expected, kBlack), kSize * kSize);
        for (int first = 0; first < count; ++first) {
            for (int second = 0; second < count; ++second) {
                SCOPED_TRACE(std::to_string(count) + " vertices, new attributes before " +
                             std::to_string(first) + " and " + std::to_string(second));
                gl::Finish(); // what is current is no part of vertices then
                const Picture seen = drawn([&] { loop(count, first, second); });
                EXPECT_TRUE(seen.rgba == expected.rgba);
            }
        }
    }
}

} // namespace
} // namespace kobalt::gltest
