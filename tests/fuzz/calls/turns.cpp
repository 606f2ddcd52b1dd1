// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "turns.h"

#include <numeric>

namespace kobalt::fuzz {

Turns::Turns(std::uint32_t players, std::uint64_t seed, bool in_turn)
    : in_turn_(in_turn), random_(seed), players_(players), next_(random_.below(players)) {
    std::iota(players_.begin(), players_.end(), 0U);
}

void Turns::take(std::uint32_t player) {
    if (in_turn_) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return next_ == player; });
    }
}

void Turns::pass(std::uint32_t player, bool leaves) {
    if (!in_turn_) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        if (leaves) {
            std::erase(players_, player);
        }
        if (!players_.empty()) {
            next_ = random_.pick(players_);
        }
    }
    changed_.notify_all();
}

} // namespace kobalt::fuzz
