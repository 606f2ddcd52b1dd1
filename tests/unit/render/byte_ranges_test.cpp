// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "render/sync/byte_ranges.h"

// Tests which bytes of a buffer count as used.

namespace kobalt::render::test {
namespace {

constexpr VkDeviceSize size = 1 << 20, part = 4096;

ByteRange at(VkDeviceSize offset) {
    return ByteRange::of(offset, part);
}

TEST(ByteRanges, AreAllBytesAtFirst) {
    EXPECT_TRUE(ByteRanges().overlaps(at(0)));
    EXPECT_TRUE(ByteRanges().overlaps(at(size)));
    ByteRanges all;
    all.include(at(0));
    all.include(at(size));
    EXPECT_TRUE(all.overlaps(at(size / 2)));
    ByteRanges more(at(0));
    more.include_all();
    EXPECT_TRUE(more.overlaps(at(size)));
}

TEST(ByteRanges, OfNothingOverlapNothing) {
    ByteRanges none(ByteRange::none());
    EXPECT_FALSE(none.overlaps(ByteRange{}));
    none.include(at(part));
    EXPECT_TRUE(none.overlaps(at(part)));
    EXPECT_FALSE(none.overlaps(at(0)));
    EXPECT_FALSE(none.overlaps(at(2 * part)));
}

// A ring that begins anew: what comes next is neither at its end nor at its beginning.
TEST(ByteRanges, KeepTheEndOfARingFromItsBeginning) {
    for (const VkDeviceSize block : {part, VkDeviceSize{64}}) { // parts with and without gaps
        ByteRanges used(ByteRange::none());
        for (VkDeviceSize i = 0; i < 20; ++i)
            used.include(ByteRange::of(size - (20 - i) * part / 16, block / 16));
        for (VkDeviceSize i = 0; i < 20; ++i) {
            const ByteRange next = ByteRange::of(i * part / 16, block / 16);
            EXPECT_FALSE(used.overlaps(next)) << i;
            used.include(next);
            EXPECT_TRUE(used.overlaps(next)) << i;
        }
        EXPECT_FALSE(used.overlaps(at(size / 2)));
        EXPECT_TRUE(used.overlaps(ByteRange::of(size - part, part)));
    }
}

// Parts that are far apart, as of three buffers in one: the closest two become one.
TEST(ByteRanges, JoinWhatIsClosest) {
    ByteRanges used(at(0));
    used.include(at(size / 2));
    used.include(at(size / 4 * 3));
    EXPECT_FALSE(used.overlaps(at(size / 4)));
    EXPECT_TRUE(used.overlaps(ByteRange::of(size / 8 * 5, 1)));
    used.include(at(part * 8));
    EXPECT_FALSE(used.overlaps(at(size / 4)));
    EXPECT_TRUE(used.overlaps(at(part * 4)));
}

// Whatever was included overlaps, in any order.
TEST(ByteRanges, ForgetNothing) {
    std::mt19937 random(1);
    for (int round = 0; round < 1000; ++round) {
        ByteRanges used(ByteRange::none());
        std::vector<ByteRange> parts;
        for (int i = 0; i < 20; ++i) {
            const ByteRange next = ByteRange::of(random() % size, random() % part + 1);
            used.include(next);
            parts.push_back(next);
            for (const ByteRange& one : parts)
                ASSERT_TRUE(used.overlaps(one)) << "round " << round << ", part " << i;
        }
    }
}

} // namespace
} // namespace kobalt::render::test
