// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include "color_frag.h"
#include "fullscreen_vert.h"
#include "render/queries/timestamp.h"

// Tests the GPU's clock, read by commands and directly.

namespace kobalt::render::test {
namespace {

class TimestampScene : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (!IsSkipped() && !gpu().device().graphics().timestamp_valid_bits())
            GTEST_SKIP() << "the graphics queue has no clock";
    }
};
KOBALT_SCENES(TimestampScene);

TEST_P(TimestampScene, TheyStayInThePassAndIncrease) {
    Ref<ShaderStage> vertex = gpu().stage(Stage::vertex, fullscreen_vert),
                     fragment = gpu().stage(Stage::fragment, color_frag);
    Target target = gpu().color();
    begin(framebuffer({&target}));
    bind(vertex.get(), fragment.get());
    push({{0, 1, 0, 1}, 0});
    (void)spent();
    Timestamps timestamps(recorder());
    std::vector<QuerySlot> slots;
    draw(3); // opens the pass
    for (uint32_t i = 0; i < QueryBlock::size + 10; ++i) {
        slots.push_back(timestamps.write());
        ASSERT_TRUE(slots.back().block);
        if (i % 20 == 0)
            draw(3);
    }
    EXPECT_TRUE(recorder().in_pass());
    EXPECT_NE(slots.front().block.get(), slots.back().block.get()) << "a full pool moves on";
    EXPECT_FALSE(batch_done(slots.front().token, nullptr, false));
    EXPECT_TRUE(batch_done(slots.front().token, &recorder(), true));
    EXPECT_EQ(spent().passes, 1u);
    EXPECT_GT(nanoseconds(slots.front()), 0u);
    for (size_t i = 1; i < slots.size(); ++i)
        EXPECT_LE(nanoseconds(slots[i - 1]), nanoseconds(slots[i])) << "timestamp " << i;
    EXPECT_EQ(nanoseconds({}), 0u);
    end(); // destroy the recorder before the bound objects
}

TEST_P(TimestampScene, TheClockRunsOn) {
    Timestamps timestamps(recorder());
    const QuerySlot before = timestamps.write();
    ASSERT_TRUE(batch_done(before.token, &recorder(), true));
    const std::optional<uint64_t> now = gpu_clock(gpu().engine());
    ASSERT_TRUE(now);
    EXPECT_GE(*now, nanoseconds(before)) << "the same clock";
    const std::optional<uint64_t> later = gpu_clock(gpu().engine());
    ASSERT_TRUE(later);
    EXPECT_GE(*later, *now);
}

/// Devices without calibrated timestamps: the engine submits a timestamp and waits for it.
class UncalibratedTimestampScene : public TimestampScene {};
INSTANTIATE_TEST_SUITE_P(
    Configs, UncalibratedTimestampScene,
    testing::Values(Config{"uncalibrated", {"calibrated_timestamps"}, false},
                    Config{"uncalibrated_validated", {"calibrated_timestamps"}, true}),
    config_name);

TEST_P(UncalibratedTimestampScene, TheClockRunsOn) {
    ASSERT_FALSE(gpu().has(vulkan::Capability::calibrated_timestamps));
    const size_t pools = gpu().engine().command_pools().created();
    uint64_t last = 0;
    for (int i = 0; i < 20; ++i) {
        const std::optional<uint64_t> now = gpu_clock(gpu().engine());
        ASSERT_TRUE(now);
        EXPECT_GT(*now, 0u);
        EXPECT_GE(*now, last);
        last = *now;
    }
    EXPECT_LE(gpu().engine().command_pools().created(), pools + 1) << "they are used again";
}

} // namespace
} // namespace kobalt::render::test
