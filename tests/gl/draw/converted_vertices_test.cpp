// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Vertices in formats that the CPU converts for the device: buffers end where they end.
#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr std::int32_t kOne = 0x10000;

/// Each vertex is a point in a pixel of its own of one row, whose colour is the sum of two
/// attributes of GL_FIXED.
class ConvertedVerticesTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Core, 3, 3, true}; }
    Missing missing() const override { return lacks(4, 3); }
    void prepare() override {
        make_target({kPixels, 1, GL_RGBA32F});
        bind_new_vao();
        gl::UseProgram(vs_fs(
            "layout(location = 0) in float a; layout(location = 1) in float b; flat out vec2 v;"
            "uniform int first; void main() { v = vec2(a, b); gl_Position = vec4((float(gl_VertexID"
            " - first + gl_InstanceID) + 0.5) / 4.0 - 1.0, 0, 0, 1); }",
            "flat in vec2 v; out vec4 c; void main() { c = vec4(v, 7, 8); }"));
        for (std::int32_t i = 0; i < kPixels; ++i) {
            many_.push_back((i + 1) * kOne);
        }
        bind(1, many_, sizeof(std::int32_t));
    }

    static void bind(GLuint attribute, const std::vector<std::int32_t>& values, GLsizei stride,
                     GLintptr offset = 0) {
        gl::BindVertexBuffer(attribute, make_buffer(GL_ARRAY_BUFFER, values), offset, stride);
        gl::VertexAttribFormat(attribute, 1, GL_FIXED, GL_FALSE, 0);
        gl::VertexAttribBinding(attribute, attribute);
        gl::EnableVertexAttribArray(attribute);
    }
    static void expect(const std::vector<std::pair<float, float>>& values) {
        for (size_t i = 0; i < values.size(); ++i) {
            SCOPED_TRACE(i);
            expect_near(pixel_float(static_cast<int>(i), 0),
                        {values[i].first, values[i].second, 7, 8}, 0.0F);
        }
    }

    static constexpr int kPixels = 8;
    std::vector<std::int32_t> many_;
};

// OpenGL 4.6, 10.3.2: with a binding's stride of 0 all vertices have the same element.
TEST_F(ConvertedVerticesTest, OneElementForAll) {
    bind(0, {3 * kOne}, 0);
    gl::DrawArrays(GL_POINTS, 0, 3);
    expect({{3, 1}, {3, 2}, {3, 3}});
}

// What has no vertices is zero (OpenGL 4.6, 6.4), and the other attributes are what they are.
TEST_F(ConvertedVerticesTest, BehindABuffersEnd) {
    bind(0, {3 * kOne, 5 * kOne}, sizeof(std::int32_t));
    gl::DrawArrays(GL_POINTS, 0, 5);
    expect({{3, 1}, {5, 2}, {0, 3}, {0, 4}, {0, 5}});
    bind(0, {3 * kOne}, sizeof(std::int32_t), 4096);
    gl::DrawArrays(GL_POINTS, 0, 2);
    expect({{0, 1}, {0, 2}});
    bind(0, {3 * kOne}, sizeof(std::int32_t));
    gl::VertexBindingDivisor(0, 1);
    gl::DrawArraysInstanced(GL_POINTS, 0, 1, 3);
    expect({{3, 1}, {0, 1}, {0, 1}});
}

TEST_F(ConvertedVerticesTest, FarBehindIt) {
    GLint program = 0;
    gl::GetIntegerv(GL_CURRENT_PROGRAM, &program);
    for (const GLint first : {1000, 1000000}) {
        set_uniform(static_cast<GLuint>(program), "first", first);
        gl::DrawArrays(GL_POINTS, first, 2);
        expect({{0, 0}, {0, 0}});
    }
}

// Indices behind the index buffer, before the first vertex, and none but those that restart.
TEST_F(ConvertedVerticesTest, IndicesOutOfBounds) {
    bind(0, many_, sizeof(std::int32_t));
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint32_t>{0, 1, ~0U, ~0U});
    gl::DrawElements(GL_POINTS, 2, GL_UNSIGNED_INT, nullptr);
    expect({{1, 1}, {2, 2}});
    gl::DrawElements(GL_POINTS, 100, GL_UNSIGNED_INT, reinterpret_cast<const void*>(1U << 30U));
    gl::DrawElementsBaseVertex(GL_POINTS, 2, GL_UNSIGNED_INT, nullptr, -1000000);
    gl::Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    gl::DrawElements(GL_POINTS, 2, GL_UNSIGNED_INT, reinterpret_cast<const void*>(8));
    clear_to_black();
    gl::DrawElements(GL_POINTS, 3, GL_UNSIGNED_INT, nullptr);
    expect({{1, 1}, {2, 2}});
}

/// Points at pixels that one attribute of GL_FIXED names, in the value of another. No shader knows
/// a vertex's number, so converted vertices may have other numbers.
class RenumberedVerticesTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Core, 3, 3, true}; }
    Missing missing() const override { return lacks(4, 3); }
    void prepare() override {
        make_target({kPixels, 1, GL_RGBA32F});
        bind_new_vao();
        gl::UseProgram(
            vs_fs("layout(location = 0) in float at; layout(location = 1) in float value;"
                  "flat out float v; void main() { v = value;"
                  "gl_Position = vec4((at + 0.5) / 4.0 - 1.0, 0, 0, 1); }",
                  "flat in float v; out vec4 c; void main() { c = vec4(v, 0, 0, 1); }"));
        std::vector<std::int32_t> pixels(kVertices), values(kVertices);
        for (std::int32_t i = 0; i < kVertices; ++i) {
            pixels[i] = i % kPixels * kOne;
            values[i] = i * kOne;
        }
        bind(0, pixels, GL_FIXED);
        bind(1, values, GL_FIXED);
        clear_to_black();
    }
    template <typename T>
    static void bind(GLuint attribute, const std::vector<T>& values, GLenum type) {
        make_buffer(GL_ARRAY_BUFFER, values);
        gl::VertexAttribPointer(attribute, 1, type, GL_FALSE, sizeof(T), nullptr);
        gl::EnableVertexAttribArray(attribute);
    }
    static void expect(int pixel, float value) {
        SCOPED_TRACE(pixel);
        expect_near(pixel_float(pixel, 0), {value, 0, 0, 1}, 0.0F);
    }
    static constexpr std::int32_t kPixels = 8, kVertices = 20000;
};

TEST_F(RenumberedVerticesTest, FromAVertexOn) {
    gl::DrawArrays(GL_POINTS, 8001, 3);
    expect(0, 0);
    expect(1, 8001);
    expect(2, 8002);
    expect(3, 8003);
    expect(4, 0);
}

TEST_F(RenumberedVerticesTest, IndicesCloseTogether) {
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint16_t>{12, 9, 0xffff, 11});
    gl::Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    gl::DrawElementsBaseVertex(GL_POINTS, 4, GL_UNSIGNED_SHORT, nullptr, 4000);
    expect(4, 4012);
    expect(1, 4009);
    expect(3, 4011);
    expect(2, 0);
}

// Vertices behind the end are zero, and the one at its pixel was drawn before.
TEST_F(RenumberedVerticesTest, IndicesFarApart) {
    make_buffer(GL_ELEMENT_ARRAY_BUFFER,
                std::vector<std::uint32_t>{19991, 2, 1U << 30U, 13, ~0U, 5004});
    gl::DrawElements(GL_POINTS, 6, GL_UNSIGNED_INT, nullptr);
    expect(7, 19991);
    expect(2, 2);
    expect(5, 13);
    expect(4, 5004);
    clear_to_black();
    gl::DrawElementsBaseVertex(GL_POINTS, 4, GL_UNSIGNED_INT, nullptr, -2);
    expect(5, 19989);
    expect(0, 0);
    expect(3, 11);
}

// The other attribute is fetched from its own buffer, so the numbers stay.
TEST_F(RenumberedVerticesTest, BesideOneThatTheDeviceFetches) {
    std::vector<float> values(kVertices);
    for (std::int32_t i = 0; i < kVertices; ++i) {
        values[i] = static_cast<float>(i) / 2;
    }
    bind(1, values, GL_FLOAT);
    gl::DrawArrays(GL_POINTS, 8001, 2);
    expect(1, 4000.5F);
    expect(2, 4001);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, std::vector<std::uint32_t>{11, 16012});
    gl::DrawElements(GL_POINTS, 2, GL_UNSIGNED_INT, nullptr);
    expect(3, 5.5F);
    expect(4, 8006);
}

// OpenGL 4.6, 10.4: the base instance is added to the quotient of the divisor.
TEST_F(RenumberedVerticesTest, InstancesFromABaseOn) {
    gl::VertexAttribDivisor(0, 1);
    gl::VertexAttribDivisor(1, 2);
    gl::DrawArraysInstancedBaseInstance(GL_POINTS, 0, 1, 3, 9);
    expect(1, 9);
    expect(2, 9);
    expect(3, 10);
    expect(4, 0);
}

TEST_F(RenumberedVerticesTest, SeveralDraws) {
    const std::array<GLint, 3> firsts{9, 0, 10010};
    const std::array<GLsizei, 3> counts{1, 0, 2};
    gl::MultiDrawArrays(GL_POINTS, firsts.data(), counts.data(), 3);
    expect(1, 9);
    expect(2, 10010);
    expect(3, 10011);
    expect(0, 0);
}

} // namespace
} // namespace kobalt::gltest
