// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <utility>
#include <vector>

#include "support.h"

namespace kobalt::gltest {

inline constexpr int kPrimitiveSize = 16; ///< of the target, each way

/// Green pixels of the target.
inline int lit() {
    return count_pixels(read_picture(kPrimitiveSize, kPrimitiveSize), kGreen);
}

/// Centre of pixel column or row `i` in normalised device coordinates.
inline float at(int i) {
    return (static_cast<float>(i) + 0.5F) * 2.0F / kPrimitiveSize - 1.0F;
}

/// Immediate mode in green, on a black target.
class CompatPrimitiveTest : public CompatTest {
protected:
    void prepare() override {
        make_black_target({kPrimitiveSize, kPrimitiveSize});
        gl::Color4f(0, 1, 0, 1);
    }
    static void immediate(GLenum mode, const std::vector<std::pair<float, float>>& points) {
        gl::Begin(mode);
        for (const auto& [x, y] : points) {
            gl::Vertex2f(x, y);
        }
        gl::End();
    }
};

} // namespace kobalt::gltest
