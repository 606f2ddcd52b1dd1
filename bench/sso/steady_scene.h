// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vector>

#include "programs.h"

namespace kobalt::sso {

/// One program whose colour has red from its uniform, blue from its uniform block and green from
/// its texture. All three are bound from the beginning.
struct SteadyScene {
    static constexpr int kBlocks = 2;

    GLuint program = 0;
    GLint tint = -1;    ///< a vec4
    GLint picture = -1; ///< a sampler2D
    GLuint blocks = 0;  ///< a uniform buffer with kBlocks blocks of 16 bytes
    GLsizeiptr block_step = 0;

    /// `bindless`: the sampler takes a handle (ARB_bindless_texture).
    static std::expected<SteadyScene, Trouble> create(const Driver& driver, std::uint64_t seed,
                                                      bool bindless);

    static constexpr float kAlpha = 0.75F;
    /// The value of the `number`-th uniform, block or texture; they repeat after 32.
    static float shade(int number) { return 0.02F + 0.03F * static_cast<float>(number % 32); }
    static Colour colour(int tint, int texture, int block) {
        return {shade(tint), shade(texture), shade(block % kBlocks), kAlpha};
    }
};

/// Makes `count` textures of 1 × 1 texel, the n-th with the green of SteadyScene::shade(n). The
/// last one stays bound.
std::vector<GLuint> make_textures(int count);

} // namespace kobalt::sso
