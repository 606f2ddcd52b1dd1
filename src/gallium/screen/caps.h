// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "gallium/screen/screen.h"

namespace kobalt::gallium {

// Each fills in a part of pipe_caps for init_screen_caps().
/// Sets the capabilities of the GL Shading Language: version, operations, subgroups, atomics.
void set_glsl_caps(pipe_caps& caps, Screen& screen);
/// Sizes of textures and what samplers can do.
void set_texture_caps(pipe_caps& caps, vulkan::Device& device);

inline unsigned megabytes(uint64_t bytes) {
    return static_cast<unsigned>(std::min<uint64_t>(bytes >> 20, INT32_MAX));
}

} // namespace kobalt::gallium
