// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where members of storage blocks lie (OpenGL 4.6, 7.6.2.2; GLSL 4.60, 4.4.5).
#include "storage_buffer.h"

namespace kobalt::gltest {
namespace {

// The words that a shader finds in each member of one block, by layout.
Words member_words(const std::string& layout) {
    const GLuint program = compute("layout(local_size_x = 1) in;\n"
                                   "struct Inner { uvec2 pair; uint last; };\n"
                                   "layout(" +
                                   layout + R"(, binding = 0) buffer In {
            uint one; uvec3 three; uint four; uint scalars[3];
            layout(row_major) mat2x3 rows; mat2x3 columns; Inner inner[2]; uvec2 rest[];
        };
        layout(std430, binding = 1) buffer Out { uint data[]; };
        uniform int zero;
        void main() {
            uint i = 0u;
            data[i++] = one;
            data[i++] = three.x;
            data[i++] = four;
            data[i++] = scalars[zero];
            data[i++] = scalars[zero + 1];
            data[i++] = floatBitsToUint(rows[0][0]);
            data[i++] = floatBitsToUint(rows[0][1]);
            data[i++] = floatBitsToUint(rows[zero + 1][0]);
            data[i++] = floatBitsToUint(columns[0][0]);
            data[i++] = floatBitsToUint(columns[0][1]);
            data[i++] = floatBitsToUint(columns[zero + 1][0]);
            data[i++] = inner[zero].pair.x;
            data[i++] = inner[zero].last;
            data[i++] = inner[zero + 1].pair.y;
            data[i++] = rest[zero].x;
            data[i++] = rest[zero + 1].x;
            data[i++] = uint(rest.length());
            data[i++] = uint(scalars.length());
        })");
    storage(0, counting(64));
    const GLuint out = storage(1, Words(18));
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    return words_of(out, 18);
}

TEST_F(StorageBufferTest, Std430) {
    // one 0, three 4..6, four 7, scalars 8..10, rows 12.. (3 rows of 2), columns 20.. (2 of 4),
    // inner 28.. (4 each), rest 36..
    EXPECT_EQ(member_words("std430"),
              (Words{0, 4, 7, 8, 9, 12, 14, 13, 20, 21, 24, 28, 30, 33, 36, 38, (64 - 36) / 2, 3}));
}

TEST_F(StorageBufferTest, Std140) {
    // one 0, three 4..6, four 7, scalars 8,12,16, rows 20.. (3 rows of 4), columns 32.. (2 of 4),
    // inner 40.. (4 each), rest 48.. (4 each)
    EXPECT_EQ(member_words("std140"), (Words{0, 4, 7, 8, 12, 20, 24, 21, 32, 33, 36, 40, 42, 45, 48,
                                             52, (64 - 48) / 4, 3}));
}

TEST_F(StorageBufferTest, MembersOfRowMajorMatricesAreWritten) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        layout(std430, binding = 0, row_major) buffer Out { mat3 m; mat2 n[2]; };
        uniform int one;
        void main() {
            m = mat3(1, 2, 3, 4, 5, 6, 7, 8, 9);
            m[one][2] = 60.0;
            n[one] = mat2(1, 2, 3, 4);
            n[one][0] = vec2(10, 20);
        })");
    const GLuint out = storage(0, Words(20));
    gl::UseProgram(program);
    gl::Uniform1i(gl::GetUniformLocation(program, "one"), 1);
    gl::DispatchCompute(1, 1, 1);
    Words expected;
    for (const float f : {1, 4, 7, 0, 2, 5, 8, 0, 3, 60, 9, 0, 0, 0, 0, 0, 10, 3, 20, 4})
        expected.push_back(bits_of(f));
    EXPECT_EQ(words_of(out, 20), expected);
}

// GLSL 4.60, 5.5: the components of a swizzled vector are counted in the swizzle's order.
TEST_F(StorageBufferTest, SwizzledVectorsAreIndexed) {
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 2, make_buffer(GL_UNIFORM_BUFFER, Words{10, 20, 30, 40}));
    const GLuint in = storage(1, {1, 2, 3, 4, 0, 0, 0, 0});
    const GLuint out = storage(0, Words(7, 0));
    gl::UseProgram(compute(R"(
layout(local_size_x = 1) in;
layout(std140, binding = 2) uniform Block { ivec4 u; };
layout(std430, binding = 1) buffer In { ivec4 v; ivec4 written; };
layout(std430, binding = 0) buffer Out { int o[7]; };
shared ivec3 s;
void main() {
    int one = v.x;
    s = ivec3(0);
    s.zx[1] = 7;
    s.yz[one] = 8;
    o = int[7](u.wzyx[0], u.zyx.yz[one], v.yx[1], v.wzy[one], s.zyx[2], s.yx[0], s.xz[one]);
    written.wz[0] = 5;
    written.yx[one] = 6;
})"));
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(out, 7), (Words{40, 10, 1, 3, 7, 0, 8}));
    EXPECT_EQ(words_of(in, 4, 4), (Words{6, 0, 0, 5}));
}

} // namespace
} // namespace kobalt::gltest
