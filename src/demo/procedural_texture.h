// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <vector>

namespace kobalt::demo {

/// A square RGBA8 picture that repeats without a seam.
struct TexturePixels {
    int size = 0;
    std::vector<std::uint8_t> rgba;
};

/// A colour picture and a tangent space normal map (with gloss in alpha) that belong together.
struct SurfacePair {
    TexturePixels colour;
    TexturePixels normal;
};

/// Cobalt glaze with a net of golden veins; alpha of the colour says where the gold is.
SurfacePair glaze_surface(int size);

/// A painted tile in cobalt and white, its grout sunk.
SurfacePair tile_surface(int size);

} // namespace kobalt::demo
