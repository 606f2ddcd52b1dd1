// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Points as compatibility profiles have them: smooth, sprites, attenuated (OpenGL 4.6
// compatibility, 14.4).
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

TEST_F(FixedFunctionTest, SmoothPointsAreRound) {
    gl::Enable(GL_POINT_SMOOTH);
    gl::PointSize(16);
    gl::Color4f(0, 1, 0, 1);
    gl::Begin(GL_POINTS);
    gl::Vertex2f(0, 0);
    gl::End();
    gl::Disable(GL_POINT_SMOOTH);
    gl::PointSize(1);
    expect_pixel(16, 16, kGreen);
    expect_pixel(9, 16, kGreen);
    expect_pixel(8, 8, kBlack); // a corner of the point's square
    expect_pixel(23, 23, kBlack);
}

TEST_F(FixedFunctionTest, SpriteCoordinatesAreForPointsOnly) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex;"
                            " gl_TexCoord[0] = vec4(2); }"},
         {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { bool given = gl_TexCoord[0].s == 2.0;"
                              " gl_FragColor = vec4(!given, given, 0, 1); }"}});
    gl::UseProgram(program);
    gl::Enable(GL_POINT_SPRITE);
    gl::TexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    gl::PointSize(8);
    const auto draw = [](GLenum mode) {
        gl::Begin(mode);
        gl::Vertex2f(0, 0);
        gl::Vertex2f(-1, 0);
        gl::Vertex2f(0, -1);
        gl::End();
    };
    draw(GL_POINTS);
    expect_pixel(16, 16, kRed);
    draw(GL_TRIANGLES);
    expect_pixel(7, 12, kGreen);
    draw(GL_POINTS);
    expect_pixel(16, 16, kRed);
    gl::TexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_FALSE);
    draw(GL_POINTS);
    expect_pixel(16, 16, kGreen);
    gl::Disable(GL_POINT_SPRITE);
    gl::PointSize(1);
    gl::UseProgram(0);
}

TEST_F(FixedFunctionTest, PointSpritesReplaceCoordinates) {
    const std::array<std::uint8_t, 8> texels{255, 0, 0, 255, 0, 255, 0, 255};
    texture_2d(GL_RGBA8, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::Enable(GL_TEXTURE_2D);
    gl::Enable(GL_POINT_SPRITE);
    gl::TexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    gl::PointSize(16);
    gl::Color4f(1, 1, 1, 1);
    gl::Begin(GL_POINTS);
    gl::Vertex2f(0, 0);
    gl::End();
    expect_area(8, 8, 8, 16, kRed);
    expect_area(16, 8, 8, 16, kGreen);
    gl::Disable(GL_POINT_SPRITE);
    gl::Disable(GL_TEXTURE_2D);
    gl::PointSize(1);
}

TEST_F(FixedFunctionTest, PointAttenuation) {
    const std::array<float, 3> attenuation{0, 0, 0.25F};
    gl::PointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation.data());
    gl::PointSize(4);
    gl::MatrixMode(GL_PROJECTION);
    gl::LoadIdentity();
    gl::Ortho(-1, 1, -1, 1, 0, 10);
    gl::MatrixMode(GL_MODELVIEW);
    gl::Color4f(0, 1, 0, 1);
    gl::Begin(GL_POINTS);
    gl::Vertex3f(0, 0, -1);
    gl::End();
    // 4 * sqrt(1 / (0.25 * 1)) = 8
    EXPECT_EQ(lit(), 64);
    gl::PointSize(1);
}

/// OpenGL 3.3 compatibility, 3.4.1: neither smooth nor sprites, they are whole pixels wide,
/// wherever they are; a sprite has the size it was given.
TEST_F(FixedFunctionTest, PlainPointsAreWholePixelsWide) {
    const GLuint program = link({{GL_VERTEX_SHADER, "void main() { gl_Position = gl_Vertex; "
                                                    "gl_PointSize = gl_MultiTexCoord0.x; "
                                                    "gl_FrontColor = vec4(0, 1, 0, 1); }"},
                                 {GL_FRAGMENT_SHADER, "void main() { gl_FragColor = gl_Color; }"}});
    const auto pixels = [](float position, float size) {
        clear_to_black();
        gl::PointSize(size);
        gl::Color4f(0, 1, 0, 1);
        gl::Begin(GL_POINTS);
        gl::TexCoord2f(size, 0);
        gl::Vertex2f(position * 2 / kSize, position * 2 / kSize);
        gl::End();
        return lit();
    };
    const auto expect_sizes = [&](const char* what) {
        for (const float offset : {0.1F, 0.4F, 0.6F, 0.9F}) {
            EXPECT_EQ(pixels(offset, 1.4F), 1) << what << " at " << offset;
            EXPECT_EQ(pixels(offset, 2.4F), 4) << what << " at " << offset;
            EXPECT_EQ(pixels(offset, 2.5F), 4) << what << " at " << offset;
            EXPECT_EQ(pixels(offset, 2.6F), 9) << what << " at " << offset;
            EXPECT_EQ(pixels(offset, 6.7F), 49) << what << " at " << offset;
        }
    };
    expect_sizes("glPointSize");
    gl::UseProgram(program);
    gl::Enable(GL_VERTEX_PROGRAM_POINT_SIZE);
    expect_sizes("gl_PointSize");
    gl::Disable(GL_VERTEX_PROGRAM_POINT_SIZE);
    gl::UseProgram(0);
    gl::Enable(GL_POINT_SPRITE);
    EXPECT_EQ(pixels(0.1F, 2.4F), 4);
    EXPECT_EQ(pixels(0.5F, 2.4F), 9);
    gl::Disable(GL_POINT_SPRITE);
    gl::PointSize(1);
}

} // namespace
} // namespace kobalt::gltest
