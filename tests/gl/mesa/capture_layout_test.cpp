// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where xfb_offset puts what is captured of blocks and structures with doubles (GLSL 4.60, 4.4.2.1:
// "subsequent components are each assigned, in order, to the next available offset aligned to a
// multiple of that component's size").
#include "support.h"

namespace kobalt::gltest {
namespace {

struct Place {
    const char* name;
    GLint offset; ///< bytes
};

struct Layout {
    const char* declarations;
    const char* statements;
    std::vector<Place> places;
    GLint stride; ///< bytes
};

class CaptureLayoutTest : public GlTest {
protected:
    Missing missing() const override {
        return first_of({lacks(4, 0), lacks(4, 4, "GL_ARB_enhanced_layouts")});
    }
    static GLint property(GLuint program, GLenum interface, GLuint index, GLenum what) {
        GLint value = -1;
        gl::GetProgramResourceiv(program, interface, index, 1, &what, 1, nullptr, &value);
        return value;
    }
};

TEST_F(CaptureLayoutTest, DoublesAmongFloats) {
    const std::vector<Layout> layouts{
        {"layout(xfb_offset = 0) out B { float a; flat double d[2]; };",
         "a = 1.0; d[0] = 2.0lf; d[1] = 3.0lf;",
         {{"a", 0}, {"d", 8}},
         24},
        {"layout(xfb_offset = 0) out B { float a; flat double d; float b; };",
         "a = 1.0; d = 2.0lf; b = 4.0;",
         {{"a", 0}, {"d", 8}, {"b", 16}},
         24},
        {"layout(xfb_offset = 0) out B { float a; float b; flat double d; };",
         "a = 1.0; b = 4.0; d = 2.0lf;",
         {{"a", 0}, {"b", 4}, {"d", 8}},
         16},
        {"struct S { float x; double y; float z; };"
         "layout(xfb_offset = 8) out B { float a; flat S s; float b; };",
         "a = 1.0; s.x = 1.5; s.y = 2.0lf; s.z = 2.5; b = 3.5;",
         {{"a", 8}, {"s.x", 12}, {"s.y", 16}, {"s.z", 24}, {"b", 28}},
         32},
        {"layout(xfb_offset = 0) out B { flat double d; float a; layout(xfb_offset = 12) float b; "
         "float c; };",
         "a = 1.0; b = 4.0; d = 2.0lf; c = 5.0;",
         {{"d", 0}, {"a", 8}, {"b", 12}, {"c", 16}},
         24},
        {"struct S { double d; float f; float g; }; layout(xfb_offset = 0) flat out S s; "
         "layout(xfb_offset = 16) out float z;",
         "s.f = 1.0; s.d = 2.0lf; s.g = 3.0; z = 4.0;",
         {{"s.d", 0}, {"s.f", 8}, {"s.g", 12}, {"z", 16}},
         24},
    };
    for (const Layout& layout : layouts) {
        SCOPED_TRACE(layout.declarations);
        const GLuint program =
            link({{GL_VERTEX_SHADER, std::string("#version 440 core\n") + layout.declarations +
                                         "\nvoid main() { " + layout.statements +
                                         " gl_Position = vec4(0); }"}});
        EXPECT_EQ(
            property(program, GL_TRANSFORM_FEEDBACK_BUFFER, 0, GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE),
            layout.stride);
        for (const auto& [name, offset] : layout.places) {
            const GLuint index =
                gl::GetProgramResourceIndex(program, GL_TRANSFORM_FEEDBACK_VARYING, name);
            EXPECT_EQ(property(program, GL_TRANSFORM_FEEDBACK_VARYING, index, GL_OFFSET), offset)
                << name;
        }
    }
}

} // namespace
} // namespace kobalt::gltest
