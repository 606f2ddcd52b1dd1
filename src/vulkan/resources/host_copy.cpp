// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/host_copy.h"

#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

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

Result<void> initialize_on_host(Device& device, VkImage image, VkImageAspectFlags aspects) {
    auto change = vk_struct<VkHostImageLayoutTransitionInfoEXT>(
        VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO_EXT);
    change.image = image;
    change.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    change.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    change.subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    const VkResult result = with_second_try(
        device, [&] { return device.vk().TransitionImageLayoutEXT(device.handle(), 1, &change); });
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
    const VkResult result = with_second_try(
        device, [&] { return device.vk().CopyMemoryToImageEXT(device.handle(), &info); });
    if (result != VK_SUCCESS)
        return fail(device.status().check(result, "vkCopyMemoryToImageEXT"),
                    "vkCopyMemoryToImageEXT", std::to_string(regions.size()) + " regions");
    return {};
}

} // namespace kobalt::vulkan
