// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Storage buffers (OpenGL 4.6, 7.8; GLSL 4.60, 8.11).
#include "storage_buffer.h"

namespace kobalt::gltest {
namespace {

TEST_F(StorageBufferTest, LengthIsThatOfTheRange) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        struct Big { vec4 a; uvec3 b; };
        layout(std430, binding = 0) buffer A { uint head; uvec3 rest[]; } a;
        layout(std430, binding = 1) buffer B { Big rest[]; } b;
        layout(std430, binding = 2) buffer C { uint lengths[]; };
        void main() { lengths[0] = uint(a.rest.length()); lengths[1] = uint(b.rest.length()); })");
    const GLuint out = storage(2, Words(2));
    const auto lengths = [&] {
        gl::DispatchCompute(1, 1, 1);
        return words_of(out, 2);
    };
    gl::UseProgram(program);
    const GLuint a = storage(0, Words(4 + 4 * 10));
    const GLuint b = storage(1, Words(8 * 7 + 5));
    EXPECT_EQ(lengths(), (Words{10, 7}));
    gl::BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, a, 0, 16 * 4);
    EXPECT_EQ(lengths(), (Words{3, 7}));
    // The storage is replaced while it is bound.
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, b);
    gl::BufferData(GL_COPY_WRITE_BUFFER, 8 * 4 * 100, nullptr, GL_STATIC_DRAW);
    EXPECT_EQ(lengths(), (Words{3, 100}));
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, a);
    EXPECT_EQ(lengths(), (Words{10, 100}));
}

TEST_F(StorageBufferTest, BlocksWithoutBufferHaveNoMemory) {
    // What a shader stores there must not come back, neither in the block nor in others of the
    // kind.
    const GLuint stores = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint length, value, old; };
        layout(std430, binding = 5) buffer Missing { uint first; uint more[]; } missing;
        void main() {
            missing.first = 3u;
            missing.more[2] = 4u;
            length = uint(missing.more.length());
            value = missing.first;
            old = atomicAdd(missing.more[2], 1u);
        })");
    const GLuint loads = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint value, texels; };
        layout(std140, binding = 5) uniform Missing { uint first; } missing;
        uniform usamplerBuffer buffers;
        void main() { value = missing.first; texels = uint(textureSize(buffers)); })");
    const GLuint result = storage(0, Words(3, 9));
    gl::UseProgram(stores);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(result, 3), (Words{0, 0, 0}));
    gl::UseProgram(loads);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(result, 2), (Words{0, 0}));
}

TEST_F(StorageBufferTest, EveryAtomicFunction) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Data { uint u[9]; int i[9]; uint old[18]; };
        uniform int at;
        void main() {
            old[0] = atomicAdd(u[at], 5u);
            old[1] = atomicMin(u[at + 1], 5u);
            old[2] = atomicMax(u[at + 2], 0xfffffff0u);
            old[3] = atomicAnd(u[at + 3], 0xffu);
            old[4] = atomicOr(u[at + 4], 0xf0000u);
            old[5] = atomicXor(u[at + 5], 0xffffffffu);
            old[6] = atomicExchange(u[at + 6], 77u);
            old[7] = atomicCompSwap(u[at + 7], 7u, 70u);
            old[8] = atomicCompSwap(u[at + 8], 7u, 70u);
            old[9] = uint(atomicAdd(i[at], -5));
            old[10] = uint(atomicMin(i[at + 1], -5));
            old[11] = uint(atomicMax(i[at + 2], 3));
            old[12] = uint(atomicAnd(i[at + 3], 0xff));
            old[13] = uint(atomicOr(i[at + 4], 0xf0000));
            old[14] = uint(atomicXor(i[at + 5], -1));
            old[15] = uint(atomicExchange(i[at + 6], -77));
            old[16] = uint(atomicCompSwap(i[at + 7], -7, 70));
            old[17] = uint(atomicCompSwap(i[at + 8], -7, 70));
        })");
    const std::uint32_t minus7 = ~0U - 6;
    const Words before{1, 9, 9,      0x1234, 0x1234, 0x1234, 6, 7,      8,
                       1, 9, minus7, 0x1234, 0x1234, 0x1234, 6, minus7, 8};
    Words data = before;
    data.resize(36);
    const GLuint buffer = storage(0, data);
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    Words expected{6,       5,       0xfffffff0, 0x34, 0xf1234, ~0x1234U, 77,       70, 8,
                   ~0U - 3, ~0U - 4, 3,          0x34, 0xf1234, ~0x1234U, ~0U - 76, 70, 8};
    expected.insert(expected.end(), before.begin(), before.end());
    EXPECT_EQ(words_of(buffer, 36), expected);
}

TEST_F(StorageBufferTest, ArraysOfBlocksByADynamicIndex) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 2) buffer Block { uint count; uint data[]; } blocks[4];
        layout(std430, binding = 0) buffer Other { uint other; };
        uniform int at;
        void main() {
            blocks[at].data[1] += blocks[3 - at].data[0] + uint(blocks[at].data.length());
            atomicAdd(blocks[at].count, 1u);
            other += 1u;
        })");
    gl::UseProgram(program);
    const GLuint other = storage(0, Words(1));
    std::array<GLuint, 4> blocks{};
    for (GLuint i = 0; i < 4; ++i)
        blocks[i] = storage(2 + i, {0, 10 * i, 0, 0, 0});
    for (GLint i = 0; i < 4; ++i) {
        gl::Uniform1i(gl::GetUniformLocation(program, "at"), i);
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    for (GLuint i = 0; i < 4; ++i)
        EXPECT_EQ(words_of(blocks[i], 3), (Words{1, 10 * i, 10 * (3 - i) + 4}));
    EXPECT_EQ(words_of(other, 1)[0], 4U);
}

TEST_F(StorageBufferTest, EveryBindingAndOffset) {
    const GLint bindings = get(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS);
    const GLint alignment = get(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
    const GLint blocks = get(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
    ASSERT_GE(bindings, 8);
    std::string source = "layout(local_size_x = 1) in;\n";
    std::string body;
    for (GLint i = 0; i < blocks; ++i) {
        const std::string n = std::to_string(i);
        source += "layout(std430, binding = " + std::to_string(bindings - 1 - i) + ") buffer B" +
                  n + " { uint b" + n + "[]; };\n";
        body += "b" + n + "[0] += " + n + "u + uint(b" + n + ".length());\n";
    }
    const GLuint program = compute(source + "void main() {\n" + body + "}\n");
    const auto step = static_cast<size_t>(alignment) / 4;
    const GLuint buffer =
        make_buffer(GL_SHADER_STORAGE_BUFFER, Words(step * static_cast<size_t>(bindings) + 1, 100));
    for (GLint i = 0; i < bindings; ++i)
        gl::BindBufferRange(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(bindings - 1 - i), buffer,
                            GLintptr{i} * alignment, 4);
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    const Words words = words_of(buffer, step * static_cast<size_t>(bindings) + 1);
    for (GLint i = 0; i < bindings; ++i)
        EXPECT_EQ(words[static_cast<size_t>(i) * step],
                  i < blocks ? 101U + static_cast<GLuint>(i) : 100U)
            << i;
    gl::BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer, 1, 4);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
}

TEST_F(StorageBufferTest, QualifiersOfMemory) {
    const GLuint program = compute(R"(
        layout(local_size_x = 64) in;
        layout(std430, binding = 0) coherent volatile buffer A { uint flags[64]; };
        layout(std430, binding = 1) readonly restrict buffer B { uint in_data[64]; };
        layout(std430, binding = 2) writeonly buffer C { uint out_data[64]; };
        layout(std430, binding = 3) buffer D { coherent uint sum; readonly uint bias; };
        void main() {
            uint i = gl_LocalInvocationIndex;
            flags[i] = in_data[i] + bias;
            memoryBarrierBuffer();
            barrier();
            out_data[i] = flags[63u - i];
            groupMemoryBarrier();
            atomicAdd(sum, 1u);
            memoryBarrier();
        })");
    storage(0, Words(64));
    storage(1, counting(64));
    const GLuint out = storage(2, Words(64));
    const GLuint sum = storage(3, {0, 1000});
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    Words expected;
    for (std::uint32_t i = 0; i < 64; ++i)
        expected.push_back(1063 - i);
    EXPECT_EQ(words_of(out, 64), expected);
    EXPECT_EQ(words_of(sum, 2), (Words{64, 1000}));
}

// A named block is not as its last member is: that one is only read, the block isn't.
TEST_F(StorageBufferTest, MembersOfNamedBlocksDiffer) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer A { uint sum; readonly uint bias; } it;
        void main() { it.sum = it.sum * 2u + it.bias; })");
    const GLuint buffer = storage(0, {1, 3});
    gl::UseProgram(program);
    for (int i = 0; i < 4; ++i) {
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    EXPECT_EQ(words_of(buffer, 2), (Words{61, 3}));
}

// The same memory behind two blocks: what one stores the other loads.
TEST_F(StorageBufferTest, BlocksMayBeTheSameMemory) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer A { uint a[4]; };
        layout(std430, binding = 1) buffer B { uint b[4]; };
        uniform int at;
        void main() {
            for (int i = 0; i < 3; ++i) {
                a[at + i] = 5u + b[at];
                b[at + i + 1] = a[at + i] * 2u;
            }
        })");
    const GLuint buffer = storage(0, {1, 0, 0, 0});
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer);
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 4), (Words{6, 11, 11, 22}));
}

TEST_F(StorageBufferTest, EveryStageStores) {
    if (get(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) < 1 ||
        get(GL_MAX_GEOMETRY_SHADER_STORAGE_BLOCKS) < 1)
        GTEST_SKIP() << "the device's stages before the rasteriser may not store";
    const std::string block =
        "#version 430 core\n"
        "layout(std430, binding = 0) buffer Data { uint counts[8]; uint ids[]; };\n";
    const GLuint program = link({{GL_VERTEX_SHADER, block + R"(
            void main() {
                atomicAdd(counts[0], 1u);
                ids[gl_VertexID] = uint(gl_VertexID) + 100u;
                gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1);
            })"},
                                 {GL_TESS_CONTROL_SHADER, block + R"(
            layout(vertices = 3) out;
            void main() {
                atomicAdd(counts[1], 1u);
                gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
                gl_TessLevelOuter = float[](1, 1, 1, 1);
                gl_TessLevelInner = float[](1, 1);
            })"},
                                 {GL_TESS_EVALUATION_SHADER, block + R"(
            layout(triangles) in;
            void main() {
                atomicMax(counts[2], 9u);
                gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                              gl_TessCoord.z * gl_in[2].gl_Position;
            })"},
                                 {GL_GEOMETRY_SHADER, block + R"(
            layout(triangles) in;
            layout(triangle_strip, max_vertices = 3) out;
            void main() {
                atomicAdd(counts[3], 1u);
                for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; EmitVertex(); }
            })"},
                                 {GL_FRAGMENT_SHADER, block + R"(
            out vec4 colour;
            void main() {
                if (gl_FragCoord.x > 8.0) discard;
                atomicAdd(counts[4], 1u);
                colour = vec4(ids.length() == 3 ? 1.0 : 0.0, 1, 0, 1);
            })"}});
    const GLuint buffer = storage(0, Words(11));
    make_target({16, 16});
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_PATCHES, 0, 3);
    expect_area(0, 0, 8, 16, kYellow);
    const Words words = words_of(buffer, 11);
    EXPECT_GE(words[0], 3U);
    EXPECT_EQ(words[1], 3U);
    EXPECT_EQ(words[2], 9U);
    EXPECT_EQ(words[3], 1U);
    EXPECT_EQ(words[4], 128U);
    EXPECT_EQ((Words{words.begin() + 8, words.end()}), (Words{100, 101, 102}));
}

} // namespace
} // namespace kobalt::gltest
