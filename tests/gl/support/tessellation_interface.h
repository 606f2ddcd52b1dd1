// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "tessellation.h"

namespace kobalt::gltest {

class TessellationInterfaceTest : public TessellatingTest {
protected:
    static void expect_all(const Byte4& colour) { expect_area(0, 0, kSize, kSize, colour); }

    static inline const std::string kSquareOfEvaluation =
        "gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); ";
    static inline const std::string kOnes =
        "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] "
        "= gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0; ";
    static inline const std::string kColourFs =
        "in vec4 colour; out vec4 result; void main() { result = colour; }";
};

} // namespace kobalt::gltest
