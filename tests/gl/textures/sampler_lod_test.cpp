// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Limits of the level of detail, and what shaders ask of it.
#include "sampler.h"

namespace kobalt::gltest {
namespace {

/// What ARB_texture_query_lod says where four of 16 texels lie from one pixel to the next.
GLuint lod_program() {
    return vs_fs(kFullscreenVs, R"(
#extension GL_ARB_texture_query_lod : require
uniform sampler2D t;
out vec4 result;
void main() { result = vec4(textureQueryLOD(t, gl_FragCoord.xy * 0.25), 0, 0); })");
}

/// ARB_texture_query_lod: the second value is what the level of detail would be, whatever limits
/// it; the first is 0 where the filter knows no mipmaps.
TEST_F(SamplerTest, LodOfFiltersWithoutMipmaps) {
    if (!has_extension("GL_ARB_texture_query_lod")) {
        GTEST_SKIP() << "GL_ARB_texture_query_lod is not offered";
    }
    numbered_levels();
    const GLuint program = lod_program();
    for (const GLint min : {GL_NEAREST, GL_LINEAR}) {
        for (const GLint mag : {GL_NEAREST, GL_LINEAR}) {
            gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
            gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag);
            make_target({4, 4, GL_RGBA32F});
            draw_fullscreen(program);
            // Four of 16 texels from one pixel to the next.
            expect_near(pixel_float(2, 2), {0, 2, 0, 0}, 0.05F,
                        (min == GL_NEAREST ? "nearest, " : "linear, ") +
                            std::string(mag == GL_NEAREST ? "nearest" : "linear"));
        }
    }
    // Limits of the level of detail choose between the filters; the level stays the first.
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, 1.25F);
    draw_fullscreen(program);
    EXPECT_NEAR(pixel_float(2, 2)[0], 0.0F, 0.05F) << "a lower limit above level 0";
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, -1000.0F);
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 0.0F);
    draw_fullscreen(program);
    EXPECT_NEAR(pixel_float(2, 2)[0], 0.0F, 0.05F) << "an upper limit of level 0";
    for (const float both : {0.1F, 0.25F, 2.0F}) {
        gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, both);
        gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, both);
        draw_fullscreen(program);
        EXPECT_NEAR(pixel_float(2, 2)[0], 0.0F, 0.05F) << "both limits at " << both;
    }
}

// OpenGL 4.6, 8.15: what isn't above level 0 is magnified.
TEST_F(SamplerTest, AnUpperLimitOfLevelZeroMagnifies) {
    two_texels();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 0.0F);
    for (const GLint min : {GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR}) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        EXPECT_EQ(sampled("textureLod(t, vec2(0.4, 0.5), 5.0)"), 0.0F) << min;
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        EXPECT_NEAR(sampled("textureLod(t, vec2(0.4, 0.5), 5.0)"), 0.3F, 0.01F) << min;
    }
}

TEST_F(SamplerTest, LodOfEqualLimits) {
    if (!has_extension("GL_ARB_texture_query_lod")) {
        GTEST_SKIP() << "GL_ARB_texture_query_lod is not offered";
    }
    numbered_levels();
    const GLuint program = lod_program();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    for (const float both : {0.0F, 0.5F, 1.0F, 3.0F}) {
        gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, both);
        gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, both);
        make_target({4, 4, GL_RGBA32F});
        draw_fullscreen(program);
        EXPECT_NEAR(pixel_float(2, 2)[0], both, 0.05F);
    }
}

} // namespace
} // namespace kobalt::gltest
