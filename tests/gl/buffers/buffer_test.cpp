// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <cstring>
#include <numeric>

namespace kobalt::gltest {
namespace {

class BufferTest : public GlTest {
protected:
    static std::vector<std::uint32_t> counting(size_t count, std::uint32_t first = 0) {
        std::vector<std::uint32_t> data(count);
        std::iota(data.begin(), data.end(), first);
        return data;
    }
    static std::vector<std::uint32_t> contents(GLenum target, size_t count) {
        std::vector<std::uint32_t> data(count);
        gl::GetBufferSubData(target, 0, static_cast<GLsizeiptr>(count * 4), data.data());
        return data;
    }
};

TEST_F(BufferTest, DataAndSubData) {
    make_buffer(GL_ARRAY_BUFFER, counting(256));
    const auto patch = counting(3, 1000);
    gl::BufferSubData(GL_ARRAY_BUFFER, 40, 12, patch.data());
    auto expected = counting(256);
    std::copy(patch.begin(), patch.end(), expected.begin() + 10);
    EXPECT_EQ(contents(GL_ARRAY_BUFFER, 256), expected);
}

TEST_F(BufferTest, UnalignedSubData) {
    make_buffer(GL_ARRAY_BUFFER, std::vector<std::uint8_t>(64, 1));
    const std::array<std::uint8_t, 5> patch{9, 8, 7, 6, 5};
    gl::BufferSubData(GL_ARRAY_BUFFER, 3, 5, patch.data());
    std::array<std::uint8_t, 7> back{};
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 2, 7, back.data());
    EXPECT_EQ(back, (std::array<std::uint8_t, 7>{1, 9, 8, 7, 6, 5, 1}));
}

TEST_F(BufferTest, MapWriteThenRead) {
    make_buffer(GL_ARRAY_BUFFER, 1024, nullptr, GL_DYNAMIC_DRAW);
    auto* mapped = static_cast<std::uint32_t*>(gl::MapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY));
    ASSERT_NE(mapped, nullptr);
    std::iota(mapped, mapped + 256, 5U);
    EXPECT_TRUE(gl::UnmapBuffer(GL_ARRAY_BUFFER));
    EXPECT_EQ(contents(GL_ARRAY_BUFFER, 256), counting(256, 5));
    auto* read = static_cast<std::uint32_t*>(gl::MapBuffer(GL_ARRAY_BUFFER, GL_READ_WRITE));
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read[255], 260U);
    read[0] = 77;
    EXPECT_TRUE(gl::UnmapBuffer(GL_ARRAY_BUFFER));
    EXPECT_EQ(contents(GL_ARRAY_BUFFER, 1)[0], 77U);
}

TEST_F(BufferTest, MapRangeInvalidatesTheRangeOnly) {
    make_buffer(GL_ARRAY_BUFFER, counting(64), GL_DYNAMIC_DRAW);
    auto* mapped = static_cast<std::uint32_t*>(gl::MapBufferRange(
        GL_ARRAY_BUFFER, 64, 32, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT));
    ASSERT_NE(mapped, nullptr);
    std::fill(mapped, mapped + 8, 9999U);
    gl::UnmapBuffer(GL_ARRAY_BUFFER);
    auto expected = counting(64);
    std::fill(expected.begin() + 16, expected.begin() + 24, 9999U);
    EXPECT_EQ(contents(GL_ARRAY_BUFFER, 64), expected);
}

TEST_F(BufferTest, MapWithExplicitFlush) {
    make_buffer(GL_ARRAY_BUFFER, counting(64), GL_DYNAMIC_DRAW);
    auto* mapped = static_cast<std::uint32_t*>(
        gl::MapBufferRange(GL_ARRAY_BUFFER, 0, 256, GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT));
    ASSERT_NE(mapped, nullptr);
    mapped[10] = 500;
    mapped[40] = 600;
    gl::FlushMappedBufferRange(GL_ARRAY_BUFFER, 40, 4);
    gl::FlushMappedBufferRange(GL_ARRAY_BUFFER, 160, 4);
    gl::UnmapBuffer(GL_ARRAY_BUFFER);
    auto expected = counting(64);
    expected[10] = 500;
    expected[40] = 600;
    EXPECT_EQ(contents(GL_ARRAY_BUFFER, 64), expected);
}

TEST_F(BufferTest, UnsynchronisedMapOfUnusedParts) {
    // The streaming pattern: a ring written without synchronisation, drawn as it goes.
    make_black_target({64, 1});
    bind_new_vao();
    const GLuint program =
        vs_fs("layout(location = 0) in float x; void main() { gl_Position = vec4(x, 0, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    make_buffer(GL_ARRAY_BUFFER, 64 * 4, nullptr, GL_STREAM_DRAW);
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    for (int i = 0; i < 64; ++i) {
        auto* mapped = static_cast<float*>(gl::MapBufferRange(
            GL_ARRAY_BUFFER, i * 4, 4,
            GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT | GL_MAP_INVALIDATE_RANGE_BIT));
        ASSERT_NE(mapped, nullptr);
        *mapped = (static_cast<float>(i) + 0.5F) / 32.0F - 1.0F;
        gl::UnmapBuffer(GL_ARRAY_BUFFER);
        gl::DrawArrays(GL_POINTS, i, 1);
    }
    EXPECT_EQ(count_pixels(read_picture(64, 1), kGreen), 64);
}

TEST_F(BufferTest, InvalidateBufferWhileInUse) {
    make_black_target({64, 1});
    bind_new_vao();
    const GLuint program =
        vs_fs("layout(location = 0) in float x; void main() { gl_Position = vec4(x, 0, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    make_buffer(GL_ARRAY_BUFFER, 4, nullptr, GL_STREAM_DRAW);
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    for (int i = 0; i < 64; ++i) {
        auto* mapped = static_cast<float*>(gl::MapBufferRange(
            GL_ARRAY_BUFFER, 0, 4, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
        ASSERT_NE(mapped, nullptr);
        *mapped = (static_cast<float>(i) + 0.5F) / 32.0F - 1.0F;
        gl::UnmapBuffer(GL_ARRAY_BUFFER);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    EXPECT_EQ(count_pixels(read_picture(64, 1), kGreen), 64);
}

TEST_F(BufferTest, CopySubData) {
    make_buffer(GL_COPY_READ_BUFFER, counting(64, 100));
    make_buffer(GL_COPY_WRITE_BUFFER, counting(64));
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 40, 8, 16);
    auto expected = counting(64);
    for (std::uint32_t i = 0; i < 4; ++i) {
        expected[2 + i] = 110 + i;
    }
    EXPECT_EQ(contents(GL_COPY_WRITE_BUFFER, 64), expected);
}

TEST_F(BufferTest, CopyWithinOneBuffer) {
    const GLuint buffer = make_buffer(GL_COPY_READ_BUFFER, counting(64));
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 128, 64);
    auto expected = counting(64);
    std::iota(expected.begin() + 32, expected.begin() + 48, 0U);
    EXPECT_EQ(contents(GL_COPY_READ_BUFFER, 64), expected);
}

TEST_F(BufferTest, LargeBuffer) {
    const size_t count = 4U << 20;
    make_buffer(GL_ARRAY_BUFFER, counting(count));
    std::array<std::uint32_t, 4> tail{};
    gl::GetBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>((count - 4) * 4), 16, tail.data());
    EXPECT_EQ(tail[3], count - 1);
    const auto patch = counting(1000, 7);
    gl::BufferSubData(GL_ARRAY_BUFFER, 8U << 20, 4000, patch.data());
    gl::GetBufferSubData(GL_ARRAY_BUFFER, (8U << 20) + 3996, 8, tail.data());
    EXPECT_EQ(tail[0], 1006U);
    EXPECT_EQ(tail[1], (8U << 18) + 1000U);
}

TEST_F(BufferTest, PersistentCoherentMapping) {
    if (!has_version(4, 4) && !has_extension("GL_ARB_buffer_storage")) {
        GTEST_SKIP() << "GL_ARB_buffer_storage is not offered";
    }
    make_black_target({64, 1});
    bind_new_vao();
    const GLuint program =
        vs_fs("layout(location = 0) in float x; void main() { gl_Position = vec4(x, 0, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    gl::BufferStorage(GL_ARRAY_BUFFER, 64 * 4, nullptr, flags);
    auto* mapped = static_cast<float*>(gl::MapBufferRange(GL_ARRAY_BUFFER, 0, 64 * 4, flags));
    ASSERT_NE(mapped, nullptr);
    gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    for (int i = 0; i < 64; ++i) {
        mapped[i] = (static_cast<float>(i) + 0.5F) / 32.0F - 1.0F;
        gl::DrawArrays(GL_POINTS, i, 1);
    }
    EXPECT_EQ(count_pixels(read_picture(64, 1), kGreen), 64);
    // After a wait the same memory may be reused, still mapped.
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Finish();
    mapped[0] = mapped[63];
    gl::DrawArrays(GL_POINTS, 0, 1);
    const Picture picture = read_picture(64, 1);
    EXPECT_EQ(count_pixels(picture, kGreen), 1);
    EXPECT_EQ(picture.at(63, 0)[1], 255);
    gl::UnmapBuffer(GL_ARRAY_BUFFER);
}

TEST_F(BufferTest, PersistentReadMappingSeesTheGpu) {
    if (!has_version(4, 4) && !has_extension("GL_ARB_buffer_storage")) {
        GTEST_SKIP() << "GL_ARB_buffer_storage is not offered";
    }
    make_target({4, 4});
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    const GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    gl::BufferStorage(GL_PIXEL_PACK_BUFFER, 64, nullptr, flags);
    const auto* mapped =
        static_cast<const std::uint8_t*>(gl::MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, 64, flags));
    ASSERT_NE(mapped, nullptr);
    gl::ReadPixels(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::Finish();
    EXPECT_EQ(mapped[0], 0);
    EXPECT_EQ(mapped[61], 255);
    gl::UnmapBuffer(GL_PIXEL_PACK_BUFFER);
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

TEST_F(BufferTest, ClearBufferObject) {
    if (!has_version(4, 3) && !has_extension("GL_ARB_clear_buffer_object")) {
        GTEST_SKIP() << "GL_ARB_clear_buffer_object is not offered";
    }
    make_buffer(GL_ARRAY_BUFFER, counting(64));
    const std::uint32_t value = 0xDEADBEEF;
    gl::ClearBufferSubData(GL_ARRAY_BUFFER, GL_R32UI, 16, 32, GL_RED_INTEGER, GL_UNSIGNED_INT,
                           &value);
    auto expected = counting(64);
    std::fill(expected.begin() + 4, expected.begin() + 12, value);
    EXPECT_EQ(contents(GL_ARRAY_BUFFER, 64), expected);
}

TEST_F(BufferTest, ManyBuffersOfManySizes) {
    std::vector<GLuint> buffers(500);
    gl::GenBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
    for (size_t i = 0; i < buffers.size(); ++i) {
        gl::BindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        const auto data = counting(i * 7 + 1, static_cast<std::uint32_t>(i));
        gl::BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * 4), data.data(),
                       GL_STATIC_DRAW);
    }
    for (size_t i = 0; i < buffers.size(); i += 7) {
        gl::BindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        EXPECT_EQ(contents(GL_ARRAY_BUFFER, i * 7 + 1).back(), i + i * 7);
    }
    gl::DeleteBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
}

TEST_F(BufferTest, DeletedBufferStaysAliveForQueuedDraws) {
    make_black_target({64, 1});
    const GLuint program =
        vs_fs("layout(location = 0) in float x; void main() { gl_Position = vec4(x, 0, 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    gl::UseProgram(program);
    for (int i = 0; i < 64; ++i) {
        GLuint vao = bind_new_vao();
        const float x = (static_cast<float>(i) + 0.5F) / 32.0F - 1.0F;
        GLuint buffer = make_buffer(GL_ARRAY_BUFFER, sizeof(x), &x, GL_STREAM_DRAW);
        gl::VertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
        gl::DrawArrays(GL_POINTS, 0, 1);
        gl::DeleteVertexArrays(1, &vao);
        gl::DeleteBuffers(1, &buffer);
    }
    EXPECT_EQ(count_pixels(read_picture(64, 1), kGreen), 64);
}

} // namespace
} // namespace kobalt::gltest
