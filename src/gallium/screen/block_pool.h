// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace kobalt::gallium {

/// Memory for objects of one size that one thread allocates and another frees, at every draw of
/// apps that replace buffers. malloc returns such memory to the arena of the allocating thread, and
/// both threads contend for its lock. Here each side has a list on a cache line of its own: taking
/// a block looks at the returned ones only when its own list is empty, and then takes them all. The
/// block that comes next is fetched into the CPU's cache ahead, since another core wrote it last.
/// Thread-safe. Blocks begin at cache lines, and memory is freed only with the pool.
class BlockPool {
public:
    static constexpr size_t alignment = 64; ///< bytes: a cache line

    /// `bytes`: size of each block.
    explicit BlockPool(size_t bytes) : bytes_((bytes + alignment - 1) / alignment * alignment) {}
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    /// Uninitialised. Null: out of memory.
    void* take() {
        const std::lock_guard lock(mutex_);
        if (!free_ && !refill())
            return nullptr;
        Block* const block = free_;
        free_ = block->next;
        prefetch(free_);
        return block;
    }
    /// Takes back a block that nothing uses.
    void give(void* block) {
        auto* const gone = new (block) Block{returned_.load(std::memory_order_relaxed)};
        while (!returned_.compare_exchange_weak(gone->next, gone, std::memory_order_release,
                                                std::memory_order_relaxed)) {
        }
    }

private:
    struct Block {
        Block* next;
    };
    struct Free {
        void operator()(std::byte* page) const {
            ::operator delete (page, std::align_val_t{alignment});
        }
    };

    void prefetch(Block* block) const {
        auto* const begin = reinterpret_cast<std::byte*>(block);
        for (size_t line = 0; block && line < bytes_; line += alignment)
            __builtin_prefetch(begin + line, 1);
    }
    /// Fills free_. False: out of memory.
    [[gnu::noinline]] bool refill() {
        free_ = returned_.exchange(nullptr, std::memory_order_acquire);
        if (free_)
            return true;
        constexpr size_t blocks_in_page = 64;
        std::unique_ptr<std::byte, Free> page(static_cast<std::byte*>(
            ::operator new (bytes_* blocks_in_page, std::align_val_t{alignment}, std::nothrow)));
        if (!page)
            return false;
        for (size_t i = blocks_in_page; i-- > 0;)
            free_ = new (page.get() + i * bytes_) Block{free_};
        pages_.push_back(std::move(page));
        return true;
    }

    const size_t bytes_;
    alignas(alignment) std::atomic<Block*> returned_{nullptr};
    alignas(alignment) std::mutex mutex_; ///< guards what follows
    Block* free_ = nullptr;
    std::vector<std::unique_ptr<std::byte, Free>> pages_;
};

} // namespace kobalt::gallium
