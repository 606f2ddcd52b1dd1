// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/copy.h"

#include <algorithm>

namespace kobalt::present {

namespace {

constexpr VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
constexpr VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

VkImageMemoryBarrier2 image_barrier(VkImage image, VkImageLayout from, VkImageLayout to) {
    auto barrier =
        vulkan::vk_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = whole;
    return barrier;
}

void memory_and_image_barrier(const vulkan::Device& device, VkCommandBuffer commands,
                              const VkMemoryBarrier2* memory, const VkImageMemoryBarrier2* image) {
    auto info = vulkan::vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.memoryBarrierCount = memory ? 1 : 0;
    info.pMemoryBarriers = memory;
    info.imageMemoryBarrierCount = image ? 1 : 0;
    info.pImageMemoryBarriers = image;
    device.vk().CmdPipelineBarrier2(commands, &info);
}

void copy_texels(const vulkan::Device& device, VkCommandBuffer commands, const CopySource& source,
                 const CopyTarget& target, VkExtent2D area) {
    if (!target.blit) {
        const VkImageCopy region = {
            layers, {0, 0, 0}, layers, {0, 0, 0}, {area.width, area.height, 1}};
        device.vk().CmdCopyImage(commands, source.image, VK_IMAGE_LAYOUT_GENERAL, target.image,
                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
        return;
    }
    const VkOffset3D corner = {int32_t(area.width), int32_t(area.height), 1};
    const VkImageBlit region = {layers, {{0, 0, 0}, corner}, layers, {{0, 0, 0}, corner}};
    device.vk().CmdBlitImage(commands, source.image, VK_IMAGE_LAYOUT_GENERAL, target.image,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST);
}

} // namespace

void record_copy(const vulkan::Device& device, VkCommandBuffer commands, const CopySource& source,
                 const CopyTarget& target) {
    auto before = vulkan::vk_struct<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    before.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    before.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
    before.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    before.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
    auto acquire = image_barrier(target.image, VK_IMAGE_LAYOUT_UNDEFINED,
                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    // The same stage as the semaphore's wait, so that the layout transition comes after the
    // acquisition.
    acquire.srcStageMask = copy_stages;
    acquire.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    acquire.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    memory_and_image_barrier(device, commands, &before, &acquire);

    const VkExtent2D area = source.image
                                ? VkExtent2D{std::min(source.extent.width, target.extent.width),
                                             std::min(source.extent.height, target.extent.height)}
                                : VkExtent2D{0, 0};
    if (area.width < target.extent.width || area.height < target.extent.height) {
        const VkClearColorValue black = {{0.0f, 0.0f, 0.0f, 1.0f}};
        device.vk().CmdClearColorImage(commands, target.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                       &black, 1, &whole);
        auto cleared = vulkan::vk_struct<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
        cleared.srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
        cleared.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        cleared.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
        cleared.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        memory_and_image_barrier(device, commands, &cleared, nullptr);
    }
    if (area.width && area.height)
        copy_texels(device, commands, source, target, area);

    auto present = image_barrier(target.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                 VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    present.srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    present.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    // Also orders the copy's reads before later batches' writes to the source.
    present.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    memory_and_image_barrier(device, commands, nullptr, &present);
}

} // namespace kobalt::present
