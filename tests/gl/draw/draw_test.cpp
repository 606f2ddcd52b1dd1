// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <numeric>

#include "support.h"

namespace kobalt::gltest {
namespace {

/// Sixteen columns of one pixel; a vertex is a point at a column, its colour from an attribute.
class DrawTest : public GlTest {
protected:
    static constexpr int kColumns = 16;

    void prepare() override {
        make_black_target({kColumns, 1});
        bind_new_vao();
    }

    /// Positions of all columns at attribute 0.
    static void bind_columns() {
        std::vector<float> columns;
        for (int i = 0; i < kColumns; ++i) {
            columns.push_back((static_cast<float>(i) + 0.5F) * 2.0F / kColumns - 1.0F);
        }
        make_buffer(GL_ARRAY_BUFFER, columns);
        gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
    }

    static GLuint point_program() {
        return vs_fs("layout(location = 0) in float x; void main() { "
                     "gl_Position = vec4(x, 0, 0, 1); gl_PointSize = 1.0; }",
                     "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    }

    static std::string lit_columns() {
        const Picture picture = read_picture(kColumns, 1);
        std::string text;
        for (int i = 0; i < kColumns; ++i) {
            text += picture.at(i, 0)[1] > 127 ? '#' : '.';
        }
        return text;
    }
};

TEST_F(DrawTest, TriangleInterpolatesColours) {
    make_black_target({64, 64});
    const GLuint program =
        vs_fs("layout(location = 0) in vec2 p; layout(location = 1) in vec3 c; out vec3 colour; "
              "void main() { gl_Position = vec4(p, 0, 1); colour = c; }",
              "in vec3 colour; out vec4 result; void main() { result = vec4(colour, 1); }");
    make_buffer(GL_ARRAY_BUFFER,
                std::vector<float>{-1, -1, 1, 0, 0, 1, -1, 0, 1, 0, -1, 1, 0, 0, 1});
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 20, nullptr);
    gl::VertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 20, reinterpret_cast<void*>(8));
    gl::EnableVertexAttribArray(0);
    gl::EnableVertexAttribArray(1);
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    for (int i = 4; i < 60; i += 8) {
        const int x = i;
        const int y = (63 - i) / 2;
        const double s = (x + 0.5) / 64;
        const double t = (y + 0.5) / 64;
        expect_pixel(x, y,
                     {static_cast<std::uint8_t>(255 * (1 - s - t) + 0.5),
                      static_cast<std::uint8_t>(255 * s + 0.5),
                      static_cast<std::uint8_t>(255 * t + 0.5), 255},
                     2);
    }
    expect_pixel(60, 60, kBlack);
}

TEST_F(DrawTest, PerspectiveCorrectInterpolation) {
    make_target({64, 1});
    // Two corners at w = 1 and w = 4: the value at the middle of the screen is 1/5, not 1/2.
    const GLuint program = vs_fs(
        "out float value; void main() { float right = float(gl_VertexID & 1); float w = "
        "mix(1.0, 4.0, right); gl_Position = vec4(vec2(right, gl_VertexID >> 1) * 2.0 - 1.0, 0, 1) "
        "* w; value = right; }",
        "in float value; out vec4 result; void main() { result = vec4(value); }");
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    for (const int x : {8, 31, 56}) {
        const double s = (x + 0.5) / 64;
        const double value = (s / 4) / ((1 - s) + s / 4);
        EXPECT_NEAR(pixel(x, 0)[0] / 255.0, value, 0.01);
    }
}

TEST_F(DrawTest, NoPerspectiveInterpolation) {
    make_target({64, 1});
    const GLuint program = vs_fs(
        "noperspective out float value; void main() { float right = float(gl_VertexID & 1); float "
        "w = mix(1.0, 4.0, right); gl_Position = vec4(vec2(right, gl_VertexID >> 1) * 2.0 - 1.0, "
        "0, 1) * w; value = right; }",
        "noperspective in float value; out vec4 result; void main() { result = vec4(value); }");
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    for (const int x : {8, 31, 56}) {
        EXPECT_NEAR(pixel(x, 0)[0] / 255.0, (x + 0.5) / 64, 0.01);
    }
}

TEST_F(DrawTest, FirstAndCount) {
    bind_columns();
    gl::UseProgram(point_program());
    gl::DrawArrays(GL_POINTS, 3, 4);
    EXPECT_EQ(lit_columns(), "...####.........");
}

template <typename Index>
void draw_indices(const std::vector<Index>& indices, GLenum type) {
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    gl::DrawElements(GL_POINTS, static_cast<GLsizei>(indices.size()), type, nullptr);
}

TEST_F(DrawTest, UnsignedByteIndices) {
    bind_columns();
    gl::UseProgram(point_program());
    draw_indices<std::uint8_t>({0, 15, 7}, GL_UNSIGNED_BYTE);
    EXPECT_EQ(lit_columns(), "#......#.......#");
}

TEST_F(DrawTest, UnsignedShortIndices) {
    bind_columns();
    gl::UseProgram(point_program());
    draw_indices<std::uint16_t>({1, 2, 14}, GL_UNSIGNED_SHORT);
    EXPECT_EQ(lit_columns(), ".##...........#.");
}

TEST_F(DrawTest, UnsignedIntIndices) {
    bind_columns();
    gl::UseProgram(point_program());
    draw_indices<std::uint32_t>({5, 4, 3, 3}, GL_UNSIGNED_INT);
    EXPECT_EQ(lit_columns(), "...###..........");
}

TEST_F(DrawTest, IndexBufferOffset) {
    bind_columns();
    gl::UseProgram(point_program());
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1, 9, 10});
    gl::DrawElements(GL_POINTS, 2, GL_UNSIGNED_SHORT, reinterpret_cast<void*>(4));
    EXPECT_EQ(lit_columns(), ".........##.....");
}

TEST_F(DrawTest, OddByteIndexOffset) {
    bind_columns();
    gl::UseProgram(point_program());
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint8_t>{0, 1, 9, 10});
    gl::DrawElements(GL_POINTS, 2, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(1));
    EXPECT_EQ(lit_columns(), ".#.......#......");
}

TEST_F(DrawTest, BaseVertex) {
    bind_columns();
    gl::UseProgram(point_program());
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1, 2});
    gl::DrawElementsBaseVertex(GL_POINTS, 3, GL_UNSIGNED_SHORT, nullptr, 6);
    EXPECT_EQ(lit_columns(), "......###.......");
}

TEST_F(DrawTest, NegativeBaseVertex) {
    bind_columns();
    gl::UseProgram(point_program());
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{20, 21});
    gl::DrawRangeElementsBaseVertex(GL_POINTS, 20, 21, 2, GL_UNSIGNED_SHORT, nullptr, -18);
    EXPECT_EQ(lit_columns(), "..##............");
}

TEST_F(DrawTest, VertexIdIncludesBaseVertex) {
    const GLuint program = vs_fs(
        "void main() { gl_Position = vec4((float(gl_VertexID) + 0.5) / 8.0 - 1.0, 0, 0, 1); }",
        "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 2});
    gl::DrawElementsBaseVertex(GL_POINTS, 2, GL_UNSIGNED_SHORT, nullptr, 4);
    EXPECT_EQ(lit_columns(), "....#.#.........");
    gl::DrawArrays(GL_POINTS, 10, 2);
    EXPECT_EQ(lit_columns(), "....#.#...##....");
}

TEST_F(DrawTest, MultiDrawArrays) {
    bind_columns();
    gl::UseProgram(point_program());
    const std::array<GLint, 3> first{0, 6, 13};
    const std::array<GLsizei, 3> count{2, 0, 3};
    gl::MultiDrawArrays(GL_POINTS, first.data(), count.data(), 3);
    EXPECT_EQ(lit_columns(), "##...........###");
}

TEST_F(DrawTest, MultiDrawElementsBaseVertex) {
    bind_columns();
    gl::UseProgram(point_program());
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1, 2, 3});
    const std::array<GLsizei, 2> count{2, 2};
    const std::array<const void*, 2> offset{nullptr, reinterpret_cast<void*>(4)};
    const std::array<GLint, 2> base{1, 10};
    gl::MultiDrawElementsBaseVertex(GL_POINTS, count.data(), GL_UNSIGNED_SHORT, offset.data(), 2,
                                    base.data());
    EXPECT_EQ(lit_columns(), ".##.........##..");
}

// More draws than a Vulkan command takes (maxMultiDrawCount).
TEST_F(DrawTest, ThousandsOfDrawsInACall) {
    constexpr GLsizei kSide = 64, kDraws = kSide * kSide;
    make_black_target({kSide, kSide});
    gl::UseProgram(vs_fs("void main() { gl_Position = vec4((vec2(gl_VertexID % 64, gl_VertexID / "
                         "64) + 0.5) / 32.0 - 1.0, 0, 1); gl_PointSize = 1.0; }",
                         "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }"));
    std::vector<GLint> firsts(kDraws);
    std::iota(firsts.begin(), firsts.end(), 0);
    std::vector<GLsizei> counts(kDraws, 1);
    counts[5] = 0;
    gl::MultiDrawArrays(GL_POINTS, firsts.data(), counts.data(), kDraws);
    EXPECT_EQ(count_pixels(read_picture(kSide, kSide), kGreen), kDraws - 1);
}

TEST_F(DrawTest, InstanceId) {
    const GLuint program =
        vs_fs("void main() { gl_Position = vec4((float(gl_InstanceID * 3) + 0.5) "
              "/ 8.0 - 1.0, 0, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    gl::DrawArraysInstanced(GL_POINTS, 0, 1, 4);
    EXPECT_EQ(lit_columns(), "#..#..#..#......");
}

TEST_F(DrawTest, AttributeDivisor) {
    const GLuint program = vs_fs(
        "layout(location = 0) in float x; layout(location = 1) in float base; layout(location "
        "= 2) in float pair; void main() { gl_Position = vec4((base + x + pair + 0.5) / 8.0 - "
        "1.0, 0, 0, 1); }",
        "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{0, 1});
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{0, 3, 0, 3});
    gl::VertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::VertexAttribDivisor(1, 1);
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{0, 8});
    gl::VertexAttribPointer(2, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::VertexAttribDivisor(2, 2);
    for (GLuint i = 0; i < 3; ++i) {
        gl::EnableVertexAttribArray(i);
    }
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1});
    gl::DrawElementsInstanced(GL_POINTS, 2, GL_UNSIGNED_SHORT, nullptr, 4);
    EXPECT_EQ(lit_columns(), "##.##...##.##...");
}

TEST_F(DrawTest, BaseInstance) {
    if (!has_version(4, 2) && !has_extension("GL_ARB_base_instance")) {
        GTEST_SKIP() << "GL_ARB_base_instance is not offered";
    }
    const GLuint program =
        vs_fs("layout(location = 0) in float x; void main() { gl_Position = "
              "vec4((x + float(gl_InstanceID) * 8.0 + 0.5) / 8.0 - 1.0, 0, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{0, 1, 2, 3, 4});
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::VertexAttribDivisor(0, 1);
    gl::EnableVertexAttribArray(0);
    gl::DrawArraysInstancedBaseInstance(GL_POINTS, 0, 1, 2, 3);
    EXPECT_EQ(lit_columns(), "...#........#...");
}

// GL 4.6, 10.4: the base instance is added to the quotient, so with a divisor it counts as much as
// without. The validation layer says where a device can't begin there.
TEST_F(DrawTest, BaseInstanceWithADivisor) {
    if (!has_version(4, 2) && !has_extension("GL_ARB_base_instance")) {
        GTEST_SKIP() << "GL_ARB_base_instance is not offered";
    }
    gl::UseProgram(vs_fs("layout(location = 0) in float x; layout(location = 1) in float y; "
                         "void main() { gl_Position = "
                         "vec4((x + y + float(gl_InstanceID) + 0.5) / 8.0 - 1.0, 0, 0, 1); }",
                         "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }"));
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{9, 9, 9, 0, 6, 9});
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::VertexAttribDivisor(0, 2);
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{9, 9, 9, 0, 1, 2, 3});
    gl::VertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::VertexAttribDivisor(1, 1);
    gl::EnableVertexAttribArray(0);
    gl::EnableVertexAttribArray(1);
    gl::DrawArraysInstancedBaseInstance(GL_POINTS, 0, 1, 4, 3);
    EXPECT_EQ(lit_columns(), "#.#.......#.#...");
    // What is drawn next begins at the first again.
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArraysInstanced(GL_POINTS, 0, 1, 7);
    EXPECT_EQ(lit_columns(), ".........#..#.#.");
}

TEST_F(DrawTest, DrawWithoutVerticesDoesNothing) {
    bind_columns();
    gl::UseProgram(point_program());
    gl::DrawArrays(GL_POINTS, 0, 0);
    gl::DrawArraysInstanced(GL_POINTS, 0, 4, 0);
    EXPECT_EQ(lit_columns(), "................");
}

TEST_F(DrawTest, PrimitiveRestart) {
    // Strips of two vertices each, drawn as lines one pixel high.
    bind_columns();
    gl::UseProgram(point_program());
    gl::Enable(GL_PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(9);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 4, 9, 11, 15});
    gl::DrawElements(GL_LINE_STRIP, 5, GL_UNSIGNED_SHORT, nullptr);
    EXPECT_EQ(lit_columns().substr(5, 6), "......");
    EXPECT_EQ(lit_columns().substr(1, 3), "###");
    EXPECT_EQ(lit_columns().substr(12, 2), "##");
    gl::Disable(GL_PRIMITIVE_RESTART);
}

TEST_F(DrawTest, PrimitiveRestartWithEveryIndexType) {
    bind_columns();
    gl::UseProgram(point_program());
    gl::Enable(GL_PRIMITIVE_RESTART);
    const auto check = [](const char* what) {
        EXPECT_EQ(lit_columns().substr(4, 8), "........") << what;
        EXPECT_EQ(lit_columns().substr(1, 1), "#") << what;
        EXPECT_EQ(lit_columns().substr(13, 1), "#") << what;
        gl::Clear(GL_COLOR_BUFFER_BIT);
    };
    gl::PrimitiveRestartIndex(0xFF);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint8_t>{0, 3, 0xFF, 12, 15});
    gl::DrawElements(GL_LINE_STRIP, 5, GL_UNSIGNED_BYTE, nullptr);
    check("byte");
    gl::PrimitiveRestartIndex(0xFFFF);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 3, 0xFFFF, 12, 15});
    gl::DrawElements(GL_LINE_STRIP, 5, GL_UNSIGNED_SHORT, nullptr);
    check("short");
    gl::PrimitiveRestartIndex(0xFFFFFFFF);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint32_t>{0, 3, 0xFFFFFFFF, 12, 15});
    gl::DrawElements(GL_LINE_STRIP, 5, GL_UNSIGNED_INT, nullptr);
    check("int");
    gl::Disable(GL_PRIMITIVE_RESTART);
}

TEST_F(DrawTest, RestartInTriangleStripKeepsWinding) {
    make_target({16, 16});
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const GLuint program = vs_fs(
        "layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
        "out vec4 result; void main() { result = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, "
        "1); }");
    gl::UseProgram(program);
    make_buffer(GL_ARRAY_BUFFER,
                std::vector<float>{-1, -1, 0, -1, -1, 1, 0, 1, 0, -1, 1, -1, 0, 1, 1, 1});
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    gl::Enable(GL_PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(0xFFFF);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER,
                std::vector<std::uint16_t>{0, 1, 2, 0xFFFF, 0, 1, 2, 3, 0xFFFF, 4, 5, 6, 7});
    gl::DrawElements(GL_TRIANGLE_STRIP, 13, GL_UNSIGNED_SHORT, nullptr);
    gl::Disable(GL_PRIMITIVE_RESTART);
    expect_area(0, 0, 16, 16, kGreen);
}

TEST_F(DrawTest, BufferUpdateBetweenDraws) {
    gl::UseProgram(point_program());
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, sizeof(float), nullptr, GL_STREAM_DRAW);
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    for (int i = 0; i < kColumns; i += 2) {
        const float x = (static_cast<float>(i) + 0.5F) * 2.0F / kColumns - 1.0F;
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::BufferSubData(GL_ARRAY_BUFFER, 0, sizeof(x), &x);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    EXPECT_EQ(lit_columns(), "#.#.#.#.#.#.#.#.");
}

TEST_F(DrawTest, BufferOrphaningBetweenDraws) {
    gl::UseProgram(point_program());
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, sizeof(float), nullptr, GL_STREAM_DRAW);
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    for (int i = 1; i < kColumns; i += 2) {
        const float x = (static_cast<float>(i) + 0.5F) * 2.0F / kColumns - 1.0F;
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::BufferData(GL_ARRAY_BUFFER, sizeof(x), &x, GL_STREAM_DRAW);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    EXPECT_EQ(lit_columns(), ".#.#.#.#.#.#.#.#");
}

} // namespace
} // namespace kobalt::gltest
