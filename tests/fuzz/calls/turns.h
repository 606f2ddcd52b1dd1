// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "../driver/random.h"

namespace kobalt::fuzz {

/// Lets several threads make their calls one at a time, in an order that the seed decides; or,
/// without turns, all at once.
class Turns {
public:
    Turns(std::uint32_t players, std::uint64_t seed, bool in_turn);

    /// Waits until it is the player's turn.
    void take(std::uint32_t player);
    /// Ends the turn. A player who leaves has no further one.
    void pass(std::uint32_t player, bool leaves);

private:
    bool in_turn_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Random random_;
    std::vector<std::uint32_t> players_;
    std::uint32_t next_;
};

} // namespace kobalt::fuzz
