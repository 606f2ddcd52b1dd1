// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Programs far beyond the limits: they aren't linked. Most of these crashed.
#include "support.h"

namespace kobalt::gltest {
namespace {

const std::string kEs = "#version 320 es\nprecision highp float;\n";

class LinkLimitTest : public EsTest {
protected:
    Missing missing() const override { return lacks(3, 2); }

    static bool alone(GLenum stage, const std::string& text) {
        const std::string whole = kEs + text;
        const char* const source = whole.c_str();
        const GLuint program = gl::CreateShaderProgramv(stage, 1, &source);
        const bool good = did_link(program);
        gl::DeleteProgram(program);
        return good;
    }
};

TEST_F(LinkLimitTest, ArraysOfBlocks) {
    for (const std::string size : {"[70000]", "[40000000]"}) {
        for (const std::string block : {"uniform B { float x; } b", "buffer B { float x; } b"}) {
            EXPECT_FALSE(alone(GL_FRAGMENT_SHADER, block + size + "; void main() {}"))
                << block << size;
        }
    }
    EXPECT_TRUE(alone(GL_FRAGMENT_SHADER, "uniform B { float x; } b[3]; void main() {}"));
}

// Whatever there is no room for isn't placed.
TEST_F(LinkLimitTest, ArraysOfVaryings) {
    for (const std::string size : {"[100]", "[300]", "[1000]"}) {
        for (const std::string type : {"out vec4 a", "out mat4 a"}) {
            EXPECT_FALSE(
                alone(GL_VERTEX_SHADER, type + size + "; void main() { gl_Position = vec4(0); }"))
                << type << size;
        }
        EXPECT_FALSE(alone(GL_FRAGMENT_SHADER, "in vec4 a" + size +
                                                   "; out vec4 c; uniform int i; void main() { c "
                                                   "= a[i]; }"))
            << size;
    }
}

// GLSL 4.60, 4.4.2.1: also where nothing is captured there.
TEST_F(LinkLimitTest, BuffersOfCaptures) {
    const auto desktop = offscreen::Context::create({Profile::Core, 4, 5});
    if (!desktop) {
        GTEST_SKIP() << "no OpenGL 4.5";
    }
    for (const std::string number : {"4", "1000", "2147483647"}) {
        EXPECT_FALSE(compiles(GL_VERTEX_SHADER, "#version 450\nlayout(xfb_buffer = " + number +
                                                    ", xfb_stride = 20) out; void main() {}"))
            << number;
    }
    EXPECT_TRUE(compiles(GL_VERTEX_SHADER, "#version 450\nlayout(xfb_buffer = 3, xfb_stride = 20) "
                                           "out; void main() {}"));
    ASSERT_TRUE(context().make_current());
}

// The least integer by -1 is no number, and ends no program.
TEST_F(LinkLimitTest, DirectivesThatDivideTheLeastInteger) {
    for (const std::string operation : {"/", "%"}) {
        (void)alone(GL_FRAGMENT_SHADER, "#if (-9223372036854775807-1) " + operation +
                                            " -1 > 0\n#endif\nvoid main() {}");
    }
    EXPECT_TRUE(alone(GL_FRAGMENT_SHADER,
                      "#if 7 / -1 != -7 || 7 % -1 != 0\n#error\n#endif\nvoid main() {}"));
}

// ESSL 3.20, 4.3.6: each vertex may have an array, and no array of arrays.
TEST_F(LinkLimitTest, ArraysOfVerticesOfAPatch) {
    const std::string control = "layout(vertices = 3) out; ";
    EXPECT_TRUE(alone(GL_TESS_CONTROL_SHADER, control + "out vec4 a[][2]; void main() {}"));
    EXPECT_FALSE(alone(GL_TESS_CONTROL_SHADER, control + "out vec4 a[][2][2]; void main() {}"));
    EXPECT_FALSE(alone(GL_TESS_CONTROL_SHADER, control + "patch out vec4 a[2][2]; void main() {}"));
    EXPECT_FALSE(alone(GL_VERTEX_SHADER, "out vec4 a[2][2]; void main() {}"));
}

// An array without a size gets none from what is refused.
TEST_F(LinkLimitTest, ArraysWithoutASize) {
    for (const std::string what : {"a++", "a += 1", "a <<= 4", "a = 1"}) {
        EXPECT_FALSE(
            alone(GL_FRAGMENT_SHADER, "void main() { int a[]; " + what + "; bool c = (a == a); }"))
            << what;
    }
}

struct Place {
    GLenum stage;
    const char* before;
    const char* declaration;
};

// Locations of inputs and outputs of programs of one stage.
TEST_F(LinkLimitTest, Locations) {
    const char* const geometry = "layout(points) in; layout(points, max_vertices = 1) out;\n";
    const char* const control = "layout(vertices = 3) out;\n";
    const char* const evaluation = "layout(triangles) in;\n";
    const Place places[] = {
        {GL_VERTEX_SHADER, "", "out vec4 a"},
        {GL_FRAGMENT_SHADER, "", "in vec4 a"},
        {GL_GEOMETRY_SHADER, geometry, "in vec4 a[]"},
        {GL_GEOMETRY_SHADER, geometry, "out vec4 a"},
        {GL_TESS_CONTROL_SHADER, control, "in vec4 a[]"},
        {GL_TESS_CONTROL_SHADER, control, "out vec4 a[]"},
        {GL_TESS_CONTROL_SHADER, control, "patch out vec4 a"},
        {GL_TESS_EVALUATION_SHADER, evaluation, "in vec4 a[]"},
        {GL_TESS_EVALUATION_SHADER, evaluation, "patch in vec4 a"},
        {GL_TESS_EVALUATION_SHADER, evaluation, "out vec4 a"},
    };
    for (const Place& place : places) {
        const auto linked = [&](const std::string& location) {
            return alone(place.stage, place.before + ("layout(location = " + location + ") ") +
                                          place.declaration + "; void main() {}");
        };
        EXPECT_TRUE(linked("0")) << place.declaration;
        EXPECT_TRUE(linked("12")) << place.declaration;
        for (const std::string location :
             {"40", "63", "64", "100", "4096", "0x7fffffff", "0x7fffffe0"}) {
            EXPECT_FALSE(linked(location)) << place.declaration << " at " << location;
        }
    }
    const std::string block = ") out B { vec4 a; } b; void main() {}";
    EXPECT_TRUE(alone(GL_VERTEX_SHADER, "layout(location = 12" + block));
    EXPECT_FALSE(alone(GL_VERTEX_SHADER, "layout(location = 100" + block));
    EXPECT_TRUE(alone(GL_VERTEX_SHADER, "layout(location = 28) out vec4 a[2]; void main() {}"));
    EXPECT_FALSE(alone(GL_VERTEX_SHADER, "layout(location = 31) out vec4 a[2]; void main() {}"));
    EXPECT_FALSE(
        alone(GL_FRAGMENT_SHADER, "layout(location = 4294967295u) out vec4 a; void main() {}"));
}

} // namespace
} // namespace kobalt::gltest
