// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace kobalt {

/// What a program binary of Mesa's begins with (src/mesa/main/program_binary.c). Behind it stands
/// the payload. Kobalt puts a signature of 32 bytes between the two, which covers both.
struct MesaBinaryHeader {
    std::uint32_t internal_format; ///< 0
    std::array<std::uint8_t, 20> driver;
    std::uint32_t size;     ///< of the payload, in bytes
    std::uint32_t checksum; ///< of the payload; 0 where there is a signature
};
static_assert(sizeof(MesaBinaryHeader) == 32);
inline constexpr std::size_t mesa_signature_bytes = 32;

/// CRC-32 as Mesa has it (src/util/crc32.c): without the inversion at the end.
inline std::uint32_t mesa_checksum(std::span<const std::byte> bytes) {
    constexpr std::uint32_t reversed_polynomial = 0xedb88320;
    std::uint32_t sum = 0xffffffff;
    for (const std::byte byte : bytes) {
        sum ^= std::to_integer<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? reversed_polynomial : 0U);
        }
    }
    return sum;
}

/// Writes the checksum of what the header says is the payload of a binary without a signature.
/// Nothing is done to what has no whole header.
inline void mend_checksum(std::span<std::byte> binary) {
    MesaBinaryHeader header{};
    if (binary.size() < sizeof header) {
        return;
    }
    std::memcpy(&header, binary.data(), sizeof header);
    const std::span<const std::byte> behind = binary.subspan(sizeof header);
    header.checksum =
        mesa_checksum(behind.first(std::min<std::size_t>(behind.size(), header.size)));
    std::memcpy(binary.data(), &header, sizeof header);
}

/// Writes the payload's size, which becomes what is behind the header and `signature` bytes.
inline void mend_size(std::span<std::byte> binary, std::size_t signature) {
    if (binary.size() < sizeof(MesaBinaryHeader) + signature) {
        return;
    }
    const auto size =
        static_cast<std::uint32_t>(binary.size() - sizeof(MesaBinaryHeader) - signature);
    std::memcpy(binary.data() + offsetof(MesaBinaryHeader, size), &size, sizeof size);
}

} // namespace kobalt
