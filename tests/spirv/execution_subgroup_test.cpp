// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests GL_KHR_shader_subgroup: each subgroup operation against a result that the test computes
// itself from the subgroup size.

#include <bit>

#include "execution_fixture.h"

namespace kobalt::corpus {
namespace {

using vulkan::Capability;

constexpr uint32_t invocations = 64;

class Subgroup : public Execution {
protected:
    void SetUp() override {
        Execution::SetUp();
        if (IsSkipped() || HasFatalFailure())
            return;
        const auto& has = device_->properties().vulkan11;
        if (!(has.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) || has.subgroupSize < 4 ||
            has.subgroupSize > invocations)
            GTEST_SKIP() << "no subgroups of 4 to 64 in compute shaders";
        size_ = has.subgroupSize;
    }

    bool can(VkSubgroupFeatureFlags operations) const {
        return (device_->properties().vulkan11.subgroupSupportedOperations & operations) ==
               operations;
    }

    /// Runs statements that set the uint `r` of each invocation; `i` is its index. The results come
    /// in the order of subgroups and of invocations in them.
    std::vector<uint32_t> results(const std::string& extension, const std::string& statements) {
        const auto out =
            run("#extension GL_KHR_shader_subgroup_basic : require\n#extension " + extension +
                    " : require\nlayout(local_size_x = " + std::to_string(invocations) +
                    ") in;\nlayout(std430) buffer Out { uint v[]; };\n"
                    "void main() { uint i = gl_SubgroupInvocationID, r = 0u;\n" +
                    statements + "\nv[gl_SubgroupID * gl_SubgroupSize + i] = r; }",
                {invocations});
        return out[0];
    }

    /// `expected` returns the result for an invocation's number in its subgroup.
    void expect(const std::string& extension, const std::string& statements,
                const std::function<uint32_t(uint32_t)>& expected) {
        const std::vector<uint32_t> got = results(extension, statements);
        ASSERT_EQ(got.size(), invocations);
        for (uint32_t i = 0; i < invocations; i++)
            ASSERT_EQ(got[i], expected(i % size_)) << statements << ", invocation " << i;
    }

    uint32_t size_ = 0;
};

TEST_F(Subgroup, Basics) {
    expect("GL_KHR_shader_subgroup_basic", "r = subgroupElect() ? 1u : gl_NumSubgroups;",
           [&](uint32_t i) { return i ? invocations / size_ : 1; });
    expect("GL_KHR_shader_subgroup_basic", "r = gl_SubgroupSize;", [&](uint32_t) { return size_; });
}

TEST_F(Subgroup, Ballots) {
    if (!can(VK_SUBGROUP_FEATURE_BALLOT_BIT))
        GTEST_SKIP() << "no ballots on this device";
    const char* extension = "GL_KHR_shader_subgroup_ballot";
    const uint64_t all = size_ == 64 ? ~uint64_t{0} : (uint64_t{1} << size_) - 1;
    expect(extension, "r = subgroupBallot(i != 1u).x;",
           [&](uint32_t) { return uint32_t(all & ~uint64_t{2}); });
    expect(extension, "r = uint(subgroupInverseBallot(uvec4(0x55555555u)));",
           [](uint32_t i) { return 1 - i % 2; });
    expect(extension, "r = uint(subgroupBallotBitExtract(uvec4(6u), i % 4u));",
           [](uint32_t i) { return 6u >> i % 4 & 1; });
    expect(extension,
           "uvec4 b = subgroupBallot(true); r = subgroupBallotBitCount(b) * 10000u + "
           "subgroupBallotInclusiveBitCount(b) * 100u + "
           "subgroupBallotExclusiveBitCount(b);",
           [&](uint32_t i) { return size_ * 10000 + (i + 1) * 100 + i; });
    expect(extension,
           "uvec4 b = subgroupBallot(i == 1u || i == 2u); "
           "r = subgroupBallotFindLSB(b) * 10u + subgroupBallotFindMSB(b);",
           [](uint32_t) { return 12u; });
    expect(extension, "r = subgroupBroadcast(i + 7u, 2u) * 100u + subgroupBroadcastFirst(i + 3u);",
           [](uint32_t) { return 903u; });
    expect(extension, "r = (gl_SubgroupEqMask.x ^ gl_SubgroupGeMask.x) | gl_SubgroupLtMask.x;",
           [&](uint32_t i) { return uint32_t(all & ~(uint64_t{1} << i)); });
}

TEST_F(Subgroup, Arithmetic) {
    if (!can(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT))
        GTEST_SKIP() << "no arithmetic on this device";
    const char* extension = "GL_KHR_shader_subgroup_arithmetic";
    expect(extension, "r = subgroupAdd(i);", [&](uint32_t) { return size_ * (size_ - 1) / 2; });
    expect(extension, "r = subgroupInclusiveAdd(i + 1u);",
           [](uint32_t i) { return (i + 1) * (i + 2) / 2; });
    expect(extension, "r = uint(subgroupExclusiveAdd(vec2(1.0, i)).x);",
           [](uint32_t i) { return i; });
    expect(extension, "r = uint(subgroupMin(int(i) - 3) + 3) + subgroupMax(i);",
           [&](uint32_t) { return size_ - 1; });
    expect(extension, "r = uint(subgroupMul(i < 3u ? 2.0 : 1.0));", [](uint32_t) { return 8u; });
    expect(extension,
           "r = subgroupXor(i == 2u ? 6u : 0u) + (subgroupAnd(i < 200u) ? 16u : 0u) + "
           "(subgroupOr(i == 1u) ? 32u : 0u);",
           [](uint32_t) { return 54u; });
}

TEST_F(Subgroup, ShufflesAndQuads) {
    if (!can(VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
             VK_SUBGROUP_FEATURE_QUAD_BIT))
        GTEST_SKIP() << "no shuffles or quads on this device";
    expect("GL_KHR_shader_subgroup_shuffle",
           "r = subgroupShuffle(i * 3u, i ^ 1u) * 1000u + subgroupShuffleXor(i, 2u);",
           [](uint32_t i) { return (i ^ 1) * 3000 + (i ^ 2); });
    expect("GL_KHR_shader_subgroup_shuffle_relative",
           "uint up = subgroupShuffleUp(i, 1u), down = subgroupShuffleDown(i, 1u);"
           "r = (i == 0u ? 0u : up) * 1000u + (i == gl_SubgroupSize - 1u ? 0u : down);",
           [&](uint32_t i) { return (i ? i - 1 : 0) * 1000 + (i == size_ - 1 ? 0 : i + 1); });
    expect(
        "GL_KHR_shader_subgroup_quad",
        "r = subgroupQuadBroadcast(i, 3u) * 1000000u + subgroupQuadSwapHorizontal(i) * 10000u + "
        "subgroupQuadSwapVertical(i) * 100u + subgroupQuadSwapDiagonal(i);",
        [](uint32_t i) { return (i | 3) * 1000000 + (i ^ 1) * 10000 + (i ^ 2) * 100 + (i ^ 3); });
}

TEST_F(Subgroup, ClustersSumUpApart) {
    if (!can(VK_SUBGROUP_FEATURE_CLUSTERED_BIT))
        GTEST_SKIP() << "no clusters on this device";
    expect("GL_KHR_shader_subgroup_clustered", "r = subgroupClusteredAdd(i, 4u);",
           [](uint32_t i) { return i / 4 * 16 + 6; });
}

TEST_F(Subgroup, ALoneInvocationIsItsOwnSubgroup) {
    // Translates as for a stage in which the device has no subgroup operations.
    KOBALT_NEEDS(Capability::shader_int64);
    changed_ = target();
    changed_->subgroup_stages = 0;
    const auto out = run(R"(
        #extension GL_ARB_shader_ballot : require
        #extension GL_ARB_gpu_shader_int64 : require
        layout(local_size_x = 4) in;
        layout(std430) buffer Out { uint v[]; };
        void main() {
            uint i = gl_LocalInvocationIndex;
            uvec2 ballot = unpackUint2x32(ballotARB(i == 2u));
            uvec2 lt = unpackUint2x32(gl_SubGroupLtMaskARB), ge = unpackUint2x32(gl_SubGroupGeMaskARB);
            v[4u * i] = ballot.x | ballot.y << 1 | lt.x << 2 | ge.x << 3 | gl_SubGroupSizeARB << 4;
            v[4u * i + 1u] = uint(anyInvocation(i == 2u)) | uint(allInvocations(i == 2u)) << 1 |
                             uint(allInvocationsEqual(i == 2u)) << 2;
            v[4u * i + 2u] = readFirstInvocationARB(i + 7u);
            v[4u * i + 3u] = gl_SubGroupInvocationARB;
        })",
                         {16});
    for (uint32_t i = 0; i < 4; i++) {
        EXPECT_EQ(out[0][4 * i], (i == 2) + 8u + 16u);
        EXPECT_EQ(out[0][4 * i + 1], i == 2 ? 7u : 4u);
        EXPECT_EQ(out[0][4 * i + 2], i + 7);
        EXPECT_EQ(out[0][4 * i + 3], 0u);
    }
}

TEST_F(Subgroup, TheClockGoesOn) {
    KOBALT_NEEDS(Capability::shader_clock);
    const auto out = run(R"(
        #extension GL_ARB_shader_clock : require
        layout(local_size_x = 1) in;
        layout(std430) buffer Out { uint more, n; };
        void main() {
            uvec2 before = clock2x32ARB();
            for (uint i = 0u; i < 1000u; i++) n = n * 3u + i;
            memoryBarrierBuffer();
            uvec2 after = clock2x32ARB();
            more = uint(after.y > before.y || (after.y == before.y && after.x >= before.x));
        })",
                         {2});
    EXPECT_EQ(out[0][0], 1u);
}

} // namespace
} // namespace kobalt::corpus
