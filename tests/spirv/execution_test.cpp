// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tests the results of translated shaders: GLSL compute shaders go through Mesa's compiler and the
// translator, and run on a Vulkan device. Their output shows whether each instruction was
// translated correctly.

#include <bit>
#include <cmath>
#include <cstring>

#include "execution_fixture.h"

#include "vulkan/resources/image.h"

namespace kobalt::corpus {
namespace {

using namespace vulkan;
float as_float(uint32_t word) {
    return std::bit_cast<float>(word);
}

double as_double(const std::vector<uint32_t>& words, size_t index) {
    return std::bit_cast<double>(uint64_t{words[2 * index]} | uint64_t{words[2 * index + 1]} << 32);
}

TEST_F(Execution, WhoAnInvocationIs) {
    const auto out = run(R"(
        layout(local_size_x = 4, local_size_y = 2) in;
        layout(std430) buffer Out { uint v[]; };
        void main() {
            uint at = (gl_WorkGroupID.x * 8 + gl_LocalInvocationIndex) * 4;
            v[at] = gl_GlobalInvocationID.x * 100 + gl_GlobalInvocationID.y;
            v[at + 1] = gl_NumWorkGroups.x * 10 + gl_NumWorkGroups.y;
            v[at + 2] = gl_LocalInvocationID.x * 10 + gl_LocalInvocationID.y;
            v[at + 3] = gl_WorkGroupSize.x * 10 + gl_WorkGroupSize.y;
        })",
                         {96}, 3);
    for (uint32_t group = 0; group < 3; group++)
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t* v = &out[0][(group * 8 + i) * 4];
            EXPECT_EQ(v[0], (group * 4 + i % 4) * 100 + i / 4);
            EXPECT_EQ(v[1], 31u);
            EXPECT_EQ(v[2], i % 4 * 10 + i / 4);
            EXPECT_EQ(v[3], 42u);
        }
}

TEST_F(Execution, BufferLayoutsAndLength) {
    const auto out = run(R"(
        layout(local_size_x = 1) in;
        struct Item { vec3 a; float b; bool c; uvec2 d; };
        layout(std430) buffer In { mat3x2 m; Item items[]; } source;
        layout(std430) buffer Out { uint length; float sum; uvec2 d; vec3 column; } target;
        void main() {
            int last = source.items.length() - 1;
            target.length = uint(source.items.length());
            target.sum = source.items[last].a.y + source.items[0].b;
            target.d = source.items[last].c ? source.items[last].d : uvec2(0);
            target.column = vec3(source.m[2], source.m[int(target.length) - 1].x);
            source.items[0].a.yz = vec2(7.5, 8.5);
        })",
                         {8 + 2 * 8, 12}, 1, [](std::vector<uint32_t*>& memory) {
                             uint32_t* in = memory[0];
                             for (uint32_t i = 0; i < 6; i++) // three columns of 8 bytes
                                 in[i] = std::bit_cast<uint32_t>(float(i + 1));
                             // An item: a at 0, b at 3, c at 4, d at 6; 8 words.
                             in[8 + 3] = std::bit_cast<uint32_t>(0.25f);
                             in[16 + 1] = std::bit_cast<uint32_t>(4.0f);
                             in[16 + 4] = 1;
                             in[16 + 6] = 55;
                             in[16 + 7] = 66;
                         });
    EXPECT_EQ(out[1][0], 2u);
    EXPECT_EQ(as_float(out[1][1]), 4.25f);
    EXPECT_EQ(out[1][2], 55u);
    EXPECT_EQ(out[1][3], 66u);
    EXPECT_EQ(as_float(out[1][4]), 5.0f);
    EXPECT_EQ(as_float(out[1][5]), 6.0f);
    EXPECT_EQ(as_float(out[1][6]), 3.0f);
    EXPECT_EQ(as_float(out[0][9]), 7.5f);
    EXPECT_EQ(as_float(out[0][10]), 8.5f);
    EXPECT_EQ(out[0][8], 0u) << "the write mask left x alone";
}

TEST_F(Execution, ArraysOfBlocksByIndex) {
    const auto out = run(R"(
        layout(local_size_x = 1) in;
        layout(std430) buffer Block { uint v[]; } blocks[3];
        void main() {
            uint own = gl_WorkGroupID.x;
            blocks[own].v[1] = own * 10 + uint(blocks[own].v.length());
            atomicAdd(blocks[2 - own].v[0], own + 1);
        })",
                         {4, 5, 6}, 3);
    for (uint32_t i = 0; i < 3; i++) {
        EXPECT_EQ(out[i][1], i * 10 + 4 + i);
        EXPECT_EQ(out[i][0], 3 - i);
    }
}

TEST_F(Execution, AtomicsReturnWhatWasThere) {
    const auto out = run(R"(
        layout(local_size_x = 1) in;
        layout(std430) buffer Out { uint old[16]; uint u[8]; int i[4]; };
        void main() {
            old[0] = atomicAdd(u[0], 5u);
            old[1] = atomicAnd(u[1], 0x3cu);
            old[2] = atomicOr(u[2], 0xf0u);
            old[3] = atomicXor(u[3], 0xffu);
            old[4] = atomicMin(u[4], 0x80000000u);
            old[5] = atomicMax(u[5], 0x80000000u);
            old[6] = atomicExchange(u[6], 77u);
            old[7] = atomicCompSwap(u[7], 7u, 88u);
            old[8] = atomicCompSwap(u[7], 7u, 99u);
            old[9] = uint(atomicMin(i[0], -5));
            old[10] = uint(atomicMax(i[1], -5));
        })",
                         {28}, 1, [](std::vector<uint32_t*>& memory) {
                             const uint32_t start[] = {1, 0xf, 0xf, 0xf, 9, 9, 66, 7, 3, 3};
                             std::copy(std::begin(start), std::end(start), memory[0] + 16);
                         });
    const uint32_t old[] = {1, 0xf, 0xf, 0xf, 9, 9, 66, 7, 88, 3, 3};
    const uint32_t now[] = {6, 0xc, 0xff, 0xf0, 9, 0x80000000, 77, 88, uint32_t(-5), 3};
    for (size_t i = 0; i < std::size(old); i++)
        EXPECT_EQ(out[0][i], old[i]) << "old value " << i;
    for (size_t i = 0; i < std::size(now); i++)
        EXPECT_EQ(out[0][16 + i], now[i]) << "new value " << i;
}

TEST_F(Execution, SharedMemoryAndBarriers) {
    const auto out = run(R"(
        layout(local_size_x = 64) in;
        layout(std430) buffer Out { uint v[]; };
        shared uint values[64];
        shared vec4 vectors[64];
        shared uint total;
        void main() {
            uint i = gl_LocalInvocationIndex;
            values[i] = i + gl_WorkGroupID.x;
            vectors[i] = vec4(i, i * 2u, i * 3u, 1.0);
            if (i == 0u) total = 0u;
            barrier();
            atomicAdd(total, values[63u - i]);
            barrier();
            for (uint step = 32u; step > 0u; step >>= 1) {
                if (i < step) values[i] += values[i + step];
                memoryBarrierShared();
                barrier();
            }
            if (i == 0u) {
                v[gl_WorkGroupID.x * 3u] = values[0];
                v[gl_WorkGroupID.x * 3u + 1u] = total;
                v[gl_WorkGroupID.x * 3u + 2u] = uint(dot(vectors[63], vec4(1.0)));
            }
        })",
                         {6}, 2);
    for (uint32_t group = 0; group < 2; group++) {
        EXPECT_EQ(out[0][group * 3], 63u * 32 + 64 * group);
        EXPECT_EQ(out[0][group * 3 + 1], 63u * 32 + 64 * group);
        EXPECT_EQ(out[0][group * 3 + 2], 63u * 6 + 1);
    }
}

TEST_F(Execution, Doubles) {
    KOBALT_NEEDS(Capability::shader_float64);
    const auto out = run(R"(
        layout(local_size_x = 1) in;
        layout(std430) buffer Out { double d[16]; dvec3 v; };
        void main() {
            double a = d[0], b = d[1];
            d[2] = a + b; d[3] = a * b; d[4] = a / b; d[5] = sqrt(a);
            d[6] = floor(-a); d[7] = fract(a); d[8] = abs(-b); d[9] = fma(a, b, a);
            d[10] = mix(a, b, 0.25LF); d[11] = mod(a, b); d[12] = double(float(int(a)) / 4.0);
            d[13] = min(a, b); d[14] = packDouble2x32(unpackDouble2x32(a));
            d[15] = a > b ? roundEven(2.5LF) : inversesqrt(a);
            v = dvec3(double(int(-a)), double(uint(a)), dot(dvec2(a, b), dvec2(b, a)));
        })",
                         {40}, 1, [](std::vector<uint32_t*>& memory) {
                             const double in[] = {10.1, 3.3};
                             std::memcpy(memory[0], in, sizeof in);
                         });
    const double a = 10.1, b = 3.3;
    const double expected[] = {a + b,
                               a * b,
                               a / b,
                               std::sqrt(a),
                               -11,
                               a - 10,
                               b,
                               std::fma(a, b, a),
                               a * .75 + b * .25,
                               a - b * 3,
                               2.5,
                               b,
                               a,
                               2};
    for (size_t i = 0; i < std::size(expected); i++)
        EXPECT_NEAR(as_double(out[0], 2 + i), expected[i], 1e-13) << "d[" << 2 + i << "]";
    EXPECT_EQ(as_double(out[0], 16), -10);
    EXPECT_EQ(as_double(out[0], 17), 10);
    EXPECT_NEAR(as_double(out[0], 18), 2 * a * b, 1e-13);
}

TEST_F(Execution, WideIntegers) {
    KOBALT_NEEDS(Capability::shader_int64);
    const auto out = run(R"(
        #extension GL_ARB_gpu_shader_int64 : require
        layout(local_size_x = 1) in;
        layout(std430) buffer Out { uint64_t u[4]; int64_t i[4]; uint flags; };
        void main() {
            uint64_t a = u[0];
            u[1] = a * 3ul + (a >> 36);
            u[2] = a / 7ul;
            u[3] = packUint2x32(unpackUint2x32(a).yx);
            int64_t s = -int64_t(a);
            i[0] = s / 5l; i[1] = s >> 3; i[2] = abs(s); i[3] = int64_t(int(-7));
            flags = uint(s < 0l) | uint(a > 5ul) << 1 | uint(s == int64_t(a)) << 2;
        })",
                         {20}, 1, [](std::vector<uint32_t*>& memory) {
                             const uint64_t in = 0x123456789abcdef0u;
                             std::memcpy(memory[0], &in, sizeof in);
                         });
    const uint64_t a = 0x123456789abcdef0u;
    const int64_t s = -int64_t(a);
    const uint64_t expected[] = {a * 3 + (a >> 36), a / 7, a << 32 | a >> 32,    uint64_t(s / 5),
                                 uint64_t(s >> 3),  a,     uint64_t(int64_t{-7})};
    for (size_t i = 0; i < std::size(expected); i++)
        EXPECT_EQ(uint64_t{out[0][2 + 2 * i]} | uint64_t{out[0][3 + 2 * i]} << 32, expected[i])
            << "value " << i;
    EXPECT_EQ(out[0][16], 3u);
}

TEST_F(Execution, VotesAndBallots) {
    KOBALT_NEEDS(Capability::shader_int64); // ballotARB() returns 64 bits
    auto subgroups = vk_struct<VkPhysicalDeviceSubgroupProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    auto properties =
        vk_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &subgroups;
    instance_->vk().GetPhysicalDeviceProperties2(device_->physical(), &properties);
    const VkSubgroupFeatureFlags wanted =
        VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT;
    if ((subgroups.supportedOperations & wanted) != wanted || subgroups.subgroupSize < 4)
        GTEST_SKIP() << "no votes and ballots on this device";
    const auto out = run(R"(
        #extension GL_ARB_shader_ballot : require
        #extension GL_ARB_gpu_shader_int64 : require
        layout(local_size_x = 4) in;
        layout(std430) buffer Out { uint v[]; };
        void main() {
            uint i = gl_LocalInvocationIndex;
            bool any_of = anyInvocation(i == 2u), all_of = allInvocations(i < 4u);
            bool not_all = allInvocations(i == 2u), equal = allInvocationsEqual(i > 9u);
            uint64_t ballot = ballotARB(i >= 2u);
            uint first = readFirstInvocationARB(i + 7u), third = readInvocationARB(i * 5u, 2u);
            if (i == 1u) {
                v[0] = uint(any_of) | uint(all_of) << 1 | uint(not_all) << 2 | uint(equal) << 3;
                v[1] = unpackUint2x32(ballot).x;
                v[2] = first;
                v[3] = third;
            }
        })",
                         {4});
    EXPECT_EQ(out[0][0], 11u);
    EXPECT_EQ(out[0][1], 12u);
    EXPECT_EQ(out[0][2], 7u);
    EXPECT_EQ(out[0][3], 10u);
}

TEST_F(Execution, Images) {
    auto info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R32_UINT;
    info.extent = {8, 4, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_STORAGE_BIT;
    KOBALT_VALUE(image, Image::create(*device_, info));
    auto view_info = vk_struct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    view_info.image = image.handle();
    view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view_info.format = info.format;
    view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageView view = VK_NULL_HANDLE;
    ASSERT_EQ(device_->vk().CreateImageView(device_->handle(), &view_info, nullptr, &view),
              VK_SUCCESS);
    const auto out =
        run(R"(
        layout(local_size_x = 8, local_size_y = 4) in;
        layout(r32ui) uniform uimage2D image;
        layout(r32ui) uniform uimage2D both[2]; // every image is the same one here
        layout(std430) buffer Out { uint v[]; };
        void main() {
            ivec2 at = ivec2(gl_LocalInvocationID.xy);
            imageStore(image, at, uvec4(at.x + 8 * at.y));
            memoryBarrierImage();
            barrier();
            imageAtomicAdd(image, ivec2(0), 1u);
            imageAtomicCompSwap(image, ivec2(1, 0), 1u, 1000u);
            barrier();
            ivec2 other = ivec2(7, 3) - at;
            v[gl_LocalInvocationIndex] = imageLoad(image, other).x;
            if (gl_LocalInvocationIndex == 0u) {
                v[32] = uint(imageSize(image).x);
                v[33] = uint(imageSize(image).y);
                v[34] = imageLoad(both[v[35] + 1u], ivec2(5, 2)).x;
            }
        })",
            {36}, 1, {}, view, [&](VkCommandBuffer commands) {
                auto barrier =
                    vk_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
                barrier.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
                barrier.dstAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_READ_BIT;
                barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
                barrier.image = image.handle();
                barrier.subresourceRange = view_info.subresourceRange;
                auto dependency = vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
                dependency.imageMemoryBarrierCount = 1;
                dependency.pImageMemoryBarriers = &barrier;
                device_->vk().CmdPipelineBarrier2(commands, &dependency);
            });
    device_->vk().DestroyImageView(device_->handle(), view, nullptr);
    for (uint32_t i = 0; i < 30; i++)
        EXPECT_EQ(out[0][i], 31 - i) << "texel " << 31 - i;
    EXPECT_EQ(out[0][30], 1000u);
    EXPECT_EQ(out[0][31], 32u);
    EXPECT_EQ(out[0][32], 8u);
    EXPECT_EQ(out[0][33], 4u);
    EXPECT_EQ(out[0][34], 21u);
}

} // namespace
} // namespace kobalt::corpus
