// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <cstring>

namespace kobalt::gltest {
namespace {

enum class Kind { Float, Normalised, Integer };

struct FormatCase {
    const char* name;
    GLenum type;
    int components;
    Kind kind;
    std::vector<std::uint8_t> bytes;
    /// Expected value of the attribute as vec4 (ivec4 or uvec4 for integers).
    std::array<double, 4> expected;
    bool is_unsigned = false;
    friend void PrintTo(const FormatCase& value, std::ostream* out) { *out << value.name; }
};

template <typename T>
std::vector<std::uint8_t> bytes_of(std::initializer_list<T> values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.begin(), bytes.size());
    return bytes;
}

class VertexFormatTest : public GlTest, public testing::WithParamInterface<FormatCase> {};

TEST_P(VertexFormatTest, AttributeArrivesAsSpecified) {
    const FormatCase& test = GetParam();
    if (test.type == GL_UNSIGNED_INT_10F_11F_11F_REV && !has_version(4, 4) &&
        !has_extension("GL_ARB_vertex_type_10f_11f_11f_rev")) {
        GTEST_SKIP() << "GL_ARB_vertex_type_10f_11f_11f_rev is not offered";
    }
    const std::string type = test.kind != Kind::Integer ? "vec4"
                             : test.is_unsigned         ? "uvec4"
                                                        : "ivec4";
    // The attribute travels through a flat varying to a pixel of a wide format.
    const GLuint program =
        vs_fs("layout(location = 3) in " + type + " value; flat out " + type +
                  " v; void main() { v = value; gl_Position = vec4(0, 0, 0, 1); }",
              "flat in " + type + " v; out " + type + " result; void main() { result = v; }");
    make_target({1, 1,
                 static_cast<GLenum>(test.kind != Kind::Integer ? GL_RGBA32F
                                     : test.is_unsigned         ? GL_RGBA32UI
                                                                : GL_RGBA32I)});
    bind_new_vao();
    // The second element is read, at a stride that is not the element's size, from an offset.
    const size_t stride = 36;
    std::vector<std::uint8_t> data(4 + stride + test.bytes.size() + 16, 0xEE);
    std::copy(test.bytes.begin(), test.bytes.end(), data.begin() + 4 + stride);
    make_buffer(GL_ARRAY_BUFFER, data);
    const auto* offset = reinterpret_cast<void*>(4);
    if (test.kind == Kind::Integer) {
        gl::VertexAttribIPointer(3, test.components, test.type, stride, offset);
    } else {
        gl::VertexAttribPointer(3, test.components, test.type, test.kind == Kind::Normalised,
                                stride, offset);
    }
    gl::EnableVertexAttribArray(3);
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 1, 1);
    if (test.kind == Kind::Integer) {
        for (size_t c = 0; c < 4; ++c) {
            const double actual = test.is_unsigned ? static_cast<double>(pixel_uint(0, 0)[c])
                                                   : static_cast<double>(pixel_int(0, 0)[c]);
            EXPECT_EQ(actual, test.expected[c]) << "component " << c;
        }
        return;
    }
    const Float4 actual = pixel_float(0, 0);
    for (size_t c = 0; c < 4; ++c) {
        const double tolerance = std::max(1e-6, std::abs(test.expected[c]) * 1e-6);
        EXPECT_NEAR(actual[c], test.expected[c], tolerance) << "component " << c;
    }
}

const double kThird = 1.0 / 3.0;

INSTANTIATE_TEST_SUITE_P(
    Formats, VertexFormatTest,
    testing::Values(
        FormatCase{"Float1", GL_FLOAT, 1, Kind::Float, bytes_of<float>({2.5F}), {2.5, 0, 0, 1}},
        FormatCase{
            "Float2", GL_FLOAT, 2, Kind::Float, bytes_of<float>({2.5F, -3}), {2.5, -3, 0, 1}},
        FormatCase{"Float3", GL_FLOAT, 3, Kind::Float, bytes_of<float>({1, 2, 3}), {1, 2, 3, 1}},
        FormatCase{"Float4", GL_FLOAT, 4, Kind::Float, bytes_of<float>({1, 2, 3, 4}), {1, 2, 3, 4}},
        FormatCase{
            "Double2", GL_DOUBLE, 2, Kind::Float, bytes_of<double>({1.5, -2}), {1.5, -2, 0, 1}},
        FormatCase{
            "Double3", GL_DOUBLE, 3, Kind::Float, bytes_of<double>({1.5, -2, 8}), {1.5, -2, 8, 1}},
        FormatCase{"Half1",
                   GL_HALF_FLOAT,
                   1,
                   Kind::Float,
                   bytes_of<std::uint16_t>({0x3C00}),
                   {1, 0, 0, 1}},
        FormatCase{"Half2",
                   GL_HALF_FLOAT,
                   2,
                   Kind::Float,
                   bytes_of<std::uint16_t>({0x3C00, 0xC000}),
                   {1, -2, 0, 1}},
        FormatCase{"Half3",
                   GL_HALF_FLOAT,
                   3,
                   Kind::Float,
                   bytes_of<std::uint16_t>({0x3800, 0x4400, 0xBC00}),
                   {0.5, 4, -1, 1}},
        FormatCase{"Half4",
                   GL_HALF_FLOAT,
                   4,
                   Kind::Float,
                   bytes_of<std::uint16_t>({0x3800, 0x4400, 0xBC00, 0x0000}),
                   {0.5, 4, -1, 0}},
        FormatCase{"UbyteNorm4",
                   GL_UNSIGNED_BYTE,
                   4,
                   Kind::Normalised,
                   {0, 51, 255, 102},
                   {0, 0.2, 1, 0.4}},
        FormatCase{
            "UbyteNorm3", GL_UNSIGNED_BYTE, 3, Kind::Normalised, {0, 51, 255}, {0, 0.2, 1, 1}},
        FormatCase{"UbyteNorm1", GL_UNSIGNED_BYTE, 1, Kind::Normalised, {51}, {0.2, 0, 0, 1}},
        FormatCase{"UbyteScaled2", GL_UNSIGNED_BYTE, 2, Kind::Float, {7, 200}, {7, 200, 0, 1}},
        FormatCase{"UbyteScaled3", GL_UNSIGNED_BYTE, 3, Kind::Float, {7, 200, 9}, {7, 200, 9, 1}},
        FormatCase{
            "ByteScaled4", GL_BYTE, 4, Kind::Float, {0xFF, 5, 0x80, 0x7F}, {-1, 5, -128, 127}},
        FormatCase{"ByteNorm2", GL_BYTE, 2, Kind::Normalised, {0x7F, 0x81}, {1, -1, 0, 1}},
        FormatCase{"ShortNorm3",
                   GL_SHORT,
                   3,
                   Kind::Normalised,
                   bytes_of<std::int16_t>({32767, -32767, 0}),
                   {1, -1, 0, 1}},
        FormatCase{"ShortScaled1",
                   GL_SHORT,
                   1,
                   Kind::Float,
                   bytes_of<std::int16_t>({-1234}),
                   {-1234, 0, 0, 1}},
        FormatCase{"UshortNorm4",
                   GL_UNSIGNED_SHORT,
                   4,
                   Kind::Normalised,
                   bytes_of<std::uint16_t>({65535, 0, 13107, 65535}),
                   {1, 0, 0.2, 1}},
        FormatCase{"UshortScaled2",
                   GL_UNSIGNED_SHORT,
                   2,
                   Kind::Float,
                   bytes_of<std::uint16_t>({65535, 3}),
                   {65535, 3, 0, 1}},
        FormatCase{"IntNorm2",
                   GL_INT,
                   2,
                   Kind::Normalised,
                   bytes_of<std::int32_t>({2147483647, -2147483647}),
                   {1, -1, 0, 1}},
        FormatCase{"IntScaled3",
                   GL_INT,
                   3,
                   Kind::Float,
                   bytes_of<std::int32_t>({-70000, 5, 6}),
                   {-70000, 5, 6, 1}},
        FormatCase{"UintNorm1",
                   GL_UNSIGNED_INT,
                   1,
                   Kind::Normalised,
                   bytes_of<std::uint32_t>({0xFFFFFFFF}),
                   {1, 0, 0, 1}},
        FormatCase{"UintScaled4",
                   GL_UNSIGNED_INT,
                   4,
                   Kind::Float,
                   bytes_of<std::uint32_t>({1, 2, 3, 4}),
                   {1, 2, 3, 4}},
        FormatCase{"PackedUintNorm",
                   GL_UNSIGNED_INT_2_10_10_10_REV,
                   4,
                   Kind::Normalised,
                   bytes_of<std::uint32_t>({(1U << 30) | (0U << 20) | (1023U << 10) | 341U}),
                   {kThird, 1, 0, kThird}},
        FormatCase{"PackedUintScaled",
                   GL_UNSIGNED_INT_2_10_10_10_REV,
                   4,
                   Kind::Float,
                   bytes_of<std::uint32_t>({(3U << 30) | (9U << 20) | (1023U << 10) | 341U}),
                   {341, 1023, 9, 3}},
        FormatCase{"PackedIntScaled",
                   GL_INT_2_10_10_10_REV,
                   4,
                   Kind::Float,
                   bytes_of<std::uint32_t>({(3U << 30) | (1023U << 20) | (512U << 10) | 5U}),
                   {5, -512, -1, -1}},
        FormatCase{"PackedBgraNorm",
                   GL_UNSIGNED_INT_2_10_10_10_REV,
                   GL_BGRA,
                   Kind::Normalised,
                   bytes_of<std::uint32_t>({(3U << 30) | (341U << 20) | (0U << 10) | 1023U}),
                   {kThird, 0, 1, 1}},
        FormatCase{"BgraUbyte",
                   GL_UNSIGNED_BYTE,
                   GL_BGRA,
                   Kind::Normalised,
                   {0, 51, 255, 102},
                   {1, 0.2, 0, 0.4}},
        FormatCase{"PackedFloat11",
                   GL_UNSIGNED_INT_10F_11F_11F_REV,
                   3,
                   Kind::Float,
                   bytes_of<std::uint32_t>({0x3C0U | (0x400U << 11) | (0x1C0U << 22)}),
                   {1, 2, 0.5, 1}},
        FormatCase{
            "ByteInt4", GL_BYTE, 4, Kind::Integer, {0xFF, 5, 0x80, 0x7F}, {-1, 5, -128, 127}},
        FormatCase{
            "UbyteInt3", GL_UNSIGNED_BYTE, 3, Kind::Integer, {255, 5, 7}, {255, 5, 7, 1}, true},
        FormatCase{"ShortInt1",
                   GL_SHORT,
                   1,
                   Kind::Integer,
                   bytes_of<std::int16_t>({-30000}),
                   {-30000, 0, 0, 1}},
        FormatCase{"ShortInt3",
                   GL_SHORT,
                   3,
                   Kind::Integer,
                   bytes_of<std::int16_t>({-30000, 1, 2}),
                   {-30000, 1, 2, 1}},
        FormatCase{"UshortInt2",
                   GL_UNSIGNED_SHORT,
                   2,
                   Kind::Integer,
                   bytes_of<std::uint16_t>({65535, 7}),
                   {65535, 7, 0, 1},
                   true},
        FormatCase{"IntInt4",
                   GL_INT,
                   4,
                   Kind::Integer,
                   bytes_of<std::int32_t>({-2147483647, 2147483647, 0, -1}),
                   {-2147483647, 2147483647, 0, -1}},
        FormatCase{"UintInt3",
                   GL_UNSIGNED_INT,
                   3,
                   Kind::Integer,
                   bytes_of<std::uint32_t>({0xFFFFFFFF, 1, 2}),
                   {4294967295.0, 1, 2, 1},
                   true}),
    [](const auto& info) { return info.param.name; });

class VertexAttributeTest : public GlTest {};

TEST_F(VertexAttributeTest, DisabledArraysUseCurrentValues) {
    const GLuint program = vs_fs(
        "layout(location = 0) in vec4 a; layout(location = 1) in ivec2 b; layout(location = 2) "
        "in uint c; flat out vec4 v; void main() { v = a + vec4(b, float(c), 0); gl_Position = "
        "vec4(0, 0, 0, 1); }",
        "flat in vec4 v; out vec4 result; void main() { result = v; }");
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    gl::UseProgram(program);
    gl::VertexAttrib4f(0, 0.5F, 0.25F, 2.0F, 8.0F);
    gl::VertexAttribI4i(1, -3, 4, 0, 1);
    gl::VertexAttribI4ui(2, 70000, 0, 0, 1);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_near(pixel_float(0, 0), {-2.5F, 4.25F, 70002.0F, 8.0F}, 0.0F);
    gl::VertexAttrib4f(0, 1, 1, 1, 1);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_near(pixel_float(0, 0), {-2.0F, 5.0F, 70001.0F, 1.0F}, 0.0F);
}

TEST_F(VertexAttributeTest, SixteenAttributesFromSixteenBuffers) {
    std::string declarations;
    std::string sum = "vec4(0)";
    for (int i = 0; i < 16; ++i) {
        const std::string n = std::to_string(i);
        declarations += "layout(location = " + n + ") in vec4 a" + n + ";\n";
        sum += " + a" + n;
    }
    const GLuint program = vs_fs(declarations + "flat out vec4 v; void main() { v = " + sum +
                                     "; gl_Position = vec4(0, 0, 0, 1); }",
                                 "flat in vec4 v; out vec4 result; void main() { result = v; }");
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    for (GLuint i = 0; i < 16; ++i) {
        const float value = static_cast<float>(1U << i);
        make_buffer(GL_ARRAY_BUFFER, std::vector<float>{value, 1, static_cast<float>(i), 0});
        gl::VertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(i);
    }
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_near(pixel_float(0, 0), {65535, 16, 120, 0}, 0.0F);
}

TEST_F(VertexAttributeTest, MatrixAttribute) {
    const GLuint program =
        vs_fs("layout(location = 1) in mat4 m; flat out vec4 v; void main() { v = m * vec4(1, 10, "
              "100, 1000); gl_Position = vec4(0, 0, 0, 1); }",
              "flat in vec4 v; out vec4 result; void main() { result = v; }");
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER,
                std::vector<float>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
    for (GLuint i = 0; i < 4; ++i) {
        gl::VertexAttribPointer(1 + i, 4, GL_FLOAT, GL_FALSE, 64,
                                reinterpret_cast<void*>(static_cast<size_t>(i) * 16));
        gl::EnableVertexAttribArray(1 + i);
    }
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_near(pixel_float(0, 0), {1111, 2222, 3333, 4444}, 0.0F);
}

TEST_F(VertexAttributeTest, VertexArrayObjectsKeepTheirState) {
    const GLuint program =
        vs_fs("layout(location = 0) in vec4 a; flat out vec4 v; void main() { v = a; gl_Position = "
              "vec4(0, 0, 0, 1); }",
              "flat in vec4 v; out vec4 result; void main() { result = v; }");
    make_target({1, 1, GL_RGBA32F});
    gl::UseProgram(program);
    std::array<GLuint, 8> arrays{};
    for (size_t i = 0; i < arrays.size(); ++i) {
        arrays[i] = bind_new_vao();
        const float value = static_cast<float>(i);
        make_buffer(GL_ARRAY_BUFFER,
                    std::vector<float>{9, 9, value, value + 1, value + 2, value + 3});
        gl::VertexAttribPointer(0, static_cast<GLint>(i % 4 + 1), GL_FLOAT, GL_FALSE, 0,
                                reinterpret_cast<void*>(8));
        gl::EnableVertexAttribArray(0);
    }
    for (int round = 0; round < 2; ++round) {
        for (size_t i = 0; i < arrays.size(); ++i) {
            gl::BindVertexArray(arrays[i]);
            gl::DrawArrays(GL_POINTS, 0, 1);
            Float4 expected{0, 0, 0, 1};
            for (size_t c = 0; c < i % 4 + 1; ++c) {
                expected[c] = static_cast<float>(i + c);
            }
            expect_near(pixel_float(0, 0), expected, 0.0F);
        }
    }
}

class EsVertexFormatTest : public EsTest {};

// OpenGL ES 3.1, table 10.3: a format may be GL_FIXED, as a pointer's type may.
TEST_F(EsVertexFormatTest, FixedPointIsAFormatOfItsOwn) {
    if (!has_version(3, 1)) {
        GTEST_SKIP() << "OpenGL ES 3.1 is not offered";
    }
    const std::string version = "#version 310 es\nprecision highp float;\n";
    const GLuint program = link(
        {{GL_VERTEX_SHADER, version + "layout(location = 3) in vec4 value; flat out vec4 v;\n"
                                      "void main() { v = value; gl_Position = vec4(0, 0, 0, 1);\n"
                                      "gl_PointSize = 1.0; }"},
         {GL_FRAGMENT_SHADER, version + "flat in vec4 v; out vec4 result;\n"
                                        "void main() { result = v; }"}});
    make_target({1, 1, GL_RGBA8});
    bind_new_vao();
    const GLuint buffer =
        make_buffer(GL_ARRAY_BUFFER, std::vector<std::int32_t>{-1, 0, 0x10000, 0x3333});
    gl::VertexAttribFormat(3, 3, GL_FIXED, GL_FALSE, 4);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    gl::VertexAttribBinding(3, 1);
    gl::BindVertexBuffer(1, buffer, 0, 16);
    gl::EnableVertexAttribArray(3);
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_pixel(0, 0, {0, 255, 51, 255});
}

} // namespace
} // namespace kobalt::gltest
