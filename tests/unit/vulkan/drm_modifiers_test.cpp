// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/drm_modifiers.h"

#include <gtest/gtest.h>

namespace kobalt::vulkan::test {
namespace {

constexpr uint64_t tiled = 0x0100000000000001;
constexpr VkFormatFeatureFlags sampled = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
constexpr VkFormatFeatureFlags2 sampled_2 = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT;

/// Fills every list of type `type` in the chain as a driver does: `made` is its content.
template <typename List, typename Entry>
void fill(VkFormatProperties2* asked, VkStructureType type, const std::vector<Entry>& made) {
    for (auto* next = static_cast<VkBaseOutStructure*>(asked->pNext); next; next = next->pNext) {
        if (next->sType != type)
            continue;
        auto* list = reinterpret_cast<List*>(next);
        if (list->pDrmFormatModifierProperties)
            for (uint32_t i = 0; i < list->drmFormatModifierCount; ++i)
                list->pDrmFormatModifierProperties[i] = made.at(i);
        else
            list->drmFormatModifierCount = static_cast<uint32_t>(made.size());
    }
}

void fill_first(VkFormatProperties2* asked) {
    fill<VkDrmFormatModifierPropertiesListEXT, VkDrmFormatModifierPropertiesEXT>(
        asked, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
        {{0, 1, sampled}, {tiled, 2, 0}});
}

VKAPI_ATTR void VKAPI_CALL both(VkPhysicalDevice, VkFormat, VkFormatProperties2* asked) {
    fill_first(asked);
    constexpr VkFormatFeatureFlags2 more = VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
    fill<VkDrmFormatModifierPropertiesList2EXT, VkDrmFormatModifierProperties2EXT>(
        asked, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT,
        {{tiled, 1, sampled_2 | more}});
}

VKAPI_ATTR void VKAPI_CALL first_only(VkPhysicalDevice, VkFormat, VkFormatProperties2* asked) {
    fill_first(asked);
}

VKAPI_ATTR void VKAPI_CALL none(VkPhysicalDevice, VkFormat, VkFormatProperties2*) {}

TEST(DrmModifiers, TheSecondListComesFirst) {
    const auto found = drm_modifiers(both, VK_NULL_HANDLE, VK_FORMAT_R8G8B8A8_UNORM);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].drmFormatModifier, tiled);
    EXPECT_EQ(found[0].drmFormatModifierTilingFeatures,
              sampled_2 | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT);
}

TEST(DrmModifiers, TheFirstListWhereTheSecondIsEmpty) {
    const auto found = drm_modifiers(first_only, VK_NULL_HANDLE, VK_FORMAT_R8G8B8A8_UNORM);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].drmFormatModifier, 0u);
    EXPECT_EQ(found[0].drmFormatModifierPlaneCount, 1u);
    EXPECT_EQ(found[0].drmFormatModifierTilingFeatures, sampled_2);
    EXPECT_EQ(found[1].drmFormatModifier, tiled);
    EXPECT_EQ(found[1].drmFormatModifierPlaneCount, 2u);
    EXPECT_EQ(found[1].drmFormatModifierTilingFeatures, 0u);
}

TEST(DrmModifiers, NoneWhereBothAreEmpty) {
    EXPECT_TRUE(drm_modifiers(none, VK_NULL_HANDLE, VK_FORMAT_R8G8B8A8_UNORM).empty());
}

} // namespace
} // namespace kobalt::vulkan::test
