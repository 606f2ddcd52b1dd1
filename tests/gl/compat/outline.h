// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>

#include "primitive.h"

namespace kobalt::gltest {

/// Outlines of quads and polygons, whose diagonals no state may bring out.
class OutlineTest : public CompatPrimitiveTest {
protected:
    using Points = std::vector<std::pair<float, float>>;
    void prepare() override {
        CompatPrimitiveTest::prepare();
        gl::UseProgram(plain({}));
    }
    /// Green; glColor isn't used, because its varying may be out of a geometry stage's reach.
    static GLuint plain(const std::function<void(GLuint)>& before_link) {
        return link(
            {{GL_VERTEX_SHADER, "#version 130\nvoid main() { gl_Position = gl_Vertex; }"},
             {GL_FRAGMENT_SHADER, "#version 130\nuniform vec4 colour = vec4(0, 1, 0, 1); "
                                  "void main() { gl_FragColor = colour; }"}},
            before_link ? before_link : [](GLuint) {});
    }
    static void capture_position(GLuint program) {
        const char* const name = "gl_Position";
        gl::TransformFeedbackVaryings(program, 1, &name, GL_INTERLEAVED_ATTRIBS);
    }
    /// Counter-clockwise, with corners at pixels 2 and 13.
    static Points square() {
        return {{at(2), at(2)}, {at(13), at(2)}, {at(13), at(13)}, {at(2), at(13)}};
    }
    static Points turned(Points points) {
        std::ranges::reverse(points);
        return points;
    }
    static void expect_square_outline(const Byte4& colour = kGreen) {
        for (int i = 2; i <= 13; ++i) {
            expect_pixel(i, 2, colour);
            expect_pixel(i, 13, colour);
            expect_pixel(2, i, colour);
            expect_pixel(13, i, colour);
        }
        expect_area(3, 3, 10, 10, kBlack);
    }
};

} // namespace kobalt::gltest
