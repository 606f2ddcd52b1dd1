// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "../gl_more.h"
#include "turns.h"

namespace kobalt::fuzz {

/// The names of shared objects of one kind, which any thread may bind and delete at any time. What
/// replaces an object, its storage or its mapping does so with the slot's lock, so that a name
/// which another thread has just deleted is never used for that.
class Names {
public:
    static constexpr std::uint32_t count = 12;

    struct Slot {
        std::mutex mutex;
        std::atomic<GLuint> name{0};
    };
    Slot& slot(std::uint32_t number) { return slots_[number]; }

private:
    std::array<Slot, count> slots_{};
};

/// The threads of one input share this.
struct World {
    static constexpr std::uint32_t players = 3;

    World(std::uint64_t seed, bool in_turn)
        : turns(players, seed, in_turn), may_redefine(in_turn) {}

    Turns turns;
    /// Whether objects that others know may get another storage, other parameters or another
    /// program. Only in turns: what a draw in another thread sees meanwhile is undefined, and Mesa
    /// has no lock for it.
    bool may_redefine;
    Names buffers;
    Names textures;
    Names renderbuffers;
    Names samplers;
    Names programs;
    Names stages; ///< separable programs of one stage
    std::array<std::atomic<GLsync>, 6> syncs{};
};

} // namespace kobalt::fuzz
