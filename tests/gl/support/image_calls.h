// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

/// The calls of image load and store and their neighbours (OpenGL 4.2 to 4.4); null where the
/// context lacks one.
struct ImageCalls {
    PFNGLBINDIMAGETEXTUREPROC BindImageTexture = nullptr;
    PFNGLMEMORYBARRIERPROC MemoryBarrier = nullptr;
    PFNGLDISPATCHCOMPUTEPROC DispatchCompute = nullptr;
    PFNGLTEXSTORAGE3DPROC TexStorage3D = nullptr;
    PFNGLTEXTUREVIEWPROC TextureView = nullptr;
    PFNGLTEXBUFFERRANGEPROC TexBufferRange = nullptr;
    PFNGLCLEARTEXIMAGEPROC ClearTexImage = nullptr;
    PFNGLCLEARTEXSUBIMAGEPROC ClearTexSubImage = nullptr;
    PFNGLGETIMAGEHANDLEARBPROC GetImageHandleARB = nullptr;
    PFNGLMAKEIMAGEHANDLERESIDENTARBPROC MakeImageHandleResidentARB = nullptr;
    PFNGLMAKEIMAGEHANDLENONRESIDENTARBPROC MakeImageHandleNonResidentARB = nullptr;

    ImageCalls();
};

/// Tests of images in compute shaders (OpenGL 4.3).
class ImageTest : public GlTest {
protected:
    Missing missing() const override { return lacks(4, 3); }
    void prepare() override { calls_ = std::make_unique<ImageCalls>(); }
    const ImageCalls& calls() const { return *calls_; }

    /// A 2D texture's first level seen in another format.
    GLuint view_2d(GLuint texture, GLenum format) const {
        GLuint view = 0;
        gl::GenTextures(1, &view);
        calls().TextureView(view, GL_TEXTURE_2D, texture, format, 0, 1, 0, 1);
        return view;
    }
    /// A compute shader of one invocation in a group.
    static GLuint compute(const std::string& text);
    /// Runs `program` in as many groups and makes what it stored visible to everything.
    void run(GLuint program, GLuint x = 1, GLuint y = 1, GLuint z = 1) const;
    /// Binds a level, all layers of it or one.
    void bind(GLuint unit, GLuint texture, GLenum format, GLint level = 0, int layer = -1) const;

private:
    std::unique_ptr<ImageCalls> calls_;
};

} // namespace kobalt::gltest
