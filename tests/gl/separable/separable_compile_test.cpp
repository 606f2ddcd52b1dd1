// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Programs of one stage each that were never compiled before, in program pipelines.
#include "compile.h"
#include "separable.h"

namespace kobalt::gltest {
namespace {

class SeparableCompileTest : public PipelineTestOf<CompileTest> {
protected:
    static GLuint separable(GLenum type, const std::string& body) {
        return separable_of(type, kSeparableHeader + kFreshUniform + body);
    }
    /// A new program each time; `body` writes its outputs.
    static GLuint vertex_program(const std::string& declarations, const std::string& body) {
        return separable(GL_VERTEX_SHADER,
                         "out gl_PerVertex { vec4 gl_Position; };\n" + declarations +
                             "void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, "
                             "gl_VertexID & 2) * 2.0 - 1.0, " +
                             fresh_zero() + ", 1); " + body + " }");
    }
    void use_both(GLuint vertex, GLuint fragment) const {
        use(GL_VERTEX_SHADER_BIT, vertex);
        use(GL_FRAGMENT_SHADER_BIT, fragment);
    }
};

TEST_F(SeparableCompileTest, DrawsDirectlyAfterCreation) {
    for (int i = 0; i < 6; ++i) {
        const GLuint vertex = vertex_program("layout(location = 0) out float red;\n", "red = 0.2;");
        const GLuint fragment = separable(
            GL_FRAGMENT_SHADER, "layout(location = 0) in float red; out vec4 result; void main() { "
                                "result = vec4(red, " +
                                    std::to_string(i) + ".0 / 255.0, " + fresh_zero() + ", 1); }");
        use_both(vertex, fragment);
        draw({51, static_cast<std::uint8_t>(i), 0, 255});
    }
    expect_drawn();
}

// OpenGL 4.6, 7.4.1: an input that no output matches has an undefined value; all else is as ever.
TEST_F(SeparableCompileTest, InputsThatNobodyWrites) {
    std::vector<GLuint> vertex;
    for (const auto& [declarations, body] :
         {std::pair{"layout(location = 0) out vec4 a;\n", "a = vec4(0.2, 0.4, 0.6, 1);"},
          {"layout(location = 2) out vec4 c; layout(location = 0) out vec4 a;\n",
           "a = vec4(0.2, 0.4, 0.6, 1); c = vec4(1);"},
          {"layout(location = 0) out vec4 a; layout(location = 3) out vec2 d[2];\n",
           "a = vec4(0.2, 0.4, 0.6, 1); d[0] = d[1] = vec2(1);"}}) {
        vertex.push_back(vertex_program(declarations, body));
    }
    std::vector<GLuint> fragment;
    for (const auto& [declaration, unknown] :
         {std::pair{"layout(location = 1) in vec4 b;\n", "b.x"},
          {"layout(location = 1) flat in vec2 b;\n", "b.y"},
          {"layout(location = 5) in vec4 b[3];\n", "b[2].w"}}) {
        fragment.push_back(separable(
            GL_FRAGMENT_SHADER, std::string(declaration) +
                                    "layout(location = 0) in vec4 a; out vec4 result; void main() "
                                    "{ result = vec4(a.xy, " +
                                    unknown + ", 1.0 + " + fresh_zero() + "); }"));
    }
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 9; ++i) {
            use_both(vertex.at(static_cast<size_t>(i) / 3),
                     fragment.at(static_cast<size_t>(i) % 3));
            draw({});
        }
    }
    for (int i = 0; i < 18; ++i) {
        const Byte4 seen = pixel(i, 0);
        EXPECT_NEAR(seen[0], 51, 1) << i;
        EXPECT_NEAR(seen[1], 102, 1) << i;
        EXPECT_EQ(seen[3], 255) << i;
    }
}

// What stands in for the output has to have the input's type
// (VUID-RuntimeSpirv-OpEntryPoint-07754).
TEST_F(SeparableCompileTest, IntegerInputsThatNobodyWrites) {
    const GLuint vertex = vertex_program("layout(location = 0) out float red;\n", "red = 0.2;");
    for (const char* type : {"int", "uint", "ivec3"}) {
        use_both(vertex,
                 separable(GL_FRAGMENT_SHADER,
                           "layout(location = 0) in float red; layout(location = 1) flat in " +
                               std::string(type) +
                               " b[2]; out vec4 result; void main() { result = vec4(red, 1, "
                               "float(" +
                               (type == std::string("ivec3") ? "b[1].z" : "b[1]") + "), 1.0 + " +
                               fresh_zero() + "); }"));
        draw({});
    }
    for (int i = 0; i < 3; ++i) {
        const Byte4 seen = pixel(i, 0);
        EXPECT_NEAR(seen[0], 51, 1) << i;
        EXPECT_EQ(seen[1], 255) << i;
        EXPECT_EQ(seen[3], 255) << i;
    }
}

} // namespace
} // namespace kobalt::gltest
