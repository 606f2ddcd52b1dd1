// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <utility>

#include "render/recorder/hazards.h"

// Tests what Hazards gathers, without commands of the GPU.

namespace kobalt::render::test {
namespace {

constexpr VkPipelineStageFlags2 copy = VK_PIPELINE_STAGE_2_COPY_BIT,
                                vertex = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
                                fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkAccessFlags2 copied = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                         uniform = VK_ACCESS_2_UNIFORM_READ_BIT,
                         stored = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;

Hazard take(Hazards& hazards) {
    const Hazard gathered = hazards.memory();
    hazards.clear();
    return gathered;
}

class HazardTest : public Scene {
protected:
    void SetUp() override {
        Scene::SetUp();
        if (IsSkipped())
            return;
        a = gpu().buffer(std::vector<uint32_t>(64), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        b = gpu().buffer(std::vector<uint32_t>(64), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        hazards.set_batch(&recorder().batch());
    }
    void TearDown() override {
        a.reset();
        b.reset();
        Scene::TearDown();
    }
    Residency residency;
    Hazards hazards{residency, 1};
    Ref<Buffer> a, b;
};
INSTANTIATE_TEST_SUITE_P(Configs, HazardTest, testing::Values(all_configs().front()), config_name);

TEST_P(HazardTest, AReadOfWhatNothingWroteNeedsNoBarrier) {
    hazards.read(*a, vertex, uniform);
    EXPECT_FALSE(hazards.any());
}

TEST_P(HazardTest, TheBarriersOfSeveralUsesAreOne) {
    hazards.write(*a, copy, copied);
    hazards.write(*b, copy, copied);
    EXPECT_FALSE(hazards.any());
    hazards.read(*a, vertex, uniform);
    hazards.read(*b, fragment, uniform);
    ASSERT_TRUE(hazards.any());
    const Hazard needed = take(hazards);
    EXPECT_EQ(needed.source_stages, copy);
    EXPECT_EQ(needed.source_access, copied);
    EXPECT_EQ(needed.target_stages, vertex | fragment);
    EXPECT_EQ(needed.target_access, uniform);
    EXPECT_FALSE(hazards.any());
    hazards.read(*a, vertex, uniform);
    EXPECT_FALSE(hazards.any()); // visible there already
}

TEST_P(HazardTest, StoresOfOneEpochAreUnordered) {
    hazards.storage(*a, fragment, true);
    hazards.storage(*a, fragment, true);
    EXPECT_TRUE(hazards.stored());
    EXPECT_FALSE(hazards.any());
    hazards.begin_epoch(2);
    EXPECT_FALSE(hazards.stored());
    hazards.storage(*a, fragment, false);
    ASSERT_TRUE(hazards.any());
    EXPECT_TRUE(take(hazards).source_access & stored);
}

TEST_P(HazardTest, PartsThatAreReadAddUp) {
    const Batch& batch = recorder().batch();
    hazards.read(*a, vertex, uniform, ByteRange::of(0, 16));
    hazards.read(*a, vertex, uniform, ByteRange::of(64, 16));
    EXPECT_TRUE(batch.used_by_main(*a, ByteRange::of(0, 16)));
    EXPECT_TRUE(batch.used_by_main(*a, ByteRange::of(70, 1)));
    EXPECT_FALSE(batch.used_by_main(*a, ByteRange::of(80, VK_WHOLE_SIZE)));
    hazards.read(*a, vertex, uniform);
    EXPECT_TRUE(batch.used_by_main(*a, ByteRange::of(80, VK_WHOLE_SIZE)));
    EXPECT_FALSE(batch.used_by_main(*b, {}));
}

TEST_P(HazardTest, OnlyWhatIsWrittenCountsAsWritten) {
    const Batch& batch = recorder().batch();
    hazards.read(*a, vertex, uniform);
    EXPECT_FALSE(batch.written_by_main(*a));
    hazards.storage(*a, fragment, true);
    EXPECT_TRUE(batch.written_by_main(*a));
}

TEST_P(HazardTest, EachUseAndEachEpochIsCounted) {
    uint64_t before = hazards.uses();
    EXPECT_NE(before, 0u);
    const auto counted = [&] { return std::exchange(before, hazards.uses()) != hazards.uses(); };
    hazards.read(*a, vertex, uniform);
    EXPECT_TRUE(counted());
    hazards.write(*a, copy, copied);
    EXPECT_TRUE(counted());
    hazards.storage(*b, fragment, false);
    EXPECT_TRUE(counted());
    hazards.begin_epoch(2);
    EXPECT_TRUE(counted());
    EXPECT_FALSE(counted());
}

constexpr VkPipelineStageFlags2 output = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags2 drawn = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                         sampled = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
constexpr VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL,
                        optimal = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;

class LayoutTest : public HazardTest {
protected:
    void SetUp() override {
        HazardTest::SetUp();
        if (!IsSkipped())
            image = gpu().color().image;
    }
    void TearDown() override {
        hazards.end_batch();
        image.reset();
        HazardTest::TearDown();
    }
    void attach(VkImageLayout wanted) { hazards.attach(*image, output, drawn, wanted); }
    /// The one image barrier that is gathered.
    VkImageMemoryBarrier2 moved() {
        EXPECT_EQ(hazards.images().size(), 1u);
        const VkImageMemoryBarrier2 barrier =
            hazards.images().empty() ? VkImageMemoryBarrier2{} : hazards.images().front();
        hazards.clear();
        return barrier;
    }
    Ref<Image> image;
};
INSTANTIATE_TEST_SUITE_P(Configs, LayoutTest, testing::Values(all_configs().front()), config_name);

TEST_P(LayoutTest, PassesShareTheLayoutUntilAnotherUse) {
    attach(optimal);
    VkImageMemoryBarrier2 barrier = moved();
    EXPECT_EQ(barrier.oldLayout, general);
    EXPECT_EQ(barrier.newLayout, optimal);
    EXPECT_EQ(barrier.dstStageMask, output);
    EXPECT_EQ(hazards.layout(*image), optimal);
    attach(optimal);
    EXPECT_TRUE(hazards.images().empty());
    EXPECT_EQ(hazards.memory().source_stages, output);
    hazards.clear();
    hazards.read(*image, fragment, sampled);
    EXPECT_FALSE(hazards.memory());
    barrier = moved();
    EXPECT_EQ(barrier.oldLayout, optimal);
    EXPECT_EQ(barrier.newLayout, general);
    EXPECT_EQ(barrier.srcStageMask, output);
    EXPECT_EQ(barrier.srcAccessMask, drawn);
    EXPECT_EQ(barrier.dstStageMask, fragment);
    EXPECT_EQ(barrier.dstAccessMask, sampled);
    EXPECT_EQ(hazards.layout(*image), general);
    hazards.read(*image, fragment, sampled);
    EXPECT_FALSE(hazards.any());
}

// Barriers of one command don't wait for each other.
TEST_P(LayoutTest, AllReadersWaitForTheMove) {
    attach(optimal);
    hazards.clear();
    hazards.read(*image, fragment, sampled);
    hazards.read(*image, vertex, sampled);
    EXPECT_FALSE(hazards.memory());
    EXPECT_EQ(moved().dstStageMask, fragment | vertex);
    // Of two commands they do.
    hazards.read(*image, copy, VK_ACCESS_2_TRANSFER_READ_BIT);
    EXPECT_TRUE(hazards.images().empty());
    EXPECT_TRUE(hazards.memory().source_stages & fragment);
    EXPECT_TRUE(hazards.memory().target_stages & copy);
}

TEST_P(LayoutTest, WritersWaitForTheMove) {
    for (int use = 0; use < 3; ++use) {
        attach(optimal);
        hazards.clear();
        if (use == 0)
            hazards.write(*image, copy, copied);
        else if (use == 1)
            hazards.storage(*image, fragment, true);
        else
            attach(general);
        const VkImageMemoryBarrier2 barrier = moved();
        EXPECT_EQ(barrier.newLayout, general) << use;
        EXPECT_EQ(barrier.dstStageMask, use == 0 ? copy : use == 1 ? fragment : output) << use;
        hazards.read(*image, vertex, sampled);
        EXPECT_EQ(hazards.memory().source_stages, barrier.dstStageMask) << use;
        hazards.clear();
    }
}

TEST_P(LayoutTest, BatchesEndInGeneral) {
    attach(optimal);
    hazards.clear();
    EXPECT_TRUE(hazards.attachment_layouts());
    hazards.end_batch();
    EXPECT_EQ(moved().newLayout, general);
    EXPECT_FALSE(hazards.attachment_layouts());
    hazards.end_batch();
    EXPECT_FALSE(hazards.any());
}

// A pass that samples one of the former attachments makes the others visible, too.
TEST_P(LayoutTest, ABarrierCoversAllThatWasAttachedBefore) {
    const Ref<Image> other = gpu().color().image;
    attach(general);
    hazards.attach(*other, output, drawn, general);
    hazards.clear();
    hazards.read(*image, fragment, sampled);
    EXPECT_TRUE(hazards.any());
    hazards.read(*other, copy, VK_ACCESS_2_TRANSFER_READ_BIT);
    hazards.clear();
    hazards.read(*other, fragment, sampled);
    EXPECT_FALSE(hazards.any()); // the first barrier's
    hazards.read(*other, vertex, sampled);
    EXPECT_TRUE(hazards.any());
    hazards.clear();
    // What is attached behind the barrier isn't covered.
    hazards.attach(*other, output, drawn, general);
    hazards.clear();
    hazards.read(*other, fragment, sampled);
    EXPECT_TRUE(hazards.any());
    hazards.clear();
    // Nor is what something else wrote.
    hazards.write(*other, copy, copied);
    hazards.clear();
    hazards.read(*other, fragment, sampled);
    EXPECT_TRUE(hazards.any());
    hazards.clear();
}

TEST_P(LayoutTest, AllThatThePassDoesNotDrawToMovesAtOnce) {
    const Ref<Image> other = gpu().color().image, drawn_to = gpu().color().image;
    for (const Ref<Image>& each : {image, other, drawn_to})
        hazards.attach(*each, output, drawn, optimal);
    hazards.clear();
    const auto attached = [&](const Image& each) { return &each == drawn_to.get(); };
    hazards.move_others(attached);
    EXPECT_FALSE(hazards.any());
    hazards.read(*image, fragment, sampled);
    hazards.move_others(attached);
    EXPECT_EQ(hazards.images().size(), 2u);
    EXPECT_EQ(hazards.layout(*other), general);
    EXPECT_EQ(hazards.layout(*drawn_to), optimal);
    hazards.clear();
    hazards.read(*other, fragment, sampled);
    EXPECT_FALSE(hazards.any());
}

TEST_P(LayoutTest, AreOfOneRecorder) {
    Hazards other(residency, 1);
    other.set_batch(&recorder().batch());
    attach(optimal);
    hazards.clear();
    EXPECT_EQ(other.layout(*image), general);
    other.read(*image, fragment, sampled);
    EXPECT_TRUE(other.images().empty());
}

} // namespace
} // namespace kobalt::render::test
