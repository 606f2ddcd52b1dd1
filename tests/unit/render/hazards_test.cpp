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
    const Hazard needed = hazards.take();
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
    EXPECT_TRUE(hazards.take().source_access & stored);
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

} // namespace
} // namespace kobalt::render::test
