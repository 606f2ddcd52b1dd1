// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Compute shaders (OpenGL 4.6, chapter 19; GLSL 4.60, 7.1.7 and 8.16).
#include <numeric>

#include "compute.h"
#include "separable.h"

namespace kobalt::gltest {
namespace {

TEST_F(ComputeTest, InvocationsKnowWhoTheyAre) {
    const GLuint program = compute(R"(
        layout(local_size_x = 4, local_size_y = 2, local_size_z = 3) in;
        layout(std430, binding = 0) buffer Out { uvec4 data[]; };
        void main() {
            uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize;
            uint at = (gl_GlobalInvocationID.z * size.y + gl_GlobalInvocationID.y) * size.x +
                      gl_GlobalInvocationID.x;
            data[at * 3u] = uvec4(gl_WorkGroupID, gl_LocalInvocationIndex);
            data[at * 3u + 1u] = uvec4(gl_LocalInvocationID, gl_NumWorkGroups.x);
            data[at * 3u + 2u] = uvec4(gl_GlobalInvocationID, gl_NumWorkGroups.y * 16u + gl_NumWorkGroups.z);
        })");
    constexpr std::uint32_t gx = 3, gy = 2, gz = 5;
    constexpr std::uint32_t x_size = gx * 4, y_size = gy * 2, z_size = gz * 3;
    const GLuint out = storage(0, Words(x_size * y_size * z_size * 12, 0xffff));
    gl::UseProgram(program);
    gl::DispatchCompute(gx, gy, gz);
    const Words seen = words_of(out, x_size * y_size * z_size * 12);
    Words expected;
    for (std::uint32_t z = 0; z < z_size; ++z)
        for (std::uint32_t y = 0; y < y_size; ++y)
            for (std::uint32_t x = 0; x < x_size; ++x)
                expected.insert(expected.end(),
                                {x / 4, y / 2, z / 3, (z % 3 * 2 + y % 2) * 4 + x % 4, x % 4, y % 2,
                                 z % 3, gx, x, y, z, gy * 16 + gz});
    EXPECT_EQ(seen, expected);
}

TEST_F(ComputeTest, SharedMemoryIsOneGroups) {
    const GLuint program = compute(R"(
        layout(local_size_x = 128) in;
        layout(std430, binding = 0) buffer Data { uint sums[]; };
        struct Part { vec3 position; uint sum; bool odd; mat2 turn; };
        shared Part parts[128];
        shared uint count;
        shared int lowest;
        void main() {
            uint i = gl_LocalInvocationIndex;
            if (i == 0u) { count = 0u; lowest = 1000; }
            parts[i].sum = gl_GlobalInvocationID.x;
            parts[i].odd = (i & 1u) != 0u;
            parts[i].position = vec3(float(i));
            parts[i].turn = mat2(1.0, 2.0, 3.0, float(i));
            barrier();
            for (uint step = 64u; step > 0u; step >>= 1u) {
                if (i < step)
                    parts[i].sum += parts[i + step].sum;
                barrier();
            }
            Part other = parts[127u - i];
            if (other.odd == ((i & 1u) == 0u) && other.position == vec3(float(127u - i)) &&
                other.turn[1][1] == float(127u - i))
                atomicAdd(count, 1u);
            atomicMin(lowest, -int(i));
            barrier();
            if (i == 5u) {
                sums[gl_WorkGroupID.x * 3u] = parts[0].sum;
                sums[gl_WorkGroupID.x * 3u + 1u] = count;
                sums[gl_WorkGroupID.x * 3u + 2u] = uint(-lowest);
            }
        })");
    const GLuint out = storage(0, Words(12));
    gl::UseProgram(program);
    gl::DispatchCompute(4, 1, 1);
    Words expected;
    for (std::uint32_t group = 0; group < 4; ++group)
        expected.insert(expected.end(), {group * 128 * 128 + 127 * 64, 128, 127});
    EXPECT_EQ(words_of(out, 12), expected);
}

TEST_F(ComputeTest, AllOfTheSharedMemoryThatIsOffered) {
    const GLint bytes = get(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
    ASSERT_GE(bytes, 32768);
    const std::string count = std::to_string(bytes / 4);
    const GLuint program = compute("layout(local_size_x = 64) in;\n"
                                   "layout(std430, binding = 0) buffer Out { uint wrong; };\n"
                                   "shared uint words[" +
                                   count +
                                   "];\n"
                                   "void main() {\n"
                                   "    for (uint i = gl_LocalInvocationIndex; i < " +
                                   count +
                                   "u; i += 64u) words[i] = i * 7u;\n"
                                   "    barrier();\n"
                                   "    for (uint i = 63u - gl_LocalInvocationIndex; i < " +
                                   count +
                                   "u; i += 64u) if (words[i] != i * 7u) atomicAdd(wrong, 1u);\n"
                                   "    if (gl_LocalInvocationIndex == 0u) atomicAdd(wrong, 5u);\n"
                                   "}\n");
    const GLuint out = storage(0, Words(1));
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(out, 1)[0], 5U);
}

TEST_F(ComputeTest, IndirectTakesTheGroupsThatAShaderWrote) {
    const GLuint write = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Arguments { uint groups[]; };
        void main() { groups[2] = 3u; groups[3] = 2u; groups[4] = 4u; })");
    const GLuint count = compute(R"(
        layout(local_size_x = 8) in;
        layout(std430, binding = 1) buffer Out { uint invocations; uvec3 groups; };
        void main() { atomicAdd(invocations, 1u); groups = gl_NumWorkGroups; })");
    const GLuint arguments = storage(0, {9, 9, 9, 9, 9, 0, 1, 1});
    const GLuint out = storage(1, Words(8));
    gl::BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, arguments);
    for (int i = 0; i < 2; ++i) {
        gl::UseProgram(write);
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_COMMAND_BARRIER_BIT);
        gl::UseProgram(count);
        gl::DispatchComputeIndirect(8);
    }
    gl::DispatchComputeIndirect(20); // no group at all
    EXPECT_EQ(words_of(out, 7), (Words{2 * 24 * 8, 0, 0, 0, 3, 2, 4}));
}

TEST_F(ComputeTest, EachDispatchSeesItsUniforms) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        uniform uint at;
        uniform uint values[4];
        layout(std140, binding = 0) uniform Block { uint factor; };
        layout(std430, binding = 0) buffer Out { uint data[]; };
        void main() { data[at] = values[at % 4u] * factor + gl_WorkGroupID.x; })");
    constexpr std::uint32_t count = 500;
    const GLuint out = storage(0, Words(count));
    const GLuint factors = make_buffer(GL_UNIFORM_BUFFER, Words(1024, 3));
    const GLuint other = make_buffer(GL_UNIFORM_BUFFER, Words(1024, 5));
    gl::UseProgram(program);
    Words expected;
    for (std::uint32_t i = 0; i < count; ++i) {
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, i % 3 ? factors : other);
        gl::Uniform1ui(gl::GetUniformLocation(program, "at"), i);
        const std::string name = "values[" + std::to_string(i % 4) + "]";
        gl::Uniform1ui(gl::GetUniformLocation(program, name.c_str()), i * 10);
        gl::DispatchCompute(1, 1, 1);
        expected.push_back(i * 10 * (i % 3 ? 3 : 5));
    }
    EXPECT_EQ(words_of(out, count), expected);
}

TEST_F(ComputeTest, ChainsGoOneBehindTheOther) {
    const GLuint program = compute(R"(
        layout(local_size_x = 64) in;
        layout(std430, binding = 0) readonly buffer In { uint from[]; };
        layout(std430, binding = 1) writeonly buffer Out { uint to[]; };
        void main() {
            uint i = gl_GlobalInvocationID.x;
            to[i] = from[(i + 1u) % 4096u] + 1u;
        })");
    Words words(4096);
    std::iota(words.begin(), words.end(), 0U);
    const GLuint buffers[] = {storage(0, words), storage(1, Words(4096))};
    gl::UseProgram(program);
    constexpr std::uint32_t steps = 100;
    for (std::uint32_t i = 0; i < steps; ++i) {
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[i % 2]);
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[1 - i % 2]);
        gl::DispatchCompute(64, 1, 1);
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    Words expected;
    for (std::uint32_t i = 0; i < 4096; ++i)
        expected.push_back((i + steps) % 4096 + steps);
    EXPECT_EQ(words_of(buffers[0], 4096), expected);
}

TEST_F(ComputeTest, UnorderedDispatchesAllHappen) {
    const GLuint program = compute(R"(
        layout(local_size_x = 32) in;
        layout(std430, binding = 0) buffer Out { uint sum; };
        void main() { atomicAdd(sum, gl_LocalInvocationIndex); })");
    const GLuint out = storage(0, Words(1));
    gl::UseProgram(program);
    for (int i = 0; i < 300; ++i)
        gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(out, 1)[0], 300U * 31 * 16);
}

// Compute's sets, pipeline and constants are its own, and so are those of draws.
// Nothing comes between the dispatches but another buffer for what they write.
TEST_F(ComputeTest, ABufferForEachDispatch) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint data[]; };
        void main() { data[gl_WorkGroupID.x] = gl_WorkGroupID.x + 1u; })");
    std::array<GLuint, 3> buffers{};
    for (GLuint& buffer : buffers) {
        buffer = storage(0, Words(4, 0));
    }
    gl::UseProgram(program);
    for (const GLuint buffer : buffers) {
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
        gl::DispatchCompute(4, 1, 1);
    }
    for (auto buffer = buffers.rbegin(); buffer != buffers.rend(); ++buffer) {
        EXPECT_EQ(words_of(*buffer, 4), (Words{1, 2, 3, 4}));
    }
}

TEST_F(ComputeTest, DispatchesBetweenDrawsDisturbNeither) {
    const GLuint dispatched = compute(R"(
        layout(local_size_x = 1) in;
        layout(std140, binding = 0) uniform Block { vec4 colour; };
        layout(std430, binding = 0) buffer Out { uint count; };
        void main() { count += uint(colour.x * 4.0); })");
    const GLuint drawn = vs_fs(kFullscreenVs, R"(
        layout(std140) uniform Block { vec4 colour; };
        uniform float blue;
        out vec4 result;
        void main() { result = vec4(colour.rg, blue, 1.0); })");
    const GLuint colours = make_buffer(GL_UNIFORM_BUFFER, std::vector<float>{1, 0.5F, 0, 0});
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, colours);
    const GLuint out = storage(0, Words(1));
    make_target({64, 64});
    bind_new_vao();
    gl::Enable(GL_SCISSOR_TEST);
    for (int i = 0; i < 32; ++i) {
        gl::Scissor(i * 2, 0, 2, 64);
        gl::UseProgram(drawn);
        gl::Uniform1f(gl::GetUniformLocation(drawn, "blue"), static_cast<float>(i) / 51.0F);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        gl::UseProgram(dispatched);
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    for (int i = 0; i < 32; ++i)
        expect_area(i * 2, 0, 2, 64, {255, 128, static_cast<std::uint8_t>(i * 5), 255});
    EXPECT_EQ(words_of(out, 1)[0], 128U);
}

TEST_F(ComputeTest, TexturesAreFetchedAndSampled) {
    const GLuint program = compute(R"(
        layout(local_size_x = 2, local_size_y = 2) in;
        layout(binding = 0) uniform sampler2D image;
        layout(binding = 1) uniform usamplerBuffer texels;
        layout(std430, binding = 0) buffer Out { vec4 data[]; };
        void main() {
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            data[at.y * 2 + at.x] = texelFetch(image, at, 0) + texture(image, (vec2(at) + 0.5) / 2.0) +
                                    vec4(texelFetch(texels, at.x).r);
        })");
    const std::array<Byte4, 4> texels{kRed, kGreen, kBlue, kWhite};
    texture_2d(GL_RGBA8, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, Words{10, 20});
    gl::ActiveTexture(GL_TEXTURE1);
    new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    const GLuint out = storage(0, Words(16));
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    Words expected;
    for (size_t i = 0; i < 4; ++i)
        for (size_t c = 0; c < 4; ++c)
            expected.push_back(bits_of((texels[i][c] ? 2.0F : 0.0F) + (i % 2 ? 20.0F : 10.0F)));
    EXPECT_EQ(words_of(out, 16), expected);
}

TEST_F(ComputeTest, ASeparableProgramInAPipeline) {
    const GLuint program =
        separable_of(GL_COMPUTE_SHADER, "#version 430 core\n"
                                        "layout(local_size_x = 8) in;\n"
                                        "layout(std430, binding = 3) buffer Out { uint count; };\n"
                                        "void main() { atomicAdd(count, 1u); }\n");
    bind_pipeline({{GL_COMPUTE_SHADER_BIT, program}});
    const GLuint out = storage(3, Words(1));
    gl::DispatchCompute(2, 3, 1);
    EXPECT_EQ(words_of(out, 1)[0], 48U);
}

TEST_F(ComputeTest, LimitsAreThoseOfOpenGL43) {
    const auto indexed = [](GLenum what, GLuint index) {
        GLint value = -1;
        gl::GetIntegeri_v(what, index, &value);
        return value;
    };
    for (GLuint i = 0; i < 3; ++i) {
        EXPECT_GE(indexed(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i), 65535);
        EXPECT_GE(indexed(GL_MAX_COMPUTE_WORK_GROUP_SIZE, i), i < 2 ? 1024 : 64);
    }
    EXPECT_GE(get(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS), 1024);
    EXPECT_GE(get(GL_MAX_COMPUTE_UNIFORM_BLOCKS), 14);
    EXPECT_GE(get(GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS), 16);
    EXPECT_GE(get(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS), 8);
    EXPECT_GE(get(GL_MAX_COMPUTE_IMAGE_UNIFORMS), 8);
    EXPECT_GE(get(GL_MAX_COMPUTE_ATOMIC_COUNTERS), 8);
    EXPECT_GE(get(GL_MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS), 1);
    EXPECT_GE(get(GL_MAX_COMPUTE_UNIFORM_COMPONENTS), 1024);
    EXPECT_GE(get(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS), 8);
    EXPECT_GE(get(GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS), 8);
    EXPECT_GE(get(GL_MAX_SHADER_STORAGE_BLOCK_SIZE), 1 << 24);
    EXPECT_GE(get(GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS), 1);
    EXPECT_LE(get(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT), 256);
}

TEST_F(ComputeTest, WrongDispatchesAreErrors) {
    const GLuint program = compute("layout(local_size_x = 1) in; void main() {}");
    gl::UseProgram(0);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    gl::UseProgram(program);
    GLint most = 0;
    gl::GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 1, &most);
    if (static_cast<GLuint>(most) < ~0U) {
        gl::DispatchCompute(1, static_cast<GLuint>(most) + 1, 1);
        EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    }
    gl::BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    gl::DispatchComputeIndirect(0);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    make_buffer(GL_DISPATCH_INDIRECT_BUFFER, Words(4, 1));
    gl::DispatchComputeIndirect(8);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    gl::DispatchComputeIndirect(2);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    gl::DispatchCompute(0, 1, 1);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

} // namespace
} // namespace kobalt::gltest
