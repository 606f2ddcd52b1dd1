// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>

namespace kobalt::kernel {

/// A process's mappings of its GPU's memory, for the CPU and for the GPU. They tell which memory of
/// the process the GPU reads at an address.
class GpuMemory {
public:
    /// The buffer's memory can be mapped at this offset of the device's file.
    void can_map(std::uint32_t buffer, std::uint64_t file_offset);
    /// The CPU has mapped, or unmapped, a part of the device's file.
    void mapped(void* memory, std::uint64_t file_offset);
    void unmapped(const void* memory, std::size_t size);
    /// The GPU sees a part of the buffer at this address, or no longer.
    void bound(std::uint64_t address, std::uint64_t size, std::uint32_t buffer,
               std::uint64_t offset);
    void unbound(std::uint64_t address);

    /// The words that the GPU sees there; empty where the CPU has not mapped them.
    std::span<const std::uint32_t> words(std::uint64_t address, std::uint32_t count);

private:
    struct Range {
        std::uint64_t size, offset;
        std::uint32_t buffer;
    };
    std::mutex mutex_;                                              ///< guards the rest
    std::unordered_map<std::uint32_t, std::uint64_t> file_offsets_; ///< by buffer
    std::unordered_map<std::uint64_t, const std::byte*> memory_;    ///< by offset in the file
    std::map<std::uint64_t, Range> ranges_;                         ///< by the GPU's address
};

} // namespace kobalt::kernel
