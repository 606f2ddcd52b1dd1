// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What is asked of the state is the same whether or not calls go through Mesa's thread
// (mesa_glthread), which answers some questions by itself.
#include <algorithm>

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
    const auto push = gl_function<PFNGLMATRIXPUSHEXTPROC>("glMatrixPushEXT");
    const auto pop = gl_function<PFNGLMATRIXPOPEXTPROC>("glMatrixPopEXT");
    gl::MatrixMode(GL_TEXTURE);
    for (int i = 0; i < 20; ++i)
        push(GL_MODELVIEW);
    EXPECT_EQ(value(GL_MODELVIEW_STACK_DEPTH), 21);
    for (int i = 0; i < 20; ++i)
        pop(GL_MODELVIEW);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(CallThreadTest, WhatIsDeletedIsBoundNoMore) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl::DeleteFramebuffers(1, &framebuffer);
    EXPECT_EQ(value(GL_READ_FRAMEBUFFER_BINDING), 0);
    if (has_version(4, 4)) {
        const GLuint buffer = make_buffer(GL_QUERY_BUFFER, std::vector<float>(4));
        gl::DeleteBuffers(1, &buffer);
        EXPECT_EQ(value(GL_QUERY_BUFFER_BINDING), 0);
    }
}

TEST_F(CallThreadTest, ListsSetNothingUntilTheyAreCalled) {
    const auto enabled = gl_function<GLboolean(APIENTRY*)(GLenum)>("glIsEnabled");
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; }"}});
    gl::NewList(1, GL_COMPILE);
    gl::UseProgram(program);
    gl::ActiveTexture(GL_TEXTURE2);
    gl::Enablei(GL_BLEND, 0);
    gl::EndList();
    EXPECT_EQ(value(GL_CURRENT_PROGRAM), 0);
    EXPECT_EQ(value(GL_ACTIVE_TEXTURE), GL_TEXTURE0);
    EXPECT_FALSE(enabled(GL_BLEND));
    gl::CallList(1);
    EXPECT_EQ(static_cast<GLuint>(value(GL_CURRENT_PROGRAM)), program);
    EXPECT_EQ(value(GL_ACTIVE_TEXTURE), GL_TEXTURE2);
    EXPECT_TRUE(enabled(GL_BLEND));
    const auto disable = gl_function<PFNGLDISABLEIPROC>("glDisablei");
    disable(GL_BLEND, 0);
    EXPECT_FALSE(enabled(GL_BLEND));
}

// Compatibility profile, 21.6: where pixels come from is part of what is pushed.
TEST_F(CallThreadTest, PixelStoresThatArePoppedOrReset) {
    const auto push = gl_function<void(APIENTRY*)(GLbitfield)>("glPushClientAttrib");
    const auto pop = gl_function<void(APIENTRY*)()>("glPopClientAttrib");
    const auto reset = gl_function<PFNGLCLIENTATTRIBDEFAULTEXTPROC>("glClientAttribDefaultEXT");
    new_texture(GL_TEXTURE_2D);
    const auto uploaded = [] {
        std::vector<Byte4> texels(16, kGreen);
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data());
        std::ranges::fill(texels, kRed); // what was pointed to is the app's again
        std::vector<Byte4> read(16);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
        return read;
    };
    const std::vector<Byte4> green(16, kGreen);
    const std::vector<Byte4> blue(64, kBlue);
    for (const bool popped : {true, false}) {
        if (popped)
            push(GL_CLIENT_PIXEL_STORE_BIT);
        make_buffer(GL_PIXEL_UNPACK_BUFFER, blue);
        gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 8);
        if (popped)
            pop();
        else
            reset(GL_CLIENT_PIXEL_STORE_BIT);
        EXPECT_EQ(value(GL_PIXEL_UNPACK_BUFFER_BINDING), 0);
        EXPECT_EQ(uploaded(), green) << popped;
    }
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

// OpenGL 4.6, 10.3.1: without buffers all bindings of the range are reset.
TEST_F(CallThreadTest, VertexBuffersOfNothing) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    const auto bind = gl_function<PFNGLVERTEXARRAYVERTEXBUFFERSPROC>("glVertexArrayVertexBuffers");
    const auto create = gl_function<PFNGLCREATEVERTEXARRAYSPROC>("glCreateVertexArrays");
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
    const auto fill = gl_function<PFNGLNAMEDBUFFERDATAEXTPROC>("glNamedBufferDataEXT");
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
