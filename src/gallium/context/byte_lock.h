// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <thread>

namespace kobalt::gallium {

/// A lock of one byte, for objects of which there are many. It is held for short, so its waiters
/// don't sleep.
class ByteLock {
public:
    void lock() {
        while (taken_.test_and_set(std::memory_order_acquire))
            std::this_thread::yield(); // its holder may wait for this processor
    }
    void unlock() { taken_.clear(std::memory_order_release); }

private:
    std::atomic_flag taken_;
};

} // namespace kobalt::gallium
