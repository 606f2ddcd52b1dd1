// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Immutable storage and persistent maps (OpenGL 4.6, 6.2 and 6.3), clears (6.2.1) and invalidation
// (6.5) of buffers, and bindings by the dozen (ARB_multi_bind).
#include <cstring>
#include <numeric>

#include "compute.h"

namespace kobalt::gltest {
namespace {

class BufferStorageTest : public ComputeTest {
protected:
    Missing missing() const override { return first_of({ComputeTest::missing(), lacks(4, 4)}); }
    static GLuint storage_of(GLsizeiptr bytes, const void* data, GLbitfield flags) {
        GLuint buffer = 0;
        gl::GenBuffers(1, &buffer);
        gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
        gl::BufferStorage(GL_COPY_WRITE_BUFFER, bytes, data, flags);
        return buffer;
    }
    static void wait() {
        const GLsync fence = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        EXPECT_NE(gl::ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000),
                  GLenum{GL_TIMEOUT_EXPIRED});
        gl::DeleteSync(fence);
    }
};

TEST_F(BufferStorageTest, FlagsAreObeyed) {
    const Words words(64, 3);
    storage_of(256, words.data(), 0);
    gl::BufferSubData(GL_COPY_WRITE_BUFFER, 0, 4, words.data());
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    EXPECT_EQ(gl::MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 4, GL_MAP_READ_BIT), nullptr);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    gl::BufferData(GL_COPY_WRITE_BUFFER, 4, nullptr, GL_STATIC_DRAW);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    storage_of(256, nullptr, GL_MAP_COHERENT_BIT | GL_MAP_READ_BIT);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    GLint flags = 0;
    storage_of(256, nullptr, GL_DYNAMIC_STORAGE_BIT | GL_CLIENT_STORAGE_BIT);
    gl::GetBufferParameteriv(GL_COPY_WRITE_BUFFER, GL_BUFFER_STORAGE_FLAGS, &flags);
    EXPECT_EQ(flags, GL_DYNAMIC_STORAGE_BIT | GL_CLIENT_STORAGE_BIT);
    gl::BufferSubData(GL_COPY_WRITE_BUFFER, 4, 4, words.data());
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

// The app writes through the map while draws and dispatches go on, and reads what they write.
TEST_F(BufferStorageTest, PersistentMapsStayWhileTheBufferIsUsed) {
    const GLuint program = compute(R"(
        layout(local_size_x = 64) in;
        layout(std430, binding = 0) readonly buffer In { uint from[]; };
        layout(std430, binding = 1) writeonly buffer Out { uint to[]; };
        void main() { to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x] * 2u; })");
    gl::UseProgram(program);
    constexpr GLsizeiptr bytes = 1024 * 4;
    for (const GLbitfield kind :
         {GLbitfield{GL_MAP_COHERENT_BIT}, GLbitfield{GL_MAP_COHERENT_BIT | GL_CLIENT_STORAGE_BIT},
          GLbitfield{0}}) {
        const GLbitfield in_flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | kind;
        const GLbitfield out_flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | kind;
        const GLuint in = storage_of(bytes, nullptr, in_flags);
        const bool coherent = kind & GL_MAP_COHERENT_BIT;
        const GLbitfield map_kind = GL_MAP_PERSISTENT_BIT | (coherent ? GL_MAP_COHERENT_BIT : 0);
        auto* from = static_cast<std::uint32_t*>(gl::MapBufferRange(
            GL_COPY_WRITE_BUFFER, 0, bytes,
            GL_MAP_WRITE_BIT | map_kind | (coherent ? 0 : GL_MAP_FLUSH_EXPLICIT_BIT)));
        const GLuint out = storage_of(bytes, nullptr, out_flags);
        auto* to = static_cast<volatile std::uint32_t*>(
            gl::MapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes, GL_MAP_READ_BIT | map_kind));
        ASSERT_NE(from, nullptr);
        ASSERT_NE(to, nullptr);
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in);
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out);
        for (std::uint32_t round = 1; round < 5; ++round) {
            std::iota(from, from + 1024, round * 5000);
            if (!coherent) {
                gl::BindBuffer(GL_COPY_WRITE_BUFFER, in);
                gl::FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes);
            }
            gl::DispatchCompute(16, 1, 1);
            gl::MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
            wait();
            for (std::uint32_t i = 0; i < 1024; i += 341)
                EXPECT_EQ(to[i], (round * 5000 + i) * 2);
        }
        // Copies work on mapped buffers as well.
        gl::BindBuffer(GL_COPY_READ_BUFFER, in);
        gl::BindBuffer(GL_COPY_WRITE_BUFFER, out);
        gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 16);
        gl::MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
        wait();
        EXPECT_EQ(to[2], 20002U);
        gl::UnmapBuffer(GL_COPY_WRITE_BUFFER);
        gl::UnmapBuffer(GL_COPY_READ_BUFFER);
        EXPECT_EQ(words_of(out, 1, 3)[0], 20003U);
    }
}

TEST_F(BufferStorageTest, ClearsConvert) {
    const GLuint buffer = make_buffer(GL_COPY_WRITE_BUFFER, Words(64, 9));
    const auto seen = [&](size_t first, size_t count) { return words_of(buffer, count, first); };
    gl::ClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    EXPECT_EQ(seen(0, 64), Words(64, 0));
    const std::array<float, 4> colour{0.0F, 0.2F, 1.0F, 2.0F};
    gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_RGBA8, 8, 8, GL_RGBA, GL_FLOAT, colour.data());
    EXPECT_EQ(seen(1, 4), (Words{0, 0xffff3300, 0xffff3300, 0}));
    gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_RGB32F, 24, 24, GL_RGB, GL_FLOAT,
                           colour.data());
    EXPECT_EQ(seen(5, 8),
              (Words{0, 0, bits_of(0.2F), bits_of(1), 0, bits_of(0.2F), bits_of(1), 0}));
    const std::uint8_t byte = 0xab;
    gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_R8UI, 130, 5, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                           &byte);
    EXPECT_EQ(seen(32, 2), (Words{0xabab0000, 0x00ababab}));
    const std::array<std::int16_t, 2> pair{-2, 3};
    gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_RG16I, 160, 8, GL_RG_INTEGER, GL_SHORT,
                           pair.data());
    EXPECT_EQ(seen(40, 3), (Words{0x0003fffe, 0x0003fffe, 0}));
    gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_RG16I, 2, 8, GL_RG_INTEGER, GL_SHORT,
                           pair.data());
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    gl::InvalidateBufferSubData(buffer, 0, 64);
    gl::InvalidateBufferData(buffer);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    const std::uint32_t word = 5;
    gl::BufferSubData(GL_COPY_WRITE_BUFFER, 12, 4, &word);
    EXPECT_EQ(seen(3, 1)[0], 5U);
}

// A clear, an upload and an invalidation between two dispatches stand where the app put them.
TEST_F(BufferStorageTest, ClearsAreInOrderWithDispatches) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Data { uint a, b; };
        layout(std430, binding = 1) buffer Sum { uint sum; };
        void main() { a += 1u; sum = sum * 10u + a + b; })");
    const GLuint data = storage(0, {0, 0});
    const GLuint sum = storage(1, {0});
    gl::UseProgram(program);
    const auto dispatch = [] {
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
    };
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, data);
    dispatch(); // 1
    const std::uint32_t three = 3;
    gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_R32UI, 0, 4, GL_RED_INTEGER, GL_UNSIGNED_INT,
                           &three);
    dispatch(); // 4
    gl::BufferSubData(GL_COPY_WRITE_BUFFER, 4, 4, &three);
    dispatch(); // 8
    const Words both{1, 1};
    gl::BufferData(GL_COPY_WRITE_BUFFER, 8, both.data(), GL_DYNAMIC_COPY);
    dispatch(); // 3
    EXPECT_EQ(words_of(sum, 1)[0], 1483U);
}

TEST_F(BufferStorageTest, ManyBindingsAtOnce) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std140, binding = 1) uniform A { uint a; };
        layout(std140, binding = 2) uniform B { uint b; };
        layout(std430, binding = 3) buffer C { uint c; };
        layout(std430, binding = 4) buffer D { uint d; };
        void main() { c = a * 100u + b; d += 1u; })");
    const GLint step = std::max(get(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT),
                                get(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT));
    Words words(static_cast<size_t>(step));
    words[0] = 4;
    words[static_cast<size_t>(step) / 4] = 5;
    const std::array<GLuint, 2> uniforms{make_buffer(GL_COPY_WRITE_BUFFER, words),
                                         make_buffer(GL_COPY_WRITE_BUFFER, words)};
    const std::array<GLintptr, 2> offsets{0, step};
    const std::array<GLsizeiptr, 2> sizes{16, 16};
    gl::BindBuffersRange(GL_UNIFORM_BUFFER, 1, 2, uniforms.data(), offsets.data(), sizes.data());
    const std::array<GLuint, 2> outs{make_buffer(GL_COPY_WRITE_BUFFER, Words(1)),
                                     make_buffer(GL_COPY_WRITE_BUFFER, Words(1, 8))};
    gl::BindBuffersBase(GL_SHADER_STORAGE_BUFFER, 3, 2, outs.data());
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(outs[0], 1)[0], 405U);
    EXPECT_EQ(words_of(outs[1], 1)[0], 9U);
    gl::BindBuffersBase(GL_SHADER_STORAGE_BUFFER, 3, 2, nullptr);
    GLint bound = -1;
    gl::GetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 4, &bound);
    EXPECT_EQ(bound, 0);
}

/// A dispatch that adds one to a buffer's words: the GPU uses the buffer when it returns.
void add_one_by_the_gpu(GLuint buffer, GLuint words) {
    static const char* const kSource = R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Data { uint data[]; };
        void main() { data[gl_GlobalInvocationID.x] += 1u; })";
    const GLuint program = compute(kSource);
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    gl::UseProgram(program);
    gl::DispatchCompute(words, 1, 1);
    gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
}

Words repeated(const Words& value, size_t count) {
    Words words;
    while (words.size() < count)
        words.push_back(value[words.size() % value.size()]);
    return words;
}

// Values of more than a word, all over a buffer that is in use: its storage can't be another.
TEST_F(BufferStorageTest, ClearsOfTheWholeShowInPersistentMaps) {
    constexpr size_t count = 512;
    const GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const GLuint buffer = storage_of(count * 4, nullptr, flags);
    const void* const map = gl::MapBufferRange(GL_COPY_WRITE_BUFFER, 0, count * 4, flags);
    ASSERT_NE(map, nullptr);
    add_one_by_the_gpu(buffer, count);
    const Words value{1, 2, 3, 4};
    gl::ClearBufferData(GL_COPY_WRITE_BUFFER, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                        value.data());
    wait();
    Words seen(count);
    std::memcpy(seen.data(), map, count * 4);
    EXPECT_EQ(seen, repeated(value, count));
    gl::UnmapBuffer(GL_COPY_WRITE_BUFFER);
}

TEST_F(BufferStorageTest, ClearsOfTheWholeAfterInvalidation) {
    constexpr size_t count = 512;
    const GLuint buffer = make_buffer(GL_COPY_WRITE_BUFFER, Words(count), GL_DYNAMIC_COPY);
    add_one_by_the_gpu(buffer, count);
    gl::InvalidateBufferData(buffer);
    add_one_by_the_gpu(buffer, count);
    const Words value{5, 6};
    gl::ClearBufferData(GL_COPY_WRITE_BUFFER, GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT,
                        value.data());
    EXPECT_EQ(words_of(buffer, count), repeated(value, count));
}

// What is written behind a query's result comes behind it, also where nobody wrote before.
TEST_F(BufferStorageTest, WritesBehindQueryResults) {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    const GLuint program = vs_fs("void main() { gl_Position = vec4(0); }", "void main() {}");
    const GLuint buffer = make_buffer(GL_QUERY_BUFFER, 64, nullptr, GL_STREAM_COPY);
    bind_new_vao();
    make_target();
    gl::UseProgram(program);
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, query);
    gl::DrawArrays(GL_POINTS, 0, 12);
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, nullptr);
    const std::uint32_t later = 99;
    gl::BufferSubData(GL_QUERY_BUFFER, 0, 4, &later);
    EXPECT_EQ(words_of(buffer, 1)[0], later);
    gl::BindBuffer(GL_QUERY_BUFFER, 0);
    gl::DeleteQueries(1, &query);
}

} // namespace
} // namespace kobalt::gltest
