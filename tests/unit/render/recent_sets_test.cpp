// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/descriptors/recent_sets.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

// Tests that sets are found again by the contents of their descriptors.

namespace kobalt::render {
namespace {

constexpr size_t descriptors = 5;

/// Places sets one after the other, like a recorder whose draws have random contents.
class Placer {
public:
    explicit Placer(uint32_t contents) : contents_(contents) {}

    /// Places the next draw's set. True: an equal set was found.
    bool draw() {
        const auto index = static_cast<uint32_t>(random_() % descriptors);
        const DescriptorName name{random_() % contents_, 0, 16};
        shown_[index] = name;
        recent_.name(index, name);
        if (recent_.find(set_, generation_)) {
            EXPECT_EQ(placed_.at(set_.offset), shown_) << "a set of other descriptors";
            EXPECT_EQ(set_.generation, generation_);
            return true;
        }
        recent_.encoded();
        set_.offset = 64 * ++last_;
        set_.generation = generation_;
        placed_[set_.offset] = shown_;
        recent_.remember(set_);
        return false;
    }
    void next_generation() {
        ++generation_;
        placed_.clear();
    }

private:
    uint32_t contents_;
    std::mt19937 random_{1}; // NOLINT(cert-msc32-c,cert-msc51-cpp): the same draws every time
    RecentSets recent_{descriptors};
    StageSet set_;
    VkDeviceSize last_ = 0;
    uint64_t generation_ = 1;
    std::vector<DescriptorName> shown_ = std::vector<DescriptorName>(descriptors);
    std::map<VkDeviceSize, std::vector<DescriptorName>> placed_;
};

TEST(RecentSets, OnlyEqualSetsOfTheSameGenerationAreFound) {
    for (const uint32_t contents : {2u, 3u, 8u}) {
        Placer placer(contents);
        uint32_t found = 0;
        for (uint32_t generation = 0; generation < 20; ++generation) {
            for (uint32_t i = 0; i < 500; ++i)
                found += placer.draw();
            placer.next_generation();
        }
        // 32 contents fit. 243 and 32768 don't, but some draws change nothing.
        EXPECT_GE(found, contents == 2 ? 6000u : 1u) << contents;
        EXPECT_LT(found, 10000u);
    }
}

TEST(RecentSets, TwoInTurnsAreFoundFromTheFourthOn) {
    RecentSets recent(descriptors);
    StageSet set;
    for (uint32_t i = 0; i < 10; ++i) {
        EXPECT_TRUE(recent.name(2, {1 + i % 2, 7, 0}));
        const bool found = recent.find(set, 1);
        EXPECT_EQ(found, i >= 3) << i;
        if (found)
            continue;
        set.offset = 64 * i;
        set.generation = 1;
        recent.remember(set);
    }
    EXPECT_EQ(set.offset, 64u);
}

TEST(RecentSets, ManyInTurnsAreAllFoundInTheEnd) {
    RecentSets recent(descriptors);
    StageSet set;
    uint32_t found = 0;
    for (uint32_t i = 0; i < 4000; ++i) {
        recent.name(1, {1 + i % 24, 0, 0});
        if (recent.find(set, 1)) {
            found += i >= 3000;
            EXPECT_EQ(set.offset, 64 * (1 + i % 24)) << i;
            continue;
        }
        set.offset = 64 * (1 + i % 24);
        set.generation = 1;
        recent.remember(set);
    }
    EXPECT_EQ(found, 1000u);
}

TEST(RecentSets, BehindNewOnesAloneItRests) {
    RecentSets recent(descriptors);
    StageSet set;
    set.generation = 1;
    const auto found = [&](uint64_t object) {
        recent.name(1, {object, 0, 0});
        if (recent.find(set, 1))
            return true;
        recent.remember(set);
        return false;
    };
    for (uint32_t i = 1; i <= RecentSets::tries + 1; ++i)
        EXPECT_FALSE(found(i));
    EXPECT_FALSE(found(RecentSets::tries)) << "it rests";
    for (uint32_t i = 1; i < RecentSets::rests; ++i)
        EXPECT_FALSE(found(100 + i));
    EXPECT_TRUE(found(RecentSets::tries)) << "it looks again";
}

TEST(RecentSets, WhatWasNotEncodedStaysOutdated) {
    RecentSets recent(descriptors);
    EXPECT_EQ(recent.outdated().count(), descriptors) << "a new set";
    recent.encoded();
    EXPECT_FALSE(recent.name(1, {})) << "nothing bound, as before";
    EXPECT_TRUE(recent.outdated().empty());
    EXPECT_TRUE(recent.name(1, {5, 0, 0}));
    EXPECT_TRUE(recent.name(3, {6, 0, 0}));
    EXPECT_TRUE(recent.name(1, {}));
    EXPECT_TRUE(recent.outdated().contains(1)) << "what it has isn't known to be what it had";
    EXPECT_TRUE(recent.outdated().contains(3));
    EXPECT_EQ(recent.outdated().count(), 2u);
}

} // namespace
} // namespace kobalt::render
