// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A vertex buffer that is filled part by part, with a draw from each: only where a draw has fetched
// a part may a write to it not come first.
#include <array>
#include <vector>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr int kSide = 16, kRounds = 3;
// Larger than the contents that the driver keeps elsewhere.
constexpr GLsizeiptr kBytes = 64 << 10;

struct Vertex {
    std::array<float, 2> corner;
    Float4 colour;
};
constexpr int kCorners = 4, kPart = kCorners * static_cast<int>(sizeof(Vertex));
using Column = std::array<Vertex, kCorners>;

/// A strip that covers a column of the target.
Column column(int x, const Float4& colour) {
    Column all{};
    for (int i = 0; i < kCorners; ++i) {
        const float right = static_cast<float>(x + (i & 1));
        all[static_cast<size_t>(i)] = {{right * 2 / kSide - 1, i & 2 ? 1.0F : -1.0F}, colour};
    }
    return all;
}

Float4 shade(int x, int round) {
    return {static_cast<float>(x) / 255, static_cast<float>(round) / 255, 1, 1};
}

class VertexPartsTest : public GlTest {
protected:
    ContextRequest request() const override {
        return {.profile = Profile::Core, .major = 4, .minor = 5};
    }
    void prepare() override {
        make_black_target({.width = kSide, .height = kSide});
        bind_new_vao();
        program_ =
            link({{GL_VERTEX_SHADER,
                   "#version 450 core\nlayout(location = 0) in vec2 corner;\n"
                   "layout(location = 1) in vec4 wanted;\nlayout(location = 0) out vec4 colour;\n"
                   "void main() { colour = wanted; gl_Position = vec4(corner, 0, 1); }"},
                  {GL_FRAGMENT_SHADER,
                   "#version 450 core\nlayout(location = 0) in vec4 colour;\n"
                   "layout(location = 0) out vec4 o;\nvoid main() { o = colour; }"}});
        gl::UseProgram(program_);
        const std::vector<char> zeros(kBytes);
        make_buffer(GL_ARRAY_BUFFER, kBytes, zeros.data(), GL_DYNAMIC_DRAW);
        attribute(0, 2, sizeof(Vertex), 0);
        attribute(1, 4, sizeof(Vertex), sizeof(Vertex::corner));
    }
    static void attribute(GLuint index, int size, GLsizei stride, size_t offset) {
        gl::VertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, stride,
                                reinterpret_cast<const void*>(offset));
        gl::EnableVertexAttribArray(index);
    }
    static void fill(int part, const Column& vertices) {
        gl::BufferSubData(GL_ARRAY_BUFFER, part * kPart, kPart, vertices.data());
    }
    static void expect_column(int x, int round) {
        expect_area(x, 0, 1, kSide,
                    {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(round), 255, 255}, 0);
    }

private:
    GLuint program_ = 0;
};

TEST_F(VertexPartsTest, EachDrawHasItsOwn) {
    for (int round = 0; round < kRounds; ++round) {
        for (int x = 0; x < kSide; ++x) {
            fill(x, column(x, shade(x, round)));
            gl::DrawArrays(GL_TRIANGLE_STRIP, x * kCorners, kCorners);
        }
        for (int x = 0; x < kSide; ++x) {
            expect_column(x, round);
        }
    }
}

// Each draw also fetches what the draw before it did: its column must stay what it was.
TEST_F(VertexPartsTest, OverlappingDraws) {
    for (int round = 0; round < kRounds; ++round) {
        for (int x = 0; x < kSide; ++x) {
            fill(x % 2, column(x, shade(x, round)));
            gl::DrawArrays(GL_TRIANGLE_STRIP, x % 2 * kCorners, kCorners);
        }
        for (int x = 0; x < kSide; ++x) {
            expect_column(x, round);
        }
    }
}

// The pointer moves and the draws begin at 0; a write reaches into the last attribute of a draw.
TEST_F(VertexPartsTest, PointersAndLastAttributes) {
    for (int round = 0; round < kRounds; ++round) {
        for (int x = 0; x < kSide; ++x) {
            fill(x, column(x, shade(x, round)));
            attribute(0, 2, sizeof(Vertex), static_cast<size_t>(x) * kPart);
            attribute(1, 4, sizeof(Vertex),
                      static_cast<size_t>(x) * kPart + sizeof(Vertex::corner));
            gl::DrawArrays(GL_TRIANGLE_STRIP, 0, kCorners);
            const Float4 black{};
            gl::BufferSubData(GL_ARRAY_BUFFER, (x + 1) * kPart - sizeof black, sizeof black,
                              black.data());
        }
        for (int x = 0; x < kSide; ++x) {
            expect_column(x, round);
        }
    }
}

// A colour for each instance, in the same buffer behind all corners.
TEST_F(VertexPartsTest, AttributesOfInstances) {
    constexpr int kColours = 32 << 10;
    gl::VertexAttribDivisor(1, 1);
    for (int round = 0; round < kRounds; ++round) {
        for (int x = 0; x < kSide; ++x) {
            fill(x, column(x, {}));
            const Float4 colour = shade(x, round);
            gl::BufferSubData(GL_ARRAY_BUFFER, kColours + x * 16, 16, colour.data());
            attribute(1, 4, 16, kColours);
            gl::DrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, x * kCorners, kCorners, 1,
                                                static_cast<GLuint>(x));
        }
        for (int x = 0; x < kSide; ++x) {
            expect_column(x, round);
        }
    }
}

TEST_F(VertexPartsTest, DrawsOfOneCall) {
    for (int round = 0; round < kRounds; ++round) {
        for (int x = 0; x + 1 < kSide; x += 2) {
            fill(x + 1, column(x, shade(x, round)));
            fill(x, column(x + 1, shade(x + 1, round)));
            const std::array<GLint, 2> first{(x + 1) * kCorners, x * kCorners};
            const std::array<GLsizei, 2> count{kCorners, kCorners};
            gl::MultiDrawArrays(GL_TRIANGLE_STRIP, first.data(), count.data(), 2);
            fill(x + 1, column(x, {}));
        }
        for (int x = 0; x < kSide; ++x) {
            expect_column(x, round);
        }
    }
}

} // namespace
} // namespace kobalt::gltest
