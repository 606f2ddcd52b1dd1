// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <EGL/egl.h>

#include "support.h"

namespace kobalt::gltest {
namespace {

class RasterPositionTest : public CompatTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 4, 5, false}; }
    Missing missing() const override { return lacks(4, 5); }
};

// GL 4.6, 10.2.1: what a shader reads of an attribute that was set in another type is undefined; it
// crashed.
TEST_F(RasterPositionTest, AttributeOfDoublesInAShaderOfFloats) {
    make_black_target({8, 8});
    gl::UseProgram(link({{GL_VERTEX_SHADER, "#version 450 compatibility\n"
                                            "layout(location = 0) in vec4 value;\n"
                                            "void main() { gl_Position = value; }"},
                         {GL_FRAGMENT_SHADER, "#version 450 compatibility\n"
                                              "void main() { gl_FragColor = vec4(1); }"}}));
    const auto vertex_attrib_l1d =
        reinterpret_cast<PFNGLVERTEXATTRIBL1DPROC>(eglGetProcAddress("glVertexAttribL1d"));
    ASSERT_NE(vertex_attrib_l1d, nullptr);
    vertex_attrib_l1d(0, -1.0);
    gl::RasterPos2f(0.5F, -0.5F);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

} // namespace
} // namespace kobalt::gltest
