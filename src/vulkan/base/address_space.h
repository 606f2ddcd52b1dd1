// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace kobalt::vulkan {

/// Whether this is a 32-bit process. It has 3 or 4 GiB of addresses, which the program, Mesa and
/// the device's driver share; what is mapped, or kept for later use, has to be smaller there.
inline constexpr bool small_address_space = sizeof(void*) == 4;

/// `usual` bytes, or `small` in a 32-bit process.
constexpr uint64_t by_address_space(uint64_t usual, uint64_t small) {
    return small_address_space ? small : usual;
}

/// Whether a process can address so many bytes at all. Where it can't, a size_t of them wraps.
constexpr bool addressable(uint64_t bytes) {
    return static_cast<size_t>(bytes) == bytes;
}

} // namespace kobalt::vulkan
