// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Polygon modes of quads and polygons (OpenGL 4.6 compatibility, 14.6.4).
#include "outline.h"

namespace kobalt::gltest {
namespace {

constexpr int kSize = kPrimitiveSize;

TEST_F(OutlineTest, CulledQuads) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl::Enable(GL_CULL_FACE);
    immediate(GL_QUADS, turned(square()));
    EXPECT_EQ(lit(), 0);
    immediate(GL_QUADS, square());
    expect_square_outline();
    clear_to_black();
    gl::CullFace(GL_FRONT);
    immediate(GL_QUADS, square());
    EXPECT_EQ(lit(), 0);
    immediate(GL_QUADS, turned(square()));
    expect_square_outline();
    gl::Disable(GL_CULL_FACE);
}

TEST_F(OutlineTest, PolygonAndQuadStrip) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl::Enable(GL_CULL_FACE);
    immediate(GL_POLYGON, square());
    expect_square_outline();
    clear_to_black();
    immediate(GL_POLYGON,
              {{at(2), at(7)}, {at(7), at(2)}, {at(12), at(7)}, {at(12), at(8)}, {at(7), at(13)}});
    expect_pixel(5, 4, kGreen);
    expect_pixel(10, 5, kGreen);
    expect_area(6, 6, 5, 4, kBlack);
    clear_to_black();
    immediate(GL_QUAD_STRIP, {{at(2), at(2)},
                              {at(13), at(2)},
                              {at(2), at(7)},
                              {at(13), at(7)},
                              {at(2), at(13)},
                              {at(13), at(13)}});
    gl::Disable(GL_CULL_FACE);
    for (int i = 2; i <= 13; ++i) {
        expect_pixel(i, 7, kGreen); // both quads have this edge
    }
    expect_area(3, 3, 10, 4, kBlack);
    expect_area(3, 8, 10, 5, kBlack);
}

TEST_F(OutlineTest, StippleRunsOnAlongThePolygon) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl::Enable(GL_LINE_STIPPLE);
    // Twelve pixels on, twelve off; a side has eleven.
    gl::LineStipple(12, 0x5555);
    for (const GLenum mode : {GL_LINE_LOOP, GL_POLYGON, GL_QUADS}) {
        clear_to_black();
        immediate(mode, square());
        expect_pixel(7, 2, kGreen);
        expect_pixel(13, 7, kBlack);
        expect_pixel(7, 13, kGreen);
        expect_pixel(2, 7, kBlack);
    }
    gl::Disable(GL_LINE_STIPPLE);
}

TEST_F(OutlineTest, FlatShadedQuadsAndPolygons) {
    gl::UseProgram(
        link({{GL_VERTEX_SHADER, "#version 130\nflat out vec4 colour; void main() { gl_Position = "
                                 "vec4(gl_Vertex.xy, 0, 1); colour = gl_Color; }"},
              {GL_FRAGMENT_SHADER,
               "#version 130\nflat in vec4 colour; void main() { gl_FragColor = colour; }"}}));
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    const auto draw = [](GLenum mode, int coloured) {
        clear_to_black();
        gl::Begin(mode);
        int i = 0;
        for (const auto& [x, y] : square()) {
            gl::Color4f(i == coloured ? 0.0F : 1.0F, i == coloured ? 1.0F : 0.0F, 0, 1);
            gl::Vertex2f(x, y);
            ++i;
        }
        gl::End();
    };
    // The last vertex of a quad, the first of a polygon.
    draw(GL_QUADS, 3);
    expect_square_outline();
    draw(GL_POLYGON, 0);
    expect_square_outline();
}

TEST_F(OutlineTest, OffsetQuadsLieBehindTheirSurface) {
    make_target({kSize, kSize, GL_RGBA8, GL_DEPTH_COMPONENT24});
    for (const bool nearer : {false, true}) {
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_LESS);
        const GLuint program = plain({});
        gl::UseProgram(program);
        set_uniform(program, "colour", Float4{0, 0, 0, 1});
        immediate(GL_QUADS, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
        gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        gl::Enable(GL_POLYGON_OFFSET_LINE);
        gl::PolygonOffset(0, nearer ? -4.0F : 4.0F);
        set_uniform(program, "colour", Float4{0, 1, 0, 1});
        immediate(GL_QUADS, square());
        gl::Disable(GL_POLYGON_OFFSET_LINE);
        gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        gl::Disable(GL_DEPTH_TEST);
        if (nearer) {
            expect_square_outline();
        } else {
            EXPECT_EQ(lit(), 0);
        }
    }
}

TEST_F(OutlineTest, FacingIsThatOfTheQuad) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; }"},
              {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = gl_FrontFacing ? "
                                   "vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }"}});
    gl::UseProgram(program);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    immediate(GL_QUADS, square());
    expect_square_outline(kGreen);
    clear_to_black();
    immediate(GL_QUADS, turned(square()));
    expect_square_outline(kRed);
    gl::UseProgram(0);
}

TEST_F(OutlineTest, VaryingsAndClipPlanesReachTheEdges) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER,
          "#version 130\nout vec4 colour; flat out ivec2 whole; out float gl_ClipDistance[1];"
          "void main() { gl_Position = gl_Vertex; colour = vec4(0, 1, 0, 1); whole = ivec2(7, 9); "
          "gl_ClipDistance[0] = -gl_Vertex.x; }"},
         {GL_FRAGMENT_SHADER,
          "#version 130\nin vec4 colour; flat in ivec2 whole; void main() { gl_FragColor = whole "
          "== ivec2(7, 9) ? colour : vec4(1, 0, 0, 1); }"}});
    gl::UseProgram(program);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    immediate(GL_QUADS, square());
    expect_square_outline();
    clear_to_black();
    gl::Enable(GL_CLIP_DISTANCE0);
    immediate(GL_QUADS, square());
    gl::Disable(GL_CLIP_DISTANCE0);
    gl::UseProgram(0);
    expect_pixel(2, 6, kGreen);
    expect_pixel(5, 2, kGreen);
    expect_area(9, 0, 7, 16, kBlack);
}

TEST_F(OutlineTest, FacesWithModesOfTheirOwn) {
    const Points triangle{{at(2), at(2)}, {at(13), at(2)}, {at(2), at(13)}};
    gl::PolygonMode(GL_FRONT, GL_FILL);
    gl::PolygonMode(GL_BACK, GL_LINE);
    immediate(GL_TRIANGLES, triangle);
    expect_pixel(5, 5, kGreen);
    clear_to_black();
    immediate(GL_TRIANGLES, turned(triangle));
    expect_pixel(5, 5, kBlack);
    expect_pixel(2, 7, kGreen);
    clear_to_black();
    gl::PolygonMode(GL_FRONT, GL_POINT);
    immediate(GL_TRIANGLES, triangle);
    EXPECT_EQ(lit(), 3);
    clear_to_black();
    immediate(GL_QUADS, turned(square()));
    expect_square_outline();
    clear_to_black();
    // Lines and points are no polygons: drawn once.
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    const GLuint program = plain({});
    gl::UseProgram(program);
    set_uniform(program, "colour", Float4{0, 0.25F, 0, 1});
    immediate(GL_LINES, {{at(2), at(5)}, {at(13), at(5)}});
    gl::Disable(GL_BLEND);
    expect_pixel(7, 5, {0, 64, 0, 255}, 2);
}

/// Draws in green, and captures positions.
GLuint capturing_green() {
    return link(
        {{GL_VERTEX_SHADER, "#version 130\nvoid main() { gl_Position = gl_Vertex; }"},
         {GL_FRAGMENT_SHADER, "#version 130\nvoid main() { gl_FragColor = vec4(0, 1, 0, 1); }"}},
        [](GLuint made) {
            const char* const name = "gl_Position";
            gl::TransformFeedbackVaryings(made, 1, &name, GL_INTERLEAVED_ATTRIBS);
        });
}

TEST_F(OutlineTest, FacesApartCountOnceAndCaptureOnce) {
    const GLuint program = capturing_green();
    const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, nullptr);
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    std::array<GLuint, 3> queries{};
    gl::GenQueries(3, queries.data());
    gl::UseProgram(program);
    gl::PolygonMode(GL_FRONT, GL_FILL);
    gl::PolygonMode(GL_BACK, GL_LINE);
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, queries[0]);
    gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[1]);
    gl::BeginQuery(GL_SAMPLES_PASSED, queries[2]);
    gl::BeginTransformFeedback(GL_TRIANGLES);
    const Points small{{at(2), at(2)}, {at(6), at(2)}, {at(2), at(6)}};
    const Points big{{at(14), at(14)}, {at(2), at(14)}, {at(14), at(8)}};
    gl::Begin(GL_TRIANGLES);
    for (const Points& points : {small, turned(big)}) {
        for (const auto& [x, y] : points) {
            gl::Vertex2f(x, y);
        }
    }
    gl::End();
    gl::EndTransformFeedback();
    for (const GLenum target :
         {GL_PRIMITIVES_GENERATED, GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, GL_SAMPLES_PASSED}) {
        gl::EndQuery(target);
    }
    gl::UseProgram(0);
    std::array<GLuint, 3> results{};
    for (size_t i = 0; i < 3; ++i) {
        gl::GetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &results[i]);
    }
    EXPECT_EQ(results[0], 2U);
    EXPECT_EQ(results[1], 2U);
    EXPECT_GE(static_cast<int>(results[2]), lit());
    EXPECT_LE(static_cast<int>(results[2]), lit() + 8); // corners may be drawn by two edges
    std::array<float, 4> fourth{};
    gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 3 * 16, 16, fourth.data());
    EXPECT_NEAR(fourth[0], turned(big)[0].first, 1e-6F);
}

TEST_F(OutlineTest, FixedFunctionQuadsAreCulledWithoutDiagonals) {
    gl::UseProgram(0);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    gl::Enable(GL_CULL_FACE);
    gl::Color4f(0, 1, 0, 1);
    immediate(GL_QUADS, square());
    gl::Disable(GL_CULL_FACE);
    expect_square_outline();
}

TEST_F(OutlineTest, QuadsOfCapturedVertices) {
    if (!has_extension("GL_ARB_transform_feedback2")) {
        GTEST_SKIP() << "GL_ARB_transform_feedback2 is not offered";
    }
    const GLuint program = plain(capture_position);
    const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, nullptr);
    GLuint object = 0;
    gl::GenTransformFeedbacks(1, &object);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl::UseProgram(program);
    gl::BeginTransformFeedback(GL_POINTS);
    immediate(GL_POINTS, {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}, {0, 0}, {1, 0}, {1, 1}, {0, 1}});
    gl::EndTransformFeedback();
    clear_to_black();
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(4, GL_FLOAT, 0, nullptr);
    gl::DrawTransformFeedback(GL_QUADS, object);
    expect_area(0, 0, 8, 8, kGreen);
    expect_area(8, 8, 8, 8, kGreen);
    EXPECT_EQ(lit(), 128);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
}

TEST_F(OutlineTest, CapturedPolygonsHaveNoDiagonals) {
    const GLuint program = capturing_green();
    const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, nullptr);
    gl::UseProgram(program);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    GLuint query = 0;
    gl::GenQueries(1, &query);
    for (const GLenum mode : {GL_QUADS, GL_POLYGON}) {
        clear_to_black();
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
        gl::BeginTransformFeedback(GL_TRIANGLES);
        immediate(mode, square());
        immediate(mode, square());
        gl::EndTransformFeedback();
        gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
        expect_square_outline();
        GLuint written = 0;
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
        EXPECT_EQ(written, 4U);
        std::array<float, 12 * 4> captured{};
        gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof captured, captured.data());
        for (size_t i = 0; i < 24; ++i) {
            EXPECT_EQ(captured[i], captured[i + 24]) << i; // the second draw appends
        }
    }
    gl::UseProgram(0);
}

} // namespace
} // namespace kobalt::gltest
