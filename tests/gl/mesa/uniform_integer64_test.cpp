// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Uniforms as integers of 64 bits (GL_ARB_gpu_shader_int64).
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::uint64_t kMostUnsigned = std::numeric_limits<std::uint64_t>::max();

class UniformInteger64Test : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    Missing missing() const override { return lacks("GL_ARB_gpu_shader_int64"); }
    void prepare() override {
        program_ = link({{GL_VERTEX_SHADER, R"(#version 460 core
#extension GL_ARB_gpu_shader_int64 : require
uniform uint64_t natural; uniform int64_t whole; uniform float real; uniform double fine;
uniform bool flag;
void main() { gl_Position = vec4(float(natural), float(whole), real + float(fine), flag); })"}});
        ASSERT_NE(program_, 0U);
        gl::UseProgram(program_);
    }
    GLint location(const char* name) const { return gl::GetUniformLocation(program_, name); }
    std::int64_t whole(const char* name) const {
        GLint64 value = 0;
        gl_function<decltype(&glGetUniformi64vARB)>("glGetUniformi64vARB")(program_, location(name),
                                                                           &value);
        return value;
    }
    std::uint64_t natural(const char* name) const {
        GLuint64 value = 0;
        gl_function<decltype(&glGetUniformui64vARB)>("glGetUniformui64vARB")(
            program_, location(name), &value);
        return value;
    }
    GLuint program_ = 0;
};

// OpenGL 4.6, 2.2.2: the nearest value that there is.
TEST_F(UniformInteger64Test, NearestValues) {
    const auto set_natural = gl_function<decltype(&glUniform1ui64ARB)>("glUniform1ui64ARB");
    const auto set_whole = gl_function<decltype(&glUniform1i64ARB)>("glUniform1i64ARB");
    ASSERT_TRUE(set_natural && set_whole);
    set_natural(location("natural"), std::uint64_t{1} << 33);
    EXPECT_EQ(whole("natural"), std::int64_t{1} << 33);
    set_natural(location("natural"), kMostUnsigned);
    EXPECT_EQ(whole("natural"), kMost);
    set_whole(location("whole"), -5);
    EXPECT_EQ(natural("whole"), 0U);
    for (const char* name : {"real", "fine"}) {
        const auto set = [&](double value) {
            if (name[0] == 'r') {
                gl::Uniform1f(location(name), static_cast<float>(value));
            } else {
                gl::Uniform1d(location(name), value);
            }
        };
        set(1e20);
        EXPECT_EQ(whole(name), kMost) << name;
        EXPECT_EQ(natural(name), kMostUnsigned) << name;
        set(-1e20);
        EXPECT_EQ(whole(name), kLeast) << name;
        EXPECT_EQ(natural(name), 0U) << name;
        set(-7.75);
        EXPECT_EQ(whole(name), -8) << name;
        set(4294967296.0);
        EXPECT_EQ(natural(name), std::uint64_t{1} << 32) << name;
    }
}

TEST_F(UniformInteger64Test, ValuesOfBooleans) {
    for (const int value : {1, 0}) {
        gl::Uniform1i(location("flag"), value);
        EXPECT_EQ(natural("flag"), static_cast<std::uint64_t>(value));
    }
}

} // namespace
} // namespace kobalt::gltest
