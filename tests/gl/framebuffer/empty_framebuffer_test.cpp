// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Framebuffers without attachments (OpenGL 4.6, 9.2.1): fragments are there, and their samples.
#include "compute.h"

namespace kobalt::gltest {
namespace {

class EmptyFramebufferTest : public ComputeTest {
protected:
    void prepare() override {
        ComputeTest::prepare();
        gl::GenFramebuffers(1, &framebuffer_);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        bind_new_vao();
    }
    static void shape(GLint width, GLint height, GLint samples) {
        gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, width);
        gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, height);
        gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_SAMPLES, samples);
        gl::Viewport(0, 0, width, height);
    }
    /// How often a fragment shader runs for all pixels, which adds `what` each time.
    static std::uint32_t sum(const std::string& what) {
        gl::UseProgram(link({{GL_VERTEX_SHADER, R"(#version 430 core
                                void main() {
                                    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1);
                                })"},
                             {GL_FRAGMENT_SHADER, R"(#version 430 core
                                layout(std430, binding = 0) buffer Out { uint sum; };
                                void main() { atomicAdd(sum, uint()" +
                                                      what + ")); }"}}));
        const GLuint out = storage(0, {0});
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        return words_of(out, 1)[0];
    }

private:
    GLuint framebuffer_ = 0;
};

TEST_F(EmptyFramebufferTest, EachSampleIsShaded) {
    shape(8, 8, 4);
    EXPECT_EQ(sum("1 + min(gl_SampleID, 0)"), 4u * 64);
    EXPECT_EQ(sum("gl_SampleID"), 6u * 64);
    shape(32, 16, 4);
    EXPECT_EQ(sum("1 + min(gl_SampleID, 0)"), 4u * 512);
    shape(4, 4, 4);
    EXPECT_EQ(sum("1 + min(gl_SampleID, 0)"), 4u * 16);
    shape(8, 8, 0);
    EXPECT_EQ(sum("1 + gl_SampleID"), 64u);
}

TEST_F(EmptyFramebufferTest, SamplesOfPixelsAreCovered) {
    shape(8, 8, 4);
    EXPECT_EQ(sum("bitCount(gl_SampleMaskIn[0])"), 4u * 64);
    gl::Enable(GL_SAMPLE_SHADING);
    gl::MinSampleShadingARB(1);
    EXPECT_EQ(sum("1"), 4u * 64);
    gl::Disable(GL_SAMPLE_SHADING);
}

} // namespace
} // namespace kobalt::gltest
