// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// What programs are told of the framebuffer, when it changes under them.

namespace kobalt::gltest {
namespace {

class FramebufferChangeTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 5}; }
};

// GLSL 4.60, 7.4.1: gl_NumSamples is the framebuffer's, also where a clear comes before the draw.
TEST_F(FramebufferChangeTest, ClearsBetweenTheChangeAndTheDraw) {
    const std::array<Target, 2> targets{make_target({4, 4}),
                                        make_target({4, 4, GL_RGBA8, GL_NONE, 4})};
    const GLuint buffer = make_buffer(GL_SHADER_STORAGE_BUFFER, std::vector<GLint>{0});
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    bind_new_vao();
    gl::UseProgram(link({{GL_VERTEX_SHADER, "#version 450 core\n" + std::string(kFullscreenVs)},
                         {GL_FRAGMENT_SHADER,
                          "#version 450 core\nlayout(std430, binding = 0) buffer Out { int count; "
                          "}; out vec4 colour; void main() { count = gl_NumSamples; colour = "
                          "vec4(1); }"}}));
    for (const bool by_buffer : {false, true}) {
        for (const size_t which : {0U, 1U, 0U, 1U}) {
            targets.at(which).bind();
            if (by_buffer) {
                gl::ClearBufferfv(GL_COLOR, 0, std::array<float, 4>{}.data());
            } else {
                gl::Clear(GL_COLOR_BUFFER_BIT);
            }
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
            gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
            GLint count = 0;
            gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(count), &count);
            EXPECT_EQ(count, which == 0 ? 1 : 4) << by_buffer;
        }
    }
}

} // namespace
} // namespace kobalt::gltest
