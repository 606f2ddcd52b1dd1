// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/frame_clock.h"

#include <gtest/gtest.h>

namespace kobalt::present {
namespace {

using namespace std::chrono_literals;

/// A clock with 10 ms from one refresh to the next, and a time to begin at.
struct FrameClockTest : testing::Test {
    FrameClock clock{100};
    FrameClock::Clock::time_point start{1h};
};

TEST_F(FrameClockTest, FramesThatComeTooSoonWait) {
    EXPECT_EQ(clock.show_at(start, 1), start);
    EXPECT_EQ(clock.show_at(start + 1ms, 1), start + 10ms);
    EXPECT_EQ(clock.show_at(start + 2ms, 1), start + 20ms);
}

TEST_F(FrameClockTest, AFrameStaysForItsInterval) {
    EXPECT_EQ(clock.show_at(start, 3), start);
    EXPECT_EQ(clock.show_at(start, 1), start + 30ms);
    EXPECT_EQ(clock.show_at(start, 1), start + 40ms);
}

TEST_F(FrameClockTest, LateFramesAreShownAtOnce) {
    clock.show_at(start, 1);
    EXPECT_EQ(clock.show_at(start + 17ms, 1), start + 17ms);
    EXPECT_EQ(clock.show_at(start + 17ms, -1), start + 27ms);
}

TEST_F(FrameClockTest, IntervalZeroNeverWaits) {
    clock.show_at(start, 1);
    EXPECT_EQ(clock.show_at(start + 1ms, 0), start + 1ms);
    EXPECT_EQ(clock.show_at(start + 1ms, 0), start + 1ms);
}

TEST_F(FrameClockTest, UnknownRatesAreTheUsualOne) {
    EXPECT_EQ(FrameClock(0).period(), FrameClock().period());
    EXPECT_NEAR(std::chrono::duration<double>(FrameClock().period()).count(), 1.0 / 60, 1e-6);
}

} // namespace
} // namespace kobalt::present
