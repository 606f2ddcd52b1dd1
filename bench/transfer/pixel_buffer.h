// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "demo/offscreen/gl_api.h"

namespace kobalt::transfer {

/// A pixel buffer object, for the target that it is bound to.
class PixelBuffer {
public:
    PixelBuffer(GLenum target, GLsizeiptr bytes, const void* data) : target_(target) {
        gl::GenBuffers(1, &name_);
        bind();
        gl::BufferData(target, bytes, data,
                       target == GL_PIXEL_PACK_BUFFER ? GL_STREAM_READ : GL_STREAM_DRAW);
        unbind();
    }
    PixelBuffer(const PixelBuffer&) = delete;
    PixelBuffer& operator=(const PixelBuffer&) = delete;
    ~PixelBuffer() { gl::DeleteBuffers(1, &name_); }

    void bind() const { gl::BindBuffer(target_, name_); }
    void unbind() const { gl::BindBuffer(target_, 0); }

private:
    GLenum target_;
    GLuint name_ = 0;
};

} // namespace kobalt::transfer
