// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Primitives in display lists are drawn as they are without (OpenGL 4.6, compatibility profile,
// 21.4).
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

using Points = std::vector<std::pair<float, float>>;

void primitive(GLenum mode, const Points& points) {
    gl::Begin(mode);
    for (const auto& [x, y] : points) {
        gl::Vertex2f(x, y);
    }
    gl::End();
}

class ListPrimitiveTest : public FixedFunctionTest {
protected:
    /// Draws, and then once more from a list that was compiled under the usual state.
    static void expect_same_in_a_list(const std::function<void()>& state,
                                      const std::function<void()>& draw) {
        gl::PushAttrib(GL_ALL_ATTRIB_BITS);
        const GLuint list = gl::GenLists(1);
        gl::NewList(list, GL_COMPILE);
        draw();
        gl::EndList();
        state();
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw();
        const Picture expected = read_picture(kSize, kSize);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::CallList(list);
        const Picture seen = read_picture(kSize, kSize);
        gl::PopAttrib();
        EXPECT_EQ(count_pixels(seen, kBlack), count_pixels(expected, kBlack));
        EXPECT_TRUE(seen.rgba == expected.rgba);
    }
};

// 10.1: vertices beyond the last whole primitive are ignored.
TEST_F(ListPrimitiveTest, VerticesThatMakeNoPrimitive) {
    const Points corner{{-0.9F, -0.9F}, {-0.1F, -0.9F}, {-0.9F, -0.1F}, {0.9F, 0.9F}};
    for (const GLenum mode : {GL_TRIANGLES, GL_LINES, GL_QUADS, GL_QUAD_STRIP, GL_TRIANGLE_STRIP,
                              GL_TRIANGLE_FAN, GL_POLYGON, GL_LINE_STRIP, GL_LINE_LOOP}) {
        for (std::size_t count = 1; count <= corner.size(); ++count) {
            SCOPED_TRACE(std::to_string(count) + " vertices of mode " + std::to_string(mode));
            expect_same_in_a_list(
                [] {},
                [&] {
                    primitive(mode, {corner.begin(),
                                     corner.begin() + static_cast<std::ptrdiff_t>(count)});
                    primitive(mode, {{0.1F, 0.1F}, {0.6F, 0.1F}, {0.1F, 0.6F}});
                });
        }
    }
}

// 14.6.4: lists join strips that follow each other by empty triangles, which only lines show.
TEST_F(ListPrimitiveTest, StripsAsPoints) {
    for (const GLenum polygons : {GL_FILL, GL_POINT}) {
        expect_same_in_a_list(
            [&] { gl::PolygonMode(GL_FRONT_AND_BACK, polygons); },
            [] {
                for (const float y : {-0.8F, 0.3F}) {
                    primitive(
                        GL_TRIANGLE_STRIP,
                        {{-0.8F, y}, {-0.4F, y + 0.3F}, {0.1F, y}, {0.4F, y + 0.3F}, {0.8F, y}});
                }
            });
    }
}

// 10.1: each strip begins anew.
TEST_F(ListPrimitiveTest, StripsWithAdjacency) {
    for (const GLenum mode : {GL_LINE_STRIP_ADJACENCY, GL_TRIANGLE_STRIP_ADJACENCY}) {
        SCOPED_TRACE(mode);
        expect_same_in_a_list([] {},
                              [&] {
                                  for (const float y : {-0.8F, 0.3F}) {
                                      primitive(mode, {{-0.8F, y},
                                                       {-0.6F, y + 0.1F},
                                                       {-0.4F, y + 0.3F},
                                                       {-0.2F, y},
                                                       {0.1F, y},
                                                       {0.2F, y + 0.2F},
                                                       {0.4F, y + 0.3F},
                                                       {0.8F, y}});
                                  }
                              });
    }
}

// 10.7.2: what the last vertices of a list were given stays current, whatever comes next.
TEST_F(ListPrimitiveTest, CurrentValuesStay) {
    const GLuint list = gl::GenLists(1);
    gl::NewList(list, GL_COMPILE);
    gl::Color3f(0.25F, 0, 0);
    gl::Begin(GL_TRIANGLES);
    for (int i = 0; i < 3; ++i) {
        gl::Color3f(0.5F + 0.125F * static_cast<float>(i), 0, 0);
        gl::Vertex2f(static_cast<float>(i), static_cast<float>(i & 1));
    }
    gl::End();
    gl::ShadeModel(GL_FLAT);
    gl::EndList();
    gl::Color3f(1, 1, 1);
    gl::CallList(list);
    Float4 colour{};
    gl::GetFloatv(GL_CURRENT_COLOR, colour.data());
    EXPECT_EQ(colour, (Float4{0.75F, 0, 0, 1}));
    gl::Finish();
    gl::GetFloatv(GL_CURRENT_COLOR, colour.data());
    EXPECT_EQ(colour, (Float4{0.75F, 0, 0, 1}));
}

} // namespace
} // namespace kobalt::gltest
