// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Display lists have vertices of their own, apart from the bound vertex arrays (OpenGL 4.6,
// compatibility profile, 21.4): draws of either kind leave what the other reads as it was.
#include <thread>

#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

class ListDrawTest : public FixedFunctionTest {
protected:
    static constexpr int kColumns = 8, kWidth = kSize / kColumns;

    static void colour(const Byte4& value) {
        gl::Color4f(value[0] / 255.0F, value[1] / 255.0F, value[2] / 255.0F, value[3] / 255.0F);
    }
    /// Two triangles that fill a column.
    static std::vector<float> corners(int column) {
        const float left = static_cast<float>(column) * 2 / kColumns - 1;
        const float right = left + 2.0F / kColumns;
        return {left, -1, right, -1, right, 1, left, -1, right, 1, left, 1};
    }
    static void draw_column(int column, GLenum mode = GL_TRIANGLES) {
        const std::vector<float> at = corners(column);
        gl::Begin(mode);
        for (size_t i = 0; i < at.size(); i += 2)
            gl::Vertex2f(at[i], at[i + 1]);
        gl::End();
    }
    /// A list whose vertices have colours, which stay current.
    static GLuint list(int column, const Byte4& value) {
        const GLuint made = gl::GenLists(1);
        gl::NewList(made, GL_COMPILE);
        colour(value);
        draw_column(column);
        gl::EndList();
        return made;
    }
    static void expect_columns(const std::vector<Byte4>& expected) {
        for (size_t i = 0; i < expected.size(); ++i) {
            SCOPED_TRACE("column " + std::to_string(i));
            expect_area(static_cast<int>(i) * kWidth, 0, kWidth, kSize, expected[i]);
        }
    }
    /// Vertex buffers with the columns from `first` on; binds them.
    static GLuint columns_from(int first) {
        std::vector<float> all;
        for (int column = first; column < kColumns; ++column) {
            const std::vector<float> one = corners(column);
            all.insert(all.end(), one.begin(), one.end());
        }
        const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, all);
        gl::EnableClientState(GL_VERTEX_ARRAY);
        gl::VertexPointer(2, GL_FLOAT, 0, nullptr);
        return buffer;
    }
};

TEST_F(ListDrawTest, BesideVertexArrays) {
    const GLuint red = list(0, kRed), green = list(1, kGreen);
    const GLuint buffer = columns_from(2);
    const std::vector<std::uint16_t> indices{6, 7, 8, 9, 10, 11};
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    clear_to_black();
    colour(kBlue);
    gl::DrawArrays(GL_TRIANGLES, 0, 6);
    gl::CallList(red);
    colour(kBlue);
    gl::DrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr);
    gl::CallList(green);
    colour(kBlue);
    gl::DrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr);
    gl::CallList(red);
    // New storage, and another pointer, while the list's vertices are the ones drawn last.
    std::vector<float> moved = corners(4);
    const std::vector<float> next = corners(5);
    moved.insert(moved.end(), next.begin(), next.end());
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(moved.size() * sizeof(float)),
                   moved.data(), GL_STATIC_DRAW);
    colour(kWhite);
    gl::DrawArrays(GL_TRIANGLES, 0, 6);
    gl::CallList(green);
    gl::VertexPointer(2, GL_FLOAT, 0, reinterpret_cast<const void*>(sizeof(float) * 12));
    colour(kRed);
    gl::DrawArrays(GL_TRIANGLES, 0, 6);
    expect_columns({kRed, kGreen, kBlue, kBlue, kWhite, kRed, kBlack, kBlack});
}

// A program may read a part of what the list's vertices have.
TEST_F(ListDrawTest, PartsOfTheAttributes) {
    const char* const fragment = "#version 120\nvarying vec4 colour; void main() { gl_FragColor = "
                                 "colour; }";
    const auto program = [&](const char* value) {
        return link(
            {{GL_VERTEX_SHADER, "#version 120\nvarying vec4 colour; void main() { colour = " +
                                    std::string(value) + "; gl_Position = gl_Vertex; }"},
             {GL_FRAGMENT_SHADER, fragment}});
    };
    const GLuint all = program("gl_Color"), one = program("vec4(0, 0, 1, 1)");
    const GLuint second = program("vec4(gl_MultiTexCoord0.xy, 0, 1)");
    const GLuint made = gl::GenLists(3);
    for (GLuint i = 0; i < 3; ++i) {
        gl::NewList(made + i, GL_COMPILE);
        colour(kRed);
        gl::TexCoord2f(0, 1);
        draw_column(static_cast<int>(i));
        gl::EndList();
    }
    clear_to_black();
    for (int round = 0; round < 2; ++round) {
        gl::UseProgram(all);
        gl::CallList(made);
        gl::UseProgram(one);
        gl::CallList(made + 1);
        gl::UseProgram(second);
        gl::CallList(made + 2);
    }
    expect_columns({kRed, kBlue, kGreen, kBlack});
    gl::UseProgram(0);
}

// Lists of primitives that Vulkan lacks take the way of other draws, and leave it as it was.
TEST_F(ListDrawTest, QuadsBesideVertexArrays) {
    const GLuint quads = gl::GenLists(1);
    gl::NewList(quads, GL_COMPILE);
    quad(-1, -1, -0.75F, 1);
    gl::EndList();
    const GLuint green = list(1, kGreen);
    columns_from(2);
    clear_to_black();
    for (int round = 0; round < 4; ++round) {
        colour(kBlue);
        gl::DrawArrays(GL_TRIANGLES, 0, 6);
        colour(kRed);
        gl::CallList(quads);
        gl::CallList(green);
        colour(kRed);
        gl::CallList(quads);
        colour(kBlue);
        gl::DrawArrays(GL_TRIANGLES, 6, 6);
    }
    expect_columns({kRed, kGreen, kBlue, kBlue, kBlack});
}

// 14.6.4: edges whose flag is off aren't drawn in GL_LINE mode.
TEST_F(ListDrawTest, EdgeFlags) {
    const auto draw = [] {
        gl::Begin(GL_TRIANGLES);
        for (const auto& [x, y, flag] :
             {std::tuple{-0.9F, -0.9F, GL_TRUE}, {0.9F, -0.9F, GL_FALSE}, {-0.9F, 0.9F, GL_TRUE}}) {
            gl::EdgeFlag(static_cast<GLboolean>(flag));
            gl::Color4f(0, 1, 0, 1);
            gl::Vertex2f(x, y);
        }
        gl::End();
        gl::EdgeFlag(GL_TRUE);
    };
    const GLuint made = gl::GenLists(1);
    gl::NewList(made, GL_COMPILE);
    draw();
    gl::EndList();
    for (const GLenum polygons : {GL_FILL, GL_LINE, GL_POINT}) {
        SCOPED_TRACE(polygons);
        gl::PolygonMode(GL_FRONT_AND_BACK, polygons);
        clear_to_black();
        draw();
        const Picture expected = read_picture(kSize, kSize);
        clear_to_black();
        gl::CallList(made);
        EXPECT_TRUE(read_picture(kSize, kSize).rgba == expected.rgba);
    }
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

// Contexts share lists: another one draws and deletes them while this one's draws are queued.
TEST_F(ListDrawTest, SharedAndDeletedElsewhere) {
    std::vector<GLuint> lists;
    for (int column = 0; column < kColumns; ++column)
        lists.push_back(list(column, column % 2 ? kRed : kGreen));
    gl::Finish();
    auto made = context().create_shared(request());
    ASSERT_TRUE(made.has_value()) << made.error();
    clear_to_black();
    for (const GLuint one : lists)
        gl::CallList(one);
    // An answer, so that no call waits in glthread: that would find the deleted list by its name.
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    std::thread([&] {
        ASSERT_TRUE(made->make_current());
        make_black_target({kSize, kSize});
        for (const GLuint one : lists) {
            gl::CallList(one);
            gl::DeleteLists(one, 1);
        }
        expect_columns({kGreen, kRed, kGreen, kRed, kGreen, kRed, kGreen, kRed});
        made->release_current();
    }).join();
    expect_columns({kGreen, kRed, kGreen, kRed, kGreen, kRed, kGreen, kRed});
}

} // namespace
} // namespace kobalt::gltest
