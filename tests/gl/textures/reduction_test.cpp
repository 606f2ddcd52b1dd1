// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_ARB_texture_filter_minmax and GL_EXT_texture_filter_minmax.
#include "support.h"

namespace kobalt::gltest {
namespace {

class ReductionTest : public GlTest {};

TEST_F(ReductionTest, LeastAndMostOfTheTexels) {
    if (!has_extension("GL_ARB_texture_filter_minmax") &&
        !has_extension("GL_EXT_texture_filter_minmax")) {
        GTEST_SKIP() << "no texture_filter_minmax";
    }
    // A format that Vulkan promises; others have to be asked for (GetInternalformativ).
    const std::array<GLubyte, 2> texels{10, 110};
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    texture_2d(GL_R8, 2, 1, GL_RED, GL_UNSIGNED_BYTE, texels.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    const GLuint name =
        vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 c; void main() { c = textureLod(t, "
                             "vec2(0.45, 0.5), 0.0); }");
    make_target({4, 4});
    struct Case {
        GLint mode;
        Byte4 expected;
    };
    for (const Case& one : {Case{GL_MIN, {10, 0, 0, 255}}, Case{GL_MAX, {110, 0, 0, 255}},
                            Case{GL_WEIGHTED_AVERAGE_ARB, {50, 0, 0, 255}}}) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_REDUCTION_MODE_ARB, one.mode);
        draw_fullscreen(name);
        expect_area(0, 0, 4, 4, one.expected, 2);
    }
}

} // namespace
} // namespace kobalt::gltest
