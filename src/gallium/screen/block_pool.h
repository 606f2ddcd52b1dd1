// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <mutex>

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// Memory for objects of one size that one thread makes and another lets go of, at every draw of
/// apps that replace buffers. malloc gives such memory back to the arena of the thread that made
/// it, and the two wait for its lock in turn. Mesa's slab has a list for either: who takes looks
/// at what came back only when its own list is empty. Thread-safe. Objects begin at multiples of
/// pointers, and memory stays until the pool goes.
class BlockPool {
public:
    /// `bytes`: of each block.
    explicit BlockPool(unsigned bytes) {
        constexpr unsigned blocks_in_page = 64;
        slab_create_parent(&parent_, bytes, blocks_in_page);
        slab_create_child(&takers_, &parent_);
        slab_create_child(&givers_, &parent_);
    }
    ~BlockPool() {
        slab_destroy_child(&givers_);
        slab_destroy_child(&takers_);
        slab_destroy_parent(&parent_);
    }
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    /// Uninitialised. Null: out of memory.
    void* take() {
        const std::lock_guard lock(mutex_);
        return slab_alloc(&takers_);
    }
    /// Of another child than the one that it came from, so slab_free() locks.
    void give(void* block) { slab_free(&givers_, block); }

private:
    slab_parent_pool parent_{};
    slab_child_pool takers_{}, givers_{};
    std::mutex mutex_; ///< between those who take
};

} // namespace kobalt::gallium
