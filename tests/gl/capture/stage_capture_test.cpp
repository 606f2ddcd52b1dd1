// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What a stage hands to transform feedback, and what is told of it.
#include "stage_interface.h"

namespace kobalt::gltest {
namespace {

// GL 4.6, 7.3.1.1: each array within is a variable.
TEST_F(StageInterfaceTest, ArraysOfArraysAreCaptured) {
    const char* const writes = "for (int i = 0; i < 6; ++i) a[i / 3][i % 3] = float(i);";
    const auto named = capture(captured("out float a[2][3];", writes, {"a[1]"}))[0];
    EXPECT_EQ(std::vector<float>(named.begin(), named.begin() + 4),
              (std::vector<float>{3, 4, 5, -9}));
    const auto placed = capture(captured("layout(xfb_offset = 4) out float a[2][3];", writes))[0];
    EXPECT_EQ(std::vector<float>(placed.begin() + 1, placed.begin() + 7),
              (std::vector<float>{0, 1, 2, 3, 4, 5}));
    const auto member =
        capture(captured("layout(xfb_offset = 0) out B { float a[2][3]; } block;",
                         "for (int i = 0; i < 6; ++i) block.a[i / 3][i % 3] = float(i);"))[0];
    EXPECT_EQ(std::vector<float>(member.begin(), member.begin() + 6),
              (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

// GL 4.6, 11.1.2.1, and GLSL 4.60, 4.4.2.1: they have their places.
TEST_F(StageInterfaceTest, OutputsThatNobodyWritesAreCaptured) {
    const GLuint named = captured("out vec4 a; out vec4 b;", "b = vec4(1, 2, 3, 4);", {"a", "b"});
    EXPECT_EQ(property(named, GL_TRANSFORM_FEEDBACK_BUFFER, 0, GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE),
              32);
    const auto values = capture(named)[0];
    EXPECT_EQ(std::vector<float>(values.begin() + 4, values.begin() + 8),
              (std::vector<float>{1, 2, 3, 4}));
    const GLuint placed = captured(
        "layout(xfb_offset = 0) out vec4 a; layout(xfb_offset = 16) out vec4 b;", "a = vec4(1);");
    EXPECT_EQ(
        property(placed, GL_TRANSFORM_FEEDBACK_BUFFER, 0, GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE), 32);
    captured("out vec4 a;", "", {"a"});
    captured("out B { vec4 a; } block[2];", "", {"B[1].a"});
}

// GLSL 4.60, 4.4.2.1.
TEST_F(StageInterfaceTest, BlocksOfAnArrayAreCapturedInBuffersInARow) {
    const auto values =
        capture(captured("layout(xfb_buffer = 1) out B { layout(xfb_offset = 4) vec2 x; } b[2];",
                         "b[0].x = vec2(1, 2); b[1].x = vec2(3, 4);"),
                4);
    for (const GLuint i : {1U, 2U}) {
        EXPECT_EQ(std::vector<float>(values[i].begin() + 1, values[i].begin() + 4),
                  (std::vector<float>{i * 2 - 1.0F, i * 2.0F, -9}));
    }
    EXPECT_FALSE(accepted(
        {vertex("layout(xfb_buffer = 3, xfb_offset = 0) out B { float x; } b[2]; void main() { "
                "b[0].x = b[1].x = 1; }")}));
}

TEST_F(StageInterfaceTest, DoublesInStructuresAreCapturedWhereTheyAre) {
    const auto values = capture(captured(
        "struct S { float f; double d; float g; }; layout(xfb_offset = 0) out S s; "
        "layout(xfb_offset = 24) out float h;",
        // 2.0 and 3.0, one behind the other
        "s.f = 1; s.d = packDouble2x32(uvec2(0x40000000, 0x40400000)); s.g = 4; h = 5;"))[0];
    EXPECT_EQ(values[0], 1);
    EXPECT_EQ(std::vector<float>(values.begin() + 2, values.begin() + 5),
              (std::vector<float>{2, 3, 4}));
    EXPECT_EQ(values[6], 5);
}

// GL 4.6, 7.3.1.1.
TEST_F(StageInterfaceTest, SpecialNamesOfTransformFeedback) {
    const GLuint program =
        captured("out vec4 a; out vec2 b;", "a = vec4(1); b = vec2(2);",
                 {"a", "gl_SkipComponents2", "gl_NextBuffer", "gl_NextBuffer", "b"});
    for (const GLuint i : {1U, 2U, 3U}) {
        EXPECT_EQ(property(program, GL_TRANSFORM_FEEDBACK_VARYING, i, GL_OFFSET), -1);
        EXPECT_EQ(
            property(program, GL_TRANSFORM_FEEDBACK_VARYING, i, GL_TRANSFORM_FEEDBACK_BUFFER_INDEX),
            -1);
    }
    EXPECT_EQ(
        property(program, GL_TRANSFORM_FEEDBACK_VARYING, 4, GL_TRANSFORM_FEEDBACK_BUFFER_INDEX), 1);
    EXPECT_EQ(property(program, GL_TRANSFORM_FEEDBACK_BUFFER, 0, GL_NUM_ACTIVE_VARIABLES), 1);
    EXPECT_EQ(property(program, GL_TRANSFORM_FEEDBACK_BUFFER, 0, GL_ACTIVE_VARIABLES), 0);
    EXPECT_EQ(property(program, GL_TRANSFORM_FEEDBACK_BUFFER, 1, GL_BUFFER_BINDING), 2);
    EXPECT_EQ(property(program, GL_TRANSFORM_FEEDBACK_BUFFER, 1, GL_ACTIVE_VARIABLES), 4);
    GLint most = 0;
    gl::GetProgramInterfaceiv(program, GL_TRANSFORM_FEEDBACK_BUFFER, GL_MAX_NUM_ACTIVE_VARIABLES,
                              &most);
    EXPECT_EQ(most, 1);
}

} // namespace
} // namespace kobalt::gltest
