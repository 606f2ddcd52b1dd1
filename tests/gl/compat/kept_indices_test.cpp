// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Quads of an index buffer are drawn as lists of triangles, whose indices are kept from the second
// draw on. Whatever writes the buffer is seen by the next draw.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <EGL/egl.h>

#include "counters.h"
#include "primitive.h"

namespace kobalt::gltest {
namespace {

using Indices = std::vector<std::uint16_t>;

class KeptIndicesTest : public CompatPrimitiveTest {
protected:
    static constexpr GLsizei kCount = 4;
    static constexpr GLsizeiptr kBytes = kCount * sizeof(std::uint16_t);
    /// Of the left and the right half.
    const Indices left_{0, 1, 2, 3}, right_{1, 4, 5, 2};

    /// Makes the index buffer, and draws from it until its converted indices are kept.
    void prepare() override {
        CompatPrimitiveTest::prepare();
        make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 0, -1, 0, 1, -1, 1, 1, -1, 1, 1});
        gl::EnableClientState(GL_VERTEX_ARRAY);
        gl::VertexPointer(2, GL_FLOAT, 0, nullptr);
        make_buffer(GL_ELEMENT_ARRAY_BUFFER, left_);
        for (int draws = 0; draws < 4; ++draws) {
            expect_half(0);
        }
    }

    /// Draws twice, so that indices which a write has made outdated would be kept anew.
    static void expect_half(int x) {
        for (int draws = 0; draws < 2; ++draws) {
            clear_to_black();
            gl::DrawElements(GL_QUADS, kCount, GL_UNSIGNED_SHORT, nullptr);
            expect_area(x, 0, 8, 16, kGreen);
            EXPECT_EQ(lit(), 128);
        }
    }
    void expect_right() { expect_half(8); }
    void expect_left() { expect_half(0); }
};

TEST_F(KeptIndicesTest, WrittenByTheApp) {
    gl::BufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, kBytes, right_.data());
    expect_right();
    gl::BufferData(GL_ELEMENT_ARRAY_BUFFER, kBytes, left_.data(), GL_STATIC_DRAW);
    expect_left();
    for (const GLbitfield more :
         {GLbitfield{GL_MAP_UNSYNCHRONIZED_BIT}, GLbitfield{0},
          GLbitfield{GL_MAP_INVALIDATE_BUFFER_BIT}, GLbitfield{GL_MAP_INVALIDATE_RANGE_BIT}}) {
        gl::Finish();
        for (const bool right : {true, false}) {
            auto* mapped = static_cast<std::uint16_t*>(
                gl::MapBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, kBytes, GL_MAP_WRITE_BIT | more));
            ASSERT_NE(mapped, nullptr);
            std::ranges::copy(right ? right_ : left_, mapped);
            gl::UnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
            right ? expect_right() : expect_left();
            gl::Finish();
        }
    }
}

TEST_F(KeptIndicesTest, FlushedRanges) {
    auto* mapped = static_cast<std::uint16_t*>(gl::MapBufferRange(
        GL_ELEMENT_ARRAY_BUFFER, 0, kBytes, GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT));
    ASSERT_NE(mapped, nullptr);
    std::ranges::copy(right_, mapped);
    gl::FlushMappedBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, kBytes);
    gl::UnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
    expect_right();
}

// A persistent map: the app writes without a call.
TEST_F(KeptIndicesTest, MappedForGood) {
    constexpr GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    gl::BufferStorage(GL_ELEMENT_ARRAY_BUFFER, kBytes, left_.data(), flags);
    auto* mapped =
        static_cast<std::uint16_t*>(gl::MapBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, kBytes, flags));
    ASSERT_NE(mapped, nullptr);
    expect_left();
    expect_left();
    gl::Finish();
    std::ranges::copy(right_, mapped);
    expect_right();
    gl::UnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
}

TEST_F(KeptIndicesTest, WrittenByTheDevice) {
    GLuint source = 0;
    gl::GenBuffers(1, &source);
    gl::BindBuffer(GL_COPY_READ_BUFFER, source);
    gl::BufferData(GL_COPY_READ_BUFFER, kBytes, right_.data(), GL_STATIC_DRAW);
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_ELEMENT_ARRAY_BUFFER, 0, 0, kBytes);
    expect_right();
    const std::uint16_t none = 0;
    gl::ClearBufferData(GL_ELEMENT_ARRAY_BUFFER, GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT,
                        &none);
    clear_to_black();
    gl::DrawElements(GL_QUADS, kCount, GL_UNSIGNED_SHORT, nullptr);
    EXPECT_EQ(lit(), 0);
}

// The stores of several dispatches follow each other without anything else in between.
TEST_F(KeptIndicesTest, WrittenByShaders) {
    const GLuint program = link({{GL_COMPUTE_SHADER, R"(#version 430
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Indices { uvec2 words; };
uniform uvec2 value;
void main() { words = value; })"}});
    GLint buffer = 0;
    gl::GetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &buffer);
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLuint>(buffer));
    for (const bool right : {true, false, true}) {
        const Indices& indices = right ? right_ : left_;
        gl::UseProgram(program);
        gl::Uniform2ui(gl::GetUniformLocation(program, "value"),
                       indices[0] | GLuint{indices[1]} << 16,
                       indices[2] | GLuint{indices[3]} << 16);
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_ELEMENT_ARRAY_BARRIER_BIT);
        gl::UseProgram(0);
        right ? expect_right() : expect_left();
    }
}

// The last vertex is the provoking one, or the first; each draw keeps to its own convention.
TEST_F(KeptIndicesTest, EitherProvokingVertex) {
    gl::ShadeModel(GL_FLAT);
    const std::vector<float> colours{1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1};
    make_buffer(GL_ARRAY_BUFFER, colours);
    gl::EnableClientState(GL_COLOR_ARRAY);
    using ColorPointer = void(APIENTRY*)(GLint, GLenum, GLsizei, const void*);
    const auto color_pointer = reinterpret_cast<ColorPointer>(eglGetProcAddress("glColorPointer"));
    ASSERT_NE(color_pointer, nullptr);
    color_pointer(3, GL_FLOAT, 0, nullptr);
    for (int round = 0; round < 3; ++round) {
        for (const bool first : {false, true}) {
            gl::ProvokingVertex(first ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
            clear_to_black();
            gl::DrawElements(GL_QUADS, kCount, GL_UNSIGNED_SHORT, nullptr);
            expect_area(0, 0, 8, 16, first ? kRed : kGreen);
        }
    }
    gl::ProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    gl::ShadeModel(GL_SMOOTH);
}

class KeptListTest : public CountedTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 3, false}; }
};

// Display lists hold their primitives as they are, with an index buffer.
TEST_F(KeptListTest, ADisplayListIsConvertedOnce) {
    make_black_target({kPrimitiveSize, kPrimitiveSize});
    const GLuint list = gl::GenLists(1);
    gl::NewList(list, GL_COMPILE);
    gl::Color4f(0, 1, 0, 1);
    gl::Begin(GL_QUADS);
    for (int column = 0; column < kPrimitiveSize; ++column) {
        const float left = at(column) - 1.0F / kPrimitiveSize, right = left + 2.0F / kPrimitiveSize;
        gl::Vertex2f(left, -1);
        gl::Vertex2f(right, -1);
        gl::Vertex2f(right, 1);
        gl::Vertex2f(left, 1);
    }
    gl::End();
    gl::EndList();
    const auto draw = [&] {
        gl::CallList(list);
        gl::Flush();
    };
    EXPECT_EQ(measure(draw).at("slow-converted-primitives"), 1);
    measure(draw);
    const Spent later = measure([&] {
        for (int frame = 0; frame < 20; ++frame) {
            draw();
        }
    });
    EXPECT_EQ(later.at("slow-converted-primitives"), 0);
    EXPECT_EQ(later.at("draws"), 20);
    EXPECT_EQ(lit(), kPrimitiveSize * kPrimitiveSize);
}

} // namespace
} // namespace kobalt::gltest
