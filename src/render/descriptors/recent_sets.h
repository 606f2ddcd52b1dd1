// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/base/index_set.h"
#include "render/descriptors/binder.h"

namespace kobalt::render {

/// What a descriptor names. Descriptors of one binding with equal names are equal.
struct DescriptorName {
    uint64_t object = 0; ///< RefCounted::serial() of its buffer or view; 0: nothing is bound
    uint64_t detail = 0; ///< a texture's sampler, by its serial; a buffer's offset in bytes
    uint64_t size = 0;   ///< of a buffer's range, bytes
    bool operator==(const DescriptorName&) const = default;
};

/// What a shader's descriptors name now, and where its last sets lie, by the names in them: a set
/// that comes back is neither encoded nor copied again. Descriptors may have hundreds of bytes, and
/// draws that alternate between two textures have all else in common.
class RecentSets {
public:
    /// For a set of `count` descriptors, none of them encoded.
    explicit RecentSets(size_t count);
    size_t count() const { return names_.size(); }

    /// Sets what the descriptor `index` names from now on. False: it named that before.
    bool name(uint32_t index, const DescriptorName& name) {
        DescriptorName& now = names_[index];
        if (now == name)
            return false;
        if (!rests_)
            note_change(index, now, name);
        now = name;
        outdated_.insert(index);
        return true;
    }
    /// Descriptors named anew since encoded(): their bytes in the set's content are outdated.
    const IndexSet<most_descriptors>& outdated() const { return outdated_; }
    void encoded() { outdated_.clear(); }

    // A shader whose sets never come back, such as one whose uniforms lie elsewhere at each draw,
    // should not pay for the search: after `tries` new sets in a row, the next `rests` sets are
    // neither searched for nor remembered.
    static constexpr uint32_t tries = 16, rests = 240;

    /// Makes `set` the remembered one of `generation` with the same names. False: there is none.
    bool find(StageSet& set, uint64_t generation) {
        return !rests_ && !entries_.empty() && find_entry(set, generation);
    }
    /// Remembers `set`, which was placed with the current names. Memory is allocated at the first
    /// set that replaces another one of its generation, because most sets never change.
    void remember(const StageSet& set) {
        if (!rests_)
            add(set);
        else if (--rests_ == 0)
            hash_ = hash_of_all();
    }

private:
    static constexpr size_t ways = 4; ///< entries that a set may be in, by its hash
    static constexpr size_t most_entries = 64;
    struct Entry {
        uint64_t hash = 0;
        uint64_t generation = 0; ///< 0: free
        VkDeviceSize offset = 0;
        VkDescriptorSet handle = VK_NULL_HANDLE;
    };

    /// The number of entries is a power of two.
    size_t first_way(uint64_t hash) const { return hash & (entries_.size() - 1) & ~(ways - 1); }
    uint64_t hash_of_all() const;
    void note_change(uint32_t index, const DescriptorName& before, const DescriptorName& now);
    bool find_entry(StageSet& set, uint64_t generation);
    void add(const StageSet& set);
    bool same_names(size_t entry) const;
    /// An entry for `hash` without a set of `generation`; entries_.size(): all of its ways are
    /// taken.
    size_t free_entry(uint64_t hash, uint64_t generation) const;
    void grow();

    std::vector<DescriptorName> names_;
    IndexSet<most_descriptors> outdated_;
    uint64_t hash_ = 0;            ///< of names_: a sum, so a change costs one term; stale at rest
    uint64_t last_generation_ = 0; ///< of the set remembered last
    size_t next_victim_ = 0;
    uint32_t misses_ = 0; ///< since the last one found
    uint32_t rests_ = 0;  ///< left
    std::vector<Entry> entries_;
    std::vector<DescriptorName> entry_names_; ///< count() an entry
};

} // namespace kobalt::render
