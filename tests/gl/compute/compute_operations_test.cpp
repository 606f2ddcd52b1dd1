// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What compute shaders can do beyond the core: atomic operations on floats and 64-bit integers,
// subgroups, workgroups whose size the dispatch says, the clock.
#include <bit>

#include "support.h"

namespace kobalt::gltest {
namespace {

class ComputeOperationsTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 3); }

    /// A program of "#version 430", the extensions by name and `body`.
    static GLuint compute(const std::vector<std::string>& extensions, const std::string& body) {
        std::string source = "#version 430\n";
        for (const std::string& name : extensions) {
            source += "#extension " + name + " : require\n";
        }
        return link({{GL_COMPUTE_SHADER, source + body}});
    }

    /// `words` words of the buffer of block binding 0 after `dispatch`; they were 0.
    static std::vector<GLuint> after(GLuint program, std::size_t words,
                                     const std::function<void()>& dispatch) {
        std::vector<GLuint> out(words, 0);
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, make_buffer(GL_SHADER_STORAGE_BUFFER, out));
        gl::UseProgram(program);
        dispatch();
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0,
                             static_cast<GLsizeiptr>(words * sizeof(GLuint)), out.data());
        return out;
    }
};

TEST_F(ComputeOperationsTest, FloatsAreAddedAtOnce) {
    if (!has_extension("GL_NV_shader_atomic_float")) {
        GTEST_SKIP() << "no GL_NV_shader_atomic_float";
    }
    const GLuint program = compute({"GL_NV_shader_atomic_float"}, R"(
        layout(local_size_x = 32) in;
        layout(std430, binding = 0) buffer Out { float sum, fromImage; };
        layout(r32f, binding = 0) uniform image2D image;
        shared float together;
        void main() {
            if (gl_LocalInvocationIndex == 0u) together = 0.0;
            barrier();
            atomicAdd(together, 0.5);
            imageAtomicAdd(image, ivec2(0), 1.0);
            barrier();
            if (gl_LocalInvocationIndex == 0u) atomicAdd(sum, together);
        })");
    const float zero = 0;
    const GLuint texture = texture_2d(GL_R32F, 1, 1, GL_RED, GL_FLOAT, &zero);
    gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32F);
    const std::vector<GLuint> out = after(program, 2, [] { gl::DispatchCompute(4, 1, 1); });
    gl::MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    float texel = 0;
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, &texel);
    EXPECT_EQ(std::bit_cast<float>(out[0]), 64.0F);
    EXPECT_EQ(texel, 128.0F);
}

TEST_F(ComputeOperationsTest, LeastAndMostOfFloats) {
    if (!has_extension("GL_INTEL_shader_atomic_float_minmax")) {
        GTEST_SKIP() << "no GL_INTEL_shader_atomic_float_minmax";
    }
    const GLuint program = compute({"GL_INTEL_shader_atomic_float_minmax"}, R"(
        layout(local_size_x = 32) in;
        layout(std430, binding = 0) buffer Out { float least, most; };
        void main() {
            atomicMin(least, -float(gl_GlobalInvocationID.x));
            atomicMax(most, float(gl_GlobalInvocationID.x));
        })");
    const std::vector<GLuint> out = after(program, 2, [] { gl::DispatchCompute(2, 1, 1); });
    EXPECT_EQ(std::bit_cast<float>(out[0]), -63.0F);
    EXPECT_EQ(std::bit_cast<float>(out[1]), 63.0F);
}

TEST_F(ComputeOperationsTest, WideIntegersAreAddedAtOnce) {
    if (!has_extension("GL_NV_shader_atomic_int64")) {
        GTEST_SKIP() << "no GL_NV_shader_atomic_int64";
    }
    const GLuint program = compute({"GL_NV_shader_atomic_int64", "GL_ARB_gpu_shader_int64"}, R"(
        layout(local_size_x = 32) in;
        layout(std430, binding = 0) buffer Out { int64_t sum; };
        shared int64_t together;
        void main() {
            if (gl_LocalInvocationIndex == 0u) together = 0l;
            barrier();
            atomicAdd(together, 0x80000001l);
            barrier();
            if (gl_LocalInvocationIndex == 0u) atomicAdd(sum, together);
        })");
    const std::vector<GLuint> out = after(program, 2, [] { gl::DispatchCompute(2, 1, 1); });
    EXPECT_EQ(out[0], 64U);
    EXPECT_EQ(out[1], 32U);
}

TEST_F(ComputeOperationsTest, SubgroupsAddUpToTheWorkgroup) {
    if (!has_extension("GL_KHR_shader_subgroup")) {
        GTEST_SKIP() << "no GL_KHR_shader_subgroup";
    }
    GLint features = 0;
    GLint stages = 0;
    gl::GetIntegerv(GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
    gl::GetIntegerv(GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stages);
    EXPECT_TRUE(stages & GL_COMPUTE_SHADER_BIT);
    EXPECT_TRUE(features & GL_SUBGROUP_FEATURE_BASIC_BIT_KHR);
    if (!(features & GL_SUBGROUP_FEATURE_ARITHMETIC_BIT_KHR)) {
        GTEST_SKIP() << "no arithmetic in subgroups";
    }
    const GLuint program = compute({"GL_KHR_shader_subgroup_arithmetic"}, R"(
        layout(local_size_x = 64) in;
        layout(std430, binding = 0) buffer Out { uint sum, size; };
        void main() {
            uint all = subgroupAdd(gl_LocalInvocationIndex);
            if (subgroupElect()) atomicAdd(sum, all);
            size = gl_SubgroupSize;
        })");
    const std::vector<GLuint> out = after(program, 2, [] { gl::DispatchCompute(1, 1, 1); });
    GLint size = 0;
    gl::GetIntegerv(GL_SUBGROUP_SIZE_KHR, &size);
    EXPECT_EQ(out[0], 2016U);
    EXPECT_EQ(out[1], static_cast<GLuint>(size));
}

TEST_F(ComputeOperationsTest, VotesAndBallotsInEveryStage) {
    if (!has_extension("GL_ARB_shader_ballot") || !has_extension("GL_ARB_shader_group_vote")) {
        GTEST_SKIP() << "no GL_ARB_shader_ballot or GL_ARB_shader_group_vote";
    }
    const std::string head = "#version 430\n#extension GL_ARB_shader_ballot : require\n"
                             "#extension GL_ARB_shader_group_vote : require\n"
                             "#extension GL_ARB_gpu_shader_int64 : require\n";
    // An invocation is in its own ballot, whoever else is in it.
    const std::string holds = R"(
        bool holds() {
            uint64_t own = ballotARB(true) & gl_SubGroupEqMaskARB;
            return own != 0ul && anyInvocationARB(true) && allInvocationsARB(true) &&
                   !anyInvocationARB(false) && allInvocationsEqualARB(true) &&
                   readFirstInvocationARB(3u) == 3u &&
                   gl_SubGroupInvocationARB < gl_SubGroupSizeARB;
        })";
    const GLuint program = link({{GL_VERTEX_SHADER, head + holds + R"(
        flat out int good;
        void main() {
            good = holds() ? 1 : 0;
            gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);
        })"},
                                 {GL_FRAGMENT_SHADER, head + holds + R"(
        flat in int good;
        out vec4 color;
        void main() { color = vec4(0, good == 1 ? 1 : 0, holds() ? 1 : 0, 1); })"}});
    const Target target = make_target();
    draw_fullscreen(program);
    expect_area(0, 0, target.width, target.height, {0, 255, 255, 255});
}

TEST_F(ComputeOperationsTest, WorkgroupsOfTheDispatchsSize) {
    if (!has_extension("GL_ARB_compute_variable_group_size")) {
        GTEST_SKIP() << "no GL_ARB_compute_variable_group_size";
    }
    const GLuint program = compute({"GL_ARB_compute_variable_group_size"}, R"(
        layout(local_size_variable) in;
        layout(std430, binding = 0) buffer Out { uint count, x, y, z; };
        void main() {
            atomicAdd(count, 1u);
            x = gl_LocalGroupSizeARB.x; y = gl_LocalGroupSizeARB.y; z = gl_LocalGroupSizeARB.z;
        })");
    // One of them twice, and the one that it was built for at first.
    const std::array<std::array<GLuint, 3>, 4> sizes{{{4, 2, 1}, {64, 1, 1}, {1, 1, 3}, {4, 2, 1}}};
    for (const auto& size : sizes) {
        const std::vector<GLuint> out = after(program, 4, [&] {
            gl::DispatchComputeGroupSizeARB(2, 1, 1, size[0], size[1], size[2]);
        });
        EXPECT_EQ(
            out, (std::vector<GLuint>{2 * size[0] * size[1] * size[2], size[0], size[1], size[2]}));
    }
}

TEST_F(ComputeOperationsTest, TheClockGoesOn) {
    if (!has_extension("GL_ARB_shader_clock")) {
        GTEST_SKIP() << "no GL_ARB_shader_clock";
    }
    const GLuint program = compute({"GL_ARB_shader_clock"}, R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint later, n; };
        void main() {
            uvec2 before = clock2x32ARB();
            for (uint i = 0u; i < 500u; i++) n = n * 3u + i;
            memoryBarrierBuffer();
            uvec2 now = clock2x32ARB();
            later = uint(now.y > before.y || (now.y == before.y && now.x >= before.x));
        })");
    const std::vector<GLuint> out = after(program, 2, [] { gl::DispatchCompute(1, 1, 1); });
    EXPECT_EQ(out[0], 1U);
}

// GLSL 4.60, 8.8: products of 64 bits, of what is a product itself.
TEST_F(ComputeOperationsTest, WideProductsOfProducts) {
    const GLuint program = compute({}, R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint seen[4]; };
        uniform int value;
        void main() {
            int high, low;
            imulExtended(value * -123456, 987654, high, low);
            seen[0] = uint(high);
            seen[1] = uint(low);
            uint top, rest;
            umulExtended(uint(value) * 123456u, 987654u, top, rest);
            seen[2] = top;
            seen[3] = rest;
        })");
    const auto seen = after(program, 4, [&] {
        gl::Uniform1i(gl::GetUniformLocation(program, "value"), 3);
        gl::DispatchCompute(1, 1, 1);
    });
    constexpr std::int64_t product = std::int64_t{3} * 123456 * 987654;
    EXPECT_EQ(seen[0], static_cast<GLuint>(-product >> 32));
    EXPECT_EQ(seen[1], static_cast<GLuint>(-product));
    EXPECT_EQ(seen[2], static_cast<GLuint>(product >> 32));
    EXPECT_EQ(seen[3], static_cast<GLuint>(product));
}

// Constants among the arguments are folded by Mesa's compiler.
TEST_F(ComputeOperationsTest, LimitsOfLongIntegers) {
    if (!has_extension("GL_ARB_gpu_shader_int64")) {
        GTEST_SKIP() << "no GL_ARB_gpu_shader_int64";
    }
    const GLuint program = compute({"GL_ARB_gpu_shader_int64"}, R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint seen[6]; };
        uniform int value;
        void main() {
            int64_t x = int64_t(value) - 10L;
            uint64_t y = uint64_t(value);
            seen[0] = uint(clamp(x, 2L, 9L));
            seen[1] = uint(clamp(-x, -5L, 9L) == -5L);
            seen[2] = uint(max(max(y, 5UL), 3UL));
            seen[3] = uint(min(max(min(y, 0x100000000UL), 7UL), 30UL));
            seen[4] = uint(max(min(x, 5L), -3L));
            i64vec2 both = clamp(i64vec2(x, -x), i64vec2(1L, -2L), i64vec2(8L, 4L));
            seen[5] = uint(both.x + both.y);
        })");
    const auto seen = after(program, 6, [&] {
        gl::Uniform1i(gl::GetUniformLocation(program, "value"), 20);
        gl::DispatchCompute(1, 1, 1);
    });
    EXPECT_EQ(seen, (std::vector<GLuint>{9, 1, 20, 20, 5, 6}));
}

} // namespace
} // namespace kobalt::gltest
