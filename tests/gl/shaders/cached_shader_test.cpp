// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the shader cache has seen compile says nothing of other stages and contexts (OpenGL 4.6,
// 7.1: COMPILE_STATUS).
#include <chrono>
#include <thread>

#include "fresh_text.h"
#include "support.h"

namespace kobalt::gltest {
namespace {

class CachedShaderTest : public GlTest {
protected:
    static std::string vertex_text(const std::string& version, const std::string& position) {
        return version + kFreshUniform + "void main() { gl_Position = " + position + " + vec4(" +
               fresh_zero() + "); }\n";
    }
    /// A thread of the cache's notes that both have compiled.
    static void link_and_wait(const std::string& version, const std::string& vertex) {
        EXPECT_NE(link({{GL_VERTEX_SHADER, vertex},
                        {GL_FRAGMENT_SHADER, version + "out vec4 result;\nvoid main() { result = "
                                                       "vec4(1); }\n"}}),
                  0U);
        using namespace std::chrono_literals;
        std::this_thread::sleep_for(100ms);
    }
};

TEST_F(CachedShaderTest, AnotherStage) {
    const std::string version = "#version 330 core\n";
    const std::string text = vertex_text(version, "vec4(1)");
    link_and_wait(version, text);
    EXPECT_TRUE(compiles(GL_VERTEX_SHADER, text));
    const GLuint wrong = compile_quietly({GL_FRAGMENT_SHADER, text});
    EXPECT_FALSE(did_compile(wrong)) << "there is no gl_Position in fragment shaders";
    // And nobody goes down who links it all the same.
    const GLuint program = gl::CreateProgram();
    gl::AttachShader(program, wrong);
    gl::LinkProgram(program);
    EXPECT_FALSE(did_link(program));
}

TEST_F(CachedShaderTest, AnotherProfile) {
    const std::string version = "#version 330 compatibility\n";
    const std::string text = vertex_text(version, "ftransform()");
    {
        const auto other = offscreen::Context::create({Profile::Compatibility, 3, 3});
        ASSERT_TRUE(other) << other.error();
        link_and_wait(version, text);
        EXPECT_TRUE(compiles(GL_VERTEX_SHADER, text));
    }
    ASSERT_TRUE(context().make_current());
    EXPECT_FALSE(compiles(GL_VERTEX_SHADER, text)) << "a core context has no ftransform()";
}

} // namespace
} // namespace kobalt::gltest
