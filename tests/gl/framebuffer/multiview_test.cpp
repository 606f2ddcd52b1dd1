// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_OVR_multiview2: one draw for several layers.
#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr int kSize = 8;

class MultiviewTest : public EsTest {
protected:
    Missing missing() const override { return lacks("GL_OVR_multiview2"); }
    void prepare() override {
        bind_new_vao();
        gl::GenTextures(1, &texture_);
        gl::BindTexture(GL_TEXTURE_2D_ARRAY, texture_);
        gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, kSize, kSize, 5, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, nullptr);
        gl::TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
        for (int layer = 0; layer < 5; ++layer) {
            bind_texture_target(texture_, kSize, kSize, 0, layer);
            gl::ClearColor(1, 1, 1, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
        }
    }
    void bind_views(int first, int count) const {
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTextureMultiviewOVR(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture_, 0, first,
                                           count);
        ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
        gl::Viewport(0, 0, kSize, kSize);
    }
    /// A rectangle that goes to the right with the view, in a colour that the fragment shader takes
    /// from the view's number.
    static GLuint program(int views) {
        const std::string header = "#version 300 es\n#extension GL_OVR_multiview2 : require\n"
                                   "precision highp float;\n";
        return link(
            {{GL_VERTEX_SHADER,
              header + "layout(num_views = " + std::to_string(views) +
                  ") in; void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1); float "
                  "left = float(gl_ViewID_OVR) * 0.5 - 1.0; gl_Position = vec4(left + p.x * 0.5, "
                  "p.y * 2.0 - 1.0, 0, 1); }"},
             {GL_FRAGMENT_SHADER, header +
                                      "out vec4 c; void main() { c = int(gl_ViewID_OVR) == 0 ? "
                                      "vec4(1, 0, 0, 1) : int(gl_ViewID_OVR) == 1 ? vec4(0, 1, 0, "
                                      "1) : vec4(0, 0, 1, 1); }"}});
    }
    void expect_layer(int layer, int left, const Byte4& inside, const Byte4& outside) const {
        bind_texture_target(texture_, kSize, kSize, 0, layer);
        SCOPED_TRACE(layer);
        for (int x = 0; x < kSize; x += 2) {
            expect_area(x, 0, 2, kSize, x == left ? inside : outside);
        }
    }
    GLuint texture_ = 0;
};

TEST_F(MultiviewTest, EachViewHasItsLayer) {
    const GLuint name = program(3);
    bind_views(1, 3);
    gl::UseProgram(name);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    expect_layer(0, -1, kWhite, kWhite);
    expect_layer(1, 0, kRed, kBlack);
    expect_layer(2, 2, kGreen, kBlack);
    expect_layer(3, 4, kBlue, kBlack);
    expect_layer(4, -1, kWhite, kWhite);
}

TEST_F(MultiviewTest, ClearsInsideThePassReachAllViews) {
    const GLuint name = program(2);
    bind_views(0, 2);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(4, 0, 2, kSize);
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_SCISSOR_TEST);
    for (int layer = 0; layer < 3; ++layer) {
        bind_texture_target(texture_, kSize, kSize, 0, layer);
        expect_area(4, 0, 2, kSize, layer < 2 ? kBlue : kWhite);
        expect_area(6, 0, 2, kSize, kWhite);
    }
}

// The same program with several sets of views, and an ordinary one between them.
TEST_F(MultiviewTest, FramebuffersTakeTurns) {
    const GLuint name = program(2);
    const GLuint plain =
        link({{GL_VERTEX_SHADER, "#version 300 es\n" + std::string(kFullscreenVs)},
              {GL_FRAGMENT_SHADER, "#version 300 es\nprecision highp float; out "
                                   "vec4 c; void main() { c = vec4(1, 1, 0, 1); }"}});
    bind_views(0, 2);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    bind_texture_target(texture_, kSize, kSize, 0, 2);
    gl::UseProgram(plain);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    bind_views(3, 2);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    expect_layer(0, 0, kRed, kWhite);
    expect_layer(1, 2, kGreen, kWhite);
    expect_layer(2, -1, kYellow, kYellow);
    expect_layer(3, 0, kRed, kWhite);
    expect_layer(4, 2, kGreen, kWhite);
}

TEST_F(MultiviewTest, QueriesSeeTheViews) {
    const GLuint name = program(2);
    bind_views(0, 2);
    gl::UseProgram(name);
    std::array<GLuint, 2> queries{};
    gl::GenQueries(2, queries.data());
    gl::BeginQuery(GL_ANY_SAMPLES_PASSED, queries[0]);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl::EndQuery(GL_ANY_SAMPLES_PASSED);
    // Only the second view's rectangle is inside.
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(2, 0, 2, kSize);
    gl::BeginQuery(GL_ANY_SAMPLES_PASSED, queries[1]);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl::EndQuery(GL_ANY_SAMPLES_PASSED);
    gl::Disable(GL_SCISSOR_TEST);
    for (const GLuint query : queries) {
        GLuint any = 0;
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &any);
        EXPECT_EQ(any, 1U);
    }
}

TEST_F(MultiviewTest, LevelsBehindTheFirst) {
    GLuint texture = 0, framebuffer = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D_ARRAY, texture);
    for (int level = 0; level < 2; ++level) {
        gl::TexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA8, 2 * kSize >> level, 2 * kSize >> level,
                       2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    }
    gl::TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 1);
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTextureMultiviewOVR(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 1, 0, 2);
    ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
    gl::Viewport(0, 0, kSize, kSize);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::UseProgram(program(2));
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    for (int layer = 0; layer < 2; ++layer) {
        bind_texture_target(texture, kSize, kSize, 1, layer);
        expect_area(2 * layer, 0, 2, kSize, layer ? kGreen : kRed);
        expect_area(4, 0, 4, kSize, kBlack);
    }
}

TEST_F(MultiviewTest, AFramebufferOfOneViewIsRead) {
    Byte4 texel{};
    bind_views(0, 1);
    gl::ReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    EXPECT_EQ(texel, kWhite);
}

// The layer that its shader wrote was none of a pass of views: the validation layers tell.
TEST_F(MultiviewTest, MaskedClearsReachAllViews) {
    bind_views(1, 2);
    gl::ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (int layer = 0; layer < 4; ++layer) {
        bind_texture_target(texture_, kSize, kSize, 0, layer);
        expect_area(0, 0, kSize, kSize, layer == 1 || layer == 2 ? kGreen : kWhite);
    }
}

} // namespace
} // namespace kobalt::gltest
