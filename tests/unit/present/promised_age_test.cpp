// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/window.h"

#include <gtest/gtest.h>

namespace kobalt::present {
namespace {

/// A window whose buffers all have one age. It counts how often it is asked for its size.
class StandIn final : public Window {
public:
    Shown present(const Frame&) override { return Shown::yes; }
    std::optional<VkExtent2D> size() override {
        ++asked;
        return extent;
    }
    bool lost() const override { return false; }
    void close() override {}
    void set_interval(int) override {}
    int buffer_age(const void*) const override { return age; }
    void forget(const void*) override {}
    SyncCounters& counters() override { return counters_; }
    const SurfaceInfo& native() const override { return native_; }

    std::optional<VkExtent2D> extent = VkExtent2D{40, 30};
    int age = 2;
    int asked = 0;

private:
    SyncCounters counters_;
    SurfaceInfo native_;
};

TEST(PromisedAge, TheServerIsAskedOnceForAFrame) {
    StandIn window;
    for (int frame = 1; frame < 4; ++frame) {
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(window.promise_age(nullptr, {40, 30}), 2);
        EXPECT_EQ(window.frame_size()->width, 40u);
        window.end_frame();
        EXPECT_EQ(window.asked, frame);
    }
}

TEST(PromisedAge, AResizeWaitsForTheNextFrame) {
    StandIn window;
    EXPECT_EQ(window.promise_age(nullptr, {40, 30}), 2);
    window.extent = VkExtent2D{80, 60};
    EXPECT_EQ(window.promise_age(nullptr, {40, 30}), 2);
    EXPECT_EQ(window.frame_size()->width, 40u);
    window.end_frame();
    EXPECT_EQ(window.frame_size()->width, 80u);
}

TEST(PromisedAge, ABufferOfAnotherSizeHasNone) {
    StandIn window;
    EXPECT_EQ(window.promise_age(nullptr, {40, 31}), 0);
    EXPECT_EQ(window.promise_age(nullptr, {41, 30}), 0);
    window.extent = VkExtent2D{41, 30};
    EXPECT_EQ(window.frame_size()->width, 41u) << "nothing was promised";
}

TEST(PromisedAge, ANewBufferNeedsNoAnswer) {
    StandIn window;
    window.age = 0;
    EXPECT_EQ(window.promise_age(nullptr, {40, 30}), 0);
    EXPECT_EQ(window.asked, 0);
}

TEST(PromisedAge, WithoutASizeOfItsOwnTheFramesDecide) {
    StandIn window;
    window.extent.reset();
    EXPECT_EQ(window.promise_age(nullptr, {40, 30}), 2);
    EXPECT_EQ(window.frame_size(), std::nullopt);
}

} // namespace
} // namespace kobalt::present
