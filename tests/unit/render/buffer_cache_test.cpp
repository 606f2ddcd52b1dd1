// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <atomic>
#include <thread>

#include "render/commands/batch.h"
#include "render/resources/buffer_cache.h"

// Tests that released buffer storage is reused, but never too early and never for a buffer of
// another kind.

namespace kobalt::render::test {
namespace {

class BufferCaches : public Scene {
protected:
    Ref<Buffer> make(VkDeviceSize size,
                     vulkan::MemoryKind kind = vulkan::MemoryKind::device_local_mappable) {
        const vulkan::BufferInfo info{.size = size,
                                      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                      .kind = kind};
        auto made = cache->create(info);
        EXPECT_TRUE(made) << made.error().to_string();
        return made ? std::move(*made) : Ref<Buffer>();
    }
    void SetUp() override {
        Scene::SetUp();
        if (!IsSkipped())
            cache = &gpu().engine().buffers();
    }
    BufferCache* cache = nullptr;
};
KOBALT_SCENES(BufferCaches);

TEST_P(BufferCaches, StorageComesBack) {
    Ref<Buffer> first = make(1024);
    const VkBuffer handle = first->handle();
    Ref<Buffer> second = make(1024);
    EXPECT_NE(second->handle(), handle) << "it is still in use";
    first.reset();
    EXPECT_NE(make(2048)->handle(), handle);
    EXPECT_NE(make(1024, vulkan::MemoryKind::readback)->handle(), handle);
    first = make(1024);
    EXPECT_EQ(first->handle(), handle);
    EXPECT_EQ(first->size(), 1024u);
    EXPECT_FALSE(first->busy(false));
}

// The hazards of the old buffer must not be applied to the new one.
TEST_P(BufferCaches, WhatComesBackIsAnotherBuffer) {
    Ref<Buffer> buffer = make(1024);
    const uint64_t serial = buffer->serial();
    recorder().fill_buffer(*buffer, 0, 1024, 7);
    finish();
    const VkBuffer handle = buffer->handle();
    buffer.reset();
    gpu().engine().batches().collect();
    for (int i = 0; i < 8 && (!buffer || buffer->handle() != handle); ++i)
        buffer = make(1024);
    ASSERT_EQ(buffer->handle(), handle);
    EXPECT_NE(buffer->serial(), serial);
    EXPECT_FALSE(buffer->busy(false));
    EXPECT_FALSE(buffer->unflushed(false));
    recorder().fill_buffer(*buffer, 0, 1024, 9);
    EXPECT_TRUE(buffer->unflushed(true));
    EXPECT_EQ(read_words(*buffer, 256), std::vector<uint32_t>(256, 9));
}

// Each context slot has hazards of its own in a buffer.
TEST_P(BufferCaches, WhatComesBackHasNoHazards) {
    constexpr VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    BatchPool& batches = gpu().engine().batches();
    Ref<Buffer> buffer = make(1024);
    const VkBuffer handle = buffer->handle();
    for (ContextSlot slot = 0; slot < RefCounted::context_slot_entries; ++slot) {
        SCOPED_TRACE(slot);
        auto writing = batches.begin(slot);
        ASSERT_TRUE(writing) << writing.error().to_string();
        EXPECT_FALSE((*writing)->add_write(*buffer, stages, VK_ACCESS_2_TRANSFER_WRITE_BIT));
        ASSERT_TRUE(batches.submit(std::move(*writing)));
        ASSERT_TRUE(buffer->wait_idle(false, UINT64_MAX));
        buffer.reset();
        batches.collect();
        buffer = make(1024);
        ASSERT_EQ(buffer->handle(), handle);
        auto reading = batches.begin(slot);
        ASSERT_TRUE(reading) << reading.error().to_string();
        EXPECT_FALSE((*reading)->add_read(*buffer, stages, VK_ACCESS_2_TRANSFER_READ_BIT));
        ASSERT_TRUE(batches.submit(std::move(*reading)));
        ASSERT_TRUE(buffer->wait_idle(false, UINT64_MAX));
    }
}

// One thread creates buffers, another releases them.
TEST_P(BufferCaches, TwoThreads) {
    std::atomic<Buffer*> passed{nullptr};
    std::atomic<bool> done{false};
    std::thread other([&] {
        while (!done.load(std::memory_order_relaxed) || passed.load(std::memory_order_relaxed))
            if (Buffer* const buffer = passed.exchange(nullptr))
                Ref<Buffer>::adopt(buffer).reset();
    });
    for (int i = 0; i < 20000; ++i) {
        Ref<Buffer> buffer = make(256 << (i % 3));
        EXPECT_EQ(buffer->size(), VkDeviceSize{256} << (i % 3));
        while (passed.load(std::memory_order_relaxed))
            std::this_thread::yield();
        passed.store(buffer.leak());
    }
    done = true;
    other.join();
    EXPECT_LE(cache->bytes(), 64u << 10) << "few were alive at once";
}

TEST_P(BufferCaches, NotBeforeTheDeviceIsDone) {
    Ref<Buffer> buffer = make(1024);
    const VkBuffer handle = buffer->handle();
    recorder().fill_buffer(*buffer, 0, 1024, 7);
    buffer.reset();
    EXPECT_NE(make(1024)->handle(), handle) << "a batch that isn't submitted writes it";
    finish();
    gpu().engine().batches().collect();
    // The buffers made in between are in the cache too.
    std::vector<Ref<Buffer>> made;
    for (int i = 0; i < 2; ++i)
        made.push_back(make(1024));
    EXPECT_TRUE(made[0]->handle() == handle || made[1]->handle() == handle);
}

TEST_P(BufferCaches, KeepsLittle) {
    (void)make(1024);
    EXPECT_EQ(cache->bytes(), 1024u);
    (void)make(64u << 20);
    EXPECT_EQ(cache->bytes(), 1024u) << "a large buffer's memory was kept";
    std::vector<Ref<Buffer>> many;
    for (VkDeviceSize bytes = 0; bytes < 2 * BufferCache::most_bytes; bytes += 4u << 20)
        many.push_back(make(4u << 20));
    many.clear();
    EXPECT_LE(cache->bytes(), BufferCache::most_bytes);
    EXPECT_GT(cache->bytes(), 4u << 20);
    cache->clear();
    EXPECT_EQ(cache->bytes(), 0u);
}

// A level's load fills the cache with sizes that nobody asks for again.
TEST_P(BufferCaches, TheOldestMakeRoom) {
    constexpr VkDeviceSize large = 1u << 20;
    cache->clear();
    std::vector<Ref<Buffer>> many;
    for (VkDeviceSize bytes = 0; bytes < 2 * BufferCache::most_bytes; bytes += large)
        many.push_back(make(large));
    many.clear();
    const VkDeviceSize full = cache->bytes();
    Ref<Buffer> first = make(1024);
    Ref<Buffer> second = make(1024);
    first.reset();
    second.reset();
    first = make(1024);
    EXPECT_EQ(cache->bytes(), full - large + 1024) << "one large buffer for both small ones";
}

} // namespace
} // namespace kobalt::render::test
