// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/host_copy.h"

#include "vulkan/device/device.h"

#include <algorithm>
#include <vector>

namespace kobalt::vulkan {

bool writes_images_on_host(const Device& device) {
    const VkPhysicalDeviceType type = device.properties().core.deviceType;
    if (!device.has(Capability::host_image_copy) ||
        (type != VK_PHYSICAL_DEVICE_TYPE_CPU && type != VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU))
        return false;
    auto lists = vk_struct<VkPhysicalDeviceHostImageCopyPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES_EXT);
    auto properties =
        vk_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &lists;
    const auto& vk = device.instance().vk();
    vk.GetPhysicalDeviceProperties2(device.physical(), &properties);
    std::vector<VkImageLayout> from(lists.copySrcLayoutCount), to(lists.copyDstLayoutCount);
    lists.pCopySrcLayouts = from.data();
    lists.pCopyDstLayouts = to.data();
    vk.GetPhysicalDeviceProperties2(device.physical(), &properties);
    return std::ranges::find(to, VK_IMAGE_LAYOUT_GENERAL) != to.end();
}

bool host_transfer_is_free(const Device& device, const VkImageCreateInfo& info) {
    auto asked = vk_struct<VkPhysicalDeviceImageFormatInfo2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2);
    asked.format = info.format;
    asked.type = info.imageType;
    asked.tiling = info.tiling;
    asked.usage = info.usage | VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
    asked.flags = info.flags;
    auto performance = vk_struct<VkHostImageCopyDevicePerformanceQueryEXT>(
        VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY_EXT);
    auto answer = vk_struct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2);
    answer.pNext = &performance;
    return device.instance().vk().GetPhysicalDeviceImageFormatProperties2(device.physical(), &asked,
                                                                          &answer) == VK_SUCCESS &&
           performance.optimalDeviceAccess;
}

Result<void> initialize_on_host(Device& device, VkImage image, VkImageAspectFlags aspects) {
    auto change = vk_struct<VkHostImageLayoutTransitionInfoEXT>(
        VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO_EXT);
    change.image = image;
    change.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    change.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    change.subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    const VkResult result = device.vk().TransitionImageLayoutEXT(device.handle(), 1, &change);
    if (result != VK_SUCCESS)
        return fail(device.status().check(result, "vkTransitionImageLayoutEXT"),
                    "vkTransitionImageLayoutEXT", "a new image");
    return {};
}

Result<void> copy_to_image_on_host(Device& device, VkImage image,
                                   std::span<const VkMemoryToImageCopyEXT> regions) {
    auto info =
        vk_struct<VkCopyMemoryToImageInfoEXT>(VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT);
    info.dstImage = image;
    info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = static_cast<uint32_t>(regions.size());
    info.pRegions = regions.data();
    const VkResult result = device.vk().CopyMemoryToImageEXT(device.handle(), &info);
    if (result != VK_SUCCESS)
        return fail(device.status().check(result, "vkCopyMemoryToImageEXT"),
                    "vkCopyMemoryToImageEXT", std::to_string(regions.size()) + " regions");
    return {};
}

} // namespace kobalt::vulkan
