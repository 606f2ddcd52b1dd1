// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Enabled arrays whose buffer was deleted (GL 4.6, 5.1.2: it is unbound): without client arrays
// their offset is no address of the app's memory, so a draw neither reads there nor ends the
// program.
#include "support.h"

namespace kobalt::gltest {
namespace {

/// Draws points with an array at `offset` of a buffer, beside one that stays, then without the
/// buffer.
void expect_draws(const std::string& version, GLintptr offset) {
    gl::UseProgram(
        link({{GL_VERTEX_SHADER, version + "layout(location = 0) in vec4 value;\n"
                                           "layout(location = 1) in vec4 at;\nout vec4 v;\n"
                                           "void main() { v = value; gl_Position = at; "
                                           "gl_PointSize = 1.0; }"},
              {GL_FRAGMENT_SHADER, version + "precision highp float;\nin vec4 v;\nout vec4 c;\n"
                                             "void main() { c = v; }"}}));
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

} // namespace
} // namespace kobalt::gltest
