// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "program_binary.h"

#include <cstring>

namespace kobalt::gltest {
namespace {

class UniformTest : public GlTest {};

void bind_block(GLuint program, const char* block, GLuint binding) {
    const GLuint index = gl::GetUniformBlockIndex(program, block);
    ASSERT_NE(index, static_cast<GLuint>(GL_INVALID_INDEX)) << block;
    gl::UniformBlockBinding(program, index, binding);
}

TEST_F(UniformTest, ScalarsVectorsAndMatrices) {
    const Float4 value = evaluate(
        "uniform float a; uniform vec3 b; uniform mat3x2 m; uniform ivec2 i; uniform bool t;",
        "vec4(m * b, float(i.x * i.y) + a, t ? 1.0 : 0.0)", [](GLuint program) {
            gl::Uniform1f(gl::GetUniformLocation(program, "a"), 0.5F);
            gl::Uniform3f(gl::GetUniformLocation(program, "b"), 1, 10, 100);
            const std::array<float, 6> m{1, 2, 3, 4, 5, 6};
            gl::UniformMatrix3x2fv(gl::GetUniformLocation(program, "m"), 1, GL_FALSE, m.data());
            gl::Uniform2i(gl::GetUniformLocation(program, "i"), -3, 7);
            gl::Uniform1i(gl::GetUniformLocation(program, "t"), 1);
        });
    expect_near(value, {531, 642, -20.5F, 1}, 0.0F);
}

TEST_F(UniformTest, TransposedMatrix) {
    const Float4 value =
        evaluate("uniform mat4 m;", "m * vec4(1, 10, 100, 1000)", [](GLuint program) {
            const std::array<float, 16> m{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7};
            gl::UniformMatrix4fv(gl::GetUniformLocation(program, "m"), 1, GL_TRUE, m.data());
        });
    expect_near(value, {4321, 8765, 3219, 7654}, 0.0F);
}

TEST_F(UniformTest, ArraysIndexedAtRunTime) {
    const Int4 value =
        evaluate_int("uniform int table[64]; uniform int index;",
                     "table[index], table[63 - index], table[0], table[63]", [](GLuint program) {
                         std::array<int, 64> table{};
                         for (int i = 0; i < 64; ++i) {
                             table[static_cast<size_t>(i)] = i * i;
                         }
                         gl::Uniform1iv(gl::GetUniformLocation(program, "table"), 64, table.data());
                         gl::Uniform1i(gl::GetUniformLocation(program, "index"), 9);
                     });
    EXPECT_EQ(value, (Int4{81, 54 * 54, 0, 63 * 63}));
}

TEST_F(UniformTest, StructUniforms) {
    const Float4 value =
        evaluate("struct Light { vec3 p; float s[2]; }; uniform Light lights[3]; uniform int n;",
                 "vec4(lights[n].p, lights[n].s[1])", [](GLuint program) {
                     gl::Uniform3f(gl::GetUniformLocation(program, "lights[2].p"), 1, 2, 3);
                     const std::array<float, 2> s{4, 5};
                     gl::Uniform1fv(gl::GetUniformLocation(program, "lights[2].s"), 2, s.data());
                     gl::Uniform1i(gl::GetUniformLocation(program, "n"), 2);
                 });
    expect_near(value, {1, 2, 3, 5}, 0.0F);
}

// Members of 64 bits lie on even words, behind gaps that the shader has to know of.
TEST_F(UniformTest, StructsWithDoubles) {
    const std::string head = R"(#version 400 core
struct Inner { double d; float f; };
struct Outer { float a; Inner inner[2]; vec3 v; dvec2 e; float z; };
uniform float before;
uniform Outer s[2];
uniform float behind;
uniform int n;
)";
    const GLuint linked = link({{GL_VERTEX_SHADER, head + R"(
flat out vec4 seen;
void main() {
    gl_Position = vec4((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1, 0, 1);
    seen = vec4(s[n].a, float(s[n].inner[n].d), float(s[n].e.y), s[n].z);
})"},
                                {GL_FRAGMENT_SHADER, head + R"(
flat in vec4 seen;
out vec4 result;
void main() {
    result = vec4(s[n].a + before, float(s[n].inner[n].d) + s[n].inner[n].f,
                  s[n].v.z + float(s[n].e.y), s[n].z + behind) + 1024 * seen;
})"}});
    make_target({1, 1, GL_RGBA32F});
    // As it was linked, and as what the disk cache and program binaries keep of it.
    for (const GLuint program : {linked, copy_of(linked)}) {
        gl::UseProgram(program);
        const auto at = [&](const char* name) { return gl::GetUniformLocation(program, name); };
        gl::Uniform1i(at("n"), 1);
        gl::Uniform1f(at("before"), 1);
        gl::Uniform1f(at("s[1].a"), 2);
        gl::Uniform1d(at("s[1].inner[1].d"), 4);
        gl::Uniform1f(at("s[1].inner[1].f"), 8);
        gl::Uniform3f(at("s[1].v"), 0, 0, 16);
        gl::Uniform2d(at("s[1].e"), 0, 32);
        gl::Uniform1f(at("s[1].z"), 64);
        gl::Uniform1f(at("behind"), 128);
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw_fullscreen(program);
        expect_near(pixel_float(0, 0), {3 + 2048, 12 + 4096, 48 + 32768, 192 + 65536}, 0.0F);
    }
}

TEST_F(UniformTest, UniformsOfBothStages) {
    const GLuint program =
        vs_fs("uniform float x; uniform vec4 both; flat out vec4 v; void main() { v "
              "= both * x; gl_Position = vec4(0, 0, 0, 1); }",
              "uniform vec4 both; uniform float y; flat in vec4 v; out vec4 "
              "result; void main() { result = v + both * y; }");
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    set_uniform(program, "x", 10.0F);
    set_uniform(program, "y", 100.0F);
    set_uniform(program, "both", Float4{1, 2, 3, 4});
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_near(pixel_float(0, 0), {110, 220, 330, 440}, 0.0F);
}

TEST_F(UniformTest, Std140Layout) {
    // Offsets by the rules of section 2.11.4: float 0, vec3 16, float[2] 32 (stride 16), mat2 64
    // (stride 16), vec2 96, int 104.
    std::array<float, 28> block{};
    block[0] = 1;
    block[4] = 2;
    block[5] = 3;
    block[6] = 4;
    block[8] = 5;
    block[12] = 6;
    block[16] = 7;
    block[17] = 8;
    block[20] = 9;
    block[21] = 10;
    block[24] = 11;
    block[25] = 12;
    const int thirteen = 13;
    std::memcpy(&block[26], &thirteen, 4);
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, sizeof(block), block.data());
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    const std::string declaration =
        "layout(std140) uniform Block { float a; vec3 b; float c[2]; mat2 "
        "d; vec2 e; int f; };";
    expect_near(evaluate(declaration, "vec4(a, b)"), {1, 2, 3, 4}, 0);
    expect_near(evaluate(declaration, "vec4(c[0], c[1], d[0])"), {5, 6, 7, 8}, 0);
    expect_near(evaluate(declaration, "vec4(d[1], e)"), {9, 10, 11, 12}, 0);
    expect_near(evaluate(declaration, "vec4(f)"), {13, 13, 13, 13}, 0);
}

TEST_F(UniformTest, RowMajorBlockMatrix) {
    std::array<float, 16> block{};
    for (size_t i = 0; i < 16; ++i) {
        block[i] = static_cast<float>(i);
    }
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, sizeof(block), block.data());
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    expect_near(evaluate("layout(std140, row_major) uniform Block { mat4 m; };", "m[1]"),
                {1, 5, 9, 13}, 0);
    expect_near(evaluate("layout(std140) uniform Block { mat4 m; };", "m[1]"), {4, 5, 6, 7}, 0);
}

TEST_F(UniformTest, BlockRanges) {
    GLint alignment = 0;
    gl::GetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    ASSERT_GT(alignment, 0);
    ASSERT_LE(alignment, 256);
    std::vector<float> data(256 * 4);
    for (size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<float>(i);
    }
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, data);
    for (GLintptr offset = 0; offset < 4096; offset += 256 * 5) {
        gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, offset, 16);
        const float first = static_cast<float>(offset) / 4;
        expect_near(evaluate("layout(std140) uniform Block { vec4 a; };", "a"),
                    {first, first + 1, first + 2, first + 3}, 0);
    }
}

TEST_F(UniformTest, TwelveBlocksInAStage) {
    std::string declarations;
    std::string sum = "vec4(0)";
    for (GLuint i = 0; i < 12; ++i) {
        const std::string n = std::to_string(i);
        declarations += "layout(std140) uniform B" + n + " { vec4 v" + n + "; };\n";
        sum += " + v" + n;
        const std::vector<float> data{static_cast<float>(1U << i), 1, 0, static_cast<float>(i)};
        gl::BindBufferBase(GL_UNIFORM_BUFFER, i + 3, make_buffer(GL_UNIFORM_BUFFER, data));
    }
    const Float4 value = evaluate(declarations, sum, [](GLuint program) {
        for (GLuint i = 0; i < 12; ++i) {
            bind_block(program, ("B" + std::to_string(i)).c_str(), i + 3);
        }
    });
    expect_near(value, {4095, 12, 0, 66}, 0);
}

TEST_F(UniformTest, BlocksInVertexAndFragmentStage) {
    const GLuint program = vs_fs(
        "layout(std140) uniform A { vec4 a; }; layout(std140) uniform Shared { vec4 s; }; flat "
        "out vec4 v; void main() { v = a + s; gl_Position = vec4(0, 0, 0, 1); }",
        "layout(std140) uniform Shared { vec4 s; }; layout(std140) uniform B { vec4 b; }; flat "
        "in vec4 v; out vec4 result; void main() { result = v * b + s; }");
    bind_block(program, "A", 0);
    bind_block(program, "B", 1);
    bind_block(program, "Shared", 2);
    for (GLuint i = 0; i < 3; ++i) {
        const float value = static_cast<float>(i + 2);
        gl::BindBufferBase(
            GL_UNIFORM_BUFFER, i,
            make_buffer(GL_UNIFORM_BUFFER, std::vector<float>{value, value, value, value}));
    }
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1);
    expect_near(pixel_float(0, 0), {22, 22, 22, 22}, 0);
}

TEST_F(UniformTest, BlockArrayIndexedByConstant) {
    for (GLuint i = 0; i < 3; ++i) {
        const float value = static_cast<float>(i + 1);
        gl::BindBufferBase(
            GL_UNIFORM_BUFFER, i,
            make_buffer(GL_UNIFORM_BUFFER, std::vector<float>{value, value, value, value}));
    }
    const Float4 value =
        evaluate("layout(std140) uniform Block { vec4 a; } blocks[3];",
                 "blocks[0].a + blocks[1].a * 10.0 + blocks[2].a * 100.0", [](GLuint program) {
                     for (GLuint i = 0; i < 3; ++i) {
                         bind_block(program, ("Block[" + std::to_string(i) + "]").c_str(), i);
                     }
                 });
    expect_near(value, {321, 321, 321, 321}, 0);
}

TEST_F(UniformTest, UpdatesBetweenDrawsAreOrdered) {
    const GLuint program = vs_fs(
        "uniform float x; void main() { gl_Position = vec4(x, 0, 0, 1); }",
        "layout(std140) uniform Block { vec4 a; }; out vec4 result; void main() { result = a; }");
    bind_block(program, "Block", 0);
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, 16, nullptr, GL_DYNAMIC_DRAW);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    make_target({64, 1});
    bind_new_vao();
    gl::UseProgram(program);
    const GLint x = gl::GetUniformLocation(program, "x");
    for (int i = 0; i < 64; ++i) {
        const Float4 colour{static_cast<float>(i * 4) / 255.0F, 0,
                            static_cast<float>(255 - i) / 255.0F, 1};
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(colour), colour.data());
        gl::Uniform1f(x, (static_cast<float>(i) + 0.5F) / 32.0F - 1.0F);
        gl::DrawArrays(GL_POINTS, 0, 1);
    }
    const Picture picture = read_picture(64, 1);
    for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(picture.at(i, 0)[0], i * 4);
        EXPECT_EQ(picture.at(i, 0)[2], 255 - i);
    }
}

TEST_F(UniformTest, LargestBlock) {
    GLint size = 0;
    gl::GetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &size);
    const size_t count = static_cast<size_t>(std::min(size, 65536)) / 16;
    std::vector<float> data(count * 4);
    for (size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<float>(i);
    }
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, make_buffer(GL_UNIFORM_BUFFER, data));
    const Float4 value = evaluate("layout(std140) uniform Block { vec4 a[" + std::to_string(count) +
                                      "]; }; uniform int last;",
                                  "a[last]", [&](GLuint program) {
                                      gl::Uniform1i(gl::GetUniformLocation(program, "last"),
                                                    static_cast<int>(count) - 1);
                                  });
    expect_near(value,
                {static_cast<float>(count * 4 - 4), static_cast<float>(count * 4 - 3),
                 static_cast<float>(count * 4 - 2), static_cast<float>(count * 4 - 1)},
                0);
}

TEST_F(UniformTest, ManyDefaultUniforms) {
    std::string sum = "vec4(0)";
    for (int i = 0; i < 128; i += 8) {
        sum += " + big[" + std::to_string(i) + "]";
    }
    const Float4 value = evaluate("uniform vec4 big[128];", sum, [](GLuint program) {
        std::vector<float> data(512);
        for (size_t i = 0; i < 128; ++i) {
            data[i * 4] = static_cast<float>(i);
            data[i * 4 + 3] = 1;
        }
        gl::Uniform4fv(gl::GetUniformLocation(program, "big"), 128, data.data());
    });
    expect_near(value, {960, 0, 0, 16}, 0);
}

// Without a stated layout GL says only how to ask for one; other drivers of Mesa leave no gaps, and
// programs lean on that.
TEST_F(UniformTest, BlockWithoutLayoutIsDense) {
    make_target({1, 1, GL_RGBA32F});
    const GLuint program = vs_fs(
        kFullscreenVs, "uniform Block { float a[5]; vec3 b; float c; mat3 m; vec2 d[2]; }; uniform "
                       "int i; out vec4 result; "
                       "void main() { result = vec4(a[i], b.z + c, m[i - 1].y, d[i - 2].y); }");
    const std::array<const char*, 5> names{"a", "b", "c", "m", "d"};
    std::array<GLuint, 5> indices{};
    std::array<GLint, 5> offsets{}, strides{}, columns{};
    gl::GetUniformIndices(program, 5, names.data(), indices.data());
    gl::GetActiveUniformsiv(program, 5, indices.data(), GL_UNIFORM_OFFSET, offsets.data());
    gl::GetActiveUniformsiv(program, 5, indices.data(), GL_UNIFORM_ARRAY_STRIDE, strides.data());
    gl::GetActiveUniformsiv(program, 5, indices.data(), GL_UNIFORM_MATRIX_STRIDE, columns.data());
    GLint size = 0;
    gl::GetActiveUniformBlockiv(program, gl::GetUniformBlockIndex(program, "Block"),
                                GL_UNIFORM_BLOCK_DATA_SIZE, &size);
    EXPECT_EQ(strides[0], 4);
    EXPECT_EQ(strides[4], 8);
    ASSERT_LE(size, 256);
    std::array<float, 64> data{};
    const auto at = [&](size_t which, int bytes) -> float& {
        return data.at(static_cast<size_t>(offsets.at(which) + bytes) / 4);
    };
    for (int i = 0; i < 5; ++i) {
        at(0, i * strides[0]) = static_cast<float>(i + 1);
    }
    at(1, 8) = 10;
    at(2, 0) = 100;
    for (int i = 0; i < 3; ++i) {
        at(3, i * columns[3] + 4) = static_cast<float>(20 + i);
    }
    at(4, 4) = 31;
    at(4, strides[4] + 4) = 32;
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, sizeof(data), data.data());
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    bind_block(program, "Block", 0);
    for (const int i : {2, 3}) {
        set_uniform(program, "i", i);
        draw_fullscreen(program);
        expect_near(pixel_float(0, 0),
                    {static_cast<float>(i + 1), 110, static_cast<float>(19 + i),
                     static_cast<float>(29 + i)},
                    0);
    }
}

// A program without uniforms is the first to draw in a command buffer; the one behind it, of the
// same pipeline layout, has its block from an earlier command buffer.
TEST_F(UniformTest, BlocksAreThereInEachCommandBuffer) {
    const GLuint plain =
        vs_fs(kFullscreenVs, "out vec4 result; void main() { result = vec4(1, 0, 0, 1); }");
    const GLuint program =
        vs_fs(kFullscreenVs, "layout(std140) uniform Block { vec4 colour; }; out vec4 result; "
                             "void main() { result = colour; }");
    bind_block(program, "Block", 0);
    const std::array<float, 4> green{0, 1, 0, 1};
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0,
                       make_buffer(GL_UNIFORM_BUFFER, sizeof(green), green.data()));
    make_target({4, 4});
    for (int i = 0; i < 3; ++i) {
        draw_fullscreen(plain);
        draw_fullscreen(program);
        expect_pixel(0, 0, kGreen); // the read-back ends the command buffer
    }
}

// OpenGL 4.5, 7.13 and 8.11: the queries with a size have no suffix.
TEST_F(UniformTest, QueriesWithASize) {
    const GLuint program =
        vs_fs("void main() { gl_Position = vec4(0); }", "uniform vec2 a; out vec4 color;\n"
                                                        "void main() { color = a.xyxy; }");
    gl::UseProgram(program);
    const GLint location = gl::GetUniformLocation(program, "a");
    gl::Uniform2f(location, 0.5F, -3);
    std::array<GLdouble, 3> values{7, 7, 7};
    gl::GetnUniformdv(program, location, 2 * sizeof(GLdouble), values.data());
    EXPECT_EQ(values, (std::array<GLdouble, 3>{0.5, -3, 7}));
    gl::GetnUniformdv(program, location, sizeof(GLdouble), values.data());
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));

    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    const std::array<GLubyte, 4> texel{1, 2, 3, 4};
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    std::array<GLubyte, 4> read{};
    gl::GetnTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, read.size(), read.data());
    EXPECT_EQ(read, texel);
    gl::DeleteTextures(1, &texture);
}

} // namespace
} // namespace kobalt::gltest
