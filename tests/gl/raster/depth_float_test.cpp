// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// What a shader writes to gl_FragDepth is clamped to 0 … 1 before it is tested and stored, whatever
// the depth format (OpenGL 4.6, 15.2.3).

namespace kobalt::gltest {
namespace {

class FragmentDepthTest : public GlTest, public testing::WithParamInterface<GLenum> {
protected:
    void prepare() override {
        make_target({16, 16, GL_RGBA8, GetParam()});
        bind_new_vao();
        program_ = vs_fs(kFullscreenVs, R"(
uniform float depth;
out vec4 colour;
void main() { gl_FragDepth = depth; colour = vec4(0, 1, 0, 1); })");
        gl::Enable(GL_DEPTH_TEST);
    }
    void draw(float depth) const {
        gl::UseProgram(program_);
        set_uniform(program_, "depth", depth);
        draw_fullscreen(program_);
    }
    static void clear(double depth) {
        gl::ClearColor(0, 0, 0, 1);
        gl::ClearDepth(depth);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    }
    static float stored() {
        float value = -1;
        gl::ReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &value);
        return value;
    }

private:
    GLuint program_ = 0;
};

TEST_P(FragmentDepthTest, WritesAreClamped) {
    for (const auto& [written, kept] : {std::pair{1.5F, 1.0F}, std::pair{-0.5F, 0.0F},
                                        std::pair{1e30F, 1.0F}, std::pair{0.25F, 0.25F}}) {
        clear(0.5);
        gl::DepthFunc(GL_ALWAYS);
        draw(written);
        EXPECT_NEAR(stored(), kept, 1e-4F) << written;
    }
}

TEST_P(FragmentDepthTest, TestsSeeTheClampedValue) {
    for (const auto& [written, there, passes] :
         {std::tuple{1.5F, 1.0, true}, std::tuple{-0.5F, 0.0, true},
          std::tuple{0.5F, 1.0, false}}) {
        clear(there);
        gl::DepthFunc(GL_EQUAL);
        draw(written);
        expect_pixel(3, 3, passes ? kGreen : kBlack);
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, FragmentDepthTest,
                         testing::Values(GL_DEPTH_COMPONENT16, GL_DEPTH24_STENCIL8,
                                         GL_DEPTH_COMPONENT32F, GL_DEPTH32F_STENCIL8));

} // namespace
} // namespace kobalt::gltest
