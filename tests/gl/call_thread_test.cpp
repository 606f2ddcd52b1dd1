// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What is asked of the state is the same whether or not calls go through Mesa's thread
// (mesa_glthread), which answers some questions by itself.
#include "loaded.h"
#include "support.h"

namespace kobalt::gltest {
namespace {

class CallThreadTest : public CompatTest {
protected:
    static GLint value(GLenum name) {
        GLint found = -1;
        gl::GetIntegerv(name, &found);
        return found;
    }
};

TEST_F(CallThreadTest, TheMatrixModeAtFirst) {
    EXPECT_EQ(value(GL_MATRIX_MODE), GL_MODELVIEW);
    gl::MatrixMode(GL_PROJECTION);
    EXPECT_EQ(value(GL_MATRIX_MODE), GL_PROJECTION);
}

TEST_F(CallThreadTest, WhatMakesAnErrorSetsNothing) {
    gl::MatrixMode(GL_TEXTURE);
    gl::MatrixMode(GL_BLEND);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
    EXPECT_EQ(value(GL_MATRIX_MODE), GL_TEXTURE);
    gl::ActiveTexture(GL_TEXTURE1);
    for (const GLenum beyond : {5000U, 100'000'000U}) {
        gl::ActiveTexture(GL_TEXTURE0 + beyond);
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
        EXPECT_EQ(value(GL_ACTIVE_TEXTURE), GL_TEXTURE1);
        EXPECT_EQ(value(GL_TEXTURE_STACK_DEPTH), 1);
    }
}

TEST_F(CallThreadTest, StacksHaveLimitsOfTheirOwn) {
    const PFNGLMATRIXPUSHEXTPROC push = load("glMatrixPushEXT");
    const PFNGLMATRIXPOPEXTPROC pop = load("glMatrixPopEXT");
    gl::MatrixMode(GL_TEXTURE);
    for (int i = 0; i < 20; ++i)
        push(GL_MODELVIEW);
    EXPECT_EQ(value(GL_MODELVIEW_STACK_DEPTH), 21);
    for (int i = 0; i < 20; ++i)
        pop(GL_MODELVIEW);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

// OpenGL 4.6, 10.3.1: without buffers all bindings of the range are reset.
TEST_F(CallThreadTest, VertexBuffersOfNothing) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    const PFNGLVERTEXARRAYVERTEXBUFFERSPROC bind = load("glVertexArrayVertexBuffers");
    const PFNGLCREATEVERTEXARRAYSPROC create = load("glCreateVertexArrays");
    GLuint array = 0;
    create(1, &array);
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<float>(16));
    const std::array<GLuint, 2> buffers{buffer, buffer};
    const std::array<GLintptr, 2> offsets{4, 8};
    const std::array<GLsizei, 2> strides{8, 12};
    bind(array, 1, 2, buffers.data(), offsets.data(), strides.data());
    gl::BindVertexArray(array);
    GLint bound = 0;
    gl::GetIntegeri_v(GL_VERTEX_BINDING_BUFFER, 2, &bound);
    EXPECT_EQ(static_cast<GLuint>(bound), buffer);
    bind(array, 1, 2, nullptr, nullptr, nullptr);
    gl::GetIntegeri_v(GL_VERTEX_BINDING_BUFFER, 2, &bound);
    EXPECT_EQ(bound, 0);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(CallThreadTest, LargeBuffersOfNamesThatWereNeverBound) {
    const PFNGLNAMEDBUFFERDATAEXTPROC fill = load("glNamedBufferDataEXT");
    for (const GLsizeiptr size : {GLsizeiptr{16}, GLsizeiptr{1 << 20}}) {
        GLuint buffer = 0;
        gl::GenBuffers(1, &buffer);
        fill(buffer, size, std::vector<char>(static_cast<size_t>(size)).data(), GL_STATIC_DRAW);
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR)) << size;
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        GLint found = 0;
        gl::GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &found);
        EXPECT_EQ(found, size);
    }
}

} // namespace
} // namespace kobalt::gltest
