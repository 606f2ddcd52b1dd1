// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace kobalt::fuzz {

/// The last steps of each thread of an input. It lies in memory that the parent shares, and so
/// outlives a worker that crashes.
class Journal {
public:
    static constexpr std::uint32_t lanes = 4;

    /// Notes the step that a thread is about to make. Each lane has one thread.
    void note(std::uint32_t lane, std::string_view step);
    /// Forgets what was noted.
    void clear();
    /// One line for each thread that noted something, the last step last.
    std::string text() const;

private:
    static constexpr std::uint32_t kept = 16;
    static constexpr std::size_t longest = 48; ///< in bytes, with the final 0

    struct Lane {
        std::atomic<std::uint32_t> count{0};
        std::array<std::array<char, longest>, kept> steps{};
    };
    std::array<Lane, lanes> lanes_{};
};

} // namespace kobalt::fuzz
