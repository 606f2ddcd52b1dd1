// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_KHR_parallel_shader_compile: what an app may see of a driver that compiles behind its back.
#include <array>
#include <chrono>
#include <functional>
#include <thread>

#include "compile.h"

namespace kobalt::gltest {
namespace {

class ParallelCompileTest : public CompileTest {
protected:
    void prepare() override {
        CompileTest::prepare();
        ASSERT_TRUE(has_extension("GL_KHR_parallel_shader_compile"));
        ASSERT_NE(gl::MaxShaderCompilerThreadsKHR, nullptr);
        ready_ = true;
    }
    // Other contexts compile with the same threads.
    void TearDown() override {
        if (ready_) {
            gl::MaxShaderCompilerThreadsKHR(kAllThreads);
        }
        CompileTest::TearDown();
    }
    static bool complete(GLuint program) {
        GLint done = 0;
        gl::GetProgramiv(program, GL_COMPLETION_STATUS_KHR, &done);
        return done == GL_TRUE;
    }
    /// Whether ask() becomes true in ten seconds.
    static bool comes_true(const std::function<bool()>& ask) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!ask()) {
            if (std::chrono::steady_clock::now() > end) {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }
    /// Links without asking for anything that would wait.
    static GLuint begin_program(const FreshFs& fragment, std::vector<GLuint>* shaders = nullptr) {
        const GLuint program = gl::CreateProgram();
        const std::string version = "#version 330 core\n";
        for (const auto& [type, source] : {std::pair{GL_VERTEX_SHADER, version + kFullscreenVs},
                                           {GL_FRAGMENT_SHADER, version + fragment.body}}) {
            const GLuint shader = gl::CreateShader(static_cast<GLenum>(type));
            const char* text = source.c_str();
            gl::ShaderSource(shader, 1, &text, nullptr);
            gl::CompileShader(shader);
            gl::AttachShader(program, shader);
            if (shaders != nullptr) {
                shaders->push_back(shader);
            }
        }
        gl::LinkProgram(program);
        return program;
    }
    static constexpr GLuint kAllThreads = 0xFFFFFFFF;

private:
    bool ready_ = false;
};

TEST_F(ParallelCompileTest, CompletionComesWithoutADraw) {
    std::vector<std::pair<GLuint, Byte4>> programs;
    std::vector<GLuint> shaders;
    for (int i = 0; i < 8; ++i) {
        const FreshFs fragment = fresh_fs();
        programs.emplace_back(begin_program(fragment, &shaders), fragment.colour);
    }
    for (const GLuint shader : shaders) {
        ASSERT_TRUE(comes_true([&] {
            GLint done = 0;
            gl::GetShaderiv(shader, GL_COMPLETION_STATUS_KHR, &done);
            return done == GL_TRUE;
        })) << "compile: shader "
            << shader;
    }
    for (const auto& [program, colour] : programs) {
        ASSERT_TRUE(comes_true([&] { return complete(program); })) << "link: program " << program;
    }
    for (const auto& [program, colour] : programs) {
        EXPECT_TRUE(complete(program)) << "it was complete before";
        draw_with(program, colour);
    }
    expect_drawn();
}

TEST_F(ParallelCompileTest, WithoutThreadsLinkingIsCompleteAtOnce) {
    gl::MaxShaderCompilerThreadsKHR(0);
    for (int i = 0; i < 6; ++i) {
        const FreshFs fragment = fresh_fs();
        const GLuint program = begin_program(fragment);
        EXPECT_TRUE(complete(program)) << "link: program " << i;
        draw_with(program, fragment.colour);
    }
    expect_drawn();
}

TEST_F(ParallelCompileTest, AnyNumberOfThreads) {
    std::vector<std::pair<GLuint, Byte4>> programs;
    for (const GLuint threads : {1U, 0U, 3U, 0U, 1000U, kAllThreads}) {
        gl::MaxShaderCompilerThreadsKHR(threads);
        for (int i = 0; i < 2; ++i) {
            const FreshFs fragment = fresh_fs();
            programs.emplace_back(begin_program(fragment), fragment.colour);
        }
    }
    for (const auto& [program, colour] : programs) {
        ASSERT_TRUE(comes_true([&] { return complete(program); })) << "link: program " << program;
        draw_with(program, colour);
    }
    expect_drawn();
}

// An app may wait for completion alone: what the threads have not begun is done all the same. What
// is in their queue at that moment is chance, so there are several rounds.
TEST_F(ParallelCompileTest, ThreadsAreTakenAwayFromAQueue) {
    for (int round = 0; round < 12; ++round) {
        gl::MaxShaderCompilerThreadsKHR(1);
        std::vector<GLuint> programs;
        Byte4 colour{};
        for (int i = 0; i < 3; ++i) {
            const FreshFs fragment = fresh_fs();
            programs.push_back(begin_program(fragment));
            colour = fragment.colour;
        }
        gl::MaxShaderCompilerThreadsKHR(0);
        for (const GLuint program : programs) {
            ASSERT_TRUE(comes_true([&] { return complete(program); })) << "link: round " << round;
        }
        if (round % 4 == 3) {
            draw_with(programs.back(), colour);
        }
    }
    expect_drawn();
}

} // namespace
} // namespace kobalt::gltest
