// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the driver tells shaders beside their uniforms (clip distances that are enabled, numbers of
// draws) changes while programs are drawn with that read none of it, or other parts.
#include "support.h"

namespace kobalt::gltest {
namespace {

class ParametersTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    void prepare() override {
        make_black_target({8, 8});
        bind_new_vao();
        plain_ = link({{GL_VERTEX_SHADER, corners("")}, {GL_FRAGMENT_SHADER, color("0, 0, 1, 1")}});
        clipped_ = link({{GL_VERTEX_SHADER, corners("gl_ClipDistance[0] = gl_Position.x;")},
                         {GL_FRAGMENT_SHADER, color("0, 1, 0, 1")}});
        numbered_ = link({{GL_VERTEX_SHADER, corners("number = gl_DrawID + gl_BaseVertex;")},
                          {GL_FRAGMENT_SHADER, color("float(number) / 255.0, 0, 0, 1")}});
    }
    void draw(GLuint program) {
        gl::UseProgram(program);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    void expect_clipped(bool enabled) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw(clipped_);
        expect_area(0, 0, 4, 8, enabled ? kBlack : kGreen);
        expect_area(4, 0, 4, 8, kGreen);
    }
    GLuint plain_ = 0, clipped_ = 0, numbered_ = 0;

private:
    static std::string corners(const std::string& more) {
        return "#version 460 core\nflat out int number; out float gl_ClipDistance[1];\n"
               "void main() { number = 0; gl_ClipDistance[0] = 1.0; int corner = gl_VertexID % 3;\n"
               "gl_Position = vec4(corner == 1 ? 3 : -1, corner == 2 ? 3 : -1, 0, 1);\n" +
               more + " }";
    }
    static std::string color(const std::string& value) {
        return "#version 460 core\nflat in int number; out vec4 c; void main() { c = vec4(" +
               value + "); }";
    }
};

TEST_F(ParametersTest, ChangeBesideProgramsThatDoNotReadThem) {
    for (int round = 0; round < 3; ++round) {
        for (const bool enabled : {true, false}) {
            draw(clipped_);
            draw(plain_);
            (enabled ? gl::Enable : gl::Disable)(GL_CLIP_DISTANCE0);
            draw(plain_);
            gl::Viewport(0, 0, 8 + round, 8);
            draw(numbered_);
            gl::Viewport(0, 0, 8, 8);
            if (round == 1)
                gl::Flush();
            expect_clipped(enabled);
        }
    }
}

// Mesa puts draws together that follow each other.
TEST_F(ParametersTest, DrawsOfTheirOwnHaveNumberZero) {
    gl::UseProgram(numbered_);
    for (int i = 0; i < 40; ++i)
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 8, 8, kBlack);
}

TEST_F(ParametersTest, NumbersOfDraws) {
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLuint>{0, 1, 2});
    const GLint firsts[] = {0, 0, 0};
    const GLsizei counts[] = {3, 3, 3};
    for (int round = 0; round < 3; ++round) {
        gl::UseProgram(numbered_);
        gl::MultiDrawArrays(GL_TRIANGLES, firsts, counts, 3); // the last is drawn on top
        expect_area(0, 0, 8, 8, {2, 0, 0, 255});
        gl::DrawElementsBaseVertex(GL_TRIANGLES, 3, GL_UNSIGNED_INT, nullptr, 6);
        expect_area(0, 0, 8, 8, {6, 0, 0, 255});
        draw(plain_);
        draw(numbered_); // gl_BaseVertex is 0 without indices (OpenGL 4.6, 11.1.3.9)
        expect_area(0, 0, 8, 8, kBlack);
    }
}

} // namespace
} // namespace kobalt::gltest
