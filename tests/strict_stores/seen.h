// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <cstdint>

namespace kobalt::strict_stores {

/// What the layer has seen in this process.
struct Seen {
    std::atomic<std::uint32_t> devices;          ///< made above the layer
    std::atomic<std::uint32_t> depth_unstored;   ///< passes whose depth is not stored
    std::atomic<std::uint32_t> stencil_unstored; ///< passes whose stencil is not stored
};

/// The name that VK_INSTANCE_LAYERS knows.
inline constexpr char layer_name[] = "VK_LAYER_KOBALT_strict_stores";

} // namespace kobalt::strict_stores

/// Only a test program defines this function, and exports it. The layer writes to what it returns,
/// which has to live as long as the process. In every other process the symbol is null.
extern "C" [[gnu::weak, gnu::visibility("default")]] kobalt::strict_stores::Seen*
kobalt_strict_stores_seen();
