// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "demo/linear_algebra.h"
#include "demo/offscreen/gl_api.h"

namespace kobalt::demo {

inline constexpr GLuint kFrameBinding = 0;
inline constexpr GLint kShadowUnit = 3;
inline constexpr GLint kColourUnit = 4;
inline constexpr GLint kNormalUnit = 5;
inline constexpr GLint kSamples = 4;
inline constexpr GLsizei kShadowSize = 1024;
inline constexpr GLsizei kCrystalCount = 84;
/// One block for the upright and one for the mirrored pass.
inline constexpr GLsizeiptr kFrameBlocks = 2;

/// std140 image of the Frame block, padded to the largest offset alignment that GL allows.
struct FrameBlock {
    Mat4 view_projection;
    Mat4 light_matrix;
    std::array<float, 4> eye{};
    std::array<float, 4> sun_direction{};
    std::array<float, 4> mirror{};
    Mat4 inverse_view_projection;
    std::array<float, 4> padding{};
};
static_assert(sizeof(FrameBlock) == 256);

/// Attributes that advance once per instance.
struct Instance {
    Mat4 model;
    std::array<float, 4> tint{};
};

} // namespace kobalt::demo
