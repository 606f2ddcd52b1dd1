// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/resource/depth_pack.h"

#include <algorithm>
#include <cstring>

namespace kobalt::gallium {

namespace {

constexpr uint32_t unorm24_max = 0xffffff;

bool stored_as_float(VkFormat stored) {
    return stored == VK_FORMAT_D32_SFLOAT || stored == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

// Converts a float to 24 bits by dropping the fraction, as Mesa does. Of all floats that become the
// same number, the multiple of 2^-24 then represents it: a depth that GL was given as 0.5 is 0.5 in
// the texture, too, and compares as equal to it.
uint32_t to_unorm24(float depth) {
    const double clamped = std::clamp(static_cast<double>(depth), 0.0, 1.0);
    return static_cast<uint32_t>(clamped * unorm24_max);
}

float from_unorm24(uint32_t depth) {
    return depth ? static_cast<float>(depth + 1) * 0x1p-24f : 0.0f;
}

template <class T>
T load(const std::byte* bytes, uint32_t index) {
    T value;
    std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
    return value;
}

template <class T>
void store(std::byte* bytes, uint32_t index, T value) {
    std::memcpy(bytes + index * sizeof(T), &value, sizeof(T));
}

struct FloatAndStencil {
    float depth;
    uint32_t stencil;
};

} // namespace

bool needs_depth_packing(pipe_format format, VkFormat stored) {
    switch (format) {
    case PIPE_FORMAT_Z24X8_UNORM:
        return stored_as_float(stored);
    case PIPE_FORMAT_Z24_UNORM_S8_UINT:
    case PIPE_FORMAT_Z32_FLOAT_S8X24_UINT:
        return true;
    default:
        return false;
    }
}

uint32_t depth_copy_bytes(VkFormat stored) {
    return stored == VK_FORMAT_D16_UNORM || stored == VK_FORMAT_D16_UNORM_S8_UINT ? 2 : 4;
}

void pack_depth_row(pipe_format format, VkFormat stored, std::byte* packed, const std::byte* depth,
                    const std::byte* stencil, uint32_t count) {
    const bool is_float = stored_as_float(stored);
    if (format == PIPE_FORMAT_Z32_FLOAT_S8X24_UINT) {
        for (uint32_t i = 0; i < count; ++i)
            store(packed, i, FloatAndStencil{load<float>(depth, i), load<uint8_t>(stencil, i)});
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t value =
            is_float ? to_unorm24(load<float>(depth, i)) : load<uint32_t>(depth, i) & unorm24_max;
        if (stencil)
            value |= static_cast<uint32_t>(load<uint8_t>(stencil, i)) << 24;
        store(packed, i, value);
    }
}

void unpack_depth_row(pipe_format format, VkFormat stored, const std::byte* packed,
                      std::byte* depth, std::byte* stencil, uint32_t count) {
    const bool is_float = stored_as_float(stored);
    if (format == PIPE_FORMAT_Z32_FLOAT_S8X24_UINT) {
        for (uint32_t i = 0; i < count; ++i) {
            const auto texel = load<FloatAndStencil>(packed, i);
            store(depth, i, texel.depth);
            store(stencil, i, static_cast<uint8_t>(texel.stencil));
        }
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t value = load<uint32_t>(packed, i);
        if (is_float)
            store(depth, i, from_unorm24(value & unorm24_max));
        else
            store(depth, i, value & unorm24_max);
        if (stencil)
            store(stencil, i, static_cast<uint8_t>(value >> 24));
    }
}

} // namespace kobalt::gallium
