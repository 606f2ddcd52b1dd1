// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// As lax as the drivers that programs were written on: shaders that are wrong by the letter of the
// specification, and that other drivers compile and link all the same. The calls are in
// lax_test.cpp.
#include "support.h"

namespace kobalt::gltest {
namespace {

class LaxShaderTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 5}; }
};

class LaxEsShaderTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 3, 2, false}; }
};

/// A shader without its version.
struct Shader {
    const char* name;
    GLenum stage;
    const char* text;
};

constexpr GLenum kVertex = GL_VERTEX_SHADER;
constexpr GLenum kControl = GL_TESS_CONTROL_SHADER;
constexpr GLenum kEvaluation = GL_TESS_EVALUATION_SHADER;
constexpr GLenum kGeometry = GL_GEOMETRY_SHADER;
constexpr GLenum kFragment = GL_FRAGMENT_SHADER;
constexpr GLenum kCompute = GL_COMPUTE_SHADER;

constexpr Shader kDesktopShaders[] = {
    {"a sample mask in a loop", kFragment,
     "void main() { for (int i = 0; i < 1; ++i) gl_SampleMask[i] = -1; }"},
    {"an aligned uniform", kVertex,
     "layout(align = 16) uniform vec4 a; void main() { gl_Position = a; }"},
    {"a uniform with an offset", kVertex,
     "layout(offset = 16) uniform vec4 a; void main() { gl_Position = a; }"},
    {"an output with an offset", kVertex,
     "layout(offset = 16) out vec4 a; void main() { gl_Position = a = vec4(0); }"},
    {"a location in a uniform block", kVertex,
     "uniform B { layout(location = 1) vec4 a; }; void main() { gl_Position = a; }"},
    {"a location in a storage block", kFragment,
     "buffer B { layout(location = 1) vec4 a; }; out vec4 c; void main() { c = a; }"},
    {"an array without a size in a structure", kVertex, "struct S { float a[]; }; void main() {}"},
    {"counters that overlap", kFragment,
     "layout(binding = 0, offset = 0) uniform atomic_uint a;"
     "layout(binding = 0, offset = 0) uniform atomic_uint b; void main() {}"},
    {"an assignment to a choice", kVertex,
     "uniform bool u; void main() { vec4 a = vec4(0), b = a; (u ? a : b) = a; }"},
    {"an assignment to a constructor", kVertex, "void main() { vec4 a = vec4(0); vec4(a) = a; }"},
    {"an assignment to a function", kVertex,
     "vec4 f() { return vec4(0); } void main() { f() = vec4(1); }"},
};

constexpr Shader kEsShaders[] = {
    {"a sample mask in a loop", kFragment,
     "void main() { for (int i = 0; i < 1; ++i) gl_SampleMask[i] = -1; }"},
    {"outputs in a loop", kFragment,
     "layout(location = 0) out vec4 a[2];"
     "void main() { for (int i = 0; i < 2; ++i) a[i] = vec4(i); }"},
    {"an output at a variable index", kFragment,
     "layout(location = 0) out vec4 a[2]; uniform int i; void main() { a[i] = vec4(0); }"},
    {"unused outputs at one location", kFragment,
     "layout(location = 0) out vec4 a; layout(location = 0) out vec4 b; void main() {}"},
    {"an unused output behind the last location", kFragment,
     "layout(location = 8) out vec4 a; void main() {}"},
    {"depth behind early tests", kFragment,
     "layout(early_fragment_tests) in; void main() { gl_FragDepth = 0.5; }"},
    {"a precision of counters", kFragment, "precision lowp atomic_uint; void main() {}"},
    {"a precision of a function without a value", kFragment, "mediump void f() {} void main() {}"},
    {"another precision of a parameter", kFragment,
     "void f(highp int a); void f(lowp int a) {} void main() { f(1); }"},
    {"an invariant input", kFragment, "in vec4 a; invariant a; void main() {}"},
    {"a variable of type double", kVertex, "void main() { double a; }"},
    {"a shared variable with a value", kCompute, "shared int a = 1; void main() { a = 2; }"},
    {"a shared variable in a function", kCompute, "void main() { shared float a; a = 1.0; }"},
    {"a readonly member as an output", kCompute,
     "void set(out int a) { a = 1; } readonly buffer B { int a; } b; void main() { set(b.a); }"},
    {"an atomic function of a readonly member", kCompute,
     "readonly buffer B { int a; } b; void main() { atomicAdd(b.a, 1); }"},
    {"an unknown component of a gather", kFragment,
     "uniform sampler2D s; out vec4 c; void main() { c = textureGather(s, vec2(0.5), 4); }"},
    {"another vertex's output as an argument", kControl,
     "layout(vertices = 3) out; out vec4 a[]; void take(out vec4 x) { x = vec4(0); }"
     "void main() { take(a[0]); }"},
    {"two members of one name in a structure", kVertex,
     "struct S { int a; float a; }; void main() {}"},
    {"two members of one name in a block", kVertex,
     "uniform B { int a; float a; } b; void main() {}"},
    {"a boolean in an output", kVertex, "struct S { bool a; }; flat out S s; void main() {}"},
    {"a comparison of blocks", kFragment,
     "uniform B { float x; } a[2]; void main() { bool same = a[0] == a[1]; }"},
    {"a member with the name of a function", kVertex,
     "void x() {} uniform B { float x; }; void main() {}"},
    {"a member with the name of a structure", kVertex,
     "struct x { int y; }; uniform B { float x; }; void main() {}"},
    {"an assignment to a choice", kVertex,
     "uniform bool u; void main() { vec4 a = vec4(0), b = a; (u ? a : b) = a; }"},
    {"a definition of __LINE__", kVertex, "\n#define __LINE__ 3\nvoid main() {}"},
    {"a definition of __FILE__", kVertex, "\n#define __FILE__ 3\nvoid main() {}"},
    {"a constant of desktop GLSL", kVertex,
     "void main() { int most = gl_MaxVertexOutputComponents; }"},
    {"a binding of all uniforms", kFragment, "layout(binding = 0) uniform; void main() {}"},
    {"a binding and a layout of all uniforms", kFragment,
     "layout(binding = 0, std140) uniform; void main() {}"},
    {"an offset of all counters", kFragment,
     "layout(offset = 4) uniform atomic_uint; void main() {}"},
    {"a number of vertices on a uniform", kControl,
     "layout(vertices = 3) uniform vec4 a; void main() {}"},
    {"a winding on a block", kEvaluation, "layout(ccw) uniform B { vec4 a; }; void main() {}"},
    {"a number of vertices on a block", kGeometry,
     "layout(max_vertices = 3) uniform B { vec4 a; }; void main() {}"},
    {"a primitive on a member", kGeometry, "uniform B { layout(points) vec4 a; }; void main() {}"},
    {"early tests on all uniforms", kFragment,
     "layout(early_fragment_tests) uniform; void main() {}"},
    {"early tests on a member", kFragment,
     "uniform B { layout(early_fragment_tests) vec4 a; }; void main() {}"},
    {"a size of groups on a uniform", kCompute,
     "layout(local_size_x = 1) uniform vec4 a; void main() {}"},
};

TEST_F(LaxShaderTest, Compiles) {
    for (const Shader& shader : kDesktopShaders) {
        SCOPED_TRACE(shader.name);
        EXPECT_TRUE(compiles(shader.stage, std::string("#version 450 core\n") + shader.text));
    }
    EXPECT_TRUE(compiles(GL_VERTEX_SHADER, "#version 330 core\nvoid main() { double a; }"));
    EXPECT_TRUE(compiles(GL_FRAGMENT_SHADER,
                         "#version 400 core\nvoid main() { for (int i = 0; i < 1; ++i) "
                         "gl_SampleMask[i] = -1; }"));
}

TEST_F(LaxEsShaderTest, Compiles) {
    for (const Shader& shader : kEsShaders) {
        SCOPED_TRACE(shader.name);
        const std::string size = shader.stage == kCompute ? "layout(local_size_x = 1) in;\n" : "";
        EXPECT_TRUE(compiles(shader.stage, "#version 320 es\nprecision highp float;\n"
                                           "precision highp int;\n" +
                                               size + shader.text));
    }
    EXPECT_TRUE(compiles(GL_FRAGMENT_SHADER,
                         "#version 300 es\nlayout(early_fragment_tests) in;\nvoid main() {}"));
    EXPECT_TRUE(compiles(GL_VERTEX_SHADER, "#version 320 es\n#define " + std::string(1025, 'a') +
                                               " 3\n" + "void main() {}"));
}

/// Whether a vertex shader with the outputs a, of 4 floats, and b links with `names` captured.
bool links_with(const std::string& version, const std::vector<const char*>& names) {
    const GLuint program = gl::CreateProgram();
    for (const Stage& stage :
         {Stage{GL_VERTEX_SHADER, version + "out float a[4]; out float b;\nvoid main() { for (int "
                                            "i = 0; i < 4; ++i) a[i] = float(gl_VertexID); b = "
                                            "a[1]; gl_Position = vec4(b); }\n"},
          Stage{GL_FRAGMENT_SHADER, version + "precision highp float; out vec4 result;\n"
                                              "void main() { result = vec4(1); }\n"}}) {
        gl::AttachShader(program, compile(stage));
    }
    gl::TransformFeedbackVaryings(program, static_cast<GLsizei>(names.size()), names.data(),
                                  GL_INTERLEAVED_ATTRIBS);
    gl::LinkProgram(program);
    return did_link(program);
}

TEST_F(LaxShaderTest, CapturesAnElementTwice) {
    EXPECT_TRUE(links_with("#version 450 core\n", {"a", "a[1]"}));
    EXPECT_TRUE(links_with("#version 450 core\n", {"a[1]", "a"}));
}

TEST_F(LaxEsShaderTest, SkipsComponentsAndBuffers) {
    EXPECT_TRUE(links_with("#version 320 es\n", {"a", "gl_SkipComponents1", "b"}));
    EXPECT_TRUE(links_with("#version 320 es\n", {"a", "gl_NextBuffer", "b"}));
}

} // namespace
} // namespace kobalt::gltest
