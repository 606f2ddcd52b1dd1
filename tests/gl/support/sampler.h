// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

/// What samplers make of textures whose texels say where they come from.
class SamplerTest : public GlTest {
protected:
    /// 16x16 R32F with a full chain; level n holds the value n.
    static GLuint numbered_levels() {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        for (int level = 0; level < 5; ++level) {
            const int size = 16 >> level;
            const std::vector<float> data(static_cast<size_t>(size * size),
                                          static_cast<float>(level));
            gl::TexImage2D(GL_TEXTURE_2D, level, GL_R32F, size, size, 0, GL_RED, GL_FLOAT,
                           data.data());
        }
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 4);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
        return texture;
    }
    static float sampled(const std::string& call, const std::string& sampler = "sampler2D") {
        return evaluate("uniform " + sampler + " t;", call)[0];
    }
    /// Two texels, 0 and 1 in red, side by side.
    static GLuint two_texels() {
        return texture_2d(GL_R32F, 2, 1, GL_RED, GL_FLOAT, std::array<float, 2>{0, 1}.data());
    }
};

} // namespace kobalt::gltest
