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
/// an entry, so each record has an entry of its own. If two processes write the same number, the
/// first one's record stays.
class NumberedRecords {
public:
    /// Records about `subject`. `purpose`: names their use, with a number that changes with their
    /// layout. `cache` may be null: then nothing is read or written.
    NumberedRecords(disk_cache* cache, std::string_view purpose, std::span<const uint8_t> subject);

    using Subject = std::array<uint8_t, 20>;
    /// Identifies subject and purpose.
    const Subject& subject() const { return subject_; }

    /// Nothing if there is no such record. Another thread does the writing, so a record that was
    /// just written may not be found yet.
    std::optional<std::vector<uint8_t>> read(uint32_t number) const;
    void write(uint32_t number, std::span<const uint8_t> record) const;
    /// Removes an entry that isn't a valid record, so that another can be written.
    void remove(uint32_t number) const;

private:
    std::array<uint8_t, 20> key_of(uint32_t number) const; ///< cache_key

    disk_cache* cache_;
    Subject subject_{}; ///< SHA-1 of purpose and subject
};

} // namespace kobalt::gallium
