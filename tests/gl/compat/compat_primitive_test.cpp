// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Quads, quad strips and polygons (OpenGL 4.6 compatibility, 10.1), which Vulkan has not.
#include <algorithm>
#include <array>

#include <EGL/egl.h>

#include "primitive.h"

namespace kobalt::gltest {
namespace {

TEST_F(CompatPrimitiveTest, Quads) {
    immediate(GL_QUADS, {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}, {0, 0}, {1, 0}, {1, 1}, {0, 1}});
    expect_area(0, 0, 8, 8, kGreen);
    expect_area(8, 8, 8, 8, kGreen);
    EXPECT_EQ(lit(), 128);
}

TEST_F(CompatPrimitiveTest, QuadStrip) {
    immediate(GL_QUAD_STRIP, {{-1, -1}, {-1, 0}, {0, -1}, {0, 0}, {1, -1}, {1, 0}});
    expect_area(0, 0, 16, 8, kGreen);
    EXPECT_EQ(lit(), 128);
}

TEST_F(CompatPrimitiveTest, Polygon) {
    immediate(GL_POLYGON, {{-1, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}});
    expect_area(0, 0, 16, 8, kGreen);
    expect_area(0, 8, 8, 8, kGreen);
    expect_pixel(15, 15, kBlack);
}

TEST_F(CompatPrimitiveTest, QuadsFromIndexedBuffer) {
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 1, -1, 1, 1, -1, 1});
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, nullptr);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint8_t>{0, 1, 2, 3});
    gl::DrawElements(GL_QUADS, 4, GL_UNSIGNED_BYTE, nullptr);
    EXPECT_EQ(lit(), 256);
}

// The last of an odd number of vertices completes no quad; indices lie behind it.
TEST_F(CompatPrimitiveTest, OddVertexOfAnIndexedQuadStrip) {
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, -1, 0, 0, -1, 0, 0, 1, 1, -1, 1});
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, nullptr);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5});
    gl::DrawElements(GL_QUAD_STRIP, 5, GL_UNSIGNED_SHORT, nullptr);
    expect_area(0, 0, 8, 8, kGreen);
    EXPECT_EQ(lit(), 64);
}

// ARB_robust_buffer_access_behavior: indices that lie behind their buffer end no program. They were
// read there to make triangles of.
TEST_F(CompatPrimitiveTest, QuadsFromBehindTheirIndices) {
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 1, -1, 1, 1, -1, 1});
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, nullptr);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1, 2, 3});
    gl::DrawElements(GL_QUADS, 4, GL_UNSIGNED_SHORT, nullptr);
    EXPECT_EQ(lit(), 256);
    const auto multi_draw_elements =
        reinterpret_cast<PFNGLMULTIDRAWELEMENTSPROC>(eglGetProcAddress("glMultiDrawElements"));
    ASSERT_NE(multi_draw_elements, nullptr);
    const std::array<GLsizei, 2> counts{64, 64};
    const auto* const behind = reinterpret_cast<const void*>(std::uintptr_t{1} << 31);
    const std::array offsets{behind, behind};
    for (const GLenum mode : {GL_QUADS, GL_QUAD_STRIP, GL_POLYGON, GL_LINE_LOOP}) {
        multi_draw_elements(mode, counts.data(), GL_UNSIGNED_SHORT, offsets.data(), 2);
    }
    EXPECT_EQ(lit(), 256);
}

// OpenGL 4.6, 10.4: an instance has all its primitives before the next begins, restarts or not. The
// first one's second quad is red, the second one's first is green; the others lie outside.
TEST_F(CompatPrimitiveTest, InstancesOfRestartedQuads) {
    gl::UseProgram(link({{GL_VERTEX_SHADER, R"(#version 330 compatibility
flat out vec4 colour;
void main() {
    int corner = gl_VertexID % 4;
    vec2 at = vec2(corner == 1 || corner == 2, corner / 2) * 2.0 - 1.0;
    bool away = (gl_InstanceID == 0) == (gl_VertexID < 4);
    gl_Position = vec4(at + (away ? 4.0 : 0.0), 0, 1);
    colour = gl_InstanceID == 0 ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1);
})"},
                         {GL_FRAGMENT_SHADER, R"(#version 330 compatibility
flat in vec4 colour;
void main() { gl_FragColor = colour; })"}}));
    gl::Enable(GL_PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(255);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLubyte>{0, 1, 2, 3, 255, 4, 5, 6, 7});
    for (const GLenum mode : {GL_QUADS, GL_POLYGON}) {
        clear_to_black();
        gl::DrawElementsInstanced(mode, 9, GL_UNSIGNED_BYTE, nullptr, 2);
        EXPECT_EQ(lit(), kPrimitiveSize * kPrimitiveSize) << mode;
    }
    gl::Disable(GL_PRIMITIVE_RESTART);
}

// 11.3.4.4: a restart "has no effect on the primitive ID counter". The three quads are three rows.
TEST_F(CompatPrimitiveTest, RestartedQuadsAreNumberedOn) {
    gl::UseProgram(link({{GL_VERTEX_SHADER, R"(#version 330 compatibility
void main() {
    int corner = gl_VertexID % 4;
    float row = float(gl_VertexID / 4 + corner / 2);
    gl_Position = vec4(corner == 1 || corner == 2 ? 1.0 : -1.0, row * 0.5 - 1.0, 0, 1);
})"},
                         {GL_FRAGMENT_SHADER, R"(#version 330 compatibility
void main() { gl_FragColor = vec4(0, float(gl_PrimitiveID == int(gl_FragCoord.y) / 4), 0, 1); })"}}));
    gl::Enable(GL_PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(255);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER,
                std::vector<GLubyte>{0, 1, 2, 3, 255, 4, 5, 6, 7, 255, 8, 9, 10, 11});
    clear_to_black();
    gl::DrawElements(GL_QUADS, 14, GL_UNSIGNED_BYTE, nullptr);
    expect_area(0, 0, 16, 12, kGreen);
    gl::Disable(GL_PRIMITIVE_RESTART);
}

// Of a strip of five vertices, and of parts of one, in each instance: a captured vertex is its
// number and 100 for each instance, a quad is two triangles in whichever way it is drawn.
TEST_F(CompatPrimitiveTest, CapturedPartsOfQuadStripsAndPolygons) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 330 compatibility\nflat out int number; void main() { "
                                 "number = gl_VertexID + 100 * gl_InstanceID; gl_Position = "
                                 "vec4(vec2(gl_VertexID / 2, gl_VertexID & 1) * 0.1, 0, 1); }"},
              {GL_FRAGMENT_SHADER,
               "#version 330 compatibility\nvoid main() { gl_FragColor = vec4(1); }"}},
             [](GLuint made) {
                 const char* const name = "number";
                 gl::TransformFeedbackVaryings(made, 1, &name, GL_INTERLEAVED_ATTRIBS);
             });
    struct Case {
        GLenum mode;
        std::vector<GLubyte> indices;
        GLint instances;
        size_t triangles; ///< in an instance
    };
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::UseProgram(program);
    gl::Enable(GL_PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(255);
    for (const Case& one : {Case{GL_QUAD_STRIP, {0, 1, 2, 3, 4}, 1, 2},
                            {GL_QUAD_STRIP, {0, 1, 2, 3, 255, 4, 5, 255, 6, 7, 8, 9, 10}, 2, 4},
                            {GL_QUAD_STRIP, {0, 1, 2, 3, 4, 255, 5, 6, 7, 8, 9}, 3, 4},
                            {GL_POLYGON, {0, 1, 2, 3, 255, 4, 5, 255, 6, 7, 8}, 2, 3}}) {
        for (const GLenum fill : {GL_FILL, GL_LINE}) {
            SCOPED_TRACE(testing::Message() << one.mode << " of " << one.indices.size()
                                            << (fill == GL_LINE ? ", lines" : ""));
            gl::PolygonMode(GL_FRONT_AND_BACK, fill);
            make_buffer(GL_ELEMENT_ARRAY_BUFFER, one.indices);
            gl::BindBufferBase(
                GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<GLint>(256, -1)));
            gl::BeginQuery(GL_PRIMITIVES_GENERATED, query);
            gl::BeginTransformFeedback(GL_TRIANGLES);
            gl::DrawElementsInstanced(one.mode, static_cast<GLsizei>(one.indices.size()),
                                      GL_UNSIGNED_BYTE, nullptr, one.instances);
            gl::EndTransformFeedback();
            gl::EndQuery(GL_PRIMITIVES_GENERATED);
            const size_t triangles = one.triangles * static_cast<size_t>(one.instances);
            GLuint generated = 0;
            gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &generated);
            EXPECT_EQ(generated, triangles);
            std::vector<GLint> captured(256);
            gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 1024, captured.data());
            EXPECT_EQ(captured[3 * triangles], -1);
            for (size_t i = 0; i < 3 * triangles; ++i) {
                EXPECT_TRUE(
                    std::ranges::count(one.indices, static_cast<GLubyte>(captured[i] % 100)))
                    << captured[i];
                const size_t corner = i % 3, first = i - corner;
                for (size_t other = first; other < i; ++other) {
                    EXPECT_NE(captured[i], captured[other]) << "a triangle without area";
                }
            }
        }
    }
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl::Disable(GL_PRIMITIVE_RESTART);
}

// Indirect draws from the app's memory: one without vertices ends none of the others, and each has
// indices of its own.
TEST_F(CompatPrimitiveTest, IndirectDrawsFromClientMemory) {
    std::vector<GLfloat> points;
    for (int i = 0; i < 12; ++i) {
        points.insert(points.end(), {at(i), at(0)});
    }
    const auto expect_columns = [](std::initializer_list<int> columns) {
        EXPECT_EQ(lit(), static_cast<int>(columns.size()));
        for (const int column : columns) {
            expect_pixel(column, 0, kGreen);
        }
        clear_to_black();
    };
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, points.data());
    const std::array<GLuint, 12> arrays{1, 1, 5, 0, 0, 1, 0, 0, 2, 1, 10, 0};
    gl::MultiDrawArraysIndirect(GL_POINTS, arrays.data(), 3, 0);
    expect_columns({5, 10, 11});
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLuint>{1, 2, 8, 9});
    const std::array<GLuint, 15> elements{2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 0, 0};
    gl::MultiDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_INT, elements.data(), 3, 0);
    expect_columns({1, 2, 8, 9});
}

TEST_F(CompatPrimitiveTest, QuadLinesHaveNoDiagonal) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    immediate(GL_QUADS, {{at(2), at(2)}, {at(13), at(2)}, {at(13), at(13)}, {at(2), at(13)}});
    expect_pixel(7, 2, kGreen);
    expect_pixel(2, 7, kGreen);
    expect_area(4, 4, 8, 8, kBlack);
}

TEST_F(CompatPrimitiveTest, EdgeFlagsHideEdges) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl::Begin(GL_TRIANGLES);
    gl::EdgeFlag(GL_TRUE);
    gl::Vertex2f(at(2), at(2));
    gl::EdgeFlag(GL_FALSE);
    gl::Vertex2f(at(13), at(2));
    gl::EdgeFlag(GL_TRUE);
    gl::Vertex2f(at(2), at(13));
    gl::End();
    expect_pixel(7, 2, kGreen);
    expect_pixel(2, 7, kGreen);
    expect_area(6, 6, 9, 9, kBlack);
}

// Two triangles are one quad, and a strip's each two.
TEST_F(CompatPrimitiveTest, FragmentsNumberQuads) {
    const GLuint program = link({{GL_VERTEX_SHADER, R"(#version 150 compatibility
            flat out int wanted;
            void main() { gl_Position = vec4(gl_Vertex.xy, 0, 1); wanted = int(gl_Vertex.z); })"},
                                 {GL_FRAGMENT_SHADER, R"(#version 150 compatibility
            flat in int wanted;
            void main() { gl_FragColor = vec4(wanted != gl_PrimitiveID, wanted == gl_PrimitiveID,
                                              0, 1); })"}});
    gl::UseProgram(program);
    gl::ShadeModel(GL_FLAT); // the last vertex of a quad says which it is
    const auto draw = [](GLenum mode, const std::vector<std::array<float, 3>>& vertices) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::Begin(mode);
        for (const auto& [x, y, number] : vertices) {
            gl::Vertex3f(x, y, number);
        }
        gl::End();
    };
    draw(GL_QUADS, {{-1, -1, 0},
                    {0, -1, 0},
                    {0, 0, 0},
                    {-1, 0, 0},
                    {0, -1, 1},
                    {1, -1, 1},
                    {1, 0, 1},
                    {0, 0, 1},
                    {-1, 0, 2},
                    {0, 0, 2},
                    {0, 1, 2},
                    {-1, 1, 2}});
    expect_area(0, 0, 16, 8, kGreen);
    expect_area(0, 8, 8, 8, kGreen);
    draw(GL_QUAD_STRIP, {{-1, -1, 0}, {-1, 1, 0}, {0, -1, 0}, {0, 1, 0}, {1, -1, 1}, {1, 1, 1}});
    expect_area(0, 0, 16, 16, kGreen);
    // Triangles behind them have numbers of their own again.
    draw(GL_TRIANGLES, {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}});
    expect_area(0, 0, 16, 16, kGreen);
}

} // namespace
} // namespace kobalt::gltest
