// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

namespace kobalt::gltest {
namespace {

class RasterTest : public GlTest {
protected:
    static constexpr int kSize = 32;

    void prepare() override {
        make_target({kSize, kSize, GL_RGBA8, GL_DEPTH_COMPONENT24});
        gl::ClearColor(0, 0, 0, 1);
        clear();
    }
    static void clear() { gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT); }

    static void draw(GLuint program, GLenum mode, const std::vector<float>& points,
                     int components = 2) {
        bind_new_vao();
        make_buffer(GL_ARRAY_BUFFER, points);
        gl::VertexAttribPointer(0, components, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
        gl::UseProgram(program);
        gl::DrawArrays(mode, 0, static_cast<GLsizei>(points.size()) / components);
    }
    static GLuint green() {
        return vs_fs("layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
                     "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    }
    static int lit() { return count_pixels(read_picture(kSize, kSize), kGreen); }
    static float at(int i) { return (static_cast<float>(i) + 0.5F) * 2.0F / kSize - 1.0F; }
};

TEST_F(RasterTest, Culling) {
    const std::vector<float> counter_clockwise{-1, -1, 3, -1, -1, 3};
    const std::vector<float> clockwise{-1, -1, -1, 3, 3, -1};
    const GLuint program = green();
    gl::Enable(GL_CULL_FACE);
    struct Case {
        GLenum cull;
        GLenum front;
        bool counter_clockwise_seen;
        bool clockwise_seen;
    };
    for (const Case& test :
         {Case{GL_BACK, GL_CCW, true, false}, Case{GL_FRONT, GL_CCW, false, true},
          Case{GL_BACK, GL_CW, false, true}, Case{GL_FRONT, GL_CW, true, false},
          Case{GL_FRONT_AND_BACK, GL_CCW, false, false}}) {
        gl::CullFace(test.cull);
        gl::FrontFace(test.front);
        clear();
        draw(program, GL_TRIANGLES, counter_clockwise);
        EXPECT_EQ(lit() > 0, test.counter_clockwise_seen);
        clear();
        draw(program, GL_TRIANGLES, clockwise);
        EXPECT_EQ(lit() > 0, test.clockwise_seen);
    }
    // Culling concerns polygons only.
    clear();
    draw(program, GL_POINTS, {at(3), at(3)});
    draw(program, GL_LINES, {at(3), at(9), at(12), at(9)});
    EXPECT_GT(lit(), 5);
    gl::Disable(GL_CULL_FACE);
}

TEST_F(RasterTest, FrontFacingInTheShader) {
    const GLuint program = vs_fs(
        "layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
        "out vec4 result; void main() { result = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, "
        "1); }");
    draw(program, GL_TRIANGLES, {-1, -1, 3, -1, -1, 3});
    expect_area(0, 0, kSize, kSize, kGreen);
    gl::FrontFace(GL_CW);
    draw(program, GL_TRIANGLES, {-1, -1, 3, -1, -1, 3});
    expect_area(0, 0, kSize, kSize, kRed);
    gl::FrontFace(GL_CCW);
    clear();
    draw(program, GL_POINTS, {at(4), at(4)});
    expect_pixel(4, 4, kGreen);
}

TEST_F(RasterTest, PolygonModeLine) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    draw(green(), GL_TRIANGLES, {at(2), at(2), at(29), at(2), at(2), at(29)});
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    expect_pixel(10, 2, kGreen);
    expect_pixel(2, 10, kGreen);
    expect_pixel(8, 8, kBlack);
    EXPECT_NEAR(lit(), 27 * 3, 6);
}

TEST_F(RasterTest, PolygonModePoint) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    draw(green(), GL_TRIANGLES, {at(2), at(2), at(29), at(2), at(2), at(29)});
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    EXPECT_EQ(lit(), 3);
    expect_pixel(29, 2, kGreen);
}

TEST_F(RasterTest, PolygonOffset) {
    const RectPainter painter;
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_LESS);
    painter.fill({1, 0, 0, 1}, 0.0F);
    painter.fill({0, 0, 1, 1}, 0.0F);
    expect_pixel(4, 4, kRed);
    gl::Enable(GL_POLYGON_OFFSET_FILL);
    gl::PolygonOffset(0, -4);
    painter.fill({0, 1, 0, 1}, 0.0F);
    expect_area(0, 0, kSize, kSize, kGreen);
    gl::PolygonOffset(0, 8);
    painter.fill({1, 0, 0, 1}, 0.0F);
    expect_area(0, 0, kSize, kSize, kGreen);
    gl::Disable(GL_POLYGON_OFFSET_FILL);
}

TEST_F(RasterTest, PolygonOffsetFactorFollowsTheSlope) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    // Depth goes from 0 to 1 over the width: 1/32 for each pixel.
    const std::vector<float> slope{-1, -1, -1, 1, 3, -1, 3, 1, -1, 3, -1, 1};
    const GLuint program = green();
    draw(program, GL_TRIANGLES, slope, 4);
    float before = 0;
    gl::ReadPixels(16, 5, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &before);
    gl::Enable(GL_POLYGON_OFFSET_FILL);
    gl::PolygonOffset(2, 0);
    draw(program, GL_TRIANGLES, slope, 4);
    gl::Disable(GL_POLYGON_OFFSET_FILL);
    float after = 0;
    gl::ReadPixels(16, 5, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &after);
    EXPECT_NEAR(after - before, 2.0F / 32, 0.002F);
}

TEST_F(RasterTest, FlatShadingAndProvokingVertex) {
    const GLuint program = vs_fs(
        "layout(location = 0) in vec4 p; flat out int id; void main() { gl_Position = p; id = "
        "gl_VertexID; }",
        "flat in int id; out vec4 result; void main() { result = vec4(float(id) / 255.0, 1, 0, "
        "1); }");
    struct Case {
        GLenum mode;
        std::vector<float> points;
        int x, y;
        int last;
        int first;
    };
    for (const Case& test :
         {Case{GL_TRIANGLES, {-1, -1, 3, -1, -1, 3}, 5, 5, 2, 0},
          Case{GL_TRIANGLE_STRIP, {-1, -1, 1, -1, -1, 1, 1, 1}, 28, 28, 3, 1},
          Case{GL_TRIANGLE_FAN, {-1, -1, 1, -1, 1, 1, -1, 1}, 3, 28, 3, 2},
          Case{GL_LINES, {at(2), at(5), at(28), at(5)}, 12, 5, 1, 0},
          Case{GL_LINE_STRIP, {at(2), at(9), at(15), at(9), at(28), at(9)}, 22, 9, 2, 1}}) {
        clear();
        gl::ProvokingVertex(GL_LAST_VERTEX_CONVENTION);
        draw(program, test.mode, test.points);
        EXPECT_EQ(pixel(test.x, test.y)[0], test.last) << "mode " << test.mode << " last";
        clear();
        gl::ProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
        draw(program, test.mode, test.points);
        EXPECT_EQ(pixel(test.x, test.y)[0], test.first) << "mode " << test.mode << " first";
        gl::ProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    }
}

TEST_F(RasterTest, PointSizes) {
    const GLuint program =
        vs_fs("layout(location = 0) in vec4 p; uniform float size; void main() { gl_Position = p; "
              "gl_PointSize = size; }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    for (const float size : {1.0F, 4.0F, 10.0F}) {
        clear();
        gl::PointSize(size);
        draw(green(), GL_POINTS, {0, 0});
        EXPECT_EQ(lit(), static_cast<int>(size * size)) << "fixed size " << size;
        clear();
        gl::Enable(GL_PROGRAM_POINT_SIZE);
        gl::PointSize(3);
        set_uniform(program, "size", size);
        draw(program, GL_POINTS, {0, 0});
        gl::Disable(GL_PROGRAM_POINT_SIZE);
        EXPECT_EQ(lit(), static_cast<int>(size * size)) << "program size " << size;
    }
    gl::PointSize(1);
}

TEST_F(RasterTest, PointCoordinates) {
    const GLuint program =
        vs_fs("layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
              "out vec4 result; void main() { result = vec4(gl_PointCoord, 0, 1); }");
    gl::PointSize(16);
    draw(program, GL_POINTS, {0, 0});
    // The upper left origin is the default: t grows downwards.
    expect_pixel(8, 23, {8, 8, 0, 255}, 2);
    expect_pixel(23, 8, {247, 247, 0, 255}, 2);
    gl::PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
    draw(program, GL_POINTS, {0, 0});
    expect_pixel(8, 23, {8, 247, 0, 255}, 2);
    expect_pixel(23, 8, {247, 8, 0, 255}, 2);
    gl::PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_UPPER_LEFT);
    gl::PointSize(1);
}

// Linear also where the edge cuts squares of pixels that derivatives are taken in (GLSL 4.60,
// 8.14.1; OpenGL 4.6, 14.4).
TEST_F(RasterTest, DerivativesOfPointCoordinates) {
    const GLuint program = vs_fs("layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
                                 "uniform vec4 wanted; out vec4 result; void main() { vec2 d = "
                                 "vec2(dFdx(gl_PointCoord.x), dFdy(gl_PointCoord.y)); result = "
                                 "distance(d, wanted.xy) < 0.01 ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, "
                                 "1); }");
    gl::PointSize(4);
    for (const bool lower : {false, true}) {
        gl::PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, lower ? GL_LOWER_LEFT : GL_UPPER_LEFT);
        set_uniform(program, "wanted", Float4{0.25F, lower ? 0.25F : -0.25F, 0, 0});
        for (const int place : {16, 17}) {
            clear();
            const float corner = static_cast<float>(place) * 2.0F / kSize - 1.0F;
            draw(program, GL_POINTS, {corner, corner});
            for (int i = 0; i < 16; ++i) {
                expect_pixel(place - 2 + i % 4, place - 2 + i / 4, kGreen);
            }
        }
    }
    gl::PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_UPPER_LEFT);
    gl::PointSize(1);
}

TEST_F(RasterTest, LineWidth) {
    std::array<GLfloat, 2> range{};
    gl::GetFloatv(GL_SMOOTH_LINE_WIDTH_RANGE, range.data());
    for (const float width : {1.0F, 3.0F, 5.0F}) {
        if (width > range[1]) {
            continue;
        }
        clear();
        gl::LineWidth(width);
        draw(green(), GL_LINES, {at(4), at(16), at(24), at(16)});
        int column = 0;
        for (int y = 0; y < kSize; ++y) {
            column += pixel(12, y)[1] > 127 ? 1 : 0;
        }
        EXPECT_EQ(column, static_cast<int>(width));
    }
    gl::LineWidth(1);
}

TEST_F(RasterTest, DiagonalLineIsConnected) {
    draw(green(), GL_LINES, {at(1), at(1), at(30), at(18)});
    for (int x = 2; x < 30; ++x) {
        int column = 0;
        for (int y = 0; y < kSize; ++y) {
            column += pixel(x, y)[1] > 127 ? 1 : 0;
        }
        EXPECT_EQ(column, 1) << "column " << x;
    }
}

TEST_F(RasterTest, SmoothLinesBlendAtTheirEdges) {
    gl::Enable(GL_LINE_SMOOTH);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl::LineWidth(3);
    draw(green(), GL_LINES, {at(3), at(3), at(28), at(15)});
    gl::LineWidth(1);
    gl::Disable(GL_BLEND);
    gl::Disable(GL_LINE_SMOOTH);
    int partial = 0;
    const Picture picture = read_picture(kSize, kSize);
    for (size_t i = 0; i < picture.rgba.size(); i += 4) {
        partial += picture.rgba[i + 1] > 8 && picture.rgba[i + 1] < 247 ? 1 : 0;
    }
    EXPECT_GT(partial, 15);
    EXPECT_GT(lit(), 25);
}

GLuint three_clip_distances() {
    return vs_fs("layout(location = 0) in vec4 p; out float gl_ClipDistance[3]; void main() { "
                 "gl_Position = p; "
                 "gl_ClipDistance[0] = p.x + 0.5; gl_ClipDistance[1] = 0.5 - p.x; "
                 "gl_ClipDistance[2] = p.y; }",
                 "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
}

TEST_F(RasterTest, ClipDistancesThatAreOffDoNotClip) {
    draw(three_clip_distances(), GL_TRIANGLES, {-1, -1, 3, -1, -1, 3});
    EXPECT_EQ(lit(), kSize * kSize);
}

TEST_F(RasterTest, ClipDistances) {
    const GLuint program = three_clip_distances();
    const std::vector<float> all{-1, -1, 3, -1, -1, 3};
    gl::Enable(GL_CLIP_DISTANCE0);
    draw(program, GL_TRIANGLES, all);
    expect_area(0, 0, 8, 32, kBlack);
    expect_area(8, 0, 24, 32, kGreen);
    clear();
    gl::Enable(GL_CLIP_DISTANCE1);
    gl::Enable(GL_CLIP_DISTANCE2);
    draw(program, GL_TRIANGLES, all);
    expect_area(8, 16, 16, 16, kGreen);
    EXPECT_EQ(lit(), 256);
    clear();
    gl::Disable(GL_CLIP_DISTANCE0);
    gl::Disable(GL_CLIP_DISTANCE1);
    draw(program, GL_TRIANGLES, all);
    EXPECT_EQ(lit(), 512);
    gl::Disable(GL_CLIP_DISTANCE2);
}

TEST_F(RasterTest, ClipDistanceReadInTheFragmentShader) {
    const GLuint program =
        vs_fs("layout(location = 0) in vec4 p; out float gl_ClipDistance[1]; void main() { "
              "gl_Position = p; "
              "gl_ClipDistance[0] = p.x + 1.0; }",
              "in float gl_ClipDistance[1]; out vec4 result; void main() { result = "
              "vec4(gl_ClipDistance[0] * 0.5, 0, 0, 1); }");
    gl::Enable(GL_CLIP_DISTANCE0);
    draw(program, GL_TRIANGLES, {-1, -1, 3, -1, -1, 3});
    gl::Disable(GL_CLIP_DISTANCE0);
    EXPECT_NEAR(pixel(16, 4)[0], 255 * 16.5 / 32, 2);
}

TEST_F(RasterTest, GuardBandGeometry) {
    draw(green(), GL_TRIANGLES, {-1000, -1000, 3000, -1000, -1000, 3000});
    EXPECT_EQ(lit(), kSize * kSize);
    clear();
    // A triangle that crosses the plane w = 0 is clipped, not wrapped around.
    draw(green(), GL_TRIANGLES, {-1, -1, 0, 1, 1, -1, 0, 1, 0, 5, 0, -1}, 4);
    EXPECT_GT(lit(), 100);
}

TEST_F(RasterTest, DerivativesAcrossPixels) {
    make_target({8, 8, GL_RGBA32F});
    draw_fullscreen(vs_fs(
        kFullscreenVs, "out vec4 result; void main() { float v = gl_FragCoord.x * 3.0 + "
                       "gl_FragCoord.y * 5.0; result = vec4(dFdx(v), dFdy(v), fwidth(v), 1); }"));
    expect_near(pixel_float(3, 4), {3, 5, 8, 1}, 1e-4F);
}

TEST_F(RasterTest, RasteriserDiscardDropsFragments) {
    gl::Enable(GL_RASTERIZER_DISCARD);
    draw(green(), GL_TRIANGLES, {-1, -1, 3, -1, -1, 3});
    gl::Disable(GL_RASTERIZER_DISCARD);
    EXPECT_EQ(lit(), 0);
}

TEST_F(RasterTest, PrimitiveIdWithoutGeometryShader) {
    const GLuint program = vs_fs(
        "layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
        "out vec4 result; void main() { result = vec4(float(gl_PrimitiveID + 1) / 255.0, 0, 0, "
        "1); }");
    draw(program, GL_TRIANGLES, {-1, -1, 0, -1, -1, 0, 0, 0, 1, 0, 0, 1, -1, 0, 0, 0, -1, 1});
    EXPECT_EQ(pixel(3, 3)[0], 1);
    EXPECT_EQ(pixel(18, 18)[0], 2);
    EXPECT_EQ(pixel(3, 18)[0], 3);
}

} // namespace
} // namespace kobalt::gltest
