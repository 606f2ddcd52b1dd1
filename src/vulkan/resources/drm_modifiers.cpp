// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/resources/drm_modifiers.h"

namespace kobalt::vulkan {

namespace {

/// Returns the entries that `ask` writes to a `List`, of type `Entry`.
template <typename List, typename Entry>
std::vector<Entry> listed(PFN_vkGetPhysicalDeviceFormatProperties2 ask, VkPhysicalDevice device,
                          VkFormat format, VkStructureType type) {
    auto list = vk_struct<List>(type);
    auto properties = vk_struct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2);
    properties.pNext = &list;
    ask(device, format, &properties);
    std::vector<Entry> found(list.drmFormatModifierCount);
    list.pDrmFormatModifierProperties = found.data();
    if (!found.empty())
        ask(device, format, &properties);
    found.resize(list.drmFormatModifierCount);
    return found;
}

} // namespace

std::vector<VkDrmFormatModifierProperties2EXT>
drm_modifiers(PFN_vkGetPhysicalDeviceFormatProperties2 ask, VkPhysicalDevice device,
              VkFormat format) {
    auto found = listed<VkDrmFormatModifierPropertiesList2EXT, VkDrmFormatModifierProperties2EXT>(
        ask, device, format, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT);
    if (!found.empty())
        return found;
    // lavapipe fills the extension's first list only. Its features are the lower half of the
    // second one's.
    for (const VkDrmFormatModifierPropertiesEXT& one :
         listed<VkDrmFormatModifierPropertiesListEXT, VkDrmFormatModifierPropertiesEXT>(
             ask, device, format, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT))
        found.push_back({one.drmFormatModifier, one.drmFormatModifierPlaneCount,
                         VkFormatFeatureFlags2{one.drmFormatModifierTilingFeatures}});
    return found;
}

} // namespace kobalt::vulkan
