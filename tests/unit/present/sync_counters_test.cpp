// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/sync_counters.h"

#include <future>
#include <limits>

#include <gtest/gtest.h>

namespace kobalt::present {
namespace {

using namespace std::chrono_literals;

bool yes() {
    return true;
}
bool no() {
    return false;
}

TEST(SyncCountersTest, RatesAreInLowestTerms) {
    const auto is = [](double hertz, int32_t numerator, int32_t denominator) {
        const RefreshRate rate = as_fraction(hertz);
        EXPECT_EQ(rate.numerator, numerator) << hertz;
        EXPECT_EQ(rate.denominator, denominator) << hertz;
    };
    is(60, 60, 1);
    is(59.94, 2997, 50);
    is(143.981, 143981, 1000);
    is(0, 60, 1);
}

TEST(SyncCountersTest, TheRateIsAskedForOnce) {
    int asked = 0;
    SyncCounters counters([&] {
        ++asked;
        return 75.0;
    });
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(counters.rate().numerator, 75);
    counters.values();
    EXPECT_EQ(asked, 1);
}

TEST(SyncCountersTest, RefreshesAreThoseOfTheSystemsClock) {
    SyncCounters one([] { return 1000.0; });
    SyncCounters other([] { return 1000.0; });
    const auto now = [] {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
                   SyncCounters::Clock::now().time_since_epoch())
            .count();
    };
    const int64_t before = now();
    const SyncCounters::Values first = one.values();
    const SyncCounters::Values second = other.values();
    EXPECT_GE(first.msc, before);
    EXPECT_GE(second.msc, first.msc);
    EXPECT_LE(second.msc, now());
    EXPECT_EQ(first.ust, first.msc * 1000);
}

TEST(SyncCountersTest, WaitsForRefreshes) {
    SyncCounters counters([] { return 100.0; });
    const int64_t start = counters.values().msc;
    EXPECT_GE(counters.wait_for_msc(start + 3, 0, 0, yes)->msc, start + 3);
    EXPECT_GE(counters.wait_for_msc(start, 0, 0, yes)->msc, start + 3); // doesn't wait
    for (const int64_t remainder : {0, 1, 2}) {
        const int64_t current = counters.values().msc;
        const int64_t next = current - current % 3 + remainder;
        EXPECT_GE(counters.wait_for_msc(0, 3, remainder, yes)->msc,
                  next > current ? next : next + 3);
    }
}

TEST(SyncCountersTest, WaitsEndWithTheWindow) {
    SyncCounters counters;
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    EXPECT_FALSE(counters.wait_for_msc(most, 0, 0, no));
    EXPECT_FALSE(counters.wait_for_msc(0, most, 1, no));
    EXPECT_FALSE(counters.wait_for_sbc(1, no));
}

TEST(SyncCountersTest, SwapsAreOverInTheirOrder) {
    SyncCounters counters;
    EXPECT_EQ(counters.begin_swap(), 1);
    EXPECT_EQ(counters.begin_swap(), 2);
    EXPECT_EQ(counters.begin_swap(), 3);
    EXPECT_EQ(counters.swaps(), 3);
    EXPECT_EQ(counters.values().sbc, 0);
    counters.end_swap(2); // the first one was given up
    counters.end_swap(0); // a picture without a swap
    EXPECT_EQ(counters.values().sbc, 2);
    auto waits = std::async(std::launch::async, [&] { return counters.wait_for_sbc(0, yes)->sbc; });
    EXPECT_EQ(waits.wait_for(50ms), std::future_status::timeout);
    counters.end_swap(3);
    EXPECT_EQ(waits.get(), 3);
    EXPECT_EQ(counters.wait_for_sbc(2, yes)->sbc, 3);
}

} // namespace
} // namespace kobalt::present
