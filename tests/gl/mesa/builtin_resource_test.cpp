// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What programs tell of the built-in inputs and outputs that they use (OpenGL 4.6, section 7.3.1).
#include <algorithm>

#include "support.h"

namespace kobalt::gltest {
namespace {

/// TYPE, ARRAY_SIZE, LOCATION, IS_PER_PATCH.
using Told = std::array<GLint, 4>;

class BuiltinResourceTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }

    static GLuint separable(GLenum stage, const std::string& text) {
        return link({{stage, "#version 460 core\n" + text}}, [](GLuint program) {
            gl::ProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
        });
    }
    static std::vector<std::string> names(GLuint program, GLenum interface) {
        GLint count = 0;
        gl::GetProgramInterfaceiv(program, interface, GL_ACTIVE_RESOURCES, &count);
        std::vector<std::string> found;
        for (GLint i = 0; i < count; ++i) {
            std::array<char, 64> name{};
            gl::GetProgramResourceName(program, interface, GLuint(i), GLsizei(name.size()), nullptr,
                                       name.data());
            found.emplace_back(name.data());
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    static Told told(GLuint program, GLenum interface, const char* name) {
        static constexpr std::array<GLenum, 4> properties{GL_TYPE, GL_ARRAY_SIZE, GL_LOCATION,
                                                          GL_IS_PER_PATCH};
        Told values{};
        gl::GetProgramResourceiv(program, interface,
                                 gl::GetProgramResourceIndex(program, interface, name),
                                 GLsizei(properties.size()), properties.data(),
                                 GLsizei(values.size()), nullptr, values.data());
        return values;
    }
    static constexpr Told kThree{GL_FLOAT, 3, -1, GL_FALSE}, kTwo{GL_FLOAT, 2, -1, GL_FALSE};
};

TEST_F(BuiltinResourceTest, DistancesAsTheyAreDeclared) {
    const std::string declared = "float gl_ClipDistance[3]; float gl_CullDistance[2]; ";
    const GLuint vertex = separable(
        GL_VERTEX_SHADER, "out gl_PerVertex { vec4 gl_Position; " + declared +
                              "}; void main() { gl_Position = vec4(1); for (int i = 0; i < 3; ++i) "
                              "gl_ClipDistance[i] = 1; gl_CullDistance[1] = 1; }");
    EXPECT_EQ(
        names(vertex, GL_PROGRAM_OUTPUT),
        (std::vector<std::string>{"gl_ClipDistance[0]", "gl_CullDistance[0]", "gl_Position"}));
    EXPECT_EQ(told(vertex, GL_PROGRAM_OUTPUT, "gl_ClipDistance"), kThree);
    EXPECT_EQ(told(vertex, GL_PROGRAM_OUTPUT, "gl_CullDistance[0]"), kTwo);

    const GLuint fragment =
        separable(GL_FRAGMENT_SHADER,
                  "in float gl_ClipDistance[3]; in float gl_CullDistance[2]; out vec4 colour; void "
                  "main() { colour = vec4(gl_ClipDistance[2], gl_CullDistance[1], 0, 1); }");
    EXPECT_EQ(names(fragment, GL_PROGRAM_INPUT),
              (std::vector<std::string>{"gl_ClipDistance[0]", "gl_CullDistance[0]"}));
    EXPECT_EQ(told(fragment, GL_PROGRAM_INPUT, "gl_ClipDistance"), kThree);
    EXPECT_EQ(told(fragment, GL_PROGRAM_INPUT, "gl_CullDistance"), kTwo);
}

// Issue 16 of ARB_program_interface_query: a member's name stands behind its block's.
TEST_F(BuiltinResourceTest, DistancesOfEachVertex) {
    const GLuint geometry = separable(
        GL_GEOMETRY_SHADER,
        "layout(points) in; layout(points, max_vertices = 1) out; in gl_PerVertex { vec4 "
        "gl_Position; float gl_ClipDistance[3]; } gl_in[]; out gl_PerVertex { vec4 gl_Position; }; "
        "void main() { gl_Position = gl_in[0].gl_Position * gl_in[0].gl_ClipDistance[2]; "
        "EmitVertex(); }");
    EXPECT_EQ(
        names(geometry, GL_PROGRAM_INPUT),
        (std::vector<std::string>{"gl_PerVertex.gl_ClipDistance[0]", "gl_PerVertex.gl_Position"}));
    EXPECT_EQ(told(geometry, GL_PROGRAM_INPUT, "gl_PerVertex.gl_ClipDistance"), kThree);
}

TEST_F(BuiltinResourceTest, TessellationLevelsBelongToThePatch) {
    const GLuint evaluation =
        separable(GL_TESS_EVALUATION_SHADER,
                  "layout(quads) in; out gl_PerVertex { vec4 gl_Position; }; void main() { "
                  "gl_Position = vec4(gl_TessLevelOuter[3] + gl_TessLevelInner[1]); }");
    EXPECT_EQ(told(evaluation, GL_PROGRAM_INPUT, "gl_TessLevelOuter"),
              (Told{GL_FLOAT, 4, -1, GL_TRUE}));
    EXPECT_EQ(told(evaluation, GL_PROGRAM_INPUT, "gl_TessLevelInner"),
              (Told{GL_FLOAT, 2, -1, GL_TRUE}));
}

} // namespace
} // namespace kobalt::gltest
