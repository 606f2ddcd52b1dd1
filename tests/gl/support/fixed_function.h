// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

/// Fixed-function drawing in a 32x32 target with identity matrices.
class FixedFunctionTest : public CompatTest {
protected:
    static constexpr int kSize = 32;
    void prepare() override { make_black_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8}); }
    static void quad(float x0 = -1, float y0 = -1, float x1 = 1, float y1 = 1, float z = 0) {
        gl::Begin(GL_QUADS);
        gl::TexCoord2f(0, 0);
        gl::Vertex3f(x0, y0, z);
        gl::TexCoord2f(1, 0);
        gl::Vertex3f(x1, y0, z);
        gl::TexCoord2f(1, 1);
        gl::Vertex3f(x1, y1, z);
        gl::TexCoord2f(0, 1);
        gl::Vertex3f(x0, y1, z);
        gl::End();
    }
    static int lit() { return count_pixels(read_picture(kSize, kSize), kGreen); }
    static float at(int i) { return (static_cast<float>(i) + 0.5F) * 2.0F / kSize - 1.0F; }
    static void one_texel(const Byte4& texel) {
        texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
        gl::Enable(GL_TEXTURE_2D);
    }
};

} // namespace kobalt::gltest
