// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <string>

#include "fresh_text.h"
#include "pixel_grid.h"

namespace kobalt::gltest {

/// A fragment shader's body that was never compiled before, and what it draws.
struct FreshFs {
    std::string body;
    Byte4 colour;
};

inline FreshFs fresh_fs() {
    static std::atomic<int> count{0};
    const int n = ++count;
    const Byte4 colour{static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n * 37),
                       static_cast<std::uint8_t>(n * 91), 255};
    const auto channel = [&](size_t c) { return std::to_string(colour.at(c)) + ".0 / 255.0, "; };
    return {kFreshUniform + "out vec4 result; void main() { result = vec4(" + channel(0) +
                channel(1) + channel(2) + "1) + " + fresh_zero() + "; }",
            colour};
}

/// Programs that were never compiled before, drawn with into a grid of pixels.
class CompileTest : public GridTestOf<GlTest> {
protected:
    static GLuint program_of(const FreshFs& fragment) {
        return vs_fs(kFullscreenVs, fragment.body);
    }
};

} // namespace kobalt::gltest
