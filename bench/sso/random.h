// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace kobalt::sso {

/// Pseudo-random numbers from a seed, the same on each machine: a Weyl sequence whose values are
/// scrambled by multiplications and shifts.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t x = state_;
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
        x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
        return x ^ (x >> 32);
    }
    int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
    }

    /// 0 to count - 1 in a random order.
    std::vector<int> order(int count) {
        std::vector<int> numbers(static_cast<size_t>(count));
        std::iota(numbers.begin(), numbers.end(), 0);
        for (int i = count; i > 1; --i) {
            std::swap(numbers[static_cast<size_t>(i) - 1], numbers[static_cast<size_t>(below(i))]);
        }
        return numbers;
    }

private:
    std::uint64_t state_;
};

/// A seed for one of several uses, which differ by name.
inline std::uint64_t seed_for(std::uint64_t seed, std::string_view name) {
    for (const char letter : name) {
        seed = Random(seed ^ static_cast<unsigned char>(letter)).next();
    }
    return seed;
}

} // namespace kobalt::sso
