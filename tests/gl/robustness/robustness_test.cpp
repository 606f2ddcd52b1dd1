// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Robust buffer access (ARB_robust_buffer_access_behavior, KHR_robustness): in a robust context an
// access out of bounds reads zero or data of that object, and changes nothing else.
#include <set>

#include "compute.h"

namespace kobalt::gltest {
namespace {

constexpr std::uint32_t kOutside = 0x00abcdef; ///< of the buffers beside those that are read

/// Buffers that an access out of bounds might find instead.
void surround() {
    for (int i = 0; i < 8; ++i)
        make_buffer(GL_COPY_WRITE_BUFFER, Words(256, kOutside));
}

class RobustTest : public ComputeTest {
protected:
    ContextRequest request() const override { return {Profile::Core, 3, 3, true}; }
};

TEST_F(RobustTest, TheContextSaysSo) {
    EXPECT_TRUE(get(GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT);
    EXPECT_EQ(get(GL_RESET_NOTIFICATION_STRATEGY), GL_LOSE_CONTEXT_ON_RESET);
}

TEST_F(RobustTest, StorageBuffers) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Data { uint data[4]; uint rest[]; };
        layout(std430, binding = 1) buffer Unbound { uint nothing[]; };
        layout(std430, binding = 2) buffer Out { uint seen[16]; };
        uniform uint far[8];
        void main() {
            for (int i = 0; i < 8; ++i) {
                seen[i] = rest[far[i]];
                seen[8 + i] = nothing[far[i]];
                rest[far[i]] = 99u;
                nothing[far[i]] = 99u;
                atomicAdd(rest[far[i]], 1u);
            }
        })");
    surround();
    const GLuint data = storage(0, {1, 2, 3, 4});
    const GLuint beside = make_buffer(GL_COPY_WRITE_BUFFER, Words(256, kOutside));
    const GLuint out = storage(2, Words(16, 0xdead));
    const std::array<GLuint, 8> far{0, 1, 100, 1000, 60000, 1000000, 0x10000000, 0x3ffffff0};
    gl::UseProgram(program);
    for (size_t i = 0; i < far.size(); ++i)
        gl::Uniform1ui(gl::GetUniformLocation(program, ("far[" + std::to_string(i) + "]").c_str()),
                       far[i]);
    gl::DispatchCompute(1, 1, 1);
    const std::set<std::uint32_t> allowed{0, 1, 2, 3, 4, 99, 100};
    for (const std::uint32_t word : words_of(out, 16))
        EXPECT_TRUE(allowed.contains(word)) << word;
    EXPECT_EQ(words_of(beside, 256), Words(256, kOutside));
    for (const std::uint32_t word : words_of(data, 4))
        EXPECT_TRUE(allowed.contains(word)) << word;
    // A range of a larger buffer ends where it says.
    const GLuint large = make_buffer(GL_SHADER_STORAGE_BUFFER, Words(1024, 7));
    gl::BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, large, 0, 16);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(large, 4), Words(4, 7));
}

TEST_F(RobustTest, UniformBuffersAndArrays) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std140, binding = 0) uniform Block { uvec4 block[1024]; };
        layout(std430, binding = 0) buffer Out { uint seen[8]; };
        uniform uint far;
        uniform uint values[4];
        void main() {
            for (int i = 0; i < 4; ++i) seen[i] = block[far + uint(i)].x;
            for (int i = 0; i < 4; ++i) seen[4 + i] = values[min(far + uint(i), 100000u)];
        })");
    surround();
    const GLuint block = make_buffer(GL_UNIFORM_BUFFER, Words(16, 5));
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, block);
    const GLuint out = storage(0, Words(8, 0xdead));
    gl::UseProgram(program);
    for (const GLuint far : {4U, 100U, 1000U, 100000U, 0x0ffffff0U}) {
        gl::Uniform1ui(gl::GetUniformLocation(program, "far"), far);
        gl::DispatchCompute(1, 1, 1);
        const Words seen = words_of(out, 8);
        for (size_t i = 0; i < 4; ++i)
            EXPECT_TRUE(seen[i] == 0 || seen[i] == 5) << seen[i] << " at " << far + i;
        for (size_t i = 4; i < 8; ++i)
            EXPECT_NE(seen[i], kOutside) << " at " << far + i - 4;
    }
}

TEST_F(RobustTest, TexelsAndImages) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(binding = 0) uniform usampler2D texture0;
        layout(binding = 1) uniform usamplerBuffer texels;
        layout(binding = 0, r32ui) uniform uimage2D image;
        layout(binding = 1, r32ui) uniform uimageBuffer buffer1;
        layout(std430, binding = 0) buffer Out { uint seen[8]; };
        uniform int far;
        void main() {
            seen[0] = texelFetch(texture0, ivec2(far, 0), 0).r;
            seen[1] = texelFetch(texture0, ivec2(0, -far), 0).r;
            seen[2] = texelFetch(texels, far).r;
            seen[3] = imageLoad(image, ivec2(far, 1)).r;
            seen[4] = imageLoad(image, ivec2(1, -far)).r;
            seen[5] = imageLoad(buffer1, far).r;
            imageStore(image, ivec2(far, 1), uvec4(99));
            imageStore(buffer1, far, uvec4(99));
            seen[6] = imageAtomicAdd(image, ivec2(1, far), 1u);
            seen[7] = imageAtomicAdd(buffer1, far, 1u);
        })");
    const Words sevens(16, 7);
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 4, 4);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RED_INTEGER, GL_UNSIGNED_INT, sevens.data());
    surround();
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, sevens);
    gl::ActiveTexture(GL_TEXTURE1);
    const GLuint texels = new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    gl::BindImageTexture(1, texels, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    const GLuint out = storage(0, Words(8, 0xdead));
    gl::UseProgram(program);
    for (const GLint far : {16, 100, 1000, 1000000}) {
        gl::Uniform1i(gl::GetUniformLocation(program, "far"), far);
        gl::DispatchCompute(1, 1, 1);
        const Words seen = words_of(out, 8);
        for (size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(seen[i] == 0 || seen[i] == 7) << seen[i] << " by access " << i;
        for (size_t i = 3; i < 6; ++i)
            EXPECT_EQ(seen[i], 0U) << "by access " << i;
    }
    EXPECT_EQ(words_of(buffer, 16), sevens);
    Words back(16);
    gl::ActiveTexture(GL_TEXTURE0);
    gl::MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, back.data());
    EXPECT_EQ(back, sevens);
}

// A device may look for an element of one byte where there is no buffer.
TEST_F(RobustTest, BytesOfBuffersThatEndBefore) {
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER, std::vector<std::uint8_t>{9});
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(vs_fs("layout(location = 0) in float a; flat out float v;"
                         "void main() { v = a; gl_Position = vec4(0, 0, 0, 1); }",
                         "flat in float v; out vec4 c; void main() { c = vec4(v, 2, 3, 4); }"));
    for (const GLboolean normalised : {GL_FALSE, GL_TRUE}) {
        for (const size_t offset : {1U, 100U, 9000U}) {
            gl::VertexAttribPointer(0, 1, GL_BYTE, normalised, 0,
                                    reinterpret_cast<const void*>(offset));
            gl::DrawArrays(GL_POINTS, 0, 1);
            expect_near(pixel_float(0, 0), {0, 2, 3, 4}, 0.0F);
        }
    }
}

/// Counts what its vertices' attribute 0 is, in storage block 0: neither 0 nor 5, and 5; and tells
/// the last vertex's number.
GLuint counting_program() {
    return link({{GL_VERTEX_SHADER, R"(#version 430 core
                                      layout(location = 0) in uint value;
                                      layout(std430, binding = 0) buffer Out { uint seen[]; };
                                      void main() {
                                          if (value != 0u && value != 5u) atomicAdd(seen[0], 1u);
                                          else if (value == 5u) atomicAdd(seen[1], 1u);
                                          atomicMax(seen[2], uint(gl_VertexID));
                                          gl_Position = vec4(0, 0, 0, 1);
                                      })"},
                 {GL_FRAGMENT_SHADER, "#version 430 core\nvoid main() {}"}});
}

// The end of a buffer is that of what the app asked for, not of what it was rounded up to.
TEST_F(RobustTest, VerticesBehindAnOddSize) {
    if (get(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) < 1)
        GTEST_SKIP() << "vertex shaders may not store";
    make_target();
    bind_new_vao();
    // Buffers that were there before have left something in the memory.
    std::vector<GLuint> before;
    for (int i = 0; i < 64; ++i)
        before.push_back(make_buffer(GL_ARRAY_BUFFER, Words(8, 7)));
    gl::Finish();
    gl::DeleteBuffers(64, before.data());
    gl::Finish();
    gl::EnableVertexAttribArray(0);
    const GLuint out = storage(0, Words(3));
    gl::UseProgram(counting_program());
    // All are filled first: the validation layer counts what lies behind a buffer as read by draws
    // of too many vertices.
    std::vector<GLuint> odd;
    for (int i = 0; i < 8; ++i)
        odd.push_back(make_buffer(GL_ARRAY_BUFFER, Words(5, 5)));
    for (const GLuint buffer : odd) {
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
        gl::DrawArrays(GL_POINTS, 0, 100);
    }
    const Words seen = words_of(out, 3);
    EXPECT_EQ(seen[0], 0U) << "vertices from outside";
    EXPECT_GE(seen[1], 8U * 5);
}

TEST_F(RobustTest, VerticesAndIndices) {
    if (get(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) < 1)
        GTEST_SKIP() << "vertex shaders may not store";
    const GLuint program = counting_program();
    make_target();
    bind_new_vao();
    surround();
    make_buffer(GL_ARRAY_BUFFER, Words(4, 5));
    gl::VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    const GLuint out = storage(0, Words(3));
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1000);
    gl::DrawArrays(GL_POINTS, 5'000'000, 100);
    Words seen = words_of(out, 3);
    EXPECT_EQ(seen[0], 0U) << "vertices from outside";
    EXPECT_GE(seen[1], 4U);
    // Indices past the end of their buffer, and vertices that indices within it name wrongly.
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, Words{0, 1, 2, 3, 400000, 0x7fffffff});
    storage(0, Words(3));
    for (const GLsizei count : {6, 7, 1000, 300000})
        gl::DrawElements(GL_POINTS, count, GL_UNSIGNED_INT, nullptr);
    gl::DrawElements(GL_POINTS, 6, GL_UNSIGNED_INT,
                     reinterpret_cast<void*>(std::uintptr_t{400000}));
    GLint bound = 0;
    gl::GetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 0, &bound);
    seen = words_of(static_cast<GLuint>(bound), 3);
    EXPECT_EQ(seen[0], 0U) << "vertices from outside";
    EXPECT_GE(seen[1], 16U);
}

class RobustSharingTest : public ComputeTest {
protected:
    ContextRequest request() const override { return {Profile::Core, 3, 3, true, false}; }
};

// Programs that another context of the group made obey the robust one's wish as well.
TEST_F(RobustSharingTest, ProgramsOfOtherContexts) {
    auto plain = context().create_shared({Profile::Core, 3, 3, false});
    ASSERT_TRUE(plain) << plain.error();
    ASSERT_TRUE(plain->make_current());
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Data { uint rest[]; };
        layout(std430, binding = 1) buffer Out { uint seen; };
        uniform uint far;
        void main() { seen = rest[far]; rest[far] = 1u; })");
    storage(0, Words(4, 5));
    storage(1, Words(1));
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    gl::Finish();
    ASSERT_TRUE(context().make_current());
    surround();
    storage(0, Words(4, 5));
    const GLuint beside = make_buffer(GL_COPY_WRITE_BUFFER, Words(256, kOutside));
    const GLuint out = storage(1, Words(1));
    gl::UseProgram(program);
    for (const GLuint far : {4U, 64U, 1000U, 0x20000000U}) {
        gl::Uniform1ui(gl::GetUniformLocation(program, "far"), far);
        gl::DispatchCompute(1, 1, 1);
        EXPECT_NE(words_of(out, 1)[0], kOutside);
    }
    EXPECT_EQ(words_of(beside, 256), Words(256, kOutside));
}

} // namespace
} // namespace kobalt::gltest
