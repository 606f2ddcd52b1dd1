// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Primitives in display lists are drawn as they are without (OpenGL 4.6, compatibility profile,
// 21.4).
#include <algorithm>
#include <tuple>

#include "counters.h"
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

// Lists join strips that follow each other: by triangles without area, and line strips as lines.
// That must not show.
void strips(GLenum mode) {
    for (const float y : {-0.8F, -0.2F, 0.4F}) {
        primitive(mode, {{-0.8F, y}, {-0.5F, y + 0.3F}, {0.1F, y}, {0.3F, y + 0.3F}, {0.8F, y}});
    }
}

// 14.6.4
TEST_F(ListPrimitiveTest, StripsInEachPolygonMode) {
    for (const GLenum polygons : {GL_FILL, GL_LINE, GL_POINT}) {
        SCOPED_TRACE(polygons);
        expect_same_in_a_list([&] { gl::PolygonMode(GL_FRONT_AND_BACK, polygons); },
                              [] { strips(GL_TRIANGLE_STRIP); });
        expect_same_in_a_list([&] { gl::PolygonMode(GL_BACK, polygons); },
                              [] { strips(GL_TRIANGLE_STRIP); });
    }
}

// 14.5.2.1: the pattern goes on from segment to segment of a strip.
TEST_F(ListPrimitiveTest, StippleGoesAlongAStrip) {
    expect_same_in_a_list(
        [] {
            gl::Enable(GL_LINE_STIPPLE);
            gl::LineStipple(3, 0x5555);
        },
        [] {
            for (int row = 0; row < 8; ++row) {
                Points points;
                for (int column = 0; column < 9; ++column) {
                    points.emplace_back(at(column * 3), at(row * 4));
                }
                primitive(GL_LINE_STRIP, points);
            }
            primitive(GL_LINES, {{at(2), at(2)}, {at(9), at(2)}, {at(12), at(2)}, {at(20), at(2)}});
        });
}

// 13.3 and 13.4
TEST_F(ListPrimitiveTest, StripsAreCountedAsGiven) {
    for (const auto& [mode, captured, each] :
         {std::tuple{GL_TRIANGLE_STRIP, GL_TRIANGLES, 3U}, {GL_LINE_STRIP, GL_LINES, 4U}}) {
        SCOPED_TRACE(mode);
        const GLuint list = gl::GenLists(1);
        gl::NewList(list, GL_COMPILE);
        strips(mode);
        gl::EndList();
        const GLuint program =
            link({{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; }"},
                  {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = vec4(1); }"}},
                 [](GLuint made) {
                     const char* const name = "gl_Position";
                     gl::TransformFeedbackVaryings(made, 1, &name, GL_INTERLEAVED_ATTRIBS);
                 });
        gl::UseProgram(program);
        const GLuint room = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 4096, nullptr);
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, room);
        std::array<GLuint, 2> queries{};
        gl::GenQueries(2, queries.data());
        gl::BeginQuery(GL_PRIMITIVES_GENERATED, queries[0]);
        gl::CallList(list);
        gl::EndQuery(GL_PRIMITIVES_GENERATED);
        gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[1]);
        gl::BeginTransformFeedback(captured);
        gl::CallList(list);
        gl::EndTransformFeedback();
        gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
        gl::UseProgram(0);
        for (const GLuint query : queries) {
            GLuint count = 0;
            gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
            EXPECT_EQ(count, 3 * each);
        }
    }
}

// GLSL 4.6, 7.1.5: gl_PrimitiveID counts from the beginning of each strip.
TEST_F(ListPrimitiveTest, StripsAreNumberedAnew) {
    gl::UseProgram(link({{GL_VERTEX_SHADER, "#version 150 compatibility\n"
                                            "void main() { gl_Position = gl_Vertex; }"},
                         {GL_FRAGMENT_SHADER, "#version 150 compatibility\n"
                                              "void main() { gl_FragColor = "
                                              "vec4(1, float(gl_PrimitiveID) / 16, 0, 1); }"}}));
    for (const GLenum mode : {GL_TRIANGLE_STRIP, GL_LINE_STRIP}) {
        SCOPED_TRACE(mode);
        expect_same_in_a_list([] {}, [&] { strips(mode); });
    }
}

// Feedback tells each primitive, and where a line strip begins.
TEST_F(ListPrimitiveTest, StripsInFeedback) {
    for (const GLenum mode : {GL_TRIANGLE_STRIP, GL_LINE_STRIP}) {
        SCOPED_TRACE(mode);
        const GLuint list = gl::GenLists(1);
        gl::NewList(list, GL_COMPILE);
        strips(mode);
        gl::EndList();
        const auto told = [](const std::function<void()>& draw) {
            std::vector<float> values(1024);
            gl::FeedbackBuffer(static_cast<GLsizei>(values.size()), GL_2D, values.data());
            gl::RenderMode(GL_FEEDBACK);
            draw();
            values.resize(static_cast<size_t>(std::max(gl::RenderMode(GL_RENDER), 0)));
            return values;
        };
        const std::vector<float> expected = told([&] { strips(mode); });
        EXPECT_FALSE(expected.empty());
        EXPECT_EQ(told([&] { gl::CallList(list); }), expected);
    }
}

TEST_F(ListPrimitiveTest, StripsAreDrawnTogether) {
    if (!CounterMonitor::offered()) {
        GTEST_SKIP() << "no counters here";
    }
    const CounterMonitor monitor;
    for (const GLenum mode : {GL_TRIANGLE_STRIP, GL_LINE_STRIP}) {
        SCOPED_TRACE(mode);
        const GLuint list = gl::GenLists(1);
        gl::NewList(list, GL_COMPILE);
        strips(mode);
        gl::EndList();
        EXPECT_EQ(monitor.measure([&] { gl::CallList(list); }).at("draws"), 1U);
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
