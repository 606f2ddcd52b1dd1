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

} // namespace
} // namespace kobalt::gltest
