// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

struct disk_cache;

namespace kobalt::gallium {

/// Small records about one subject in Mesa's disk cache, numbered from 0. The cache never replaces
/// an entry, so each record has one of its own. Where two processes write the same number the first
/// one's stays.
class NumberedRecords {
public:
    /// About `subject`. `purpose`: what they are for, with a number that changes with their layout.
    /// Without a cache there are none, and none are kept.
    NumberedRecords(disk_cache* cache, std::string_view purpose, std::span<const uint8_t> subject);

    using Subject = std::array<uint8_t, 20>;
    /// Tells subjects, each with its purpose, apart.
    const Subject& subject() const { return subject_; }

    /// Nothing where there is no such record. Writing is left to another thread: what has just been
    /// written may not be there yet.
    std::optional<std::vector<uint8_t>> read(uint32_t number) const;
    void write(uint32_t number, std::span<const uint8_t> record) const;
    /// Makes room for another: what stands there isn't one.
    void remove(uint32_t number) const;

private:
    std::array<uint8_t, 20> key_of(uint32_t number) const; ///< cache_key

    disk_cache* cache_;
    Subject subject_{}; ///< SHA-1 of purpose and subject
};

} // namespace kobalt::gallium
