// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Atomic counters (OpenGL 4.6, 7.7; GLSL 4.60, 8.10).
#include "compute.h"

namespace kobalt::gltest {
namespace {

class AtomicCounterTest : public ComputeTest {
protected:
    static GLuint counters(GLuint binding, const Words& words) {
        const GLuint buffer = make_buffer(GL_ATOMIC_COUNTER_BUFFER, words, GL_DYNAMIC_COPY);
        gl::BindBufferBase(GL_ATOMIC_COUNTER_BUFFER, binding, buffer);
        return buffer;
    }
};

TEST_F(AtomicCounterTest, SeveralBuffersAndOffsets) {
    const GLuint program = compute(R"(
        layout(local_size_x = 32) in;
        layout(binding = 0, offset = 4) uniform atomic_uint a;
        layout(binding = 0) uniform atomic_uint b[2];
        layout(binding = 1, offset = 8) uniform atomic_uint c;
        layout(std430, binding = 0) buffer Out { uint seen[]; };
        uniform int one;
        void main() {
            seen[atomicCounterIncrement(a)] = 1u;
            atomicCounterIncrement(b[one]);
            uint before = atomicCounterDecrement(c);
            if (gl_LocalInvocationIndex == 0u) seen[64] = before + atomicCounter(b[0]);
        })");
    if (get(GL_MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS) < 2)
        GTEST_SKIP() << "one buffer of counters is offered";
    const GLuint first = counters(0, {7, 0, 500, 1000});
    const GLuint second = counters(1, {7, 7, 64, 7});
    const GLuint seen = storage(0, Words(65));
    gl::UseProgram(program);
    gl::Uniform1i(gl::GetUniformLocation(program, "one"), 1);
    gl::DispatchCompute(2, 1, 1);
    EXPECT_EQ(words_of(first, 4), (Words{7, 64, 500, 1064}));
    EXPECT_EQ(words_of(second, 4), (Words{7, 7, 0, 7}));
    EXPECT_EQ(words_of(seen, 64), Words(64, 1));
}

TEST_F(AtomicCounterTest, FragmentsCountBesideStorageBuffers) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, std::string("#version 430 core\n") + kFullscreenVs},
              {GL_FRAGMENT_SHADER, R"(#version 430 core
            layout(binding = 2) uniform atomic_uint count;
            layout(std430, binding = 1) buffer Out { uint most; };
            out vec4 colour;
            void main() {
                atomicMax(most, atomicCounterIncrement(count));
                colour = vec4(0, 1, 0, 1);
            })"}});
    make_target({16, 16});
    bind_new_vao();
    const GLuint count = make_buffer(GL_ATOMIC_COUNTER_BUFFER, Words(256));
    gl::BindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 2, count, 64, 4);
    const GLuint most = storage(1, Words(1));
    gl::UseProgram(program);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 16, 16, kGreen);
    EXPECT_EQ(words_of(count, 2, 16), (Words{512, 0}));
    EXPECT_EQ(words_of(most, 1)[0], 511U);
}

TEST_F(AtomicCounterTest, Operations) {
    if (!has_extension("GL_ARB_shader_atomic_counter_ops"))
        GTEST_SKIP() << "no GL_ARB_shader_atomic_counter_ops";
    const GLuint program = compute(R"(
        #extension GL_ARB_shader_atomic_counter_ops : require
        layout(local_size_x = 1) in;
        layout(binding = 0) uniform atomic_uint c[9];
        layout(std430, binding = 0) buffer Out { uint old[9]; };
        void main() {
            old[0] = atomicCounterAddARB(c[0], 5u);
            old[1] = atomicCounterSubtractARB(c[1], 3u);
            old[2] = atomicCounterMinARB(c[2], 4u);
            old[3] = atomicCounterMaxARB(c[3], 40u);
            old[4] = atomicCounterAndARB(c[4], 3u);
            old[5] = atomicCounterOrARB(c[5], 3u);
            old[6] = atomicCounterXorARB(c[6], 3u);
            old[7] = atomicCounterExchangeARB(c[7], 33u);
            old[8] = atomicCounterCompSwapARB(c[8], 10u, 44u);
        })");
    const GLuint buffer = counters(0, Words(9, 10));
    const GLuint old = storage(0, Words(9));
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 9), (Words{15, 7, 4, 40, 2, 11, 9, 33, 44}));
    EXPECT_EQ(words_of(old, 9), Words(9, 10));
}

} // namespace
} // namespace kobalt::gltest
