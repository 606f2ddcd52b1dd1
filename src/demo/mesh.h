// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <vector>

#include "demo/linear_algebra.h"

namespace kobalt::demo {

struct Vertex {
    Vec3 position;
    Vec3 normal;
    Vec3 tangent;
    float u = 0;
    float v = 0;
};

struct Mesh {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
};

/// A (2, 3) torus knot of the given tube radius around the origin, within about two units.
Mesh torus_knot(int segments, int sides, float tube_radius);

/// A long octahedron with flat faces, one unit tall on each side of the origin.
Mesh crystal();

/// A square of the plane y = 0, `half` units to each side; texture coordinates repeat each unit.
Mesh floor_plane(float half);

} // namespace kobalt::demo
