// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "pixel_grid.h"

#include <algorithm>
#include <cstdlib>

namespace kobalt::gltest {

PixelGrid::PixelGrid() {
    make_black_target({kSize, kSize});
    bind_new_vao();
    gl::Enable(GL_SCISSOR_TEST);
}

void PixelGrid::draw(GLenum mode, const Byte4& expected, GLsizei vertices) {
    const auto at = static_cast<GLint>(expected_.size());
    ASSERT_LT(at, kSize * kSize);
    gl::Scissor(at % kSize, at / kSize, 1, 1);
    gl::DrawArrays(mode, 0, vertices);
    expected_.push_back(expected);
}

void PixelGrid::expect() {
    for (int i = 0; i < static_cast<int>(expected_.size()); ++i) {
        expect_pixel(i % kSize, i / kSize, expected_[static_cast<size_t>(i)]);
    }
    expected_.clear();
}

int PixelGrid::wrong() {
    const Picture picture = read_picture(kSize, kSize);
    const auto close = [](int a, int b) { return std::abs(a - b) <= 1; };
    int count = 0;
    for (int i = 0; i < static_cast<int>(expected_.size()); ++i) {
        const Byte4 seen = texel_of(picture, i % kSize, i / kSize);
        count += std::ranges::equal(seen, expected_[static_cast<size_t>(i)], close) ? 0 : 1;
    }
    expected_.clear();
    return count;
}

} // namespace kobalt::gltest
