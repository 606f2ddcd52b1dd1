// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <gtest/gtest.h>
#include <vector>

#include "counting_layer/counters.h"
#include "kernel_calls/gpu_memory.h"
#include "kernel_calls/packets.h"

namespace kobalt::kernel {
namespace {

using counting::Counter;

constexpr std::uint32_t kDrawIndexAuto = 0x2d, kDispatch = 0x15, kIndirectBuffer = 0x3f;
constexpr std::uint32_t kAcquireMem = 0x58, kReleaseMem = 0x49;

/// The header of a packet of type 3 with a body of `words` words.
constexpr std::uint32_t header(std::uint32_t operation, std::uint32_t words) {
    return 3U << 30 | (words - 1) << 16 | operation << 8;
}

class Packets : public ::testing::Test {
protected:
    void SetUp() override {
        for (auto& counter : counting::counters())
            counter = 0;
    }
    static std::uint64_t counted(Counter counter) {
        return counting::counters()[static_cast<std::size_t>(counter)];
    }
    static std::span<const std::uint32_t> nothing(std::uint64_t, std::uint32_t) { return {}; }
};

TEST_F(Packets, DrawsAndDispatches) {
    const std::vector<std::uint32_t> words{header(kDrawIndexAuto, 2), 3, 2, 0xffff1000, 2U << 30,
                                           header(kDispatch, 4),      1, 1, 1,          0,
                                           header(kDrawIndexAuto, 2), 3, 2};
    count_packets(words, Generation::Gfx10AndNewer, nothing);
    EXPECT_EQ(counted(Counter::packet_draws), 2U);
    EXPECT_EQ(counted(Counter::packet_dispatches), 1U);
    EXPECT_EQ(counted(Counter::packet_words), words.size());
}

TEST_F(Packets, CalledBuffers) {
    const std::array<std::uint32_t, 3> called{header(kDrawIndexAuto, 2), 3, 2};
    const std::array<std::uint32_t, 8> words{header(kIndirectBuffer, 3), 0x1000, 0x1, 3,
                                             header(kIndirectBuffer, 3), 0x2000, 0x1, 3};
    count_packets(words, Generation::Gfx9AndOlder, [&](std::uint64_t address, std::uint32_t count) {
        return address == 0x1'0000'1000 && count == called.size()
                   ? std::span<const std::uint32_t>(called)
                   : std::span<const std::uint32_t>();
    });
    EXPECT_EQ(counted(Counter::packet_draws), 1U);
    EXPECT_EQ(counted(Counter::packets_unread), 1U);
}

TEST_F(Packets, FlushesOfCachesByGeneration) {
    const std::vector<std::uint32_t> newer{
        header(kAcquireMem, 7), 0,       0, 0, 0, 0, 0, 1U << 14 | 1U << 15,
        header(kReleaseMem, 1), 1U << 20};
    count_packets(newer, Generation::Gfx10AndNewer, nothing);
    EXPECT_EQ(counted(Counter::l2_invalidations), 2U);
    EXPECT_EQ(counted(Counter::l2_writebacks), 1U);
    const std::vector<std::uint32_t> older{header(kAcquireMem, 1), 1U << 23};
    count_packets(older, Generation::Gfx9AndOlder, nothing);
    EXPECT_EQ(counted(Counter::l2_invalidations), 3U);
}

TEST_F(Packets, APacketThatEndsBehindTheBuffer) {
    const std::array<std::uint32_t, 2> words{header(kAcquireMem, 7), 0};
    count_packets(words, Generation::Gfx10AndNewer, nothing);
    EXPECT_EQ(counted(Counter::packet_acquires), 1U);
    EXPECT_EQ(counted(Counter::l2_invalidations), 0U);
}

TEST(GpuMemoryTest, ReadsWhatTheGpuSees) {
    std::array<std::uint32_t, 16> page{};
    page[6] = 77;
    GpuMemory memory;
    memory.can_map(5, 0x9000);
    memory.mapped(page.data(), 0x9000);
    memory.bound(0xffff'8000'0000'1000, 32, 5, 16);
    const auto words = memory.words(0x8000'0000'1008, 2);
    ASSERT_EQ(words.size(), 2U);
    EXPECT_EQ(words[0], 77U);
    EXPECT_TRUE(memory.words(0x8000'0000'1008, 7).empty()) << "behind the range";
    memory.unmapped(page.data(), sizeof page);
    EXPECT_TRUE(memory.words(0x8000'0000'1008, 2).empty());
}

TEST(GpuMemoryTest, RangesEnd) {
    std::array<std::uint32_t, 4> page{};
    GpuMemory memory;
    memory.can_map(5, 0);
    memory.mapped(page.data(), 0);
    memory.bound(0x1000, 16, 5, 0);
    EXPECT_FALSE(memory.words(0x1000, 1).empty());
    memory.unbound(0x1000);
    EXPECT_TRUE(memory.words(0x1000, 1).empty());
}

} // namespace
} // namespace kobalt::kernel
