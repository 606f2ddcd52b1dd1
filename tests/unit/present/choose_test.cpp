// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/choose.h"

#include <vector>

#include <gtest/gtest.h>

namespace kobalt::present {
namespace {

using Formats = std::vector<VkSurfaceFormatKHR>;
constexpr VkColorSpaceKHR srgb = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;

TEST(ChooseFormat, CopiesWhereTheBitsAreTheSame) {
    const Formats offered = {{VK_FORMAT_B8G8R8A8_SRGB, srgb}, {VK_FORMAT_B8G8R8A8_UNORM, srgb}};
    for (const VkFormat source : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB}) {
        const auto choice = choose_format(offered, source);
        ASSERT_TRUE(choice);
        EXPECT_EQ(choice->surface.format, VK_FORMAT_B8G8R8A8_UNORM);
        EXPECT_FALSE(choice->blit);
    }
}

TEST(ChooseFormat, CopiesIntoSrgbWhereThatIsAllThereIs) {
    const Formats offered = {{VK_FORMAT_B8G8R8A8_SRGB, srgb}};
    const auto choice = choose_format(offered, VK_FORMAT_B8G8R8A8_UNORM);
    ASSERT_TRUE(choice);
    EXPECT_FALSE(choice->blit); // a blit would encode a second time
}

TEST(ChooseFormat, ConvertsOtherChannelOrders) {
    const Formats offered = {{VK_FORMAT_R8G8B8A8_SRGB, srgb}, {VK_FORMAT_R8G8B8A8_UNORM, srgb}};
    const auto plain = choose_format(offered, VK_FORMAT_B8G8R8A8_UNORM);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->surface.format, VK_FORMAT_R8G8B8A8_UNORM);
    EXPECT_TRUE(plain->blit);
    const auto encoded = choose_format(offered, VK_FORMAT_B8G8R8A8_SRGB);
    ASSERT_TRUE(encoded);
    EXPECT_EQ(encoded->surface.format, VK_FORMAT_R8G8B8A8_SRGB);
}

TEST(ChooseFormat, KeepsDepthsThatTheWindowHas) {
    const Formats offered = {{VK_FORMAT_B8G8R8A8_UNORM, srgb},
                             {VK_FORMAT_R5G6B5_UNORM_PACK16, srgb},
                             {VK_FORMAT_A2R10G10B10_UNORM_PACK32, srgb}};
    for (const VkFormat source :
         {VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_A2R10G10B10_UNORM_PACK32}) {
        const auto choice = choose_format(offered, source);
        ASSERT_TRUE(choice);
        EXPECT_EQ(choice->surface.format, source);
        EXPECT_FALSE(choice->blit);
    }
    const auto swapped = choose_format(offered, VK_FORMAT_A2B10G10R10_UNORM_PACK32);
    ASSERT_TRUE(swapped);
    EXPECT_EQ(swapped->surface.format, VK_FORMAT_A2R10G10B10_UNORM_PACK32);
}

TEST(ChooseFormat, PrefersTheUsualColorSpace) {
    const Formats offered = {{VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_HDR10_ST2084_EXT},
                             {VK_FORMAT_R8G8B8A8_UNORM, srgb}};
    const auto choice = choose_format(offered, VK_FORMAT_B8G8R8A8_UNORM);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->surface.colorSpace, srgb);
    EXPECT_FALSE(choose_format({}, VK_FORMAT_B8G8R8A8_UNORM));
}

TEST(ChoosePresentMode, FollowsTheInterval) {
    const std::vector<VkPresentModeKHR> all = {
        VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_FIFO_RELAXED_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
        VK_PRESENT_MODE_IMMEDIATE_KHR};
    EXPECT_EQ(choose_present_mode(all, 0), VK_PRESENT_MODE_IMMEDIATE_KHR);
    EXPECT_EQ(choose_present_mode(all, 1), VK_PRESENT_MODE_FIFO_KHR);
    EXPECT_EQ(choose_present_mode(all, 2), VK_PRESENT_MODE_FIFO_KHR);
    EXPECT_EQ(choose_present_mode(all, -1), VK_PRESENT_MODE_FIFO_RELAXED_KHR);
    const std::vector<VkPresentModeKHR> mailbox = {VK_PRESENT_MODE_FIFO_KHR,
                                                   VK_PRESENT_MODE_MAILBOX_KHR};
    EXPECT_EQ(choose_present_mode(mailbox, 0), VK_PRESENT_MODE_MAILBOX_KHR);
    const std::vector<VkPresentModeKHR> least = {VK_PRESENT_MODE_FIFO_KHR};
    EXPECT_EQ(choose_present_mode(least, 0), VK_PRESENT_MODE_FIFO_KHR);
    EXPECT_EQ(choose_present_mode(least, -1), VK_PRESENT_MODE_FIFO_KHR);
}

TEST(ChooseCompositeAlpha, OpaqueUnlessTheDrawableIsTranslucent) {
    const auto all = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR |
                     VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
    EXPECT_EQ(choose_composite_alpha(all, false), VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR);
    EXPECT_EQ(choose_composite_alpha(all, true), VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR);
    EXPECT_EQ(choose_composite_alpha(VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR, false),
              VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR);
}

TEST(ChooseExtent, FollowsTheWindowOrTheFrame) {
    VkSurfaceCapabilitiesKHR capabilities{};
    capabilities.currentExtent = {300, 200};
    EXPECT_EQ(choose_extent(capabilities, {64, 64}).width, 300u);
    capabilities.currentExtent = {UINT32_MAX, UINT32_MAX};
    capabilities.minImageExtent = {1, 1};
    capabilities.maxImageExtent = {100, 100};
    EXPECT_EQ(choose_extent(capabilities, {64, 64}).width, 64u);
    EXPECT_EQ(choose_extent(capabilities, {640, 0}).width, 100u);
    EXPECT_EQ(choose_extent(capabilities, {640, 0}).height, 1u);
    capabilities.maxImageExtent = {0, 0}; // minimised
    EXPECT_EQ(choose_extent(capabilities, {64, 64}).width, 0u);
}

TEST(ChooseImageCount, StaysInsideTheLimits) {
    VkSurfaceCapabilitiesKHR capabilities{};
    capabilities.minImageCount = 1;
    EXPECT_EQ(choose_image_count(capabilities, VK_PRESENT_MODE_FIFO_KHR), 3u);
    EXPECT_EQ(choose_image_count(capabilities, VK_PRESENT_MODE_MAILBOX_KHR), 4u);
    capabilities.maxImageCount = 2;
    EXPECT_EQ(choose_image_count(capabilities, VK_PRESENT_MODE_FIFO_KHR), 2u);
    capabilities.minImageCount = capabilities.maxImageCount = 5;
    EXPECT_EQ(choose_image_count(capabilities, VK_PRESENT_MODE_FIFO_KHR), 5u);
}

TEST(SurfaceFormats, KnowsEqualBits) {
    EXPECT_TRUE(same_bits(VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A8B8G8R8_SRGB_PACK32));
    EXPECT_TRUE(same_bits(VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM));
    EXPECT_FALSE(same_bits(VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM));
}

} // namespace
} // namespace kobalt::present
