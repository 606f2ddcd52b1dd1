// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/polygon_list.h"

#include <array>
#include <numeric>

namespace kobalt::gallium {

void for_each_polygon(mesa_prim mode, uint32_t count,
                      const std::function<void(const Polygon&)>& use) {
    std::array<uint32_t, 4> corners;
    switch (mode) {
    case MESA_PRIM_TRIANGLES:
        for (uint32_t i = 0; i + 3 <= count; i += 3) {
            corners = {i, i + 1, i + 2};
            use({std::span(corners).first(3), 0, 2});
        }
        break;
    case MESA_PRIM_QUADS:
        for (uint32_t i = 0; i + 4 <= count; i += 4) {
            corners = {i, i + 1, i + 2, i + 3};
            use({corners, 0, 3});
        }
        break;
    case MESA_PRIM_QUAD_STRIP:
        for (uint32_t i = 0; i + 4 <= count; i += 2) {
            corners = {i, i + 1, i + 3, i + 2};
            use({corners, 0, 2});
        }
        break;
    case MESA_PRIM_POLYGON:
        if (count >= 3) {
            std::vector<uint32_t> all(count);
            std::iota(all.begin(), all.end(), 0u);
            use({all, 0, 0});
        }
        break;
    default:
        break;
    }
}

void add_triangles(std::vector<uint32_t>& list, std::span<const uint32_t> corners,
                   const std::vector<bool>& seen, uint32_t provoking, bool provoking_last) {
    const auto count = static_cast<uint32_t>(corners.size());
    const auto edge = [&](uint32_t from, uint32_t to, bool visible) {
        list.push_back(from);
        list.push_back(visible ? from : to);
    };
    // A fan around the provoking corner, which is at the same position in each triangle.
    for (uint32_t k = 1; k + 1 < count; ++k) {
        const uint32_t a = (provoking + k) % count, b = (provoking + k + 1) % count;
        const uint32_t root = corners[provoking];
        if (!provoking_last)
            edge(root, corners[a], k == 1 && seen[provoking]);
        edge(corners[a], corners[b], seen[a]);
        edge(corners[b], root, k + 2 == count && seen[b]);
        if (provoking_last)
            edge(root, corners[a], k == 1 && seen[provoking]);
    }
}

void add_corner_triangles(std::vector<uint32_t>& list, std::span<const uint32_t> corners,
                          const std::vector<bool>& seen, uint32_t provoking, bool provoking_last) {
    const auto count = static_cast<uint32_t>(corners.size());
    for (uint32_t k = 1; k + 1 < count; ++k) {
        const uint32_t a = (provoking + k) % count, b = (provoking + k + 1) % count;
        const std::array<uint32_t, 3> triangle =
            provoking_last ? std::array{a, b, provoking} : std::array{provoking, a, b};
        for (uint32_t i = 0; i < 3; ++i) {
            const uint32_t corner = triangle[i];
            const bool first = corner == a || (corner == b ? k + 2 == count : k == 1);
            list.push_back(corners[corner]);
            list.push_back(corners[first && seen[corner] ? corner : triangle[(i + 2) % 3]]);
        }
    }
}

} // namespace kobalt::gallium
