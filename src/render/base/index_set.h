// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kobalt::render {

/// A set of indices below `size`. Iteration skips the indices that aren't in it.
template <size_t size>
class IndexSet {
public:
    void insert(size_t index) { words_[index / bits] |= bit(index); }
    void clear() { words_.fill(0); }
    bool contains(size_t index) const { return (words_[index / bits] & bit(index)) != 0; }
    bool empty() const {
        return std::ranges::all_of(words_, [](uint64_t word) { return word == 0; });
    }
    size_t count() const {
        size_t sum = 0;
        for (const uint64_t word : words_)
            sum += static_cast<size_t>(std::popcount(word));
        return sum;
    }
    /// Calls `use` with each index, from the lowest up.
    template <class Use>
    void for_each(Use use) const {
        for (size_t i = 0; i < words_.size(); ++i)
            for (uint64_t left = words_[i]; left; left &= left - 1)
                use(static_cast<uint32_t>(i * bits + static_cast<size_t>(std::countr_zero(left))));
    }

private:
    static constexpr size_t bits = 64;
    static constexpr uint64_t bit(size_t index) { return uint64_t{1} << index % bits; }

    std::array<uint64_t, (size + bits - 1) / bits> words_{};
};

} // namespace kobalt::render
