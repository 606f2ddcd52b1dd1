// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// INTEL_shader_integer_functions2 against what its text says, and NV_compute_shader_derivatives.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

class ComputeExtensionsTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 3); }

    static std::vector<GLuint> run(const std::string& extension, const std::string& body,
                                   std::size_t words, const std::vector<GLuint>& in = {}) {
        const GLuint program = link(
            {{GL_COMPUTE_SHADER, "#version 430\n#extension " + extension + " : require\n" + body}});
        std::vector<GLuint> out(words, 0);
        if (!in.empty()) {
            gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1,
                               make_buffer(GL_SHADER_STORAGE_BUFFER, in));
        }
        // The last one bound is the one that is read.
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, make_buffer(GL_SHADER_STORAGE_BUFFER, out));
        gl::UseProgram(program);
        gl::DispatchCompute(1, 1, 1);
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        gl::GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0,
                             static_cast<GLsizeiptr>(words * sizeof(GLuint)), out.data());
        return out;
    }
};

template <class T>
T saturated(std::int64_t value) {
    return static_cast<T>(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(),
                                                   std::numeric_limits<T>::max()));
}

template <class T>
void append_expected(std::vector<GLuint>& words, T a, T b) {
    const std::int64_t x = a, y = b;
    const auto add = [&](auto value) { words.push_back(static_cast<GLuint>(value)); };
    add(std::max(x, y) - std::min(x, y));
    add(saturated<T>(x + y));
    add(saturated<T>(x - y));
    add((x + y) >> 1);
    add((x + y + 1) >> 1);
    using Half = std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>;
    add(static_cast<std::uint64_t>(x) *
        static_cast<std::uint64_t>(std::int64_t{static_cast<Half>(b)}));
}

TEST_F(ComputeExtensionsTest, IntegerFunctions) {
    if (!has_extension("GL_INTEL_shader_integer_functions2")) {
        GTEST_SKIP() << "no GL_INTEL_shader_integer_functions2";
    }
    const std::vector<GLuint> values{0,          1,          2,          3,          0x7f,
                                     0x8000,     0xffff,     0x10001,    0x12345678, 0x7ffffffe,
                                     0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    const std::size_t count = values.size();
    const std::string functions = "absoluteDifference(a, b), addSaturate(a, b), "
                                  "subtractSaturate(a, b), average(a, b), averageRounded(a, b), ";
    const std::string body = "const uint count = " + std::to_string(count) + R"(u;
        layout(local_size_x = 15) in;
        layout(std430, binding = 0) buffer Out { uint result[]; };
        layout(std430, binding = 1) buffer In { uint value[]; };
        void main() {
            uint at = gl_LocalInvocationIndex * (2u + count * 12u);
            result[at++] = countLeadingZeros(value[gl_LocalInvocationIndex]);
            result[at++] = countTrailingZeros(value[gl_LocalInvocationIndex]);
            for (uint i = 0u; i < count; ++i) {
                { uint a = value[gl_LocalInvocationIndex], b = value[i];
                  uint all[] = uint[]()" +
                             functions +
                             R"(multiply32x16(a, b));
                  for (int k = 0; k < 6; ++k) result[at++] = all[k]; }
                { int a = int(value[gl_LocalInvocationIndex]), b = int(value[i]);
                  int all[] = int[](int(absoluteDifference(a, b)), )" +
                             functions.substr(functions.find("addSaturate")) +
                             R"(multiply32x16(a, b));
                  for (int k = 0; k < 6; ++k) result[at++] = uint(all[k]); }
            }
        })";
    std::vector<GLuint> expected;
    for (const GLuint a : values) {
        expected.push_back(static_cast<GLuint>(std::countl_zero(a)));
        expected.push_back(static_cast<GLuint>(std::countr_zero(a)));
        for (const GLuint b : values) {
            append_expected<std::uint32_t>(expected, a, b);
            append_expected<std::int32_t>(expected, static_cast<std::int32_t>(a),
                                          static_cast<std::int32_t>(b));
        }
    }
    const auto out = run("GL_INTEL_shader_integer_functions2", body, expected.size(), values);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(out[i], expected[i]) << "word " << i;
    }
}

class ComputeDerivativesTest : public ComputeExtensionsTest {
protected:
    Missing missing() const override {
        return first_of(
            {ComputeExtensionsTest::missing(), lacks("GL_NV_compute_shader_derivatives")});
    }
};

TEST_F(ComputeDerivativesTest, OfQuadsAndOfRows) {
    const std::string layouts[] = {
        "layout(local_size_x = 4, local_size_y = 4, derivative_group_quadsNV) in;"
        "float value() { return float(gl_LocalInvocationID.x) * 3.0 +"
        "                       float(gl_LocalInvocationID.y) * 5.0; }",
        "layout(local_size_x = 16, derivative_group_linearNV) in;"
        "float value() { return float(gl_LocalInvocationIndex & 1u) * 3.0 +"
        "                       float(gl_LocalInvocationIndex >> 1 & 1u) * 5.0; }"};
    for (const std::string& layout : layouts) {
        const auto out = run("GL_NV_compute_shader_derivatives", layout + R"(
            layout(std430, binding = 0) buffer Out { uint result[]; };
            void main() {
                uint at = gl_LocalInvocationIndex * 3u;
                float v = value();
                result[at] = uint(dFdx(v));
                result[at + 1u] = uint(dFdy(v));
                result[at + 2u] = uint(fwidth(v));
            })",
                             48);
        for (std::size_t i = 0; i < out.size(); i += 3) {
            EXPECT_EQ(out[i], 3U) << i;
            EXPECT_EQ(out[i + 1], 5U) << i;
            EXPECT_EQ(out[i + 2], 8U) << i;
        }
    }
}

TEST_F(ComputeDerivativesTest, TexturesHaveLevels) {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 5, GL_R32F, 16, 16);
    for (int level = 0; level < 5; ++level) {
        const std::vector<float> texels(std::size_t{256} >> 2 * level,
                                        static_cast<float>(level + 1));
        gl::TexSubImage2D(GL_TEXTURE_2D, level, 0, 0, 16 >> level, 16 >> level, GL_RED, GL_FLOAT,
                          texels.data());
    }
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 4);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    // Four texels from one invocation to the next: level 2.
    const auto out = run("GL_NV_compute_shader_derivatives", R"(
        layout(local_size_x = 4, local_size_y = 4, derivative_group_quadsNV) in;
        layout(std430, binding = 0) buffer Out { uint result[]; };
        uniform sampler2D s;
        void main() {
            result[gl_LocalInvocationIndex] =
                uint(texture(s, vec2(gl_LocalInvocationID.xy) / 4.0 + 0.125).r);
        })",
                         16);
    EXPECT_EQ(out, std::vector<GLuint>(16, 3));
}

// The compiler folds what it knows. The second operand counts by its lower 16 bits.
TEST_F(ComputeExtensionsTest, ProductsOfConstants) {
    if (!has_extension("GL_INTEL_shader_integer_functions2")) {
        GTEST_SKIP() << "no GL_INTEL_shader_integer_functions2";
    }
    const auto out = run("GL_INTEL_shader_integer_functions2", R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Out { uint result[]; };
        void main() {
            result[0] = uint(multiply32x16(1000, 7));
            result[1] = uint(multiply32x16(-3, 0x10005));
            result[2] = uint(multiply32x16(3, 0x1ffff));
            result[3] = multiply32x16(1000u, 7u);
        })",
                         4);
    EXPECT_EQ(out,
              (std::vector<GLuint>{7000, static_cast<GLuint>(-15), static_cast<GLuint>(-3), 7000}));
}

} // namespace
} // namespace kobalt::gltest
