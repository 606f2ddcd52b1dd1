// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Arrays and indices in the program's own memory, and draws in display lists.
#include "support.h"

namespace kobalt::gltest {
namespace {

class ClientArrayTest : public CompatTest {};

TEST_F(ClientArrayTest, VerticesAndIndicesInUserMemory) {
    make_black_target({16, 16});
    const std::array<float, 8> corners{-1, -1, 0, -1, -1, 1, 0, 1};
    const std::array<std::uint16_t, 6> indices{0, 1, 2, 2, 1, 3};
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, corners.data());
    gl::Color4f(0, 1, 0, 1);
    gl::DrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, indices.data());
    expect_area(0, 0, 8, 16, kGreen);
    expect_area(8, 0, 8, 16, kBlack);
}

TEST_F(ClientArrayTest, ManySmallUserArrays) {
    make_black_target({64, 1});
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::Color4f(0, 1, 0, 1);
    for (int i = 0; i < 64; i += 2) {
        const std::array<float, 2> point{(static_cast<float>(i) + 0.5F) / 32.0F - 1.0F, 0.0F};
        gl::VertexPointer(2, GL_FLOAT, 0, point.data());
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    EXPECT_EQ(count_pixels(read_picture(64, 1), kGreen), 32);
}

TEST_F(ClientArrayTest, DisplayListReplaysDraws) {
    make_black_target({16, 16});
    const GLuint list = gl::GenLists(1);
    gl::NewList(list, GL_COMPILE);
    gl::Begin(GL_TRIANGLES);
    gl::Vertex2f(-1, -1);
    gl::Vertex2f(3, -1);
    gl::Vertex2f(-1, 3);
    gl::End();
    gl::EndList();
    expect_area(0, 0, 16, 16, kBlack);
    gl::Color4f(0, 1, 0, 1);
    gl::CallList(list);
    expect_area(0, 0, 16, 16, kGreen);
}

} // namespace
} // namespace kobalt::gltest
