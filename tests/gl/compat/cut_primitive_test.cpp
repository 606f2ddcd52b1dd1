// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Primitives that are drawn or stored in parts, since an attribute comes that none before it had
// (OpenGL 4.6, compatibility profile, 10.1 and 21.4).
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class CutPrimitiveTest : public FixedFunctionTest {
protected:
    /// What is drawn twice is lighter.
    void prepare() override {
        FixedFunctionTest::prepare();
        gl::Enable(GL_BLEND);
        gl::BlendFunc(GL_ONE, GL_ONE);
        gl::Color4f(0, 0.25F, 0, 0.25F);
    }
    /// Vertices of one primitive; new attributes come before two of them, counted from 0.
    static void primitive(GLenum mode, int count, int first_new, int second_new) {
        constexpr std::array<std::pair<float, float>, 6> kCorners{
            {{-0.5F, -0.5F}, {0.5F, -0.5F}, {0.7F, 0.3F}, {0, 0.8F}, {-0.7F, 0.3F}, {-0.8F, 0}}};
        gl::Begin(mode);
        for (int i = 0; i < count; ++i) {
            if (i == first_new) {
                gl::TexCoord2f(0.5F, 0.5F);
            }
            if (i == second_new) {
                gl::Normal3f(0, 0, 1);
            }
            const auto& [x, y] = kCorners.at(static_cast<std::size_t>(i));
            gl::Vertex2f(x, y);
        }
        gl::End();
    }
    /// Lines or triangles, which may be merged with what comes behind.
    static void before(GLenum mode) {
        if (mode == GL_LINE_LOOP || mode == GL_LINE_STRIP) {
            primitive(GL_LINES, 2, -1, -1);
        } else {
            primitive(GL_TRIANGLES, 3, -1, -1);
        }
    }
    static Picture drawn(const std::function<void()>& draw) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw();
        return read_picture(kSize, kSize);
    }
    static void expect_same(GLenum mode, int count, int first, int second) {
        SCOPED_TRACE(std::to_string(mode) + ", " + std::to_string(count) +
                     " vertices, new attributes before " + std::to_string(first) + " and " +
                     std::to_string(second));
        const Picture expected = drawn([&] {
            before(mode);
            primitive(mode, count, -1, -1);
        });
        const Picture cut = drawn([&] {
            before(mode);
            primitive(mode, count, first, second);
        });
        EXPECT_TRUE(cut.rgba == expected.rgba);
        const GLuint list = gl::GenLists(1);
        for (const GLenum way : {GL_COMPILE, GL_COMPILE_AND_EXECUTE}) {
            SCOPED_TRACE(way);
            const Picture compiled = drawn([&] {
                gl::NewList(list, way);
                before(mode);
                primitive(mode, count, first, second);
                gl::EndList();
            });
            EXPECT_TRUE(way == GL_COMPILE || compiled.rgba == expected.rgba);
            const Picture called = drawn([&] { gl::CallList(list); });
            EXPECT_TRUE(called.rgba == expected.rgba);
        }
    }
};

TEST_F(CutPrimitiveTest, AllOfThePrimitive) {
    for (const GLenum mode : {GL_LINE_LOOP, GL_LINE_STRIP, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN,
                              GL_QUAD_STRIP, GL_POLYGON}) {
        for (int first = 0; first < 6; ++first) {
            for (int second = first; second < 6; ++second) {
                expect_same(mode, 6, first, second);
            }
        }
    }
}

TEST_F(CutPrimitiveTest, ShortLoops) {
    for (int count = 1; count < 4; ++count) {
        for (int first = 0; first < count; ++first) {
            for (int second = first; second < count; ++second) {
                expect_same(GL_LINE_LOOP, count, first, second);
            }
        }
    }
}

// 10.1.3: a loop joins all its vertices, wherever attributes come that none before it had.
TEST_F(CutPrimitiveTest, LoopsWithNewAttributes) {
    for (int count = 2; count <= 5; ++count) {
        const Picture expected = drawn([&] { primitive(GL_LINE_LOOP, count, -1, -1); });
        EXPECT_NE(count_pixels(expected, kBlack), kSize * kSize);
        for (int first = 0; first < count; ++first) {
            for (int second = 0; second < count; ++second) {
                SCOPED_TRACE(std::to_string(count) + " vertices, new attributes before " +
                             std::to_string(first) + " and " + std::to_string(second));
                gl::Finish(); // what is current is no part of vertices then
                const Picture seen = drawn([&] { primitive(GL_LINE_LOOP, count, first, second); });
                EXPECT_TRUE(seen.rgba == expected.rgba);
            }
        }
    }
}

// What is called after such a list isn't called between glBegin and glEnd.
TEST_F(CutPrimitiveTest, ArraysBehindIt) {
    const std::array<float, 4> vertices{-0.5F, 0.5F, 0.5F, 0.5F};
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, vertices.data());
    const GLuint list = gl::GenLists(1);
    gl::NewList(list, GL_COMPILE);
    gl::Begin(GL_POINTS);
    gl::Color4f(0, 1, 0, 1);
    gl::Vertex2f(0, 0);
    gl::Vertex3f(0.25F, 0.25F, 0);
    gl::End();
    gl::DrawArrays(GL_POINTS, 0, 2);
    gl::EndList();
    gl::CallList(list);
    gl::End();
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
    EXPECT_EQ(lit(), 4);
}

} // namespace
} // namespace kobalt::gltest
