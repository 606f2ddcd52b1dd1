// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "test_device.h"

#include "vulkan/descriptors/descriptor_ring.h"

#include <algorithm>
#include <vector>

namespace kobalt::vulkan::test {
namespace {

class DescriptorRings : public VulkanTest {};

TEST_F(DescriptorRings, MoveOnWithoutWaiting) {
    KOBALT_NEEDS(Capability::descriptor_buffer);
    Queue& queue = device_->graphics();
    KOBALT_VALUE(ring, DescriptorRing::create(*device_, queue.timeline(), 4096));
    const uint64_t first = ring.generation();
    const VkDeviceSize step =
        device_->properties().descriptor_buffer.descriptorBufferOffsetAlignment;
    KOBALT_VALUE(a, ring.allocate(1000));
    KOBALT_VALUE(b, ring.allocate(1000));
    EXPECT_EQ(a.offset % step, 0u);
    EXPECT_EQ(b.offset % step, 0u);
    EXPECT_GE(b.offset, a.offset + 1000);
    EXPECT_EQ(ring.generation(), first);
    ASSERT_TRUE(ring.allocate(4000).has_value());
    EXPECT_NE(ring.generation(), first) << "the caller must learn to bind again";
    ASSERT_TRUE(ring.allocate(100000).has_value());
    EXPECT_EQ(ring.buffers_created(), 3u);
    KOBALT_VALUE(value, queue.submit({}));
    ring.retire(value);
    ASSERT_TRUE(queue.timeline().wait(value).has_value());
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(ring.allocate(90000).has_value());
        KOBALT_VALUE(next, queue.submit({}));
        ring.retire(next);
        ASSERT_TRUE(queue.timeline().wait(next).has_value());
    }
    EXPECT_LE(ring.buffers_created(), 4u) << "buffers are not used again";
}

/// Allocates `step` bytes for each of `submissions` submissions, each of which makes the earlier
/// bytes waste. Returns the greatest offset used in a buffer.
VkDeviceSize replace_again_and_again(DescriptorRing& ring, Queue& queue, int submissions,
                                     VkDeviceSize step) {
    VkDeviceSize end = 0;
    for (int i = 0; i < submissions; ++i) {
        ring.turn();
        const auto span = ring.allocate(step);
        EXPECT_TRUE(span.has_value());
        if (!span)
            break;
        end = std::max(end, span->offset + step);
        ring.waste(step);
        const auto value = queue.submit({});
        EXPECT_TRUE(value && queue.timeline().wait(*value));
        ring.retire(value.value_or(0));
    }
    return end;
}

TEST_F(DescriptorRings, TouchNoMoreThanIsInFlight) {
    KOBALT_NEEDS(Capability::descriptor_buffer);
    Queue& queue = device_->graphics();
    constexpr VkDeviceSize size = 64 << 10;
    constexpr VkDeviceSize step = 1024;
    KOBALT_VALUE(ring, DescriptorRing::create(*device_, queue.timeline(), size));
    EXPECT_LE(replace_again_and_again(ring, queue, 500, step), size / 8 + step);
    EXPECT_EQ(ring.buffers_created(), 2u);
}

TEST_F(DescriptorRings, TurnOnlyWhereMostOfThemIsWaste) {
    KOBALT_NEEDS(Capability::descriptor_buffer);
    Queue& queue = device_->graphics();
    constexpr VkDeviceSize size = 64 << 10;
    KOBALT_VALUE(ring, DescriptorRing::create(*device_, queue.timeline(), size));
    const uint64_t first = ring.generation();
    const auto turned = [&] {
        ring.turn();
        return ring.generation() != first;
    };
    ASSERT_TRUE(ring.allocate(size / 2).has_value());
    EXPECT_FALSE(turned()) << "all of it is of use";
    ring.waste(size / 8);
    EXPECT_FALSE(turned()) << "most of it is of use";
    ring.waste(size / 8);
    EXPECT_TRUE(turned());
    ring.turn();
    EXPECT_EQ(ring.generation(), first + 1) << "nothing of this one is waste";
    ASSERT_TRUE(ring.allocate(size / 8).has_value());
    ring.waste_all();
    ring.turn();
    EXPECT_EQ(ring.generation(), first + 1) << "the other one is in flight, and two are enough";
    EXPECT_EQ(ring.buffers_created(), 2u);
    KOBALT_VALUE(value, queue.submit({}));
    ring.retire(value);
    ASSERT_TRUE(queue.timeline().wait(value).has_value());
    ring.turn();
    EXPECT_EQ(ring.generation(), first + 2);
    EXPECT_EQ(ring.buffers_created(), 2u);
}

TEST_F(DescriptorRings, TakeTheLastBufferThatIsFree) {
    KOBALT_NEEDS(Capability::descriptor_buffer);
    Queue& queue = device_->graphics();
    KOBALT_VALUE(ring, DescriptorRing::create(*device_, queue.timeline(), 4096));
    std::vector<VkBuffer> used;
    for (int i = 0; i < 4; ++i) { // a burst
        ASSERT_TRUE(ring.allocate(4096).has_value());
        used.push_back(ring.current().handle());
    }
    KOBALT_VALUE(value, queue.submit({}));
    ring.retire(value);
    ASSERT_TRUE(queue.timeline().wait(value).has_value());
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(ring.allocate(4096).has_value());
        EXPECT_TRUE(ring.current().handle() == used[2] || ring.current().handle() == used[3])
            << "two buffers are enough, and these were written last";
        KOBALT_VALUE(next, queue.submit({}));
        ring.retire(next);
        ASSERT_TRUE(queue.timeline().wait(next).has_value());
    }
}

TEST_F(DescriptorRings, ShareAnArea) {
    KOBALT_NEEDS(Capability::descriptor_buffer);
    Queue& queue = device_->graphics();
    constexpr VkDeviceSize begin = 8 << 10;
    constexpr VkDeviceSize size = 4 << 10;
    KOBALT_VALUE(buffer, DescriptorBuffer::create(*device_, begin + 3 * size + size / 2));
    DescriptorArea area(buffer, begin, size);
    {
        KOBALT_VALUE(one, DescriptorRing::create(*device_, queue.timeline(), size));
        KOBALT_VALUE(other, DescriptorRing::create(*device_, queue.timeline(), size));
        ASSERT_TRUE(one.allocate(size).has_value());
        EXPECT_FALSE(one.in_area());
        ASSERT_TRUE(one.move_into(area));
        ASSERT_TRUE(other.move_into(area));
        EXPECT_EQ(one.current().handle(), buffer.handle());
        // Allocates all of two parts, and then the third: nothing overlaps, and all lies in the
        // area.
        std::vector<VkDeviceSize> begins;
        for (DescriptorRing* ring : {&one, &other, &one}) {
            KOBALT_VALUE(span, ring->allocate(size));
            EXPECT_TRUE(ring->in_area());
            EXPECT_EQ(span.mapped, buffer.mapped() + span.offset);
            begins.push_back(span.offset);
        }
        std::ranges::sort(begins);
        EXPECT_EQ(begins, (std::vector<VkDeviceSize>{begin, begin + size, begin + 2 * size}));

        // No part is left, and none is submitted: the ring gets a buffer of its own.
        ASSERT_TRUE(other.allocate(size).has_value());
        EXPECT_FALSE(other.in_area());
        EXPECT_FALSE(other.move_into(area));
        // Once the parts are submitted, the ring waits for them.
        KOBALT_VALUE(value, queue.submit({}));
        one.retire(value);
        other.retire(value);
        ASSERT_TRUE(other.move_into(area));
        EXPECT_TRUE(queue.timeline().reached(value));
        // A set larger than a part gets a buffer of the ring's own.
        ASSERT_TRUE(other.allocate(2 * size).has_value());
        EXPECT_FALSE(other.in_area());
    }
    // The rings gave everything back.
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(area.take(queue.timeline()));
    EXPECT_FALSE(area.take(queue.timeline()));
}

TEST_F(DescriptorRings, NeedTheCapability) {
    make_device({{"descriptor_buffer"}, false});
    const auto ring = DescriptorRing::create(*device_, device_->graphics().timeline());
    ASSERT_FALSE(ring.has_value());
    EXPECT_EQ(ring.error().result, VK_ERROR_FEATURE_NOT_PRESENT);
}

} // namespace
} // namespace kobalt::vulkan::test
