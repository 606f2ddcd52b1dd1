// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "kernel_calls/gpu_memory.h"

namespace kobalt::kernel {

namespace {

/// Addresses are sign-extended from 48 bits in some places, and not in others.
std::uint64_t plain(std::uint64_t address) {
    return address & 0xffff'ffff'ffff;
}

} // namespace

void GpuMemory::can_map(std::uint32_t buffer, std::uint64_t file_offset) {
    const std::lock_guard lock(mutex_);
    file_offsets_[buffer] = file_offset;
}

void GpuMemory::mapped(void* memory, std::uint64_t file_offset) {
    const std::lock_guard lock(mutex_);
    memory_[file_offset] = static_cast<const std::byte*>(memory);
}

void GpuMemory::unmapped(const void* memory, std::size_t size) {
    const auto* const begin = static_cast<const std::byte*>(memory);
    const std::lock_guard lock(mutex_);
    std::erase_if(memory_, [&](const auto& entry) {
        return entry.second >= begin && entry.second < begin + size;
    });
}

void GpuMemory::bound(std::uint64_t address, std::uint64_t size, std::uint32_t buffer,
                      std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    ranges_.insert_or_assign(plain(address), Range{size, offset, buffer});
}

void GpuMemory::unbound(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    ranges_.erase(plain(address));
}

std::span<const std::uint32_t> GpuMemory::words(std::uint64_t address, std::uint32_t count) {
    const std::uint64_t at = plain(address);
    const std::lock_guard lock(mutex_);
    auto found = ranges_.upper_bound(at);
    if (found == ranges_.begin())
        return {};
    const auto& [begin, range] = *--found;
    if (at + std::uint64_t{count} * sizeof(std::uint32_t) > begin + range.size)
        return {};
    const auto file_offset = file_offsets_.find(range.buffer);
    if (file_offset == file_offsets_.end())
        return {};
    const auto memory = memory_.find(file_offset->second);
    if (memory == memory_.end())
        return {};
    const std::byte* const start = memory->second + range.offset + (at - begin);
    return {reinterpret_cast<const std::uint32_t*>(start), count};
}

} // namespace kobalt::kernel
