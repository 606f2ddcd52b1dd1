// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What an app sees of a driver that compiles behind its back: nothing, but for
// GL_KHR_parallel_shader_compile.
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "fresh_text.h"
#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr int kWidth = 64;

/// A fragment shader's body that was never compiled before, and what it draws.
struct FreshFs {
    std::string body;
    Byte4 colour;
};

FreshFs fresh_fs() {
    static std::atomic<int> count{0};
    const int n = ++count;
    const Byte4 colour{static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n * 37),
                       static_cast<std::uint8_t>(n * 91), 255};
    const auto channel = [&](size_t c) { return std::to_string(colour.at(c)) + ".0 / 255.0, "; };
    return {kFreshUniform + "out vec4 result; void main() { result = vec4(" + channel(0) +
                channel(1) + channel(2) + "1) + " + fresh_zero() + "; }",
            colour};
}

/// Each draw covers the next pixel of one row; expect_row() looks at all of them.
class CompileTest : public GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (HasFatalFailure() || IsSkipped()) {
            return;
        }
        make_target({kWidth, 1});
        bind_new_vao();
        gl::Enable(GL_SCISSOR_TEST);
    }
    /// With what is in use.
    void draw(const Byte4& expected) {
        ASSERT_LT(row_.size(), static_cast<size_t>(kWidth));
        gl::Scissor(static_cast<GLint>(row_.size()), 0, 1, 1);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        row_.push_back(expected);
    }
    void draw_with(GLuint program, const Byte4& expected) {
        gl::UseProgram(program);
        draw(expected);
    }
    void expect_row() {
        for (size_t i = 0; i < row_.size(); ++i) {
            expect_pixel(static_cast<int>(i), 0, row_[i]);
        }
        row_.clear();
    }
    static GLuint program_of(const FreshFs& fragment) {
        return vs_fs(kFullscreenVs, fragment.body);
    }

private:
    std::vector<Byte4> row_;
};

TEST_F(CompileTest, DrawsDirectlyAfterLinking) {
    for (int i = 0; i < 12; ++i) {
        const FreshFs fragment = fresh_fs();
        draw_with(program_of(fragment), fragment.colour);
    }
    expect_row();
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
    expect_row();
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
    expect_row();
}

class SeparableCompileTest : public CompileTest {
protected:
    void SetUp() override {
        CompileTest::SetUp();
        if (HasFatalFailure() || IsSkipped()) {
            return;
        }
        if (!has_version(4, 1) && !has_extension("GL_ARB_separate_shader_objects")) {
            GTEST_SKIP() << "GL_ARB_separate_shader_objects is not offered";
        }
        gl::GenProgramPipelines(1, &pipeline_);
        gl::BindProgramPipeline(pipeline_);
    }
    static GLuint separable(GLenum type, const std::string& body) {
        const std::string source = "#version 330 core\n#extension GL_ARB_separate_shader_objects : "
                                   "enable\n" +
                                   kFreshUniform + body;
        const char* text = source.c_str();
        const GLuint program = gl::CreateShaderProgramv(type, 1, &text);
        GLint good = 0;
        gl::GetProgramiv(program, GL_LINK_STATUS, &good);
        EXPECT_TRUE(good) << "link: " << source;
        return program;
    }
    /// A new program each time; `body` writes its outputs.
    static GLuint vertex_program(const std::string& declarations, const std::string& body) {
        return separable(GL_VERTEX_SHADER,
                         "out gl_PerVertex { vec4 gl_Position; };\n" + declarations +
                             "void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, "
                             "gl_VertexID & 2) * 2.0 - 1.0, " +
                             fresh_zero() + ", 1); " + body + " }");
    }
    void use(GLuint vertex, GLuint fragment) const {
        gl::UseProgramStages(pipeline_, GL_VERTEX_SHADER_BIT, vertex);
        gl::UseProgramStages(pipeline_, GL_FRAGMENT_SHADER_BIT, fragment);
    }

private:
    GLuint pipeline_ = 0;
};

TEST_F(SeparableCompileTest, DrawsDirectlyAfterCreation) {
    for (int i = 0; i < 6; ++i) {
        const GLuint vertex = vertex_program("layout(location = 0) out float red;\n", "red = 0.2;");
        const GLuint fragment = separable(
            GL_FRAGMENT_SHADER, "layout(location = 0) in float red; out vec4 result; void main() { "
                                "result = vec4(red, " +
                                    std::to_string(i) + ".0 / 255.0, " + fresh_zero() + ", 1); }");
        use(vertex, fragment);
        draw({51, static_cast<std::uint8_t>(i), 0, 255});
    }
    expect_row();
}

// OpenGL 4.6, 7.4.1: an input that no output matches has an undefined value; all else is as ever.
TEST_F(SeparableCompileTest, InputsThatNobodyWrites) {
    std::vector<GLuint> vertex;
    for (const auto& [declarations, body] :
         {std::pair{"layout(location = 0) out vec4 a;\n", "a = vec4(0.2, 0.4, 0.6, 1);"},
          {"layout(location = 2) out vec4 c; layout(location = 0) out vec4 a;\n",
           "a = vec4(0.2, 0.4, 0.6, 1); c = vec4(1);"},
          {"layout(location = 0) out vec4 a; layout(location = 3) out vec2 d[2];\n",
           "a = vec4(0.2, 0.4, 0.6, 1); d[0] = d[1] = vec2(1);"}}) {
        vertex.push_back(vertex_program(declarations, body));
    }
    std::vector<GLuint> fragment;
    for (const auto& [declaration, unknown] :
         {std::pair{"layout(location = 1) in vec4 b;\n", "b.x"},
          {"layout(location = 1) flat in vec2 b;\n", "b.y"},
          {"layout(location = 5) in vec4 b[3];\n", "b[2].w"}}) {
        fragment.push_back(separable(
            GL_FRAGMENT_SHADER, std::string(declaration) +
                                    "layout(location = 0) in vec4 a; out vec4 result; void main() "
                                    "{ result = vec4(a.xy, " +
                                    unknown + ", 1.0 + " + fresh_zero() + "); }"));
    }
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 9; ++i) {
            use(vertex.at(static_cast<size_t>(i) / 3), fragment.at(static_cast<size_t>(i) % 3));
            draw({});
        }
    }
    for (int i = 0; i < 18; ++i) {
        const Byte4 seen = pixel(i, 0);
        EXPECT_NEAR(seen[0], 51, 1) << i;
        EXPECT_NEAR(seen[1], 102, 1) << i;
        EXPECT_EQ(seen[3], 255) << i;
    }
}

// What stands in for the output has to have the input's type
// (VUID-RuntimeSpirv-OpEntryPoint-07754).
TEST_F(SeparableCompileTest, IntegerInputsThatNobodyWrites) {
    const GLuint vertex = vertex_program("layout(location = 0) out float red;\n", "red = 0.2;");
    for (const char* type : {"int", "uint", "ivec3"}) {
        use(vertex, separable(GL_FRAGMENT_SHADER,
                              "layout(location = 0) in float red; layout(location = 1) flat in " +
                                  std::string(type) +
                                  " b[2]; out vec4 result; void main() { result = vec4(red, 1, "
                                  "float(" +
                                  (type == std::string("ivec3") ? "b[1].z" : "b[1]") + "), 1.0 + " +
                                  fresh_zero() + "); }"));
        draw({});
    }
    for (int i = 0; i < 3; ++i) {
        const Byte4 seen = pixel(i, 0);
        EXPECT_NEAR(seen[0], 51, 1) << i;
        EXPECT_EQ(seen[1], 255) << i;
        EXPECT_EQ(seen[3], 255) << i;
    }
}

class ParallelCompileTest : public CompileTest {
protected:
    void SetUp() override {
        CompileTest::SetUp();
        if (HasFatalFailure() || IsSkipped()) {
            return;
        }
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
    expect_row();
}

TEST_F(ParallelCompileTest, WithoutThreadsLinkingIsCompleteAtOnce) {
    gl::MaxShaderCompilerThreadsKHR(0);
    for (int i = 0; i < 6; ++i) {
        const FreshFs fragment = fresh_fs();
        const GLuint program = begin_program(fragment);
        EXPECT_TRUE(complete(program)) << "link: program " << i;
        draw_with(program, fragment.colour);
    }
    expect_row();
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
    expect_row();
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
    expect_row();
}

TEST_F(CompileTest, DeletedRightAfterLinking) {
    for (int i = 0; i < 100; ++i) {
        gl::DeleteProgram(program_of(fresh_fs()));
    }
    const FreshFs fragment = fresh_fs();
    draw_with(program_of(fragment), fragment.colour);
    expect_row();
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
    expect_row();
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
    expect_row();
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
    expect_row();
}

} // namespace
} // namespace kobalt::gltest
