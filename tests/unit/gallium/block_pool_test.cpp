// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Blocks of memory that one thread takes and another gives back.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>

#include "gallium/screen/block_pool.h"

using kobalt::gallium::BlockPool;

namespace {

TEST(BlockPool, BlocksAreApartAndAligned) {
    constexpr size_t bytes = 72;
    BlockPool pool(bytes);
    std::set<uintptr_t> taken;
    for (int i = 0; i < 1000; ++i) {
        void* const block = pool.take();
        ASSERT_NE(block, nullptr);
        std::memset(block, i, bytes);
        taken.insert(reinterpret_cast<uintptr_t>(block));
    }
    ASSERT_EQ(taken.size(), 1000u);
    for (auto at = taken.begin(), next = std::next(at); next != taken.end(); ++at, ++next)
        EXPECT_GE(*next - *at, bytes);
    for (const uintptr_t block : taken)
        EXPECT_EQ(block % BlockPool::alignment, 0u);
}

TEST(BlockPool, WhatWasGivenBackIsTakenAgain) {
    BlockPool pool(64);
    std::set<void*> first;
    for (int i = 0; i < 200; ++i)
        first.insert(pool.take());
    for (void* const block : first)
        pool.give(block);
    size_t again = 0;
    // The pool may have had some blocks besides, of which each page has less than a hundred.
    for (int i = 0; i < 300; ++i)
        again += first.count(pool.take());
    EXPECT_EQ(again, first.size());
}

TEST(BlockPool, NoBlockHasTwoOwners) {
    constexpr size_t in_flight = 32;
    BlockPool pool(sizeof(uint64_t) * 2);
    std::array<std::atomic<uint64_t*>, in_flight> passed{};
    std::atomic<bool> done{false};
    std::atomic<int> torn{0};
    std::thread giver([&] {
        for (bool last = false; !last;) {
            last = done.load();
            for (auto& slot : passed)
                if (uint64_t* const block = slot.exchange(nullptr)) {
                    if (block[0] != block[1])
                        ++torn;
                    pool.give(block);
                }
        }
    });
    for (uint64_t i = 1; i <= 100000; ++i) {
        auto* const block = static_cast<uint64_t*>(pool.take());
        block[0] = block[1] = i;
        auto& slot = passed[i % in_flight];
        while (slot.load())
            std::this_thread::yield();
        if (block[0] != i || block[1] != i)
            ++torn;
        slot.store(block);
    }
    done = true;
    giver.join();
    EXPECT_EQ(torn, 0) << "another owner wrote to the block";
}

} // namespace
