// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "image_calls.h"

#include <EGL/egl.h>

namespace kobalt::gltest {

ImageCalls::ImageCalls() {
    const auto load = [](auto& function, const char* name) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(eglGetProcAddress(name));
    };
    load(BindImageTexture, "glBindImageTexture");
    load(MemoryBarrier, "glMemoryBarrier");
    load(DispatchCompute, "glDispatchCompute");
    load(TexStorage3D, "glTexStorage3D");
    load(TextureView, "glTextureView");
    load(TexBufferRange, "glTexBufferRange");
    load(ClearTexImage, "glClearTexImage");
    load(ClearTexSubImage, "glClearTexSubImage");
    load(GetImageHandleARB, "glGetImageHandleARB");
    load(MakeImageHandleResidentARB, "glMakeImageHandleResidentARB");
    load(MakeImageHandleNonResidentARB, "glMakeImageHandleNonResidentARB");
}

GLuint ImageTest::compute(const std::string& text) {
    return link({{GL_COMPUTE_SHADER, "#version 430 core\n" + text}});
}

void ImageTest::run(GLuint program, GLuint x, GLuint y, GLuint z) const {
    gl::UseProgram(program);
    calls_->DispatchCompute(x, y, z);
    calls_->MemoryBarrier(GL_ALL_BARRIER_BITS);
}

void ImageTest::bind(GLuint unit, GLuint texture, GLenum format, GLint level, int layer) const {
    calls_->BindImageTexture(unit, texture, level, layer < 0 ? GL_TRUE : GL_FALSE,
                             layer < 0 ? 0 : layer, GL_READ_WRITE, format);
}

} // namespace kobalt::gltest
