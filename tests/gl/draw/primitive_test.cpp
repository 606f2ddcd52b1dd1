// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "primitive.h"

namespace kobalt::gltest {
namespace {

constexpr int kSize = kPrimitiveSize;

GLuint plain_program() {
    return vs_fs("layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
                 "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
}

void draw_vertices(GLenum mode, const std::vector<float>& points) {
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER, points);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    gl::DrawArrays(mode, 0, static_cast<GLsizei>(points.size() / 2));
}

class PrimitiveTest : public GlTest {
protected:
    void prepare() override {
        make_black_target({kSize, kSize});
        gl::UseProgram(plain_program());
    }
};

TEST_F(PrimitiveTest, Points) {
    draw_vertices(GL_POINTS, {at(2), at(3), at(9), at(9)});
    EXPECT_EQ(lit(), 2);
    expect_pixel(2, 3, kGreen);
    expect_pixel(9, 9, kGreen);
}

TEST_F(PrimitiveTest, Lines) {
    draw_vertices(GL_LINES, {at(2), at(4), at(10), at(4), at(2), at(8), at(10), at(8)});
    EXPECT_NEAR(lit(), 16, 2);
    expect_pixel(5, 4, kGreen);
    expect_pixel(5, 8, kGreen);
    expect_pixel(5, 6, kBlack);
}

TEST_F(PrimitiveTest, LineStrip) {
    draw_vertices(GL_LINE_STRIP, {at(2), at(2), at(12), at(2), at(12), at(12)});
    expect_pixel(7, 2, kGreen);
    expect_pixel(12, 7, kGreen);
    expect_pixel(7, 7, kBlack);
    EXPECT_NEAR(lit(), 20, 2);
}

TEST_F(PrimitiveTest, LineLoopCloses) {
    draw_vertices(GL_LINE_LOOP, {at(2), at(2), at(12), at(2), at(12), at(12), at(2), at(12)});
    for (const auto& [x, y] : {std::pair{7, 2}, {12, 7}, {7, 12}, {2, 7}}) {
        expect_pixel(x, y, kGreen);
    }
    EXPECT_NEAR(lit(), 40, 2);
}

TEST_F(PrimitiveTest, LineLoopIndexedWithRestart) {
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{at(1), at(1), at(6), at(1), at(6), at(6), at(9),
                                                    at(9), at(14), at(9), at(14), at(14)});
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1, 2, 0xFFFF, 3, 4, 5});
    gl::Enable(GL_PRIMITIVE_RESTART);
    gl::PrimitiveRestartIndex(0xFFFF);
    gl::DrawElements(GL_LINE_LOOP, 7, GL_UNSIGNED_SHORT, nullptr);
    gl::Disable(GL_PRIMITIVE_RESTART);
    expect_pixel(3, 3, kGreen);
    expect_pixel(12, 12, kGreen);
    expect_pixel(14, 11, kGreen);
    expect_pixel(8, 8, kBlack);
}

TEST_F(PrimitiveTest, Triangles) {
    draw_vertices(GL_TRIANGLES, {-1, -1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0});
    expect_pixel(1, 1, kGreen);
    expect_pixel(14, 14, kGreen);
    expect_pixel(1, 14, kBlack);
    EXPECT_NEAR(lit(), 64, 16);
}

TEST_F(PrimitiveTest, IncompleteTriangleIsDropped) {
    draw_vertices(GL_TRIANGLES, {-1, -1, 3, -1, -1, 3, -1, -1, 3, -1});
    EXPECT_EQ(lit(), kSize * kSize);
    clear_to_black();
    draw_vertices(GL_TRIANGLES, {-1, -1, 3, -1});
    EXPECT_EQ(lit(), 0);
}

TEST_F(PrimitiveTest, TriangleStrip) {
    draw_vertices(GL_TRIANGLE_STRIP, {-1, -1, -1, 0, 0, -1, 0, 0, 1, -1, 1, 0});
    expect_area(0, 0, 16, 8, kGreen);
    EXPECT_EQ(lit(), 128);
}

TEST_F(PrimitiveTest, TriangleFan) {
    draw_vertices(GL_TRIANGLE_FAN, {0, 0, 1, 0, 1, 1, -1, 1, -1, -1, 0, -1});
    expect_area(0, 8, 16, 8, kGreen);
    expect_area(0, 0, 8, 8, kGreen);
    expect_area(9, 0, 7, 7, kBlack);
    EXPECT_EQ(lit(), 192);
}

TEST_F(PrimitiveTest, SharedEdgesAreDrawnOnce) {
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    const GLuint program =
        vs_fs("layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0.25, 0, 0, 1); }");
    gl::UseProgram(program);
    std::vector<float> fan{0.07F, -0.13F};
    for (const auto& [x, y] : {std::pair{-1.0F, -1.0F},
                               {0.3F, -1.0F},
                               {1.0F, -1.0F},
                               {1.0F, 0.1F},
                               {1.0F, 1.0F},
                               {-0.4F, 1.0F},
                               {-1.0F, 1.0F},
                               {-1.0F, -1.0F}}) {
        fan.insert(fan.end(), {x, y});
    }
    draw_vertices(GL_TRIANGLE_FAN, fan);
    expect_area(0, 0, kSize, kSize, {64, 0, 0, 255});
}

struct AdjacencyCase {
    const char* name;
    GLenum mode;
    const char* input;
    int inputs;
    int vertices;
    int primitives;
    friend void PrintTo(const AdjacencyCase& value, std::ostream* out) { *out << value.name; }
};

class AdjacencyTest : public GlTest, public testing::WithParamInterface<AdjacencyCase> {};

TEST_P(AdjacencyTest, GeometryShaderSeesItsVertices) {
    // Writes the ids of each primitive's vertices through transform feedback.
    const AdjacencyCase& test = GetParam();
    const std::string count = std::to_string(test.inputs);
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 330 core\nflat out int id; void main() { id = gl_VertexID; "
                            "gl_Position = vec4(0); }"},
         {GL_GEOMETRY_SHADER,
          std::string("#version 330 core\nlayout(") + test.input +
              ") in; layout(points, max_vertices = 1) out; flat in int id[]; flat out ivec4 first; "
              "flat out ivec2 second; void main() { int v[6] = int[6](-1, -1, -1, -1, -1, -1); for "
              "(int i = 0; i < " +
              count +
              "; ++i) v[i] = id[i]; first = ivec4(v[0], v[1], v[2], v[3]); second = ivec2(v[4], "
              "v[5]); EmitVertex(); }"}},
        [](GLuint name) {
            const std::array<const char*, 2> outputs{"first", "second"};
            gl::TransformFeedbackVaryings(name, 2, outputs.data(), GL_INTERLEAVED_ATTRIBS);
        });
    make_target();
    bind_new_vao();
    const GLuint buffer =
        make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 64 * sizeof(int), nullptr, GL_STREAM_READ);
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::UseProgram(program);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(test.mode, 0, test.vertices);
    gl::EndTransformFeedback();
    gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    gl::Disable(GL_RASTERIZER_DISCARD);
    GLuint written = 0;
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
    EXPECT_EQ(written, static_cast<GLuint>(test.primitives));
    std::array<int, 64> ids{};
    gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(ids), ids.data());
    // The first primitive starts at vertex 0 (and adjacency vertex order is the specification's).
    const bool strip = test.mode == GL_TRIANGLE_STRIP_ADJACENCY;
    const std::array<int, 6> plain{0, 1, 2, 3, 4, 5};
    const std::array<int, 6> strip_order{0, 1, 2, 6, 4, 3};
    for (size_t i = 0; i < static_cast<size_t>(test.inputs); ++i) {
        EXPECT_EQ(ids[i], strip ? strip_order[i] : plain[i]) << "vertex " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, AdjacencyTest,
    testing::Values(AdjacencyCase{"Points", GL_POINTS, "points", 1, 3, 3},
                    AdjacencyCase{"Lines", GL_LINES, "lines", 2, 4, 2},
                    AdjacencyCase{"LineStrip", GL_LINE_STRIP, "lines", 2, 4, 3},
                    AdjacencyCase{"LineLoop", GL_LINE_LOOP, "lines", 2, 4, 4},
                    AdjacencyCase{"Triangles", GL_TRIANGLES, "triangles", 3, 6, 2},
                    AdjacencyCase{"TriangleStrip", GL_TRIANGLE_STRIP, "triangles", 3, 5, 3},
                    AdjacencyCase{"TriangleFan", GL_TRIANGLE_FAN, "triangles", 3, 5, 3},
                    AdjacencyCase{"LinesAdjacency", GL_LINES_ADJACENCY, "lines_adjacency", 4, 8, 2},
                    AdjacencyCase{"LineStripAdjacency", GL_LINE_STRIP_ADJACENCY, "lines_adjacency",
                                  4, 6, 3},
                    AdjacencyCase{"TrianglesAdjacency", GL_TRIANGLES_ADJACENCY,
                                  "triangles_adjacency", 6, 12, 2},
                    AdjacencyCase{"TriangleStripAdjacency", GL_TRIANGLE_STRIP_ADJACENCY,
                                  "triangles_adjacency", 6, 10, 3}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace kobalt::gltest
