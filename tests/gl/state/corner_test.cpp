// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What one feature must not do to another.
#include <algorithm>

#include "corner.h"

namespace kobalt::gltest {
namespace {

TEST_F(CornerTest, QueriesDoNotCountClearsAndBlits) {
    const Target source = make_target({16, 16});
    const Target target = make_target({16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8});
    const RectPainter painter;
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    gl::ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl::StencilMask(0x0F);
    gl::Clear(GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl::StencilMask(0xFF);
    painter.draw({-1, -1, 0, 0}, {1, 0, 0, 1});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    gl::BlitFramebuffer(0, 0, 16, 16, 3, 3, 7, 12, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    target.bind();
    const GLuint texture = texture_2d(GL_RGBA8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    (void)texture;
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 4);
    gl::GenerateMipmap(GL_TEXTURE_2D);
    painter.draw({0, 0, 1, 1}, {1, 0, 0, 1});
    gl::EndQuery(GL_SAMPLES_PASSED);
    GLuint count = 0;
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
    EXPECT_EQ(count, 128U);
}

TEST_F(CornerTest, RestartIndexChangesBetweenDrawsOfOneBuffer) {
    make_target({32, 4});
    bind_new_vao();
    // Points: each index that is no restart makes one point at its own place.
    const GLuint program =
        vs_fs("void main() { gl_Position = vec4((float(gl_VertexID) + 0.5) / 16.0 - 1.0, 0, 0, 1); "
              "gl_PointSize = 1.0; }",
              "out vec4 c; void main() { c = vec4(1, 0, 0, 1); }");
    gl::UseProgram(program);
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    gl::Enable(GL_PRIMITIVE_RESTART);
    const auto lit = [](int x) { return pixel(x, 2)[0] == 255 || pixel(x, 1)[0] == 255; };
    const auto check = [&](GLenum type, const auto& indices, GLuint restart, int base,
                           const std::vector<int>& expected) {
        make_buffer(GL_ELEMENT_ARRAY_BUFFER, indices);
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::PrimitiveRestartIndex(restart);
        gl::DrawElementsBaseVertex(GL_POINTS, static_cast<GLsizei>(indices.size()), type, nullptr,
                                   base);
        for (int x = 0; x < 32; ++x) {
            const bool wanted = std::find(expected.begin(), expected.end(), x) != expected.end();
            EXPECT_EQ(lit(x), wanted) << "type " << type << " restart " << restart << " x " << x;
        }
    };
    const std::vector<std::uint8_t> bytes{1, 2, 3, 255, 4};
    const std::vector<std::uint16_t> shorts{1, 2, 3, 255, 4};
    const std::vector<std::uint32_t> words{1, 2, 3, 255, 4};
    for (const GLuint restart : {2U, 255U, 3U, 0xFFFFU, 0x102U, 0xFFFFFFFFU}) {
        std::vector<int> expected;
        for (const int index : {1, 2, 3, 4})
            if (static_cast<GLuint>(index) != restart)
                expected.push_back(index + 5);
        check(GL_UNSIGNED_BYTE, bytes, restart, 5, expected);
        check(GL_UNSIGNED_SHORT, shorts, restart, 5, expected);
        check(GL_UNSIGNED_INT, words, restart, 5, expected);
    }
}

TEST_F(CornerTest, ProvokingVertexOfStripsAndFans) {
    make_target({4, 4});
    bind_new_vao();
    const std::vector<float> square{-1, -1, 1, -1, -1, 1, 1, 1};
    const std::vector<float> fan{-1, -1, 1, -1, 1, 1, -1, 1};
    const GLuint program =
        vs_fs("layout(location = 0) in vec2 p; flat out int id; void main() { id = gl_VertexID; "
              "gl_Position = vec4(p, 0, 1); }",
              "flat in int id; out vec4 c; void main() { c = vec4(float(id) / 255.0, "
              "float(gl_PrimitiveID) / 255.0, 0, 1); }");
    gl::UseProgram(program);
    gl::EnableVertexAttribArray(0);
    struct Case {
        GLenum mode, convention;
        Byte4 lower, upper;
    };
    for (const Case& item :
         {Case{GL_TRIANGLE_STRIP, GL_LAST_VERTEX_CONVENTION, {2, 0, 0, 255}, {3, 1, 0, 255}},
          Case{GL_TRIANGLE_STRIP, GL_FIRST_VERTEX_CONVENTION, {0, 0, 0, 255}, {1, 1, 0, 255}},
          Case{GL_TRIANGLE_FAN, GL_LAST_VERTEX_CONVENTION, {2, 0, 0, 255}, {3, 1, 0, 255}},
          Case{GL_TRIANGLE_FAN, GL_FIRST_VERTEX_CONVENTION, {1, 0, 0, 255}, {2, 1, 0, 255}}}) {
        make_buffer(GL_ARRAY_BUFFER, item.mode == GL_TRIANGLE_FAN ? fan : square);
        gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::ProvokingVertex(item.convention);
        gl::DrawArrays(item.mode, 0, 4);
        if (item.mode == GL_TRIANGLE_FAN) {
            expect_pixel(3, 0, item.lower, 0);
            expect_pixel(0, 3, item.upper, 0);
        } else {
            expect_pixel(0, 0, item.lower, 0);
            expect_pixel(3, 3, item.upper, 0);
        }
    }
}

TEST_F(CornerTest, LogicOpLeavesFloatsAndWorksOnIntegers) {
    const RectPainter painter;
    gl::Enable(GL_COLOR_LOGIC_OP);
    gl::LogicOp(GL_XOR);
    make_target({4, 4, GL_RGBA16F});
    gl::ClearColor(1, 1, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    painter.fill({0.5F, 0.25F, 0, 1});
    expect_near(pixel_float(1, 1), {0.5F, 0.25F, 0, 1}, 0.001F);
    make_target({4, 4, GL_RGBA8UI});
    const Uint4 value{0xF0, 0x0F, 0xFF, 1};
    gl::ClearBufferuiv(GL_COLOR, 0, value.data());
    draw_fullscreen(
        vs_fs(kFullscreenVs, "out uvec4 c; void main() { c = uvec4(0xFFu, 0xFFu, 0xFFu, 3u); }"));
    EXPECT_EQ(pixel_uint(1, 1), (Uint4{0x0F, 0xF0, 0, 2}));
    gl::Disable(GL_COLOR_LOGIC_OP);
}

TEST_F(CornerTest, EmptyAndHugeViewports) {
    make_target({16, 16});
    const RectPainter painter;
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Viewport(0, 0, 0, 0);
    painter.fill({1, 0, 0, 1});
    gl::Viewport(3, 3, 0, 10);
    painter.fill({1, 0, 0, 1});
    expect_area(0, 0, 16, 16, kBlack);
    gl::Viewport(-8, -8, 16, 16);
    painter.fill({0, 1, 0, 1});
    expect_area(0, 0, 8, 8, kGreen);
    expect_area(8, 0, 8, 16, kBlack);
    gl::Viewport(-8000, -8000, 16016, 16016);
    painter.draw({0, 0, 1, 1}, {0, 0, 1, 1});
    expect_area(8, 8, 8, 8, kBlue);
    expect_area(0, 0, 8, 8, kGreen);
}

TEST_F(CornerTest, NoAttachmentDrawsOnlyCount) {
    const GLuint texture =
        texture_2d(GL_DEPTH_COMPONENT24, 8, 8, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture, 0);
    gl::DrawBuffer(GL_NONE);
    gl::ReadBuffer(GL_NONE);
    gl::Viewport(0, 0, 8, 8);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    const RectPainter painter;
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    painter.draw({-1, -1, 0, 1}, {1, 0, 0, 1}, -0.5F);
    painter.draw({-1, -1, 1, 1}, {1, 0, 0, 1}, 0.5F);
    gl::EndQuery(GL_SAMPLES_PASSED);
    GLuint count = 0;
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
    EXPECT_EQ(count, 64U);
}

TEST_F(CornerTest, PolygonOffsetUnitsInEveryDepthFormat) {
    for (const auto& [format, unit] : {std::pair<GLenum, double>{GL_DEPTH_COMPONENT16, 1.0 / 65535},
                                       {GL_DEPTH_COMPONENT24, 1.0 / 0xFFFFFF}}) {
        make_target({4, 4, GL_RGBA8, format});
        const RectPainter painter;
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_ALWAYS);
        gl::Enable(GL_POLYGON_OFFSET_FILL);
        const auto depth_of = [&](float z, float units) {
            gl::PolygonOffset(0, units);
            painter.fill({1, 0, 0, 1}, z);
            float value = 0;
            gl::ReadPixels(1, 1, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &value);
            return static_cast<double>(value);
        };
        for (const float z : {0.5F, -0.9F}) {
            const double plain = depth_of(z, 0);
            const double moved = depth_of(z, 100);
            // The smallest resolvable difference is implementation-dependent, at most twice ours.
            EXPECT_GE(moved - plain, 99 * unit) << format << " " << z;
            EXPECT_LE(moved - plain, 201 * unit) << format << " " << z;
        }
        gl::Disable(GL_POLYGON_OFFSET_FILL);
        gl::DepthFunc(GL_LESS);
    }
}

TEST_F(CornerTest, ClipDistancesToggleWithinOneProgram) {
    make_target({8, 8});
    bind_new_vao();
    const GLuint program =
        vs_fs("out float gl_ClipDistance[2]; void main() { vec2 p = vec2(gl_VertexID & 1, "
              "gl_VertexID >> 1) * 2.0 - 1.0; gl_ClipDistance[0] = p.x; gl_ClipDistance[1] = p.y; "
              "gl_Position = vec4(p, 0, 1); }",
              "out vec4 c; void main() { c = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    gl::ClearColor(0, 0, 0, 1);
    for (int bits = 0; bits < 4; ++bits) {
        for (int i = 0; i < 2; ++i)
            (bits >> i & 1 ? gl::Enable : gl::Disable)(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i));
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        EXPECT_EQ(count_pixels(read_picture(8, 8), kGreen), bits == 0 ? 64 : bits == 3 ? 16 : 32);
    }
}

TEST_F(CornerTest, IntegerAndNormalisedTargetsBlendApart) {
    const GLuint framebuffer = make_target({4, 4}).framebuffer;
    const GLuint integers =
        texture_2d(GL_RGBA8UI, 4, 4, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    const GLuint floats = texture_2d(GL_RGBA16F, 4, 4, GL_RGBA, GL_FLOAT, nullptr);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, integers, 0);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, floats, 0);
    const std::array<GLenum, 3> buffers{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                        GL_COLOR_ATTACHMENT2};
    gl::DrawBuffers(3, buffers.data());
    const Float4 half{0.5F, 0.5F, 0.5F, 0.5F};
    const Uint4 seven{7, 7, 7, 7};
    gl::ClearBufferfv(GL_COLOR, 0, half.data());
    gl::ClearBufferuiv(GL_COLOR, 1, seven.data());
    gl::ClearBufferfv(GL_COLOR, 2, half.data());
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    draw_fullscreen(vs_fs(kFullscreenVs,
                          "layout(location = 0) out vec4 a; layout(location = 1) out uvec4 b; "
                          "layout(location = 2) out vec4 c; void main() { a = vec4(0.25); b = "
                          "uvec4(3); c = vec4(1); }"));
    gl::Disable(GL_BLEND);
    expect_pixel(1, 1, {191, 191, 191, 191});
    gl::ReadBuffer(GL_COLOR_ATTACHMENT1);
    EXPECT_EQ(pixel_uint(1, 1), (Uint4{3, 3, 3, 3}));
    gl::ReadBuffer(GL_COLOR_ATTACHMENT2);
    expect_near(pixel_float(1, 1), {1.5F, 1.5F, 1.5F, 1.5F}, 0.01F);
}

TEST_F(CornerTest, TimestampAndQueryUseOneClock) {
    GLint64 before = 0, after = 0;
    GLuint64 between = 0;
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::GetInteger64v(GL_TIMESTAMP, &before);
    gl::QueryCounter(query, GL_TIMESTAMP);
    gl::GetQueryObjectui64v(query, GL_QUERY_RESULT, &between);
    gl::GetInteger64v(GL_TIMESTAMP, &after);
    EXPECT_LE(static_cast<GLuint64>(before), between);
    EXPECT_LE(between, static_cast<GLuint64>(after));
}

TEST_F(CornerTest, IndirectDrawsCountAndNumberThemselves) {
    if (!has_extension("GL_ARB_multi_draw_indirect") ||
        !has_extension("GL_ARB_shader_draw_parameters")) {
        GTEST_SKIP() << "no multi-draw indirect";
    }
    make_target({16, 4});
    bind_new_vao();
    const GLuint program = link(
        {{GL_VERTEX_SHADER,
          "#version 330 core\n#extension GL_ARB_shader_draw_parameters : require\nflat out ivec4 "
          "v; "
          "void main() { v = ivec4(gl_DrawIDARB, gl_BaseVertexARB, gl_BaseInstanceARB, "
          "gl_InstanceID); gl_Position = vec4((float(gl_VertexID) + 0.5) / 8.0 - 1.0, "
          "(float(gl_InstanceID) + 0.5) / 2.0 - 1.0, 0, 1); gl_PointSize = 1.0; }"},
         {GL_FRAGMENT_SHADER, "#version 330 core\nflat in ivec4 v; out vec4 c; void main() { c = "
                              "vec4(v + ivec4(1)) / 255.0; }"}});
    gl::UseProgram(program);
    gl::Enable(GL_PROGRAM_POINT_SIZE);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{0, 1, 0xFFFF, 2, 3});
    struct Command {
        GLuint count, instances, first;
        GLint base;
        GLuint base_instance;
    };
    const std::vector<Command> commands{{2, 1, 0, 0, 0}, {1, 2, 3, 5, 3}, {5, 1, 0, 10, 9}};
    make_buffer(GL_DRAW_INDIRECT_BUFFER, commands);
    for (const bool restart : {false, true}) {
        (restart ? gl::Enable : gl::Disable)(GL_PRIMITIVE_RESTART);
        gl::PrimitiveRestartIndex(0xFFFF);
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::MultiDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_SHORT, nullptr, 3, 0);
        expect_pixel(0, 0, {1, 1, 1, 1}, 0);
        expect_pixel(1, 0, {1, 1, 1, 1}, 0);
        expect_pixel(7, 0, {2, 6, 4, 1}, 0);
        expect_pixel(7, 1, {2, 6, 4, 2}, 0);
        for (const int x : {10, 11, 12, 13})
            expect_pixel(x, 0, {3, 11, 10, 1}, 0);
        expect_pixel(2, 0, {0, 0, 0, 0}, 0);
    }
}

} // namespace
} // namespace kobalt::gltest
