// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace kobalt::fuzz {

/// Numbers that depend on the seed alone, on every machine (SplitMix64).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t word = state_;
        word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
        word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
        return word ^ (word >> 31U);
    }
    /// From 0 to `limit` - 1; `limit` is more than 0.
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>((next() >> 32U) * limit >> 32U);
    }
    /// From `low` to `high`, both included.
    int between(int low, int high) {
        return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low + 1)));
    }
    bool one_in(std::uint32_t count) { return below(count) == 0; }
    /// One element of a range that isn't empty.
    template <typename Range>
    decltype(auto) pick(Range&& range) {
        return range[below(static_cast<std::uint32_t>(std::size(range)))];
    }

private:
    std::uint64_t state_;
};

/// The seed of the input `index` of a run with the seed `base`.
inline std::uint64_t input_seed(std::uint64_t base, std::uint64_t index) {
    return Random(Random(base).next() ^ index).next();
}

} // namespace kobalt::fuzz
