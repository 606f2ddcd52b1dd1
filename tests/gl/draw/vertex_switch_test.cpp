// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Vertex layouts that vertex fetch takes as they are and such that it can't, in turn: unaligned
// ones (OpenGL 4.6, 10.3.9 lets any offset and stride be) and types that no GPU fetches.
#include "support.h"

#include <cstring>

namespace kobalt::gltest {
namespace {

constexpr GLuint kAttribute = 2;

/// A vertex buffer with `value` at each of `offsets`, bytes.
template <typename T>
GLuint buffer_with(const std::array<T, 4>& value, std::initializer_list<size_t> offsets) {
    std::vector<std::uint8_t> bytes(128, 0xEE);
    for (const size_t offset : offsets) {
        std::memcpy(bytes.data() + offset, value.data(), sizeof(value));
    }
    return make_buffer(GL_ARRAY_BUFFER, bytes);
}

/// Draws the first vertex of one attribute into a pixel and tells what arrived.
class VertexSwitchTest : public GlTest {
protected:
    // Within 3.3, the context's version, an extension.
    Missing missing() const override { return lacks("GL_ARB_vertex_attrib_binding"); }
    void prepare() override {
        const GLuint program =
            vs_fs("layout(location = 2) in vec4 value; flat out vec4 v; "
                  "void main() { v = value; gl_Position = vec4(0, 0, 0, 1); }",
                  "flat in vec4 v; out vec4 result; void main() { result = v; }");
        make_target({1, 1, GL_RGBA32F});
        bind_new_vao();
        gl::UseProgram(program);
        gl::EnableVertexAttribArray(kAttribute);
        gl::VertexAttribBinding(kAttribute, 0);
    }
    void expect_drawn(const Float4& expected) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_POINTS, 0, 1);
        expect_near(pixel_float(0, 0), expected, 1e-4F);
    }
};

constexpr Float4 kFirst{1, 2, 3, 4};
constexpr Float4 kSecond{5, 6, 7, 8};

// The format stays, so nothing but the buffers tells.
TEST_F(VertexSwitchTest, BuffersAtOffsetsOfAnyKind) {
    const GLuint first = buffer_with(kFirst, {0, 34});
    const GLuint second = buffer_with(kSecond, {16, 49});
    gl::VertexAttribFormat(kAttribute, 4, GL_FLOAT, GL_FALSE, 0);
    for (int round = 0; round < 2; ++round) {
        for (const auto& [buffer, offset, expected] : {std::tuple{first, 0, kFirst},
                                                       {first, 34, kFirst},
                                                       {second, 16, kSecond},
                                                       {second, 49, kSecond},
                                                       {first, 34, kFirst},
                                                       {first, 0, kFirst}}) {
            SCOPED_TRACE(offset);
            gl::BindVertexBuffer(0, buffer, offset, 16);
            expect_drawn(expected);
        }
    }
}

TEST_F(VertexSwitchTest, OffsetsWithinTheVertex) {
    const GLuint buffer = buffer_with(kFirst, {0, 35});
    for (const GLuint offset : {0U, 35U, 0U}) {
        SCOPED_TRACE(offset);
        gl::VertexAttribFormat(kAttribute, 4, GL_FLOAT, GL_FALSE, offset);
        gl::BindVertexBuffer(0, buffer, 0, 64);
        expect_drawn(kFirst);
    }
}

// Neither is aligned, their sum is.
TEST_F(VertexSwitchTest, OffsetsThatMakeUpForEachOther) {
    const GLuint buffer = buffer_with(kFirst, {8});
    gl::VertexAttribFormat(kAttribute, 4, GL_FLOAT, GL_FALSE, 3);
    gl::BindVertexBuffer(0, buffer, 5, 16);
    expect_drawn(kFirst);
}

// The second vertex lies where only the stride says.
TEST_F(VertexSwitchTest, StridesOfAnyKind) {
    const GLuint buffer = buffer_with(kFirst, {0});
    gl::VertexAttribFormat(kAttribute, 4, GL_FLOAT, GL_FALSE, 0);
    const GLuint other = buffer_with(kSecond, {17, 48});
    for (const GLsizei stride : {16, 17, 48}) {
        SCOPED_TRACE(stride);
        gl::BindVertexBuffer(0, buffer, 0, stride);
        expect_drawn(kFirst);
        if (stride == 16) {
            continue;
        }
        gl::BindVertexBuffer(0, other, 0, stride);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_POINTS, 1, 1);
        expect_near(pixel_float(0, 0), kSecond, 1e-4F);
    }
}

TEST_F(VertexSwitchTest, TypesThatAreTranslated) {
    const GLuint floats = buffer_with(kFirst, {0});
    constexpr std::array<GLint, 4> kWhole{0x7fffffff, 0, -0x7fffffff, 0x7fffffff};
    const GLuint integers = buffer_with(kWhole, {0});
    for (int round = 0; round < 2; ++round) {
        gl::VertexAttribFormat(kAttribute, 4, GL_FLOAT, GL_FALSE, 0);
        gl::BindVertexBuffer(0, floats, 0, 16);
        expect_drawn(kFirst);
        gl::VertexAttribFormat(kAttribute, 4, GL_INT, GL_TRUE, 0);
        gl::BindVertexBuffer(0, integers, 0, 16);
        expect_drawn({1, 0, -1, 1});
    }
}

// glClear and blits of the driver's own bind vertices in between, and give back what was there.
TEST_F(VertexSwitchTest, OwnDrawsInBetween) {
    const GLuint first = buffer_with(kFirst, {0, 34});
    gl::VertexAttribFormat(kAttribute, 4, GL_FLOAT, GL_FALSE, 0);
    gl::BindVertexBuffer(0, first, 0, 16);
    expect_drawn(kFirst);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 1, 1);
    gl::ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    gl::Clear(GL_COLOR_BUFFER_BIT); // by a draw
    gl::ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl::Disable(GL_SCISSOR_TEST);
    gl::BindVertexBuffer(0, first, 34, 16);
    expect_drawn(kFirst);
}

constexpr char kReadOnTheCpu[] = "what the CPU reads of a buffer is never copied there";

// The CPU uploads the vertices of such arrays. A draw of a multi-draw may have none.
class UploadedArrayTest : public CompatTest {
protected:
    static constexpr std::array<GLsizei, 3> kCounts{0, 3, 0};
    void prepare() override {
        make_black_target({8, 8});
        gl::UseProgram(vs_fs("layout(location = 0) in vec2 at; void main() { gl_Position = "
                             "vec4(at, 0, 1); }",
                             "out vec4 c; void main() { c = vec4(0, 1, 0, 1); }"));
        gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners_.data());
        gl::EnableVertexAttribArray(0);
    }

private:
    const std::array<float, 6> corners_{-1, -1, 3, -1, -1, 3};
};

TEST_F(UploadedArrayTest, DrawsBehindOnesWithoutVertices) {
    const GLint firsts[] = {0, 0, 0};
    gl::MultiDrawArrays(GL_TRIANGLES, firsts, kCounts.data(), 3);
    expect_area(0, 0, 8, 8, kGreen);
}

class UploadedIndexedArrayTest : public UploadedArrayTest {
protected:
    Missing missing() const override { return when(recording_mode(), kReadOnTheCpu); }
};

TEST_F(UploadedIndexedArrayTest, DrawsBehindOnesWithoutVertices) {
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLuint>{0, 1, 2});
    const void* const offsets[] = {nullptr, nullptr, nullptr};
    const GLint base_vertices[] = {0, 0, 0};
    gl::MultiDrawElementsBaseVertex(GL_TRIANGLES, kCounts.data(), GL_UNSIGNED_INT, offsets, 3,
                                    base_vertices);
    expect_area(0, 0, 8, 8, kGreen);
}

// OpenGL 4.6, 6.4: indices that aren't there are undefined, and end no program.
TEST_F(UploadedIndexedArrayTest, IndicesBehindTheirBuffer) {
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLuint>{0, 1, 2, ~0U});
    constexpr std::uintptr_t kFar = 1U << 30U;
    gl::DrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_INT, reinterpret_cast<const void*>(kFar));
    gl::Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    gl::DrawElements(GL_TRIANGLES, 4, GL_UNSIGNED_INT, nullptr);
    gl::DrawElements(GL_TRIANGLES, 1, GL_UNSIGNED_INT, reinterpret_cast<const void*>(12));
    expect_area(0, 0, 8, 8, kGreen);
}

class ConvertedDrawsTest : public GlTest {
protected:
    Missing missing() const override { return when(recording_mode(), kReadOnTheCpu); }
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
};

// Only the CPU can read these vertices, and so it reads the draws: no more than are allowed,
// whatever the count in the buffer, each with a number of its own.
TEST_F(ConvertedDrawsTest, CountedIndirectDraws) {
    constexpr GLsizei kAllowed = 3;
    make_black_target({4, 1});
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER, "#version 460 core\nlayout(location = 0) in vec4 at; flat out vec4 v;\n"
                            "void main() { v = at; "
                            "gl_Position = vec4(float(gl_DrawID) * 0.5 - 0.75, 0, 0, 1); }"},
         {GL_FRAGMENT_SHADER,
          "#version 460 core\nflat in vec4 v; out vec4 c; void main() { c = v; }"}}));
    bind_new_vao();
    buffer_with(Float4{0, 1, 0, 1}, {1});
    gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, reinterpret_cast<void*>(1));
    gl::EnableVertexAttribArray(0);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<GLuint>{0});
    std::vector<GLuint> draws;
    for (GLsizei i = 0; i < kAllowed; ++i) {
        draws.insert(draws.end(), {1, 1, 0, 0, 0});
    }
    make_buffer(GL_DRAW_INDIRECT_BUFFER, draws);
    make_buffer(GL_PARAMETER_BUFFER, std::vector<GLuint>{1000000});
    gl::MultiDrawElementsIndirectCount(GL_POINTS, GL_UNSIGNED_INT, nullptr, 0, kAllowed, 0);
    expect_area(0, 0, kAllowed, 1, kGreen);
    expect_pixel(kAllowed, 0, {0, 0, 0, 255});
}

} // namespace
} // namespace kobalt::gltest
