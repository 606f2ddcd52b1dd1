// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "util/u_prim.h"

namespace kobalt::gallium {

/// One polygon of a draw: its corners in order, as positions among the draw's vertices.
struct Polygon {
    std::span<const uint32_t> corners;
    uint32_t first_provoking; ///< the provoking corner in GL's first vertex convention
    uint32_t last_provoking;  ///< the provoking corner in the last vertex convention
};

/// Calls `use` with each polygon of a draw of `count` vertices. Takes only the modes that may have
/// hidden edges or more than three corners: triangles, quads, quad strips and polygons.
void for_each_polygon(mesa_prim mode, uint32_t count,
                      const std::function<void(const Polygon&)>& use);

/// Appends the triangles of a polygon to a list with adjacency, as OutlineStages takes them.
/// `corners` are the polygon's indices; `seen[i]` says whether the edge from corner i to the next
/// is visible.
void add_triangles(std::vector<uint32_t>& list, std::span<const uint32_t> corners,
                   const std::vector<bool>& seen, uint32_t provoking, bool provoking_last);

/// The same for corners drawn as points: each `seen` corner is visible in one of the triangles.
void add_corner_triangles(std::vector<uint32_t>& list, std::span<const uint32_t> corners,
                          const std::vector<bool>& seen, uint32_t provoking, bool provoking_last);

} // namespace kobalt::gallium
