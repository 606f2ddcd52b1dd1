// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What an app sees of a driver that compiles behind its back: nothing.
#include <array>
#include <atomic>
#include <thread>

#include "compile.h"

namespace kobalt::gltest {
namespace {

TEST_F(CompileTest, DrawsDirectlyAfterLinking) {
    for (int i = 0; i < 12; ++i) {
        const FreshFs fragment = fresh_fs();
        draw_with(program_of(fragment), fragment.colour);
    }
    expect_drawn();
}

TEST_F(CompileTest, FreshVertexShaders) {
    for (int i = 0; i < 6; ++i) {
        const FreshFs fragment = fresh_fs();
        const std::string vertex = kFreshUniform +
                                   "void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, "
                                   "gl_VertexID & 2) * 2.0 - 1.0, " +
                                   fresh_zero() + ", 1); }";
        draw_with(vs_fs(vertex, fragment.body), fragment.colour);
    }
    expect_drawn();
}

TEST_F(CompileTest, GeometryProgramsDrawDirectlyAfterLinking) {
    for (int i = 0; i < 4; ++i) {
        const int green = 20 + i;
        const std::string version = "#version 330 core\n";
        // Nobody reads `other`: the interfaces don't match end to end.
        const GLuint program = link(
            {{GL_VERTEX_SHADER, version + "out vec4 other; out float red; void main() { red = 0.2; "
                                          "other = vec4(1); gl_Position = vec4(vec2((gl_VertexID "
                                          "<< 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0, 1); }"},
             {GL_GEOMETRY_SHADER,
              version + kFreshUniform +
                  "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in float "
                  "red[]; out vec4 unread; out vec4 colour; void main() { for (int i = 0; i < 3; "
                  "++i) { gl_Position = gl_in[i].gl_Position; unread = vec4(i); colour = "
                  "vec4(red[i], " +
                  std::to_string(green) + ".0 / 255.0, " + fresh_zero() +
                  ", 1); EmitVertex(); } }"},
             {GL_FRAGMENT_SHADER, version + kFreshUniform +
                                      "in vec4 colour; out vec4 result; void main() { result = "
                                      "colour + " +
                                      fresh_zero() + "; }"}});
        draw_with(program, {51, static_cast<std::uint8_t>(green), 0, 255});
    }
    expect_drawn();
}

TEST_F(CompileTest, DeletedRightAfterLinking) {
    for (int i = 0; i < 100; ++i) {
        gl::DeleteProgram(program_of(fresh_fs()));
    }
    const FreshFs fragment = fresh_fs();
    draw_with(program_of(fragment), fragment.colour);
    expect_drawn();
}

// A shader that was deleted lives on for the programs that have it, which may be linked again, or
// later than another.
TEST_F(CompileTest, DeletedShadersLinkAgain) {
    const FreshFs fragment = fresh_fs();
    const std::string version = "#version 330 core\n";
    const std::array shaders{compile({GL_VERTEX_SHADER, version + kFullscreenVs}),
                             compile({GL_FRAGMENT_SHADER, version + fragment.body})};
    const std::array programs{gl::CreateProgram(), gl::CreateProgram()};
    for (const GLuint one : shaders) {
        for (const GLuint program : programs) {
            gl::AttachShader(program, one);
        }
        gl::DeleteShader(one);
    }
    for (const GLuint program : {programs[0], programs[0], programs[1], programs[0]}) {
        gl::LinkProgram(program);
        GLint good = GL_FALSE;
        gl::GetProgramiv(program, GL_LINK_STATUS, &good);
        ASSERT_EQ(good, GL_TRUE);
        for (const GLuint one : shaders) {
            gl::GetShaderiv(one, GL_COMPILE_STATUS, &good);
            EXPECT_EQ(good, GL_TRUE);
        }
        draw_with(program, fragment.colour);
    }
    expect_drawn();
}

TEST_F(CompileTest, DeletedWhileInUse) {
    for (int i = 0; i < 100; ++i) {
        const FreshFs fragment = fresh_fs();
        const GLuint program = program_of(fragment);
        gl::UseProgram(program);
        // Most are never drawn with. The rest is deleted while the GPU works.
        if (i % 30 == 5) {
            draw(fragment.colour);
        }
        gl::DeleteProgram(program);
        // Still in use: it lives until another takes its place.
        if (i % 30 == 7) {
            draw(fragment.colour);
        }
    }
    gl::UseProgram(0);
    const FreshFs fragment = fresh_fs();
    draw_with(program_of(fragment), fragment.colour);
    expect_drawn();
}

TEST_F(CompileTest, AnotherContextLinksWhileThisOneDraws) {
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    std::vector<std::pair<GLuint, Byte4>> programs;
    std::atomic<bool> linked{false};
    bool current = false;
    std::thread worker([&] {
        current = shared->make_current();
        for (int i = 0; current && i < 50; ++i) {
            const FreshFs fragment = fresh_fs();
            programs.emplace_back(program_of(fragment), fragment.colour);
        }
        if (current) {
            gl::Finish();
            shared->release_current();
        }
        linked = true;
    });
    const GLuint own = vs_fs(kFullscreenVs, "uniform float frame; out vec4 result; void main() { "
                                            "result = vec4(frame / 255.0, 1, 0, 1); }");
    int wrong = 0;
    for (int frame = 0; frame < 20 || !linked; ++frame) {
        set_uniform(own, "frame", static_cast<float>(frame % 256));
        gl::Scissor(0, 0, 1, 1);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        wrong += pixel(0, 0) != Byte4{static_cast<std::uint8_t>(frame), 255, 0, 255} ? 1 : 0;
    }
    worker.join();
    ASSERT_TRUE(current);
    EXPECT_EQ(wrong, 0);
    for (const auto& [program, colour] : programs) {
        draw_with(program, colour);
    }
    expect_drawn();
}

} // namespace
} // namespace kobalt::gltest
