// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <mutex>

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// Memory for objects of one size that one thread allocates and another frees, at every draw of
/// apps that replace buffers. malloc returns such memory to the arena of the allocating thread, and
/// both threads contend for its lock. Mesa's slab has a list for each side: an allocation looks at
/// freed blocks only when its own list is empty. Thread-safe. Objects are aligned as pointers are,
/// and memory is freed only with the pool.
class BlockPool {
public:
    /// `bytes`: size of each block.
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
    /// The block came from another child of the slab, so slab_free() locks.
    void give(void* block) { slab_free(&givers_, block); }

private:
    slab_parent_pool parent_{};
    slab_child_pool takers_{}, givers_{};
    std::mutex mutex_; ///< guards takers_
};

} // namespace kobalt::gallium
