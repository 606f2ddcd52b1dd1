// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests compute from SPIR-V end to end: buffers in, push constants, dispatch, barrier, buffers out;
// hundreds of submissions in flight; two threads at once.
#include "compute_harness.h"

#include "vulkan/descriptors/descriptor_pool.h"
#include "vulkan/pipelines/shader_module.h"

#include <thread>

namespace kobalt::vulkan::test {
namespace {

class Compute : public VulkanTest {};

TEST_F(Compute, DispatchBarrierDispatch) {
    constexpr uint32_t count = 1000;
    KOBALT_VALUE(scale, Scale::create(*device_, DescriptorMode::pool));
    KOBALT_VALUE(source, storage_buffer(*device_, count, MemoryKind::upload));
    KOBALT_VALUE(middle, storage_buffer(*device_, count, MemoryKind::device_local));
    KOBALT_VALUE(target, storage_buffer(*device_, count, MemoryKind::readback));
    for (uint32_t i = 0; i < count; ++i)
        words(source)[i] = i;
    std::fill_n(words(target), count, 0xdeadbeefu);
    target.flush(0, VK_WHOLE_SIZE);

    Queue& queue = device_->graphics();
    DescriptorPools sets(*device_, queue.timeline());
    KOBALT_VALUE(first, sets.allocate(scale.set_layout.handle()));
    KOBALT_VALUE(second, sets.allocate(scale.set_layout.handle()));
    write_set(*device_, first, source, middle);
    write_set(*device_, second, middle, target);

    CommandPools pools(*device_, queue);
    KOBALT_VALUE(pool, pools.acquire());
    KOBALT_VALUE(commands, pool->begin());
    const auto bind = [&](VkDescriptorSet set) {
        device_->vk().CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                            scale.layout.get(), 0, 1, &set, 0, nullptr);
    };
    bind(first);
    scale.dispatch(*device_, commands, {count, 3, 7});
    compute_barrier(*device_, commands);
    bind(second);
    scale.dispatch(*device_, commands, {count - 1, 5, 11});
    compute_barrier(*device_, commands);
    ASSERT_TRUE(pool->end(commands).has_value());
    KOBALT_VALUE(value, queue.submit({&commands, 1}));
    EXPECT_EQ(value, 1u);
    pools.release(std::move(pool), value);
    sets.retire(value);
    KOBALT_VALUE(done, queue.timeline().wait(value));
    EXPECT_TRUE(done);
    target.invalidate(0, VK_WHOLE_SIZE);
    for (uint32_t i = 0; i + 1 < count; ++i)
        ASSERT_EQ(words(target)[i], (i * 3 + 7) * 5 + 11) << "word " << i;
    EXPECT_EQ(words(target)[count - 1], 0xdeadbeefu) << "the shader wrote past its count";
}

/// One thread's work: `rounds` submissions without a wait in between; each adds 1 to what the one
/// before it wrote, so that a lost or reordered one shows in the sum.
void run_chain(Device& device, uint32_t rounds, uint32_t addend, std::string& failure,
               size_t& pools_created) {
    constexpr uint32_t count = 64;
    auto scale = Scale::create(device, DescriptorMode::pool);
    auto even = storage_buffer(device, count, MemoryKind::readback);
    auto odd = storage_buffer(device, count, MemoryKind::readback);
    if (!scale || !even || !odd) {
        failure = "creating the objects failed";
        return;
    }
    std::fill_n(words(*even), count, 0u);
    even->flush(0, VK_WHOLE_SIZE);
    Queue& queue = device.graphics();
    DescriptorPools sets(device, queue.timeline());
    CommandPools pools(device, queue);
    uint64_t last = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        const Buffer& source = round % 2 ? *odd : *even;
        const Buffer& target = round % 2 ? *even : *odd;
        auto pool = pools.acquire();
        auto commands = (*pool)->begin();
        auto set = sets.allocate(scale->set_layout.handle());
        if (!set) {
            failure = set.error().to_string();
            return;
        }
        write_set(device, *set, source, target);
        device.vk().CmdBindDescriptorSets(*commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                          scale->layout.get(), 0, 1, &*set, 0, nullptr);
        compute_barrier(device, *commands);
        scale->dispatch(device, *commands, {count, 1, addend});
        compute_barrier(device, *commands);
        (void)(*pool)->end(*commands);
        const Result<uint64_t> value = queue.submit({&*commands, 1});
        if (!value) {
            failure = value.error().to_string();
            return;
        }
        if (*value <= last) {
            failure = "timeline values do not grow";
            return;
        }
        last = *value;
        sets.retire(last);
        pools.release(std::move(*pool), last);
    }
    if (!queue.timeline().wait(last, 60'000'000'000u).value_or(false)) {
        failure = "the last submission did not complete";
        return;
    }
    const Buffer& result = rounds % 2 ? *odd : *even;
    result.invalidate(0, VK_WHOLE_SIZE);
    for (uint32_t i = 0; i < count; ++i)
        if (words(result)[i] != rounds * addend) {
            failure = "word " + std::to_string(i) + " is " + std::to_string(words(result)[i]);
            return;
        }
    pools_created = pools.created();
}

TEST_F(Compute, HundredsOfSubmissionsInFlight) {
    std::string failure;
    size_t pools_created = 0;
    run_chain(*device_, 500, 1, failure, pools_created);
    EXPECT_EQ(failure, "");
    EXPECT_EQ(device_->graphics().timeline().submitted(), 500u);
    EXPECT_LE(pools_created, 500u);
}

TEST_F(Compute, TwoThreadsAtOnce) {
    std::string failures[2];
    size_t pools_created[2] = {};
    {
        std::jthread first([&] { run_chain(*device_, 200, 3, failures[0], pools_created[0]); });
        std::jthread second([&] { run_chain(*device_, 200, 5, failures[1], pools_created[1]); });
    }
    EXPECT_EQ(failures[0], "");
    EXPECT_EQ(failures[1], "");
    EXPECT_EQ(device_->graphics().timeline().submitted(), 400u);
}

TEST_F(Compute, CommandPoolsAreUsedAgain) {
    Queue& queue = device_->graphics();
    CommandPools pools(*device_, queue);
    VkCommandBuffer first = VK_NULL_HANDLE;
    for (int round = 0; round < 20; ++round) {
        KOBALT_VALUE(pool, pools.acquire());
        KOBALT_VALUE(commands, pool->begin());
        if (round == 0)
            first = commands;
        EXPECT_EQ(commands, first) << "the pool's buffer was not used again";
        ASSERT_TRUE(pool->end(commands).has_value());
        KOBALT_VALUE(value, queue.submit({&commands, 1}));
        pools.release(std::move(pool), value);
        ASSERT_TRUE(queue.timeline().wait(value).has_value());
    }
    EXPECT_EQ(pools.created(), 1u);
}

TEST_F(Compute, DedicatedQueuesComputeToo) {
    // Without a dedicated queue this is the graphics queue, which must work as well.
    for (Queue* queue : {&device_->compute(), &device_->transfer()}) {
        CommandPools pools(*device_, *queue);
        KOBALT_VALUE(buffer, storage_buffer(*device_, 16, MemoryKind::readback));
        KOBALT_VALUE(pool, pools.acquire());
        KOBALT_VALUE(commands, pool->begin());
        device_->vk().CmdFillBuffer(commands, buffer.handle(), 0, VK_WHOLE_SIZE, 0x12345678u);
        ASSERT_TRUE(pool->end(commands).has_value());
        KOBALT_VALUE(value, queue->submit({&commands, 1}));
        pools.release(std::move(pool), value);
        ASSERT_TRUE(queue->timeline().wait(value).has_value());
        buffer.invalidate(0, VK_WHOLE_SIZE);
        EXPECT_EQ(words(buffer)[15], 0x12345678u) << queue->name();
    }
}

TEST_F(Compute, BrokenSpirvIsRefused) {
    const uint32_t garbage[] = {1, 2, 3, 4, 5, 6};
    const auto module = create_shader_module(*device_, garbage, "garbage");
    ASSERT_FALSE(module.has_value());
    EXPECT_EQ(module.error().result, VK_ERROR_INVALID_SHADER_NV);
    EXPECT_NE(module.error().to_string().find("garbage"), std::string::npos);
}

} // namespace
} // namespace kobalt::vulkan::test
