// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Edge flags of polygons whose outlines or corners are drawn (OpenGL 4.6 compatibility, 14.6.4).
#include "outline.h"

namespace kobalt::gltest {
namespace {

TEST_F(OutlineTest, EdgeFlagsOfCulledPolygons) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl::Enable(GL_CULL_FACE);
    for (const GLenum mode : {GL_QUADS, GL_POLYGON}) {
        clear_to_black();
        gl::Begin(mode);
        int i = 0;
        for (const auto& [x, y] : square()) {
            gl::EdgeFlag(i++ == 1 ? GL_FALSE : GL_TRUE); // the edge on the right
            gl::Vertex2f(x, y);
        }
        gl::End();
        expect_pixel(7, 2, kGreen);
        expect_pixel(7, 13, kGreen);
        expect_pixel(2, 7, kGreen);
        expect_area(3, 3, 10, 10, kBlack);
        expect_area(13, 3, 1, 10, kBlack);
    }
    gl::EdgeFlag(GL_TRUE);
    gl::Disable(GL_CULL_FACE);
}

TEST_F(OutlineTest, EdgeFlagsOfCornersDrawnAsPoints) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    // Each corner once, and none whose flag is off, also where the faces are told apart.
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    const GLuint program = plain({});
    gl::UseProgram(program);
    set_uniform(program, "colour", Float4{0, 0.25F, 0, 1});
    const auto draw = [](GLenum mode, bool mirrored) {
        clear_to_black();
        gl::Begin(mode);
        for (const auto& [x, y] : mirrored ? turned(square()) : square()) {
            gl::EdgeFlag(x > 0 && y < 0 ? GL_FALSE : GL_TRUE); // not the corner at 13, 2
            gl::Vertex2f(x, y);
        }
        gl::End();
        gl::EdgeFlag(GL_TRUE);
    };
    for (const bool culled : {false, true}) {
        gl::CullFace(GL_BACK);
        (culled ? gl::Enable : gl::Disable)(GL_CULL_FACE);
        for (const GLenum mode : {GL_TRIANGLES, GL_QUADS, GL_POLYGON}) {
            draw(mode, false);
            const Byte4 quarter{0, 64, 0, 255};
            expect_pixel(2, 2, quarter, 2);
            expect_pixel(13, 2, kBlack);
            expect_pixel(13, 13, quarter, 2);
            expect_pixel(2, 13, mode == GL_TRIANGLES ? kBlack : quarter, 2);
            expect_area(3, 3, 10, 10, kBlack);
            draw(mode, true);
            expect_pixel(2, 2, culled || mode == GL_TRIANGLES ? kBlack : quarter, 2);
            expect_pixel(2, 13, culled ? kBlack : quarter, 2);
            expect_pixel(13, 2, kBlack);
        }
    }
    gl::Disable(GL_CULL_FACE);
    gl::Disable(GL_BLEND);
    gl::UseProgram(0);
}

// GL 4.6 (compatibility), Polygon Edges: flags are those of separate triangles, quads and polygons.
TEST_F(OutlineTest, EdgeFlagThatIsOffHidesNoStrips) {
    gl::EdgeFlag(GL_FALSE);
    for (const GLenum shape : {GL_POINT, GL_LINE}) {
        gl::PolygonMode(GL_FRONT_AND_BACK, shape);
        for (const GLenum mode :
             {GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_TRIANGLES, GL_QUADS, GL_POLYGON}) {
            clear_to_black();
            gl::Begin(mode);
            for (const auto& [x, y] : square())
                gl::Vertex2f(x, y);
            gl::End();
            const bool seen = mode == GL_TRIANGLE_STRIP || mode == GL_TRIANGLE_FAN;
            const Byte4& colour = seen ? kGreen : kBlack;
            expect_pixel(shape == GL_LINE ? 7 : 2, 2, colour);
            expect_pixel(13, shape == GL_LINE ? 7 : 13, colour);
        }
    }
    gl::EdgeFlag(GL_TRUE);
}

TEST_F(OutlineTest, CornersDrawnAsPointsHaveThePolygonsFace) {
    gl::UseProgram(
        link({{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; }"},
              {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = gl_FrontFacing ? "
                                   "vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }"}}));
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    gl::PointSize(3);
    for (const GLenum mode : {GL_TRIANGLES, GL_QUADS, GL_POLYGON}) {
        for (const bool front : {true, false}) {
            clear_to_black();
            gl::Begin(mode);
            int i = 0;
            for (const auto& [x, y] : front ? square() : turned(square())) {
                gl::EdgeFlag(i++ == 1 ? GL_FALSE : GL_TRUE);
                gl::Vertex2f(x, y);
            }
            gl::End();
            gl::EdgeFlag(GL_TRUE);
            // In squares of nine pixels.
            expect_area(1, front ? 1 : 12, 3, 3, front ? kGreen : kRed);
            expect_area(12, front ? 12 : 1, 3, 3, front ? kGreen : kRed);
            expect_area(11, front ? 1 : 11, 5, 5, kBlack);
        }
    }
    gl::PointSize(1);
    gl::UseProgram(0);
}

} // namespace
} // namespace kobalt::gltest
