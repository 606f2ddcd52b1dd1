// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "compute_harness.h"

#include "vulkan/resources/staging.h"

#include <chrono>
#include <cstring>
#include <thread>

namespace kobalt::vulkan::test {
namespace {

class Staging : public VulkanTest {
protected:
    /// Submits a copy that cannot start before `gate` reaches 1.
    uint64_t submit_gated_copy(CommandPools& pools, const StagingSpan& span, const Buffer& target,
                               VkDeviceSize offset, VkSemaphore gate) {
        auto pool = pools.acquire();
        auto commands = (*pool)->begin();
        const VkBufferCopy region{span.offset, offset, span.mapped.size()};
        device_->vk().CmdCopyBuffer(*commands, span.buffer, target.handle(), 1, &region);
        (void)(*pool)->end(*commands);
        const SemaphorePoint wait{gate, 1};
        const auto value = device_->graphics().submit({&*commands, 1}, {&wait, 1});
        EXPECT_TRUE(value.has_value());
        pools.release(std::move(*pool), *value);
        return *value;
    }
    void open(VkSemaphore gate) {
        auto info = vk_struct<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
        info.semaphore = gate;
        info.value = 1;
        device_->vk().SignalSemaphore(device_->handle(), &info);
    }
};

TEST_F(Staging, UploadNeverWaitsWhileTheDeviceIsBusy) {
    constexpr VkDeviceSize chunk = 4096;
    constexpr uint32_t pieces = 32;
    Queue& queue = device_->graphics();
    KOBALT_VALUE(gate, Timeline::create(*device_, "gate"));
    CommandPools pools(*device_, queue);
    StagingRing ring(*device_, queue.timeline(), StagingDirection::upload, chunk);
    KOBALT_VALUE(target, storage_buffer(*device_, pieces * 256, MemoryKind::readback));

    // The device is held at the gate: a ring that waited for it would hang here for ever.
    uint64_t last = 0;
    for (uint32_t i = 0; i < pieces; ++i) {
        KOBALT_VALUE(span, ring.allocate(1024, 16));
        ASSERT_EQ(span.mapped.size(), 1024u);
        std::memset(span.mapped.data(), static_cast<int>(i + 1), 1024);
        last = submit_gated_copy(pools, span, target, i * 1024, gate->semaphore());
        ring.retire(last);
    }
    EXPECT_FALSE(queue.timeline().reached(1)) << "the gate did not hold";
    EXPECT_EQ(ring.chunks_created(), pieces * 1024 / chunk);
    open(gate->semaphore());
    ASSERT_TRUE(queue.timeline().wait(last).has_value());
    target.invalidate(0, VK_WHOLE_SIZE);
    for (uint32_t i = 0; i < pieces; ++i)
        ASSERT_EQ(words(target)[i * 256 + 255], (i + 1) * 0x01010101u) << "piece " << i;

    // Now that the device has passed them, the chunks are used again.
    const size_t before = ring.chunks_created();
    for (uint32_t i = 0; i < 4 * pieces; ++i) {
        KOBALT_VALUE(span, ring.allocate(1024, 16));
        const uint64_t value = submit_gated_copy(pools, span, target, 0, gate->semaphore());
        ring.retire(value);
        ASSERT_TRUE(queue.timeline().wait(value).has_value());
    }
    EXPECT_EQ(ring.chunks_created(), before);
}

TEST_F(Staging, AlignmentAndLargeRequests) {
    StagingRing ring(*device_, device_->graphics().timeline(), StagingDirection::upload, 4096);
    KOBALT_VALUE(one, ring.allocate(1, 1));
    KOBALT_VALUE(twelve, ring.allocate(24, 12)); // RGB32F texels
    EXPECT_EQ(twelve.offset % 12, 0u);
    EXPECT_GE(twelve.offset, one.offset + 1);
    KOBALT_VALUE(large, ring.allocate(1 << 20, 256));
    EXPECT_EQ(large.mapped.size(), size_t{1} << 20);
    std::memset(large.mapped.data(), 1, large.mapped.size());
    KOBALT_VALUE(small, ring.allocate(16, 16));
    EXPECT_EQ(small.buffer, one.buffer) << "a large request must not end the current chunk";
    EXPECT_EQ(ring.bytes_held(), 4096u + (1u << 20));
}

TEST_F(Staging, DownloadIsPinnedUntilRead) {
    Queue& queue = device_->graphics();
    CommandPools pools(*device_, queue);
    StagingRing ring(*device_, queue.timeline(), StagingDirection::download, 256);
    const auto fill = [&](const StagingSpan& span, uint32_t word) {
        auto pool = pools.acquire();
        auto commands = (*pool)->begin();
        device_->vk().CmdFillBuffer(*commands, span.buffer, span.offset, span.mapped.size(), word);
        (void)(*pool)->end(*commands);
        const uint64_t value = *queue.submit({&*commands, 1});
        pools.release(std::move(*pool), value);
        ring.retire(value);
        EXPECT_TRUE(queue.timeline().wait(value).has_value());
    };
    const auto word = [](const StagingSpan& span) {
        uint32_t value = 0;
        std::memcpy(&value, span.mapped.data(), sizeof value);
        return value;
    };
    KOBALT_VALUE(kept, ring.allocate(256));
    fill(kept, 0x11111111u);
    KOBALT_VALUE(other, ring.allocate(256));
    fill(other, 0x22222222u);
    ring.invalidate(kept);
    EXPECT_EQ(word(kept), 0x11111111u) << "bytes that nobody has read were used again";
    EXPECT_EQ(ring.chunks_created(), 2u);
    kept = {};
    other = {};
    KOBALT_VALUE(third, ring.allocate(256));
    fill(third, 0x33333333u);
    EXPECT_EQ(ring.chunks_created(), 2u) << "chunks that were read are not used again";
}

} // namespace
} // namespace kobalt::vulkan::test
