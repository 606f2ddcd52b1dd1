// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_direct_state_access sets and returns the state of vertex arrays as the commands on bound
// arrays do.
#include "support.h"

namespace kobalt::gltest {
namespace {

class DsaArrayTest : public CompatTest {
protected:
    Missing missing() const override { return lacks("GL_EXT_direct_state_access"); }
    static GLint integer(GLenum what) {
        GLint value = -1;
        gl::GetIntegerv(what, &value);
        return value;
    }
};

// The sizes of a secondary colour are 3 and GL_BGRA; it has three components at first (OpenGL 4.6
// compatibility, table 23.4).
TEST_F(DsaArrayTest, DefaultOfTheSecondaryColour) {
    const auto reset = gl_function<PFNGLCLIENTATTRIBDEFAULTEXTPROC>("glClientAttribDefaultEXT");
    const auto push =
        gl_function<PFNGLPUSHCLIENTATTRIBDEFAULTEXTPROC>("glPushClientAttribDefaultEXT");
    const auto pop = gl_function<decltype(&glPopClientAttrib)>("glPopClientAttrib");
    EXPECT_EQ(integer(GL_SECONDARY_COLOR_ARRAY_SIZE), 3);
    reset(GL_CLIENT_VERTEX_ARRAY_BIT);
    EXPECT_EQ(integer(GL_SECONDARY_COLOR_ARRAY_SIZE), 3);
    push(GL_CLIENT_VERTEX_ARRAY_BIT);
    EXPECT_EQ(integer(GL_SECONDARY_COLOR_ARRAY_SIZE), 3);
    pop();
}

// A name that was generated becomes an array with the first command that names it.
TEST_F(DsaArrayTest, DivisorOfANameThatWasNeverBound) {
    const auto set = gl_function<PFNGLVERTEXARRAYVERTEXATTRIBDIVISOREXTPROC>(
        "glVertexArrayVertexAttribDivisorEXT");
    const auto get =
        gl_function<PFNGLGETVERTEXARRAYINTEGERI_VEXTPROC>("glGetVertexArrayIntegeri_vEXT");
    GLuint array = 0;
    gl::GenVertexArrays(1, &array);
    set(array, 2, 5);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    GLint divisor = 0;
    get(array, 2, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &divisor);
    EXPECT_EQ(divisor, 5);
}

// What is returned is what glGetIntegerv returns of the bound array.
TEST_F(DsaArrayTest, SizesOfSwappedColours) {
    const auto set = gl_function<PFNGLVERTEXARRAYCOLOROFFSETEXTPROC>("glVertexArrayColorOffsetEXT");
    const auto set_second = gl_function<PFNGLVERTEXARRAYSECONDARYCOLOROFFSETEXTPROC>(
        "glVertexArraySecondaryColorOffsetEXT");
    const auto get = gl_function<PFNGLGETVERTEXARRAYINTEGERVEXTPROC>("glGetVertexArrayIntegervEXT");
    const GLuint array = bind_new_vao();
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<Byte4>(4));
    for (const auto& [size, second] : {std::pair{GL_BGRA, GL_BGRA}, {4, 3}}) {
        set(array, buffer, size, GL_UNSIGNED_BYTE, 4, 0);
        set_second(array, buffer, second, GL_UNSIGNED_BYTE, 4, 0);
        for (const auto& [what, expected] :
             {std::pair{GL_COLOR_ARRAY_SIZE, size}, {GL_SECONDARY_COLOR_ARRAY_SIZE, second}}) {
            GLint found = -1;
            get(array, static_cast<GLenum>(what), &found);
            EXPECT_EQ(found, expected);
            EXPECT_EQ(integer(static_cast<GLenum>(what)), expected);
        }
    }
}

} // namespace
} // namespace kobalt::gltest
