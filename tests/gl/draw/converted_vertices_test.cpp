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

} // namespace
} // namespace kobalt::gltest
