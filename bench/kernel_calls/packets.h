// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace kobalt::kernel {

/// The generations of AMD's GPUs whose cache packets differ.
enum class Generation { Gfx9AndOlder, Gfx10AndNewer };

/// Finds `words` words of a command buffer by their GPU address; empty where that isn't known.
using FindWords =
    std::function<std::span<const std::uint32_t>(std::uint64_t address, std::uint32_t words)>;

/// Counts the packets of a command buffer in AMD's format PM4, and of the buffers that it calls:
/// draws, dispatches, copies, waits, flushes of caches.
void count_packets(std::span<const std::uint32_t> words, Generation generation,
                   const FindWords& find);

} // namespace kobalt::kernel
