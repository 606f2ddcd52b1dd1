// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_INTEL_blackhole_render: while it is enabled commands leave everything as it was.
#include "compute.h"

namespace kobalt::gltest {
namespace {

constexpr GLenum blackhole = 0x83FC; // GL_BLACKHOLE_RENDER_INTEL
constexpr Byte4 red{255, 0, 0, 255}, green{0, 255, 0, 255};

class BlackholeTest : public ComputeTest {
protected:
    Missing missing() const override {
        return first_of({ComputeTest::missing(), lacks("GL_INTEL_blackhole_render")});
    }
    void prepare() override {
        ComputeTest::prepare();
        make_target({4, 4});
        gl::ClearColor(1, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::ClearColor(0, 1, 0, 1);
    }
    static void use_green() {
        bind_new_vao();
        gl::UseProgram(link({{GL_VERTEX_SHADER, R"(#version 430 core
                                void main() {
                                    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1);
                                })"},
                             {GL_FRAGMENT_SHADER, R"(#version 430 core
                                out vec4 colour;
                                void main() { colour = vec4(0, 1, 0, 1); })"}}));
    }
    static void draw_green() {
        use_green();
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    /// `command` does nothing while it is enabled, and makes the target green when it isn't.
    template <typename Command>
    void expect_nothing_then_green(const Command& command) {
        gl::Enable(blackhole);
        command();
        gl::Disable(blackhole);
        EXPECT_EQ(pixel(1, 1), red);
        command();
        EXPECT_EQ(pixel(1, 1), green);
    }
};

TEST_F(BlackholeTest, Draws) {
    expect_nothing_then_green(draw_green);
}

// The driver is given references to index buffers, many at once: it gives back as many as it took.
TEST_F(BlackholeTest, DrawsWithIndices) {
    const auto draw_often = [] {
        use_green();
        static constexpr std::uint16_t indices[] = {0, 1, 2};
        make_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices);
        for (int i = 0; i < 100; ++i)
            gl::DrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr);
    };
    expect_nothing_then_green(draw_often);
}

TEST_F(BlackholeTest, Clears) {
    expect_nothing_then_green([] { gl::Clear(GL_COLOR_BUFFER_BIT); });
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    static constexpr float value[] = {0, 1, 0, 1};
    expect_nothing_then_green([] { gl::ClearBufferfv(GL_COLOR, 0, value); });
}

TEST_F(BlackholeTest, Blits) {
    const std::vector<std::uint8_t> texels(std::size_t{4} * 4 * 4, 255);
    const GLuint texture = texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    GLuint from = 0;
    gl::GenFramebuffers(1, &from);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl::FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    GLint target = 0;
    gl::GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    const auto seen = [&] {
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(target));
        const Byte4 is = pixel(1, 1);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, from);
        return is;
    };
    gl::Enable(blackhole);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::Disable(blackhole);
    EXPECT_EQ(seen(), red);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    EXPECT_EQ(seen(), (Byte4{255, 255, 255, 255}));
}

TEST_F(BlackholeTest, Dispatches) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint word; };
        void main() { word = 7; })");
    const GLuint out = storage(0, {1});
    gl::UseProgram(program);
    gl::Enable(blackhole);
    gl::DispatchCompute(1, 1, 1);
    gl::Disable(blackhole);
    EXPECT_EQ(words_of(out, 1), Words{1});
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(out, 1), Words{7});
}

} // namespace
} // namespace kobalt::gltest
