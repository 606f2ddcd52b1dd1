// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where the members of storage blocks lie and which of them are listed (GLSL 4.60, 4.4.5; OpenGL
// 4.6, 7.3.1.1 and 7.6.2.2).
#include <algorithm>

#include "compute.h"

namespace kobalt::gltest {
namespace {

class BlockLayoutTest : public ComputeTest {
protected:
    Missing missing() const override {
        return first_of({ComputeTest::missing(), lacks(4, 4, "GL_ARB_enhanced_layouts")});
    }
};

/// A compute program whose block is `members`, laid out by `layout`, with `body` in main.
GLuint with_block(const std::string& layout, const std::string& members, const std::string& body) {
    return compute("#extension GL_ARB_enhanced_layouts : require\n"
                   "layout(local_size_x = 1) in;\n"
                   "layout(binding = 0, " +
                   layout + ") buffer Block { " + members + " };\nvoid main() { " + body + " }\n");
}

GLint offset_of(GLuint program, const char* member) {
    const GLuint index = gl::GetProgramResourceIndex(program, GL_BUFFER_VARIABLE, member);
    if (index == GL_INVALID_INDEX)
        return -1;
    const GLenum property = GL_OFFSET;
    GLint offset = -2;
    gl::GetProgramResourceiv(program, GL_BUFFER_VARIABLE, index, 1, &property, 1, nullptr, &offset);
    return offset;
}

std::vector<std::string> listed_members(GLuint program) {
    GLint count = 0;
    gl::GetProgramInterfaceiv(program, GL_BUFFER_VARIABLE, GL_ACTIVE_RESOURCES, &count);
    std::vector<std::string> names;
    for (GLint i = 0; i < count; ++i) {
        std::array<char, 64> name{};
        gl::GetProgramResourceName(program, GL_BUFFER_VARIABLE, static_cast<GLuint>(i), 64, nullptr,
                                   name.data());
        names.emplace_back(name.data());
    }
    std::ranges::sort(names);
    return names;
}

TEST_F(BlockLayoutTest, LastArrayWithAnOffset) {
    const GLuint program = with_block("std430", "uint head; layout(offset = 32) uvec2 rest[];",
                                      "head = uint(rest.length()); rest[1] = uvec2(5, 6);");
    EXPECT_EQ(offset_of(program, "rest[0]"), 32);
    const GLuint buffer = storage(0, Words(14));
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 14), (Words{3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 0, 0}));
}

TEST_F(BlockLayoutTest, LastArrayWithAnAlignment) {
    const GLuint program =
        with_block("std140", "uint head; layout(align = 64) uint rest[];", "rest[0] = head;");
    EXPECT_EQ(offset_of(program, "rest[0]"), 64);
}

TEST_F(BlockLayoutTest, AlignmentsBelowThatOfTheType) {
    const GLuint program = with_block(
        "std430", "uint a; layout(align = 2) uvec4 b; layout(align = 4) uint c; uvec2 d;",
        "b = uvec4(1, 2, 3, 4); c = 5; d = uvec2(6, 7); a = 8;");
    EXPECT_EQ(offset_of(program, "b"), 16);
    EXPECT_EQ(offset_of(program, "c"), 32);
    EXPECT_EQ(offset_of(program, "d"), 40);
    const GLuint buffer = storage(0, Words(12));
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 12), (Words{8, 0, 0, 0, 1, 2, 3, 4, 5, 0, 6, 7}));
}

// By rows the matrix of two columns and four rows takes 64 bytes, by columns 32.
TEST_F(BlockLayoutTest, ColumnMajorMembersOfRowMajorBlocks) {
    const GLuint aligned = with_block("std140, row_major",
                                      "layout(column_major) mat2x4 m; layout(align = 4) uint next;",
                                      "m[1][3] = 1.0; next = 7;");
    EXPECT_EQ(offset_of(aligned, "next"), 32);
    const GLuint buffer = storage(0, Words(17));
    gl::UseProgram(aligned);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 2, 7), (Words{bits_of(1.0F), 7}));
    const GLuint placed =
        with_block("std140, row_major",
                   "layout(column_major) mat2x4 m; layout(offset = 32) uint next;", "next = 7;");
    EXPECT_EQ(offset_of(placed, "next"), 32);
}

// A member's offset that isn't a multiple of eight was refused as one of transform feedback.
TEST_F(BlockLayoutTest, AlignedDoublesOfVertexShaders) {
    if (lacks(4, 4) || get(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) < 1)
        GTEST_SKIP() << "vertex shaders have no storage blocks, or no doubles";
    const GLuint program = link({{GL_VERTEX_SHADER, R"(#version 440 core
            layout(std140, binding = 0) buffer Block { float a; layout(align = 1) double b; };
            void main() { gl_Position = vec4(a + float(b)); })"},
                                 {GL_FRAGMENT_SHADER, R"(#version 440 core
            void main() {})"}});
    EXPECT_EQ(offset_of(program, "b"), 8);
}

TEST_F(BlockLayoutTest, ArraysOfSeveralBlocksAreListedByTheirFirstElements) {
    const GLuint program = compute(R"(
        layout(local_size_x = 1) in;
        struct Pair { uint x; uint y; };
        layout(std430, binding = 0) buffer First { Pair pairs[3]; Pair last[3]; } first;
        layout(std430, binding = 1) buffer Second { Pair pairs[3]; uvec4 one; uint two; Pair last[3]; } second;
        void main() {
            first.pairs[0].x = first.pairs[2].y + second.pairs[1].y + first.last[2].x;
            second.one.y = second.two + second.last[1].x;
        })");
    EXPECT_EQ(listed_members(program),
              (std::vector<std::string>{"First.last[0].x", "First.last[0].y", "First.pairs[0].x",
                                        "First.pairs[0].y", "Second.last[0].x", "Second.last[0].y",
                                        "Second.one", "Second.pairs[0].x", "Second.pairs[0].y",
                                        "Second.two"}));
}

// Without an instance name the members are variables of their own, the last one first.
TEST_F(BlockLayoutTest, ArraysOfBlocksWithoutInstanceNamesAreListedByTheirFirstElements) {
    const GLuint program = with_block(
        "std430", "uint a; uint first[2][3]; uint b; uint second[3][2]; uint last[2][2];",
        "a = first[0][2] + b + second[1][1] + last[1][0];");
    EXPECT_EQ(listed_members(program),
              (std::vector<std::string>{"a", "b", "first[0][0]", "last[0][0]", "second[0][0]"}));
    EXPECT_EQ(offset_of(program, "second[0][0]"), 32);
}

} // namespace
} // namespace kobalt::gltest
