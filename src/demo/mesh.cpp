// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "demo/mesh.h"

#include <numbers>

namespace kobalt::demo {

namespace {

constexpr float kTau = 2.0F * std::numbers::pi_v<float>;

Vec3 knot_point(float t) {
    const float radius = 1.0F + 0.42F * std::cos(3 * t);
    return {radius * std::cos(2 * t), 0.62F * std::sin(3 * t), radius * std::sin(2 * t)};
}

} // namespace

Mesh torus_knot(int segments, int sides, float tube_radius) {
    Mesh mesh;
    for (int i = 0; i <= segments; ++i) {
        const float t = kTau * static_cast<float>(i) / static_cast<float>(segments);
        const Vec3 centre = knot_point(t);
        const Vec3 along = normalise(knot_point(t + 0.01F) - knot_point(t - 0.01F));
        // The knot winds around the vertical axis, so the outward direction is a stable frame.
        const Vec3 outward = normalise(Vec3{std::cos(2 * t), 0.0F, std::sin(2 * t)});
        const Vec3 binormal = normalise(cross(along, outward));
        const Vec3 normal = cross(binormal, along);
        for (int j = 0; j <= sides; ++j) {
            const float a = kTau * static_cast<float>(j) / static_cast<float>(sides);
            const Vec3 direction = normal * std::cos(a) + binormal * std::sin(a);
            mesh.vertices.push_back({centre + direction * tube_radius, direction, along,
                                     18.0F * static_cast<float>(i) / static_cast<float>(segments),
                                     2.0F * static_cast<float>(j) / static_cast<float>(sides)});
        }
    }
    const auto ring = static_cast<std::uint32_t>(sides + 1);
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(segments); ++i) {
        for (std::uint32_t j = 0; j + 1 < ring; ++j) {
            const std::uint32_t a = i * ring + j;
            mesh.indices.insert(mesh.indices.end(),
                                {a, a + 1, a + ring, a + ring, a + 1, a + ring + 1});
        }
    }
    return mesh;
}

Mesh crystal() {
    Mesh mesh;
    constexpr int kSides = 6;
    for (const float end : {1.0F, -1.0F}) {
        for (int i = 0; i < kSides; ++i) {
            const auto corner = [&](int k) {
                const float a = kTau * static_cast<float>(k) / kSides;
                return Vec3{0.36F * std::cos(a), 0.18F * end, 0.36F * std::sin(a)};
            };
            const Vec3 tip{0, end, 0};
            const Vec3 left = end > 0 ? corner(i + 1) : corner(i);
            const Vec3 right = end > 0 ? corner(i) : corner(i + 1);
            const Vec3 normal = normalise(cross(left - tip, tip - right));
            const Vec3 facing = dot(normal, left) < 0 ? normal * -1.0F : normal;
            for (const Vec3& point : {tip, right, left}) {
                mesh.indices.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
                mesh.vertices.push_back({point, facing, normalise(left - right), 0, 0});
            }
            // The waist between the two tips.
            if (end > 0) {
                const Vec3 low_left{left.x, -left.y, left.z};
                const Vec3 low_right{right.x, -right.y, right.z};
                const Vec3 outward = normalise(Vec3{left.x + right.x, 0, left.z + right.z});
                for (const Vec3& point : {left, right, low_right, left, low_right, low_left}) {
                    mesh.indices.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
                    mesh.vertices.push_back({point, outward, Vec3{0, 1, 0}, 0, 0});
                }
            }
        }
    }
    return mesh;
}

Mesh floor_plane(float half) {
    Mesh mesh;
    for (const float z : {-half, half}) {
        for (const float x : {-half, half}) {
            mesh.vertices.push_back({{x, 0, z}, {0, 1, 0}, {1, 0, 0}, x, z});
        }
    }
    mesh.indices = {0, 2, 1, 1, 2, 3};
    return mesh;
}

} // namespace kobalt::demo
