// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "demo/procedural_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace kobalt::demo {

namespace {

std::uint32_t hash(std::uint32_t value) {
    value ^= value >> 16;
    value *= 0x7feb352dU;
    value ^= value >> 15;
    value *= 0x846ca68bU;
    return value ^ (value >> 16);
}

float random01(int x, int y, std::uint32_t seed) {
    const auto mixed = hash(static_cast<std::uint32_t>(x) * 73856093U ^
                            static_cast<std::uint32_t>(y) * 19349663U ^ seed * 83492791U);
    return static_cast<float>(mixed & 0xFFFFFFU) / 16777216.0F;
}

int wrap(int value, int period) {
    return ((value % period) + period) % period;
}

float smooth(float edge0, float edge1, float x) {
    const float t = std::clamp((x - edge0) / (edge1 - edge0), 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

/// Value noise with `period` cells across the unit square.
float noise(float u, float v, int period, std::uint32_t seed) {
    const float x = u * static_cast<float>(period);
    const float y = v * static_cast<float>(period);
    const int x0 = static_cast<int>(std::floor(x));
    const int y0 = static_cast<int>(std::floor(y));
    const float fx = smooth(0, 1, x - static_cast<float>(x0));
    const float fy = smooth(0, 1, y - static_cast<float>(y0));
    const auto at = [&](int i, int j) {
        return random01(wrap(x0 + i, period), wrap(y0 + j, period), seed);
    };
    return std::lerp(std::lerp(at(0, 0), at(1, 0), fx), std::lerp(at(0, 1), at(1, 1), fx), fy);
}

float fractal(float u, float v, int period, std::uint32_t seed) {
    float sum = 0;
    float weight = 0.5F;
    for (int octave = 0; octave < 4; ++octave) {
        sum += weight * noise(u, v, period << octave, seed + static_cast<std::uint32_t>(octave));
        weight *= 0.5F;
    }
    return sum;
}

/// Distance to the border between the two nearest cells of a jittered grid.
float cell_border(float u, float v, int period, std::uint32_t seed) {
    const float x = u * static_cast<float>(period);
    const float y = v * static_cast<float>(period);
    const int x0 = static_cast<int>(std::floor(x));
    const int y0 = static_cast<int>(std::floor(y));
    float nearest = 9;
    float second = 9;
    for (int j = -1; j <= 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            const int cx = wrap(x0 + i, period);
            const int cy = wrap(y0 + j, period);
            const float px = static_cast<float>(x0 + i) + random01(cx, cy, seed);
            const float py = static_cast<float>(y0 + j) + random01(cx, cy, seed + 1);
            const float distance = std::hypot(px - x, py - y);
            second = std::min(second, std::max(nearest, distance));
            nearest = std::min(nearest, distance);
        }
    }
    return second - nearest;
}

std::uint8_t to_byte(float value) {
    return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 1.0F) * 255.0F + 0.5F);
}

/// Slopes of a height field, as a normal map.
TexturePixels normals_of(const std::vector<float>& height, const std::vector<float>& gloss,
                         int size, float strength) {
    TexturePixels result{size, std::vector<std::uint8_t>(height.size() * 4)};
    const auto at = [&](int x, int y) {
        return height[static_cast<std::size_t>(wrap(y, size) * size + wrap(x, size))];
    };
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const float dx = (at(x + 1, y) - at(x - 1, y)) * strength;
            const float dy = (at(x, y + 1) - at(x, y - 1)) * strength;
            const float length = std::sqrt(dx * dx + dy * dy + 1);
            const auto i = static_cast<std::size_t>(y * size + x);
            result.rgba[i * 4] = to_byte(0.5F - 0.5F * dx / length);
            result.rgba[i * 4 + 1] = to_byte(0.5F - 0.5F * dy / length);
            result.rgba[i * 4 + 2] = to_byte(0.5F + 0.5F / length);
            result.rgba[i * 4 + 3] = to_byte(gloss[i]);
        }
    }
    return result;
}

struct Shade {
    std::array<float, 4> colour{};
    float height = 0;
    float gloss = 0;
};

template <typename Function>
SurfacePair paint(int size, float strength, Function&& shade_at) {
    const auto count = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    SurfacePair pair;
    pair.colour = {size, std::vector<std::uint8_t>(count * 4)};
    std::vector<float> height(count);
    std::vector<float> gloss(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float u = (static_cast<float>(i % static_cast<std::size_t>(size)) + 0.5F) /
                        static_cast<float>(size);
        const float v = (static_cast<float>(i / static_cast<std::size_t>(size)) + 0.5F) /
                        static_cast<float>(size);
        const Shade shade = shade_at(u, v);
        for (std::size_t c = 0; c < 4; ++c) {
            pair.colour.rgba[i * 4 + c] = to_byte(shade.colour[c]);
        }
        height[i] = shade.height;
        gloss[i] = shade.gloss;
    }
    pair.normal = normals_of(height, gloss, size, strength * static_cast<float>(size) / 256.0F);
    return pair;
}

std::array<float, 4> mix(const std::array<float, 4>& a, const std::array<float, 4>& b, float t) {
    std::array<float, 4> r{};
    for (std::size_t c = 0; c < 4; ++c) {
        r[c] = std::lerp(a[c], b[c], t);
    }
    return r;
}

} // namespace

SurfacePair glaze_surface(int size) {
    return paint(size, 5.0F, [](float u, float v) {
        const float warp = fractal(u, v, 4, 11);
        const float border =
            cell_border(u + 0.06F * (warp - 0.5F), v + 0.06F * (fractal(u, v, 4, 23) - 0.5F), 6, 5);
        const float vein = 1 - smooth(0.02F, 0.075F, border);
        const float cloud = fractal(u, v, 8, 31);
        const std::array<float, 4> deep{0.01F, 0.08F, 0.36F, 0};
        const std::array<float, 4> light{0.06F, 0.30F, 0.78F, 0};
        const std::array<float, 4> gold{1.0F, 0.77F, 0.36F, 1};
        Shade shade;
        shade.colour = mix(mix(deep, light, smooth(0.3F, 0.75F, cloud)), gold, vein);
        shade.height = 0.5F * smooth(0.0F, 0.35F, border) + 0.10F * cloud + 0.12F * vein;
        shade.gloss = std::lerp(0.93F - 0.15F * warp, 0.62F, vein);
        return shade;
    });
}

SurfacePair tile_surface(int size) {
    return paint(size, 3.0F, [](float u, float v) {
        // One tile per unit; the ornament is symmetric about both diagonals.
        const float x = u - 0.5F;
        const float y = v - 0.5F;
        const float radius = std::hypot(x, y);
        const float angle = std::atan2(y, x);
        const float corner = std::hypot(0.5F - std::abs(x), 0.5F - std::abs(y));
        const float soft = 0.008F;
        const auto band = [&](float value, float centre, float half) {
            return 1 - smooth(half - soft, half + soft, std::abs(value - centre));
        };
        const float petals = 0.20F + 0.10F * std::cos(8 * angle);
        const float leaves = 0.36F + 0.045F * std::cos(4 * angle + std::numbers::pi_v<float>) +
                             0.02F * std::cos(16 * angle);
        float ink = 1 - smooth(petals - soft, petals + soft, radius);
        ink = std::max(ink, band(radius, leaves, 0.016F));
        ink = std::max(ink, band(corner, 0.17F, 0.02F));
        ink = std::max(ink, 1 - smooth(0.095F, 0.11F, corner));
        ink = std::max(ink, band(std::max(std::abs(x), std::abs(y)), 0.465F, 0.008F));
        const float heart = 1 - smooth(0.07F, 0.085F, radius);
        ink = std::max(ink * (1 - band(radius, 0.09F, 0.012F)), heart);
        const float glaze = fractal(u, v, 6, 71);
        const std::array<float, 4> white{0.86F, 0.88F, 0.88F, 0};
        const std::array<float, 4> blue{0.03F + 0.04F * glaze, 0.13F + 0.1F * glaze, 0.52F, 0};
        const std::array<float, 4> grout{0.36F, 0.36F, 0.38F, 0};
        const float edge = std::max(std::abs(x), std::abs(y));
        const float joint = smooth(0.484F, 0.492F, edge);
        Shade shade;
        shade.colour = mix(mix(white, blue, ink * (0.82F + 0.3F * (glaze - 0.5F))), grout, joint);
        shade.height = 0.35F * (1 - smooth(0.472F, 0.495F, edge)) + 0.05F * glaze + 0.02F * ink;
        shade.gloss = std::lerp(0.90F + 0.06F * glaze, 0.15F, joint);
        return shade;
    });
}

} // namespace kobalt::demo
