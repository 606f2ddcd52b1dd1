// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/descriptors.h"
#include "render/index_set.h"

namespace kobalt::render {

/// What a descriptor shows. Descriptors of one binding that show the same are the same.
struct DescriptorName {
    uint64_t object = 0; ///< RefCounted::serial() of its buffer or view; 0: nothing is bound
    uint64_t detail = 0; ///< a texture's sampler, by its serial; a buffer's offset in bytes
    uint64_t size = 0;   ///< of a buffer's range, bytes
    bool operator==(const DescriptorName&) const = default;
};

/// What a shader's descriptors show now, and where its last sets lie, by what theirs show: one that
/// comes back is neither encoded nor copied again. Descriptors may have hundreds of bytes, and
/// draws that take turns with two textures have all else in common.
class RecentSets {
public:
    /// For a set of `count` descriptors, none of them encoded.
    explicit RecentSets(size_t count);
    size_t count() const { return names_.size(); }

    /// What the descriptor `index` shows from now on. False: what it did before.
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
    /// Those named anew since encoded(): what the set's content has of them is of earlier times.
    const IndexSet<most_descriptors>& outdated() const { return outdated_; }
    void encoded() { outdated_.clear(); }

    // A shader whose sets never come back, as one whose uniforms lie elsewhere at each draw, shall
    // not pay for looking: behind `tries` new ones in a row come `rests` that are neither looked
    // for nor remembered.
    static constexpr uint32_t tries = 16, rests = 240;

    /// Makes `set` the one of `epoch` that shows the same. False: none of those remembered does.
    bool find(StageSet& set, uint64_t epoch) {
        return !rests_ && !places_.empty() && find_place(set, epoch);
    }
    /// `set` was placed and shows what was named. The first one of an epoch that takes another's
    /// place makes room for them: most sets never change.
    void remember(const StageSet& set) {
        if (!rests_)
            place(set);
        else if (--rests_ == 0)
            hash_ = hash_of_all();
    }

private:
    static constexpr size_t ways = 4; ///< places that may have a set, by its hash
    static constexpr size_t most_places = 64;
    struct Place {
        uint64_t hash = 0;
        uint64_t epoch = 0; ///< 0: free
        VkDeviceSize offset = 0;
        VkDescriptorSet handle = VK_NULL_HANDLE;
    };

    /// The places are a power of two.
    size_t first_way(uint64_t hash) const { return hash & (places_.size() - 1) & ~(ways - 1); }
    uint64_t hash_of_all() const;
    void note_change(uint32_t index, const DescriptorName& before, const DescriptorName& now);
    bool find_place(StageSet& set, uint64_t epoch);
    void place(const StageSet& set);
    bool same_names(size_t place) const;
    /// A place for `hash` that none of `epoch` has; the end: all of its ways are taken.
    size_t free_place(uint64_t hash, uint64_t epoch) const;
    void grow();

    std::vector<DescriptorName> names_;
    IndexSet<most_descriptors> outdated_;
    uint64_t hash_ = 0;       ///< of names_, a sum: one more costs one term; stale at rest
    uint64_t last_epoch_ = 0; ///< of the set remembered last
    size_t next_victim_ = 0;
    uint32_t misses_ = 0; ///< since the last one found
    uint32_t rests_ = 0;  ///< left
    std::vector<Place> places_;
    std::vector<DescriptorName> place_names_; ///< count() a place
};

} // namespace kobalt::render
