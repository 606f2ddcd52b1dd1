// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GLSL 4.60, 4.3.7 and OpenGL 4.6, 7.6: what exceeds the limits of uniforms is a link error, and
// takes no memory that grows with its size.
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

#include "support.h"

namespace kobalt::gltest {
namespace {

/// Lets the process have little more address space than it has.
class TightMemory {
public:
    TightMemory() {
        getrlimit(RLIMIT_AS, &before_);
        std::ifstream statm("/proc/self/statm");
        rlim_t pages = 0;
        statm >> pages;
        const rlimit tight{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + kMore,
                           before_.rlim_max};
        setrlimit(RLIMIT_AS, &tight);
    }
    ~TightMemory() { setrlimit(RLIMIT_AS, &before_); }
    TightMemory(const TightMemory&) = delete;
    TightMemory& operator=(const TightMemory&) = delete;

private:
    static constexpr rlim_t kMore = 512U << 20; // bytes
    rlimit before_{};
};

class LinkLimitsTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Core, 4, 5, false}; }
    /// Expects that a compute shader with the declarations, which sets `result` to `value`, doesn't
    /// link, and that the log has `reason`.
    static void expect_refused(const std::string& declarations, const std::string& value,
                               const std::string& reason) {
        const std::string text = "#version 450 core\n" + declarations +
                                 "layout(local_size_x = 1) in;\n"
                                 "layout(std430, binding = 7) buffer Out { vec4 result; };\n"
                                 "uniform int at;\n"
                                 "void main() { result = " +
                                 value + "; }";
        const GLuint program = gl::CreateProgram();
        {
            const TightMemory tight;
            const GLuint shader = compile_quietly({GL_COMPUTE_SHADER, text});
            gl::AttachShader(program, shader);
            gl::DeleteShader(shader);
            gl::LinkProgram(program);
        }
        std::array<char, 1024> log{};
        gl::GetProgramInfoLog(program, log.size(), nullptr, log.data());
        EXPECT_FALSE(did_link(program)) << declarations;
        EXPECT_NE(std::string_view(log.data()).find(reason), std::string_view::npos) << log.data();
        gl::DeleteProgram(program);
    }
};

TEST_F(LinkLimitsTest, UniformBlocks) {
    expect_refused("layout(std140) uniform Tints { vec4 tint[2147483647]; uint steps; };\n",
                   "vec4(steps)", "Tints too big");
    expect_refused("uniform Tints { vec4 tint[2147483647]; };\n", "tint[at]", "Tints too big");
    expect_refused("struct One { vec4 a; mat4 b; };\nuniform Tints { One one[100000000]; };\n",
                   "one[at].a", "Tints too big");
}

TEST_F(LinkLimitsTest, SizesThatOverflow) {
    expect_refused("uniform Tints { vec4 tint[65536][65536]; };\n", "tint[at][at]",
                   "Tints too big");
    expect_refused("uniform vec4 tint[65536][65536];\n", "tint[at][at]", "MAX_UNIFORM_LOCATIONS");
    expect_refused("buffer Words { vec4 words[65536][65536]; };\n", "words[at][at]",
                   "Words too big");
}

TEST_F(LinkLimitsTest, SizesThatAnOptimizationSees) {
    expect_refused("uniform Tints { vec4 tint[2147483647]; };\n",
                   "vec4(0); if (result.x > 0.25) result = mix(result, tint[0], 0.5)",
                   "Tints too big");
    expect_refused("vec4 tint[100000000];\n", "vec4(0); tint[at] = result; result += tint[0]",
                   "tint too big");
    expect_refused("shared vec4 tint[100000000];\n",
                   "vec4(0); tint[at] = result; result += tint[0]", "tint too big");
}

TEST_F(LinkLimitsTest, InstancesOfBlocks) {
    expect_refused("uniform Tints { vec4 tint; } tints[65536][65536];\n", "tints[1][2].tint",
                   "Tints has too many instances");
    expect_refused("buffer Words { vec4 word; } words[2147483647];\n", "words[at].word",
                   "Words has too many instances");
}

TEST_F(LinkLimitsTest, DefaultBlock) {
    expect_refused("uniform vec4 tint[100000000];\n", "tint[at]", "MAX_UNIFORM_LOCATIONS");
    expect_refused("struct One { vec4 a; mat4 b; };\nuniform One one[100000000];\n", "one[at].a",
                   "MAX_UNIFORM_LOCATIONS");
}

// A large array of which little is used is cut to that.
TEST_F(LinkLimitsTest, UnusedElementsDontCount) {
    const GLuint program = link({{GL_COMPUTE_SHADER, R"(#version 450 core
layout(local_size_x = 1) in;
layout(std430, binding = 7) buffer Out { vec4 result; };
uniform vec4 tint[1000000];
void main() { result = tint[3]; })"}});
    EXPECT_NE(program, 0U);
    gl::DeleteProgram(program);
}

} // namespace
} // namespace kobalt::gltest
