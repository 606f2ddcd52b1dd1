// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// ARB_tessellation_shader: the tessellator's modes, the size of patches, and what each stage sees.
#include <algorithm>
#include <tuple>

#include "tessellation.h"

namespace kobalt::gltest {
namespace {

/// Over the whole target, in the orientation of (u, v).
constexpr const char* kSquare =
    "void main() { gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); }";
constexpr const char* kHalfSquare =
    "void main() { gl_Position = vec4(gl_TessCoord.xy * 4.0 - 1.0, 0, 1); }";

// --- the tessellator's modes

using Mode = std::tuple<const char*, const char*, const char*>;

class TessellationModeTest : public TessellatingTest, public testing::WithParamInterface<Mode> {
protected:
    static bool counter_clockwise() { return std::string(std::get<2>(GetParam())) == "ccw"; }
    static GLuint program() {
        const auto& [domain, spacing, order] = GetParam();
        TessellatedProgram made;
        made.control = "layout(vertices = 1) out; void main() { gl_TessLevelOuter[0] = 3.0; "
                       "gl_TessLevelOuter[1] = 5.5; gl_TessLevelOuter[2] = 4.2; "
                       "gl_TessLevelOuter[3] = 2.0; gl_TessLevelInner[0] = 4.0; "
                       "gl_TessLevelInner[1] = 3.7; }";
        made.evaluation = std::string("layout(") + domain + ", " + spacing + ", " + order +
                          ") in; " + (domain == std::string("quads") ? kSquare : kHalfSquare);
        made.fragment = "out vec4 result; void main() { result = gl_FrontFacing ? vec4(0, 1, 0, "
                        "1) : vec4(1, 0, 0, 1); }";
        return made.link();
    }
};

INSTANTIATE_TEST_SUITE_P(Modes, TessellationModeTest,
                         testing::Combine(testing::Values("triangles", "quads"),
                                          testing::Values("equal_spacing",
                                                          "fractional_even_spacing",
                                                          "fractional_odd_spacing"),
                                          testing::Values("cw", "ccw")),
                         [](const testing::TestParamInfo<Mode>& info) {
                             return std::string(std::get<0>(info.param)) + "_" +
                                    std::get<1>(info.param) + "_" + std::get<2>(info.param);
                         });

TEST_P(TessellationModeTest, CoversItsDomain) {
    draw(program(), 1, 1);
    expect_area(0, 0, kSize, kSize, counter_clockwise() ? kGreen : kRed);
}

// OpenGL 4.6, 11.2.2: the order of a triangle's vertices is that of their (u, v).
TEST_P(TessellationModeTest, IsCulledByItsOrder) {
    const GLuint name = program();
    gl::Enable(GL_CULL_FACE);
    gl::CullFace(counter_clockwise() ? GL_FRONT : GL_BACK);
    draw(name, 1, 1);
    EXPECT_EQ(count(kBlack), kSize * kSize);
    gl::CullFace(counter_clockwise() ? GL_BACK : GL_FRONT);
    draw(name, 1, 1);
    expect_area(0, 0, kSize, kSize, counter_clockwise() ? kGreen : kRed);
}

class TessellationTest : public TessellatingTest {};

TEST_F(TessellationTest, Isolines) {
    TessellatedProgram made;
    made.control = "layout(vertices = 1) out; void main() { gl_TessLevelOuter[0] = 4.0; "
                   "gl_TessLevelOuter[1] = 3.0; }";
    // A line for each quarter of v, in the middle of pixels.
    made.evaluation = "layout(isolines) in; void main() { gl_Position = vec4(gl_TessCoord.x * 2.0 "
                      "- 1.0, (gl_TessCoord.y * 32.0 + 4.5) / 16.0 - 1.0, 0, 1); }";
    draw(made.link(), 1, 1);
    for (const int row : {4, 12, 20, 28}) {
        expect_area(1, row, 30, 1, kGreen);
    }
    EXPECT_LE(count(kGreen), 4 * kSize);
}

TEST_F(TessellationTest, PointMode) {
    TessellatedProgram made;
    made.control = levels("2.0");
    made.evaluation = "layout(quads, point_mode) in; void main() { gl_Position = "
                      "vec4(gl_TessCoord.xy - 0.5, 0, 1); gl_PointSize = 4.0; }";
    const GLuint name = made.link();
    // Nine points, at 8, 16 and 24.
    gl::PointSize(2);
    draw(name, 1, 1);
    expect_area(7, 15, 2, 2, kGreen);
    EXPECT_EQ(count(kGreen), 9 * 4);
    clear_to_black();
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    draw(name, 1, 1);
    gl::Disable(GL_PROGRAM_POINT_SIZE);
    expect_area(22, 22, 4, 4, kGreen);
    EXPECT_EQ(count(kGreen), 9 * 16);
}

TEST_F(TessellationTest, CornersDrawnAsPointsHaveTheirSize) {
    TessellatedProgram made;
    made.control = levels("1.0");
    made.evaluation = "layout(quads) in; void main() { gl_Position = vec4(gl_TessCoord.xy - 0.5, "
                      "0, 1); }";
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    gl::PointSize(4);
    draw(made.link(), 1, 1);
    gl::PointSize(1);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    expect_area(6, 6, 4, 4, kGreen);
    expect_area(22, 22, 4, 4, kGreen);
    EXPECT_EQ(count(kGreen), 4 * 16);
}

// OpenGL 4.6, 11.2.2: a patch with an outer level of 0 is discarded.
TEST_F(TessellationTest, LevelZeroDiscardsThePatch) {
    TessellatedProgram made;
    made.vertex = "out float level; void main() { level = float(gl_VertexID); }";
    made.control = "in float level[]; layout(vertices = 1) out; void main() { "
                   "gl_TessLevelOuter[0] = level[0]; gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = "
                   "gl_TessLevelOuter[3] = gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0; }";
    made.evaluation = std::string("layout(quads) in; ") + kSquare;
    const GLuint name = made.link();
    draw(name, 1, 1);
    EXPECT_EQ(count(kGreen), 0);
    draw(name, 1, 2);
    expect_area(0, 0, kSize, kSize, kGreen);
}

TEST_F(TessellationTest, OutlinesOfTheTriangles) {
    TessellatedProgram made;
    made.control = levels("2.0");
    made.evaluation = std::string("layout(quads) in; ") + kSquare;
    const GLuint name = made.link();
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    draw(name, 1, 1);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    const int outlines = count(kGreen);
    EXPECT_GT(outlines, 2 * 30);
    EXPECT_LT(outlines, kSize * kSize / 2);
}

// --- the size of patches

/// Each patch is a pixel of the lowest row, with what the stages were told of it as its colour.
constexpr const char* kPixelOfPatch =
    "uniform int first; vec4 pixel_of_patch() { return vec4((float(first + gl_PrimitiveID) + "
    "gl_TessCoord.x) / 16.0 - 1.0, gl_TessCoord.y / 16.0 - 1.0, 0, 1); } ";
constexpr const char* kTripleFs =
    "in vec3 told; out vec4 result; void main() { result = vec4(told / 255.0, 1); }";

void draw_sizes(GLuint name, const std::function<Byte4(int)>& expected) {
    gl::UseProgram(name);
    int first = 0;
    const std::array sizes{3, 1, 4, 16, 32, 3, 32, 1, 16, 4};
    for (const int size : sizes) {
        set_uniform(name, "first", first);
        gl::PatchParameteri(GL_PATCH_VERTICES, size);
        // The vertices that are left over are no patch.
        gl::DrawArrays(GL_PATCHES, 0, 2 * size + (size > 1 ? 1 : 0));
        first += 2;
    }
    first = 0;
    for (const int size : sizes) {
        expect_area(first, 0, 2, 1, expected(size), 0);
        first += 2;
    }
    EXPECT_EQ(count_pixels(read_picture(32, 32), kBlack), 32 * 32 - first);
}

TEST_F(TessellationTest, PatchSizesChangeBetweenDraws) {
    TessellatedProgram made;
    made.vertex = "flat out int mark; void main() { mark = 1 + gl_VertexID % 2; }";
    made.control = "flat in int mark[]; patch out vec2 sums; layout(vertices = 2) out; void main() "
                   "{ int sum = 0; for (int i = 0; i < gl_PatchVerticesIn; ++i) sum += mark[i]; "
                   "sums = vec2(sum, gl_PatchVerticesIn); for (int i = 0; i < 4; ++i) "
                   "gl_TessLevelOuter[i] = 1.0; gl_TessLevelInner[0] = gl_TessLevelInner[1] = "
                   "1.0; }";
    made.evaluation = std::string("layout(quads) in; patch in vec2 sums; out vec3 told; ") +
                      kPixelOfPatch +
                      "void main() { told = vec3(sums, gl_PatchVerticesIn); gl_Position = "
                      "pixel_of_patch(); }";
    made.fragment = kTripleFs;
    const GLuint name = made.link();
    const std::array sizes{3, 1, 4, 16, 32, 3, 32, 1};
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
        set_uniform(name, "first", i);
        draw(name, sizes.at(static_cast<size_t>(i)), sizes.at(static_cast<size_t>(i)));
    }
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
        const int size = sizes.at(static_cast<size_t>(i));
        expect_pixel(i, 0,
                     {static_cast<std::uint8_t>(size / 2 * 3 + size % 2),
                      static_cast<std::uint8_t>(size), 2, 255},
                     0);
    }
    EXPECT_EQ(count(kBlack), kSize * kSize - static_cast<int>(sizes.size()));
}

TEST_F(TessellationTest, SeveralPatchesOfEverySize) {
    TessellatedProgram made;
    made.control = "patch out float size; layout(vertices = 1) out; void main() { size = "
                   "float(gl_PatchVerticesIn); for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = "
                   "1.0; gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0; }";
    made.evaluation = std::string("layout(quads) in; patch in float size; out vec3 told; ") +
                      kPixelOfPatch +
                      "void main() { told = vec3(7, size, 9); gl_Position = pixel_of_patch(); }";
    made.fragment = kTripleFs;
    draw_sizes(made.link(), [](int size) {
        return Byte4{7, static_cast<std::uint8_t>(size), 9, 255};
    });
}

// Without a control shader each vertex of the patch goes on as it is (OpenGL 4.6, 11.2.1).
TEST_F(TessellationTest, PassedThroughPatchesOfEverySize) {
    TessellatedProgram made;
    made.vertex = "flat out int mark; out vec2 pair; void main() { mark = 2; pair = vec2(0, 3); "
                  "gl_Position = vec4(0, 0, 0, 1); }";
    made.evaluation = std::string("layout(quads) in; flat in int mark[]; in vec2 pair[]; out vec3 "
                                  "told; ") +
                      kPixelOfPatch +
                      "void main() { int sum = 0; float other = 0.0; for (int i = 0; i < "
                      "gl_PatchVerticesIn; ++i) { sum += mark[i]; other += pair[i].y * "
                      "gl_in[i].gl_Position.w; } told = vec3(sum, gl_PatchVerticesIn, other); "
                      "gl_Position = pixel_of_patch(); }";
    made.fragment = kTripleFs;
    draw_sizes(made.link(), [](int size) {
        return Byte4{static_cast<std::uint8_t>(2 * size), static_cast<std::uint8_t>(size),
                     static_cast<std::uint8_t>(3 * size), 255};
    });
}

TEST_F(TessellationTest, DefaultLevels) {
    TessellatedProgram made;
    made.vertex = "void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0, 1) * "
                  "vec4(1.5, 1.5, 0, 1) - vec4(0.71875, 0.71875, 0, 0); }";
    made.evaluation = "layout(quads, point_mode) in; void main() { gl_Position = "
                      "mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x), "
                      "mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x), "
                      "gl_TessCoord.y); }";
    const GLuint name = made.link();
    draw(name, 4, 4);
    EXPECT_EQ(count(kGreen), 4) << "all levels are 1 at first";
    const std::array<float, 4> outer{3, 3, 3, 3};
    const std::array<float, 2> inner{3, 3};
    gl::PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, outer.data());
    gl::PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, inner.data());
    clear_to_black();
    draw(name, 4, 4);
    EXPECT_EQ(count(kGreen), 16);
    const std::array<float, 4> some{2, 1, 1, 1};
    const std::array<float, 2> one{1, 1};
    gl::PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, some.data());
    gl::PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, one.data());
    clear_to_black();
    draw(name, 4, 4);
    // An edge of two segments, and an inner rectangle that is subdivided for its sake.
    EXPECT_GE(count(kGreen), 5);
    EXPECT_LT(count(kGreen), 16);
}

TEST_F(TessellationTest, OtherPrimitivesBetweenPatches) {
    const GLuint plain = vs_fs("uniform float x; void main() { gl_Position = vec4(x + 1.0 / 32.0, "
                               "-1.0 + 1.0 / 32.0, 0, 1); gl_PointSize = 1.0; }",
                               "out vec4 result; void main() { result = vec4(0, 0, 1, 1); }");
    TessellatedProgram made;
    made.control = levels("1.0");
    made.evaluation = std::string("layout(quads) in; ") + kPixelOfPatch +
                      "void main() { gl_Position = pixel_of_patch(); }";
    const GLuint patches = made.link();
    for (int i = 0; i < kSize; i += 2) {
        gl::UseProgram(patches);
        set_uniform(patches, "first", i);
        draw(patches, 3, 3);
        set_uniform(plain, "x", static_cast<float>(i + 1) / 16.0F - 1.0F);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    for (int i = 0; i < kSize; i += 2) {
        expect_pixel(i, 0, kGreen);
        expect_pixel(i + 1, 0, kBlue);
    }
    EXPECT_EQ(count(kBlack), kSize * kSize - kSize);
}

TEST_F(TessellationTest, IndexedPatches) {
    TessellatedProgram made;
    made.vertex = "flat out int id; void main() { id = gl_VertexID; }";
    made.control = "flat in int id[]; patch out float sum; layout(vertices = 1) out; void main() { "
                   "sum = float(id[0] * 16 + id[1]); for (int i = 0; i < 4; ++i) "
                   "gl_TessLevelOuter[i] = 1.0; gl_TessLevelInner[0] = gl_TessLevelInner[1] = "
                   "1.0; }";
    made.evaluation = std::string("layout(quads) in; patch in float sum; out vec3 told; ") +
                      kPixelOfPatch +
                      "void main() { told = vec3(sum, 0, 0); gl_Position = pixel_of_patch(); }";
    made.fragment = kTripleFs;
    const GLuint name = made.link();
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{3, 4, 9, 2, 5, 5});
    gl::UseProgram(name);
    gl::PatchParameteri(GL_PATCH_VERTICES, 2);
    gl::DrawElements(GL_PATCHES, 6, GL_UNSIGNED_SHORT, nullptr);
    expect_pixel(0, 0, {3 * 16 + 4, 0, 0, 255}, 0);
    expect_pixel(1, 0, {9 * 16 + 2, 0, 0, 255}, 0);
    expect_pixel(2, 0, {5 * 16 + 5, 0, 0, 255}, 0);
}

// --- what follows the tessellator

TEST_F(TessellationTest, GeometryShaderBehindIt) {
    TessellatedProgram made;
    made.control = levels("2.0");
    made.evaluation =
        "layout(quads) in; out vec2 place; void main() { place = gl_TessCoord.xy; gl_Position = "
        "vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); gl_PointSize = 3.0; }";
    // Only the left half of the triangles goes on.
    made.geometry =
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in vec2 place[]; out "
        "vec3 colour; void main() { vec2 centre = (place[0] + place[1] + place[2]) / 3.0; if "
        "(centre.x > 0.5) return; for (int i = 0; i < 3; ++i) { gl_Position = "
        "gl_in[i].gl_Position; colour = vec3(0, 1, 0); EmitVertex(); } }";
    made.fragment = "in vec3 colour; out vec4 result; void main() { result = vec4(colour, 1); }";
    draw(made.link(), 1, 1);
    expect_area(0, 0, kSize / 2, kSize, kGreen);
    EXPECT_EQ(count(kGreen), kSize * kSize / 2);
}

TEST_F(TessellationTest, TransformFeedback) {
    TessellatedProgram made;
    made.control = levels("1.0");
    made.evaluation = "layout(quads, point_mode) in; out float sum; flat out int twice; void "
                      "main() { sum = gl_TessCoord.x + 10.0 * gl_TessCoord.y; twice = int(2.0 * "
                      "sum); gl_Position = vec4(sum); }";
    made.captured = {"sum", "twice", "gl_Position"};
    const GLuint name = made.link();
    const GLuint buffer =
        make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(64, -1.0F), GL_STREAM_READ);
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    GLuint written = 0;
    gl::GenQueries(1, &written);
    gl::UseProgram(name);
    gl::PatchParameteri(GL_PATCH_VERTICES, 1);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_PATCHES, 0, 1);
    gl::EndTransformFeedback();
    gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    gl::Disable(GL_RASTERIZER_DISCARD);
    struct Vertex {
        float sum;
        std::int32_t twice;
        std::array<float, 4> position;
    };
    std::array<Vertex, 4> vertices{};
    gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(vertices), vertices.data());
    GLuint count = 0;
    gl::GetQueryObjectuiv(written, GL_QUERY_RESULT, &count);
    gl::DeleteQueries(1, &written);
    EXPECT_EQ(count, 4U);
    // In no order that GL would state.
    std::ranges::sort(vertices, {}, &Vertex::sum);
    const std::array<float, 4> sums{0, 1, 10, 11};
    for (size_t i = 0; i < sums.size(); ++i) {
        EXPECT_EQ(vertices.at(i).sum, sums.at(i));
        EXPECT_EQ(vertices.at(i).twice, static_cast<int>(2 * sums.at(i)));
        EXPECT_EQ(vertices.at(i).position[3], sums.at(i));
    }
}

TEST_F(TessellationTest, PrimitivesAreCountedBehindIt) {
    TessellatedProgram made;
    made.control = levels("2.0");
    made.evaluation = std::string("layout(quads) in; ") + kSquare;
    const GLuint name = made.link();
    GLuint generated = 0;
    gl::GenQueries(1, &generated);
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, generated);
    draw(name, 1, 3);
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    GLuint count = 0;
    gl::GetQueryObjectuiv(generated, GL_QUERY_RESULT, &count);
    gl::DeleteQueries(1, &generated);
    EXPECT_EQ(count, 3U * 8U);
    expect_area(0, 0, kSize, kSize, kGreen);
}

} // namespace
} // namespace kobalt::gltest
