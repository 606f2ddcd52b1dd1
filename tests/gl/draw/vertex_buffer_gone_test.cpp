// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Enabled arrays whose buffer was deleted (GL 4.6, 5.1.2: it is unbound): without client arrays
// their offset is no address of the app's memory, so a draw neither reads there nor ends the
// program.
#include "support.h"

namespace kobalt::gltest {
namespace {

/// Uses a program that draws points of attribute 0's colour at attribute 1's position.
void use_program(const std::string& version) {
    gl::UseProgram(
        link({{GL_VERTEX_SHADER, version + "layout(location = 0) in vec4 value;\n"
                                           "layout(location = 1) in vec4 at;\nout vec4 v;\n"
                                           "void main() { v = value; gl_Position = at; "
                                           "gl_PointSize = 1.0; }"},
              {GL_FRAGMENT_SHADER, version + "precision highp float;\nin vec4 v;\nout vec4 c;\n"
                                             "void main() { c = v; }"}}));
}

/// Draws points with an array at `offset` of a buffer, beside one that stays, then without the
/// buffer.
void expect_draws(const std::string& version, GLintptr offset) {
    use_program(version);
    make_buffer(GL_ARRAY_BUFFER, std::vector<Float4>(8, {0, 0, 0, 1}));
    gl::VertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 16, nullptr);
    const GLuint gone = make_buffer(GL_ARRAY_BUFFER, std::vector<Float4>(8, {0, 1, 0, 1}));
    gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, reinterpret_cast<void*>(offset));
    gl::EnableVertexAttribArray(0);
    gl::EnableVertexAttribArray(1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_pixel(0, 0, {0, 255, 0, 255});
    gl::DeleteBuffers(1, &gone);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLushort>{0, 1, 2});
    gl::DrawArrays(GL_POINTS, 0, 3);
    gl::DrawElements(GL_POINTS, 3, GL_UNSIGNED_SHORT, nullptr);
    gl::DrawElementsInstanced(GL_POINTS, 3, GL_UNSIGNED_SHORT, nullptr, 2);
    gl::Finish();
    (void)gl::GetError(); // it may be an error, as the draw may be none
    // What has its buffers draws as before.
    gl::DisableVertexAttribArray(0);
    gl::VertexAttrib4f(0, 0, 0, 1, 1);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_pixel(0, 0, {0, 0, 255, 255});
}

class VertexBufferGoneTest : public GlTest {
protected:
    void prepare() override {
        make_black_target({1, 1});
        bind_new_vao();
    }
};

TEST_F(VertexBufferGoneTest, AtItsBegin) {
    expect_draws("#version 330 core\n", 0);
}

TEST_F(VertexBufferGoneTest, AtAnOffset) {
    expect_draws("#version 330 core\n", 64);
}

class EsVertexBufferGoneTest : public EsTest {
protected:
    void prepare() override {
        make_black_target({1, 1});
        bind_new_vao();
    }
};

TEST_F(EsVertexBufferGoneTest, InAVertexArrayObject) {
    expect_draws("#version 300 es\n", 16);
}

// OpenGL ES 3.2, 10.3: an attribute may read a buffer object without storage. It reads no address
// where a client array of the attribute was before. Another client array stays, so that vertices
// are still uploaded.
TEST_F(EsVertexBufferGoneTest, InPlaceOfAClientArray) {
    gl::BindVertexArray(0);
    use_program("#version 300 es\n");
    const std::vector<Float4> values(3, {0, 1, 0, 1});
    const std::vector<Float4> positions(3, {0, 0, 0, 1});
    gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, values.data());
    gl::VertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 16, positions.data());
    gl::EnableVertexAttribArray(0);
    gl::EnableVertexAttribArray(1);
    gl::DrawArrays(GL_POINTS, 0, 3);
    expect_pixel(0, 0, kGreen);
    GLuint empty = 0;
    gl::GenBuffers(1, &empty);
    gl::BindBuffer(GL_ARRAY_BUFFER, empty);
    gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, reinterpret_cast<void*>(16));
    gl::BindBuffer(GL_ARRAY_BUFFER, 0);
    gl::DrawArrays(GL_POINTS, 0, 3);
    gl::Finish();
    (void)gl::GetError(); // the draw may be an error
    gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, values.data());
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArrays(GL_POINTS, 0, 3);
    expect_pixel(0, 0, kGreen);
}

} // namespace
} // namespace kobalt::gltest
