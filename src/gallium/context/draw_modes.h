// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

#include "vulkan/device/device.h"

#include "compiler/shader_enums.h"

// Primitive modes: which of GL's Vulkan draws, and how it calls them.

namespace kobalt::gallium {

/// Masks of mesa_prim: modes that Vulkan can draw as they are.
inline constexpr uint32_t list_modes = 1u << MESA_PRIM_POINTS | 1u << MESA_PRIM_LINES |
                                       1u << MESA_PRIM_TRIANGLES | 1u << MESA_PRIM_LINES_ADJACENCY |
                                       1u << MESA_PRIM_TRIANGLES_ADJACENCY;
inline constexpr uint32_t strip_modes =
    1u << MESA_PRIM_LINE_STRIP | 1u << MESA_PRIM_TRIANGLE_STRIP | 1u << MESA_PRIM_TRIANGLE_FAN |
    1u << MESA_PRIM_LINE_STRIP_ADJACENCY | 1u << MESA_PRIM_TRIANGLE_STRIP_ADJACENCY;
inline constexpr uint32_t drawn_modes = list_modes | strip_modes | 1u << MESA_PRIM_PATCHES;

/// The modes in which the device can restart primitives, a mask of mesa_prim.
inline uint32_t restart_modes(const vulkan::Device& device) {
    uint32_t modes = strip_modes;
    if (device.has(vulkan::Capability::primitive_topology_list_restart))
        modes |= list_modes;
    return modes;
}

/// Vulkan's topology for one of `drawn_modes`.
inline VkPrimitiveTopology topology(mesa_prim mode) {
    switch (mode) {
    case MESA_PRIM_POINTS:
        return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case MESA_PRIM_LINES:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case MESA_PRIM_LINE_STRIP:
        return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    case MESA_PRIM_TRIANGLE_STRIP:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    case MESA_PRIM_TRIANGLE_FAN:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
    case MESA_PRIM_LINES_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    case MESA_PRIM_LINE_STRIP_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
    case MESA_PRIM_TRIANGLES_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    case MESA_PRIM_TRIANGLE_STRIP_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
    case MESA_PRIM_PATCHES:
        return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    default:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    }
}

} // namespace kobalt::gallium
