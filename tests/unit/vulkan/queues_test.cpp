// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests which queues a device has, and work that moves between queues with only timelines in
// between. Where the device has one queue only, the same work runs on it.
#include "compute_harness.h"

#include "vulkan/commands/ownership.h"
#include "vulkan/descriptors/descriptor_pool.h"
#include "vulkan/device/queue_families.h"
#include "vulkan/resources/image.h"
#include "vulkan/resources/staging.h"

#include <cstring>

namespace kobalt::vulkan::test {
namespace {

constexpr VkQueueFlags G = VK_QUEUE_GRAPHICS_BIT, C = VK_QUEUE_COMPUTE_BIT,
                       T = VK_QUEUE_TRANSFER_BIT, S = VK_QUEUE_SPARSE_BINDING_BIT,
                       decode = VK_QUEUE_VIDEO_DECODE_BIT_KHR,
                       encode = VK_QUEUE_VIDEO_ENCODE_BIT_KHR, flow = VK_QUEUE_OPTICAL_FLOW_BIT_NV;

QueueFamilies choose(std::initializer_list<VkQueueFlags> flags) {
    std::vector<VkQueueFamilyProperties> families;
    for (const VkQueueFlags each : flags)
        families.push_back({each, 1, 64, {1, 1, 1}});
    return choose_queue_families(families);
}

void expect_families(const QueueFamilies& chosen, uint32_t main, uint32_t transfer,
                     uint32_t compute) {
    EXPECT_EQ(chosen.main, main);
    EXPECT_EQ(chosen.transfer, transfer);
    EXPECT_EQ(chosen.compute, compute);
}

TEST(QueueFamilies, AsTheVendorsListThem) {
    constexpr uint32_t none = no_queue_family;
    expect_families(choose({G | C | T}), 0, none, none);
    expect_families(
        choose({G | C | T | S, T | S, C | T | S, T | S | decode, T | S | encode, T | S | flow}), 0,
        1, 2);
    expect_families(choose({G | C | T | S, C | T | S, T | S}), 0, 2, 1);
    expect_families(choose({T | decode, C | T | S, G | C | T, T}), 2, 3, 1);
    expect_families(choose({G | C | T, T | decode, T | encode | flow}), 0, none, none);
    expect_families(choose({T, C | T}), none, 0, 1);
    EXPECT_EQ(choose({G | C | T | S, T | S, C | T | S}).sparse, 0u);
    EXPECT_EQ(choose({G | C | T, C | T, T | decode, S}).sparse, 3u) << "AMD's";
    EXPECT_EQ(choose({G | C | T, C | T}).sparse, none);
    std::vector<VkQueueFamilyProperties> empty{{G | C | T, 1, 64, {1, 1, 1}},
                                               {T, 0, 64, {1, 1, 1}}};
    EXPECT_EQ(choose_queue_families(empty).transfer, none) << "a family without queues";
}

class Queues : public VulkanTest {
protected:
    /// Records with `record` and submits to `queue` after `waits`.
    template <class Record>
    uint64_t submit(CommandPools& pools, Queue& queue, std::span<const SemaphorePoint> waits,
                    Record record) {
        auto pool = pools.acquire();
        EXPECT_TRUE(pool.has_value());
        auto commands = (*pool)->begin();
        EXPECT_TRUE(commands.has_value());
        record(*commands);
        EXPECT_TRUE((*pool)->end(*commands).has_value());
        const auto value = queue.submit({&*commands, 1}, waits);
        EXPECT_TRUE(value.has_value());
        pools.release(std::move(*pool), value ? *value : 0);
        return value ? *value : 0;
    }
    static SemaphorePoint after(Queue& queue, uint64_t value) {
        return {queue.timeline().semaphore(), value};
    }
    void barrier(VkCommandBuffer commands, const VkImageMemoryBarrier2& image) {
        auto info = vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        info.imageMemoryBarrierCount = 1;
        info.pImageMemoryBarriers = &image;
        device_->vk().CmdPipelineBarrier2(commands, &info);
    }
    /// Orders copies of one submission before the host's reads.
    void to_host(VkCommandBuffer commands) {
        auto memory = vk_struct<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
        memory.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
        memory.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        memory.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
        memory.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
        auto info = vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        info.memoryBarrierCount = 1;
        info.pMemoryBarriers = &memory;
        device_->vk().CmdPipelineBarrier2(commands, &info);
    }
};

TEST_F(Queues, DedicatedOrTheGraphicsQueue) {
    const Queue& graphics = device_->graphics();
    EXPECT_EQ(device_->has_dedicated_transfer(), &device_->transfer() != &graphics);
    EXPECT_EQ(device_->has_dedicated_compute(), &device_->compute() != &graphics);
    EXPECT_EQ(device_->queue_families().size(),
              1u + device_->has_dedicated_transfer() + device_->has_dedicated_compute());
    if (device_->has_dedicated_transfer()) {
        EXPECT_NE(device_->transfer().family(), graphics.family());
        EXPECT_NE(device_->transfer().timeline().semaphore(),
                  device_->graphics().timeline().semaphore());
    }
    if (device_->has_dedicated_compute()) {
        EXPECT_NE(device_->compute().family(), graphics.family());
    }
    DeviceOptions options;
    options.single_queue = true;
    make_device(options);
    EXPECT_EQ(&device_->transfer(), &device_->graphics());
    EXPECT_EQ(&device_->compute(), &device_->graphics());
    EXPECT_EQ(device_->queue_families().size(), 1u);
    make_device({.disabled = {"dedicated_transfer_queue", "dedicated_compute_queue"}});
    EXPECT_FALSE(device_->has_dedicated_transfer() || device_->has_dedicated_compute());
}

TEST_F(Queues, UploadComputeReadBack) {
    // The transfer queue uploads, the compute queue multiplies, the graphics queue copies to where
    // the host can read: forty times, all in flight at once. Buffers are shared by all families.
    constexpr uint32_t count = 256, rounds = 40;
    Queue &transfer = device_->transfer(), &compute = device_->compute(),
          &graphics = device_->graphics();
    KOBALT_VALUE(scale, Scale::create(*device_, DescriptorMode::pool));
    CommandPools transfer_pools(*device_, transfer), compute_pools(*device_, compute),
        graphics_pools(*device_, graphics);
    StagingRing ring(*device_, transfer.timeline(), StagingDirection::upload, 16 << 10);
    DescriptorPools sets(*device_, compute.timeline());
    KOBALT_VALUE(result, storage_buffer(*device_, count * rounds, MemoryKind::readback));
    std::vector<Buffer> sources, targets;
    uint64_t last = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        KOBALT_VALUE(source, storage_buffer(*device_, count, MemoryKind::device_local));
        KOBALT_VALUE(target, storage_buffer(*device_, count, MemoryKind::device_local));
        KOBALT_VALUE(span, ring.allocate(count * 4, 16));
        std::vector<uint32_t> data(count, round + 1);
        std::memcpy(span.mapped.data(), data.data(), count * 4);
        const uint64_t uploaded =
            submit(transfer_pools, transfer, {}, [&](VkCommandBuffer commands) {
                const VkBufferCopy region{span.offset, 0, count * 4};
                device_->vk().CmdCopyBuffer(commands, span.buffer, source.handle(), 1, &region);
            });
        ring.retire(uploaded);
        KOBALT_VALUE(set, sets.allocate(scale.set_layout.handle()));
        write_set(*device_, set, source, target);
        const SemaphorePoint upload_done = after(transfer, uploaded);
        const uint64_t computed =
            submit(compute_pools, compute, {&upload_done, 1}, [&](VkCommandBuffer commands) {
                device_->vk().CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                    scale.layout.get(), 0, 1, &set, 0, nullptr);
                scale.dispatch(*device_, commands, {count, 3, round});
            });
        sets.retire(computed);
        const SemaphorePoint compute_done = after(compute, computed);
        last = submit(graphics_pools, graphics, {&compute_done, 1}, [&](VkCommandBuffer commands) {
            const VkBufferCopy region{0, VkDeviceSize{round} * count * 4, count * 4};
            device_->vk().CmdCopyBuffer(commands, target.handle(), result.handle(), 1, &region);
            to_host(commands);
        });
        sources.push_back(std::move(source));
        targets.push_back(std::move(target));
    }
    ASSERT_TRUE(
        graphics.timeline().wait(last).has_value()); // the only wait, and it covers the others
    result.invalidate(0, VK_WHOLE_SIZE);
    for (uint32_t i = 0; i < count * rounds; ++i)
        ASSERT_EQ(words(result)[i], (i / count + 1) * 3 + i / count) << "word " << i;
    EXPECT_TRUE(transfer.timeline().reached(transfer.timeline().submitted()));
    EXPECT_TRUE(compute.timeline().reached(compute.timeline().submitted()));
}

TEST_F(Queues, AnImageChangesItsOwner) {
    // An image uploaded by the transfer queue, used by the graphics queue, given back and filled
    // once more.
    constexpr uint32_t size = 64, texels = size * size;
    Queue &transfer = device_->transfer(), &graphics = device_->graphics();
    CommandPools transfer_pools(*device_, transfer), graphics_pools(*device_, graphics);
    StagingRing ring(*device_, transfer.timeline(), StagingDirection::upload);
    auto info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {size, size, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT;
    KOBALT_VALUE(image, Image::create(*device_, info));
    KOBALT_VALUE(first, storage_buffer(*device_, texels, MemoryKind::readback));
    KOBALT_VALUE(second, storage_buffer(*device_, texels, MemoryKind::readback));

    auto whole = vk_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
    whole.image = image.handle();
    whole.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    whole.srcQueueFamilyIndex = whole.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    VkImageMemoryBarrier2 fresh = whole;
    fresh.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
    fresh.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    fresh.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    whole.oldLayout = whole.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    whole.srcStageMask = whole.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
    whole.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    whole.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
    const OwnershipTransfer there = transfer_ownership(transfer, graphics, whole);
    whole.srcAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
    whole.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    const OwnershipTransfer back = transfer_ownership(graphics, transfer, whole);
    EXPECT_EQ(there.needs_acquire, device_->has_dedicated_transfer());

    const auto upload = [&](uint32_t texel, std::span<const SemaphorePoint> waits,
                            const VkImageMemoryBarrier2* begin) {
        auto span = ring.allocate(texels * 4, 4);
        EXPECT_TRUE(span.has_value());
        std::vector<uint32_t> data(texels, texel);
        std::memcpy(span->mapped.data(), data.data(), texels * 4);
        const uint64_t value =
            submit(transfer_pools, transfer, waits, [&](VkCommandBuffer commands) {
                if (begin)
                    barrier(commands, *begin);
                VkBufferImageCopy region{};
                region.bufferOffset = span->offset;
                region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
                region.imageExtent = info.extent;
                device_->vk().CmdCopyBufferToImage(commands, span->buffer, image.handle(),
                                                   VK_IMAGE_LAYOUT_GENERAL, 1, &region);
                barrier(commands, there.release);
            });
        ring.retire(value);
        return value;
    };
    const auto read = [&](Buffer& to, uint64_t uploaded, bool give_back) {
        const SemaphorePoint wait = after(transfer, uploaded);
        return submit(graphics_pools, graphics, {&wait, 1}, [&](VkCommandBuffer commands) {
            if (there.needs_acquire)
                barrier(commands, there.acquire);
            VkBufferImageCopy region{};
            region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
            region.imageExtent = info.extent;
            device_->vk().CmdCopyImageToBuffer(commands, image.handle(), VK_IMAGE_LAYOUT_GENERAL,
                                               to.handle(), 1, &region);
            if (give_back)
                barrier(commands, back.release);
            to_host(commands);
        });
    };
    const uint64_t given = read(first, upload(0x11223344u, {}, &fresh), true);
    const SemaphorePoint free = after(graphics, given);
    const uint64_t last =
        read(second, upload(0x55667788u, {&free, 1}, back.needs_acquire ? &back.acquire : nullptr),
             false);
    ASSERT_TRUE(graphics.timeline().wait(last).has_value());
    first.invalidate(0, VK_WHOLE_SIZE);
    second.invalidate(0, VK_WHOLE_SIZE);
    for (uint32_t i = 0; i < texels; ++i) {
        ASSERT_EQ(words(first)[i], 0x11223344u) << i;
        ASSERT_EQ(words(second)[i], 0x55667788u) << i;
    }
}

TEST_F(Queues, TheyRunBesideEachOther) {
    if (!device_->has_dedicated_transfer() || !device_->has_dedicated_compute())
        GTEST_SKIP() << "the device has one queue";
    // The graphics queue is held at a gate; the other two must finish anyway.
    KOBALT_VALUE(gate, Timeline::create(*device_, "gate"));
    KOBALT_VALUE(buffer, storage_buffer(*device_, 64, MemoryKind::readback));
    CommandPools pools(*device_, device_->graphics());
    const SemaphorePoint closed{gate->semaphore(), 1};
    const auto fill = [&](uint32_t value, VkDeviceSize at) {
        return [&, value, at](VkCommandBuffer commands) {
            device_->vk().CmdFillBuffer(commands, buffer.handle(), at, 64, value);
        };
    };
    const uint64_t held = submit(pools, device_->graphics(), {&closed, 1}, fill(1, 0));
    for (Queue* queue : {&device_->transfer(), &device_->compute()}) {
        CommandPools own(*device_, *queue);
        const uint64_t value =
            submit(own, *queue, {}, fill(2, queue == &device_->compute() ? 64 : 128));
        KOBALT_VALUE(done, queue->timeline().wait(value, 10'000'000'000ull));
        EXPECT_TRUE(done) << queue->name();
    }
    EXPECT_FALSE(device_->graphics().timeline().reached(held));
    auto info = vk_struct<VkSemaphoreSignalInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO);
    info.semaphore = gate->semaphore();
    info.value = 1;
    device_->vk().SignalSemaphore(device_->handle(), &info);
    EXPECT_TRUE(device_->graphics().timeline().wait(held).has_value());
}

} // namespace
} // namespace kobalt::vulkan::test
