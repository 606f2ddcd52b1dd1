// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
// GL_NV_viewport_array2: a primitive goes to several viewports at once, and to a layer of its own
// in each.
#include "support.h"

namespace kobalt::gltest {
namespace {

class ViewportMaskTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_NV_viewport_array2"); }
    void prepare() override { bind_new_vao(); }
    /// Three squares up the diagonal.
    static void set_viewports() {
        for (GLuint i = 0; i < 3; ++i) {
            const auto corner = static_cast<GLfloat>(8 * i);
            gl::ViewportIndexedf(i, corner, corner, 8, 8);
        }
    }
    static GLuint program(const std::string& outputs, const std::string& statements,
                          const std::string& colour = "vec4(0, 1, 0, 1)") {
        const std::string version = "#version 430 core\n";
        return link({{GL_VERTEX_SHADER,
                      version + "#extension GL_NV_viewport_array2 : require\n" + outputs +
                          "void main() { vec2 p = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * "
                          "2.0 - 1.0; gl_Position = vec4(p, 0, 1); " +
                          statements + " }"},
                     {GL_FRAGMENT_SHADER,
                      version + "out vec4 result; void main() { result = " + colour + "; }"}});
    }
};

TEST_F(ViewportMaskTest, EveryViewportOfTheMask) {
    make_black_target({32, 32});
    set_viewports();
    gl::UseProgram(program("", "gl_ViewportMask[0] = 5;"));
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 8, 8, kGreen);
    expect_area(16, 16, 8, 8, kGreen);
    EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), 128);
}

// GLSL 4.60, 7.1.5: what a fragment reads is the viewport that it is in, though the stage before it
// writes no index.
TEST_F(ViewportMaskTest, FragmentsKnowTheirViewport) {
    make_black_target({32, 32});
    set_viewports();
    gl::UseProgram(program("", "gl_ViewportMask[0] = 7;",
                           "vec4(equal(ivec3(gl_ViewportIndex), ivec3(0, 1, 2)), 1)"));
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 8, 8, kRed);
    expect_area(8, 8, 8, 8, kGreen);
    expect_area(16, 16, 8, 8, kBlue);
}

TEST_F(ViewportMaskTest, LayersCountFromTheViewport) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D_ARRAY, texture);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 32, 32, 4);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    set_viewports();
    gl::UseProgram(program("layout(viewport_relative) out highp int gl_Layer;\n",
                           "gl_Layer = 1; gl_ViewportMask[0] = 6;",
                           "vec4(0, gl_Layer == gl_ViewportIndex + 1, 0, 1)"));
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    // Viewport 1 is drawn in layer 2, viewport 2 in layer 3.
    for (int layer = 0; layer < 4; ++layer) {
        SCOPED_TRACE("layer " + std::to_string(layer));
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
        EXPECT_EQ(count_pixels(read_picture(32, 32), kGreen), layer < 2 ? 0 : 64);
        if (layer >= 2) {
            expect_area(8 * (layer - 1), 8 * (layer - 1), 8, 8, kGreen);
        }
    }
}

} // namespace
} // namespace kobalt::gltest
