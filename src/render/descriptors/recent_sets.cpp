// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/descriptors/recent_sets.h"

#include <algorithm>
#include <utility>

namespace kobalt::render {
namespace {

// Odd numbers without a pattern: the fractions of the square roots of 2, 3, 5 and 7.
uint64_t hash_of(uint32_t index, const DescriptorName& name) {
    uint64_t hash = name.object * 0x6a09e667f3bcc909u + name.detail * 0xbb67ae8584caa73bu +
                    name.size * 0x3c6ef372fe94f82bu + (index + 1) * 0xa54ff53a5f1d36f1u;
    hash ^= hash >> 32;
    hash *= 0x6a09e667f3bcc909u;
    return hash ^ hash >> 29;
}

} // namespace

RecentSets::RecentSets(size_t count) : names_(count) {
    for (size_t i = 0; i < count; ++i)
        outdated_.insert(i);
    hash_ = hash_of_all();
}

uint64_t RecentSets::hash_of_all() const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count(); ++i)
        sum += hash_of(i, names_[i]);
    return sum;
}

void RecentSets::note_change(uint32_t index, const DescriptorName& before,
                             const DescriptorName& now) {
    hash_ += hash_of(index, now) - hash_of(index, before);
}

bool RecentSets::same_names(size_t entry) const {
    return std::equal(names_.begin(), names_.end(),
                      entry_names_.begin() + static_cast<ptrdiff_t>(entry * count()));
}

bool RecentSets::find_entry(StageSet& set, uint64_t generation) {
    const size_t first = first_way(hash_);
    for (size_t i = first; i < first + ways; ++i) {
        const Entry& entry = entries_[i];
        if (entry.hash != hash_ || entry.generation != generation || !same_names(i))
            continue;
        set.handle = entry.handle;
        set.offset = entry.offset;
        set.generation = generation;
        misses_ = 0;
        return true;
    }
    return false;
}

size_t RecentSets::free_entry(uint64_t hash, uint64_t generation) const {
    const size_t first = first_way(hash);
    for (size_t i = first; i < first + ways; ++i)
        if (entries_[i].generation != generation)
            return i;
    return entries_.size();
}

void RecentSets::grow() {
    const std::vector<Entry> entries =
        std::exchange(entries_, std::vector<Entry>(std::max(ways, 2 * entries_.size())));
    const std::vector<DescriptorName> names =
        std::exchange(entry_names_, std::vector<DescriptorName>(entries_.size() * count()));
    for (size_t i = 0; i < entries.size(); ++i) {
        const size_t to = free_entry(entries[i].hash, entries[i].generation);
        if (entries[i].generation == 0 || to == entries_.size())
            continue;
        entries_[to] = entries[i];
        std::copy_n(names.begin() + static_cast<ptrdiff_t>(i * count()), count(),
                    entry_names_.begin() + static_cast<ptrdiff_t>(to * count()));
    }
}

void RecentSets::add(const StageSet& set) {
    if (++misses_ > tries) {
        misses_ = 0;
        rests_ = rests;
        return;
    }
    if (std::exchange(last_generation_, set.generation) != set.generation && entries_.empty())
        return;
    if (entries_.empty())
        grow();
    size_t to = free_entry(hash_, set.generation);
    if (to == entries_.size() && entries_.size() < most_entries) {
        grow();
        to = free_entry(hash_, set.generation);
    }
    if (to == entries_.size())
        to = first_way(hash_) + next_victim_++ % ways;
    entries_[to] = {hash_, set.generation, set.offset, set.handle};
    std::ranges::copy(names_, entry_names_.begin() + static_cast<ptrdiff_t>(to * count()));
}

} // namespace kobalt::render
