// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <gtest/gtest.h>

#include "render/sync/access.h"

// Tests which uses of a resource need a barrier before them.

namespace kobalt::render::test {
namespace {

constexpr VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkPipelineStageFlags2 vertex = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
constexpr VkPipelineStageFlags2 copy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 fetch = VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;

TEST(AccessState, StoresOfOneEpochAreUnordered) {
    AccessState state;
    EXPECT_TRUE(!state.storage(compute, true, 1));
    EXPECT_TRUE(!state.storage(compute, true, 1));
    EXPECT_TRUE(!state.storage(compute, false, 1));
    const Hazard next = state.storage(compute, false, 2);
    EXPECT_EQ(next.source_stages, compute);
    EXPECT_EQ(next.source_access & VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
              VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    EXPECT_EQ(next.target_access, VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
    EXPECT_TRUE(!state.storage(compute, false, 2)) << "a second reader";
    EXPECT_TRUE(!state.storage(compute, false, 3)) << "nothing was stored since";
    EXPECT_TRUE(state.storage(compute, true, 3)) << "readers come before it";
}

TEST(AccessState, StoresAreOrderedWithEverythingElse) {
    AccessState state;
    (void)state.write(copy, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    const Hazard upload = state.storage(compute, true, 1);
    EXPECT_EQ(upload.source_stages, copy);
    EXPECT_EQ(upload.target_access,
              VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    EXPECT_TRUE(state.read(fetch, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT));
    EXPECT_EQ(state.storage(compute, true, 1).source_stages, compute | fetch)
        << "the fetch has to be done, in the same epoch as well";
    EXPECT_TRUE(state.write(copy, VK_ACCESS_2_TRANSFER_WRITE_BIT));
}

TEST(AccessState, AnotherStageSeesWhatWasThereBefore) {
    AccessState state;
    (void)state.write(copy, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    (void)state.storage(vertex, true, 1);
    EXPECT_EQ(state.storage(fragment, true, 1).target_stages, fragment);
    // Both stages have had their barrier: draws with stores in two stages don't wait for each
    // other.
    EXPECT_TRUE(!state.storage(vertex, true, 1));
    EXPECT_TRUE(!state.storage(fragment, true, 1));
    EXPECT_EQ(state.storage(compute, false, 2).source_stages, vertex | fragment);
}

} // namespace
} // namespace kobalt::render::test
