// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What programs say of their resources (OpenGL 4.6 and ES 3.2, 7.3.1).
#include "separable.h"

namespace kobalt::gltest {
namespace {

void expect_error(int error) {
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error));
}

/// What is asked for, in room for as many values as `count` and more, which stay -7.
struct Answer {
    std::vector<GLint> values;
    GLsizei length;
    bool operator==(const Answer&) const = default;
};

Answer asked(GLuint program, GLenum interface, const char* name, const std::vector<GLenum>& what,
             GLsizei count) {
    const GLuint index = gl::GetProgramResourceIndex(program, interface, name);
    Answer answer{std::vector<GLint>(8, -7), -7};
    gl::GetProgramResourceiv(program, interface, index, static_cast<GLsizei>(what.size()),
                             what.data(), count, &answer.length, answer.values.data());
    return answer;
}

class ProgramQueryTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    static constexpr const char* kBlock = R"(#version 460 core
uniform Block { vec4 a; vec4 b; vec4 c; }; uniform vec4 single;
void main() { gl_Position = a + b + c + single; })";
};

class ProgramQueryEsTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 3, 2, false}; }
};

TEST_F(ProgramQueryTest, ErrorsChangeNothing) {
    const GLuint program = link({{GL_VERTEX_SHADER, kBlock}});
    const Answer nothing{std::vector<GLint>(8, -7), -7};
    EXPECT_EQ(asked(program, GL_UNIFORM, "single", {GL_TYPE, GL_BUFFER_BINDING}, 4), nothing);
    expect_error(GL_INVALID_OPERATION);
    // Also where it doesn't fit any more.
    EXPECT_EQ(asked(program, GL_UNIFORM, "single", {GL_TYPE, GL_BUFFER_BINDING}, 1), nothing);
    expect_error(GL_INVALID_OPERATION);
    EXPECT_EQ(asked(program, GL_UNIFORM, "single", {GL_TYPE, GL_RGBA}, 4), nothing);
    expect_error(GL_INVALID_ENUM);
}

TEST_F(ProgramQueryTest, SeveralValuesOfAProperty) {
    const GLuint program = link({{GL_VERTEX_SHADER, kBlock}});
    const std::vector<GLenum> properties{GL_ACTIVE_VARIABLES, GL_BUFFER_DATA_SIZE};
    Answer all = asked(program, GL_UNIFORM_BLOCK, "Block", properties, 8);
    EXPECT_EQ(all.length, 4);
    EXPECT_EQ(all.values[3], 48);
    EXPECT_EQ(all.values[4], -7);
    for (size_t i = 0; i < 3; ++i) {
        const std::array<const char*, 3> names{"a", "b", "c"};
        const GLuint index = gl::GetProgramResourceIndex(program, GL_UNIFORM, names.at(i));
        EXPECT_TRUE(
            std::count(all.values.begin(), all.values.begin() + 3, static_cast<GLint>(index)) == 1);
    }
    // No more than there is room for.
    const Answer some = asked(program, GL_UNIFORM_BLOCK, "Block", properties, 2);
    std::fill(all.values.begin() + 2, all.values.end(), -7);
    EXPECT_EQ(some, (Answer{all.values, 2}));
}

TEST_F(ProgramQueryTest, NamesWithoutRoom) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 460 core\nuniform vec4 list[2];\n"
                                 "void main() { gl_Position = list[0] + list[1]; }"}});
    std::array<char, 4> name{'?', '?', '?', '?'};
    GLsizei length = -7;
    gl::GetProgramResourceName(program, GL_UNIFORM, 0, 0, &length, name.data());
    expect_error(GL_NO_ERROR);
    EXPECT_EQ(name[0], '?');
    EXPECT_EQ(length, 0);
}

// GL_ARB_explicit_uniform_location.
TEST_F(ProgramQueryTest, NamesOfIndicesWithoutASubroutine) {
    const GLuint program = link({{GL_VERTEX_SHADER, R"(#version 460 core
subroutine vec4 Kind(); subroutine uniform Kind chosen;
layout(index = 5) subroutine(Kind) vec4 one() { return vec4(1); }
layout(index = 2) subroutine(Kind) vec4 two() { return vec4(2); }
void main() { gl_Position = chosen(); })"}});
    const auto name_of =
        gl_function<decltype(&glGetActiveSubroutineName)>("glGetActiveSubroutineName");
    for (const auto& [index, wanted] :
         {std::pair{0U, ""}, {1U, ""}, {2U, "two"}, {3U, ""}, {5U, "one"}}) {
        std::array<char, 8> name{'?', 0};
        GLsizei length = -7;
        name_of(program, GL_VERTEX_SHADER, index, name.size(), &length, name.data());
        expect_error(GL_NO_ERROR);
        EXPECT_STREQ(name.data(), wanted) << index;
        EXPECT_EQ(length, static_cast<GLsizei>(std::string(wanted).size()));
    }
    std::array<char, 8> name{'?', 0};
    name_of(program, GL_VERTEX_SHADER, 6, name.size(), nullptr, name.data());
    expect_error(GL_INVALID_VALUE);
    EXPECT_STREQ(name.data(), "?");
}

// GLSL 4.60, 4.4.1 and 4.4.2: how many locations an element takes.
TEST_F(ProgramQueryTest, LocationsOfElements) {
    const auto located = [](GLenum stage, GLenum interface, const std::string& body) {
        const GLuint program = separable_of(stage, "#version 460 core\n" + body);
        EXPECT_NE(program, 0U) << body;
        Int4 found{};
        for (size_t i = 0; i < found.size(); ++i) {
            found.at(i) = gl::GetProgramResourceLocation(
                program, interface, ("list[" + std::to_string(i) + "]").c_str());
        }
        return found;
    };
    for (const auto& [type, component, slots] : {std::tuple{"vec4", ".x", 1},
                                                 {"mat3", "[0].x", 3},
                                                 {"mat2x4", "[0].x", 2},
                                                 {"dvec2", ".x", 1},
                                                 {"dvec3", ".x", 2},
                                                 {"dvec4", ".x", 2},
                                                 {"dmat2", "[0].x", 2},
                                                 {"dmat3", "[0].x", 6}}) {
        SCOPED_TRACE(type);
        const std::string flat = type[0] == 'd' ? "flat " : "";
        const std::string element = "list[2]" + std::string(component);
        const Int4 wanted{2, 2 + slots, 2 + 2 * slots, -1};
        EXPECT_EQ(located(GL_VERTEX_SHADER, GL_PROGRAM_OUTPUT,
                          "layout(location = 2) " + flat + "out " + type +
                              " list[3]; out gl_PerVertex { vec4 gl_Position; };\n"
                              "void main() { gl_Position = vec4(0); for (int i = 0; i < 3; ++i) "
                              "list[i] = " +
                              type + "(1); }"),
                  wanted);
        EXPECT_EQ(located(GL_FRAGMENT_SHADER, GL_PROGRAM_INPUT,
                          "layout(location = 2) " + flat + "in " + type +
                              " list[3]; out vec4 color;\nvoid main() { color = vec4(" + element +
                              "); }"),
                  wanted);
    }
    // Vertices have a location for each column, whatever its type.
    for (const auto& [type, component, slots] :
         {std::tuple{"dvec3", ".x", 1}, {"mat3", "[0].x", 3}, {"mat4", "[0].x", 4}}) {
        EXPECT_EQ(located(GL_VERTEX_SHADER, GL_PROGRAM_INPUT,
                          "layout(location = 2) in " + std::string(type) +
                              " list[3]; out gl_PerVertex { vec4 gl_Position; };\n"
                              "void main() { gl_Position = vec4(list[2]" +
                              component + "); }"),
                  (Int4{2, 2 + slots, 2 + 2 * slots, -1}))
            << type;
    }
}

// What only OpenGL has.
TEST_F(ProgramQueryEsTest, CapturesAndSubroutines) {
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               "#version 320 es\nin vec4 point; uniform vec4 single; out vec4 passed;\n"
               "void main() { gl_Position = point + single; passed = point; }"},
              {GL_FRAGMENT_SHADER, "#version 320 es\nprecision highp float; in vec4 passed;\n"
                                   "out vec4 color; void main() { color = passed; }"}},
             [](GLuint name) {
                 const char* const varying = "passed";
                 gl::TransformFeedbackVaryings(name, 1, &varying, GL_INTERLEAVED_ATTRIBS);
             });
    ASSERT_NE(program, 0U);
    GLint value = -7;
    gl::GetProgramInterfaceiv(program, GL_UNIFORM, GL_MAX_NUM_COMPATIBLE_SUBROUTINES, &value);
    expect_error(GL_INVALID_ENUM);
    EXPECT_EQ(value, -7);
    const Answer nothing{std::vector<GLint>(8, -7), -7};
    for (const auto& [interface, name, property] :
         {std::tuple{GL_TRANSFORM_FEEDBACK_VARYING, "passed", GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE},
          {GL_UNIFORM, "single", GL_NUM_COMPATIBLE_SUBROUTINES},
          {GL_UNIFORM, "single", GL_COMPATIBLE_SUBROUTINES}}) {
        EXPECT_EQ(asked(program, interface, name, {static_cast<GLenum>(property)}, 1), nothing);
        expect_error(GL_INVALID_OPERATION);
    }
    EXPECT_EQ(asked(program, GL_PROGRAM_INPUT, "point", {GL_LOCATION}, 1).length, 1);
}

// 7.3.1.1: the block's name stands once in front of a member, whatever it is an array of.
TEST_F(ProgramQueryTest, MembersOfVaryingBlocks) {
    const char* const text = R"(#version 460 core
struct S { float x; vec2 y; };
layout(location = 0) out Plain { S s[2]; vec2 a[2][3]; } plain;
layout(location = 12) out Several { S s; vec4 v; } several[2];
out gl_PerVertex { vec4 gl_Position; };
void main() {
    for (int i = 0; i < 2; ++i) {
        plain.s[i] = S(1.0, vec2(2.0));
        for (int j = 0; j < 3; ++j) { plain.a[i][j] = vec2(3.0); }
        several[i].s = S(1.0, vec2(2.0));
        several[i].v = vec4(4.0);
    }
    gl_Position = vec4(0);
})";
    const GLuint program = separable_of(GL_VERTEX_SHADER, text);
    for (const auto& [name, type, size] : {std::tuple{"Plain.s[0].x", GL_FLOAT, 1},
                                           {"Plain.s[1].y", GL_FLOAT_VEC2, 1},
                                           {"Plain.a[0]", GL_FLOAT_VEC2, 3},
                                           {"Plain.a[1]", GL_FLOAT_VEC2, 3},
                                           {"Several.s.x", GL_FLOAT, 1},
                                           {"Several.s.y", GL_FLOAT_VEC2, 1},
                                           {"Several.v", GL_FLOAT_VEC4, 1}}) {
        const Answer answer = asked(program, GL_PROGRAM_OUTPUT, name, {GL_TYPE, GL_ARRAY_SIZE}, 8);
        EXPECT_EQ(answer.values[0], type) << name;
        EXPECT_EQ(answer.values[1], size) << name;
        expect_error(GL_NO_ERROR);
    }
}

} // namespace
} // namespace kobalt::gltest
