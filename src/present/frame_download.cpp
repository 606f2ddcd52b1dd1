// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/frame_download.h"

#include "present/choose.h"

namespace kobalt::present {

namespace {

constexpr VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

void barrier(const vulkan::Device& device, VkCommandBuffer commands, VkPipelineStageFlags2 from,
             VkAccessFlags2 written, VkPipelineStageFlags2 to, VkAccessFlags2 used,
             VkImage fresh = VK_NULL_HANDLE) {
    auto memory = vulkan::vk_struct<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    memory.srcStageMask = from;
    memory.srcAccessMask = written;
    memory.dstStageMask = to;
    memory.dstAccessMask = used;
    auto image = vulkan::vk_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
    image.srcStageMask = from;
    image.srcAccessMask = written;
    image.dstStageMask = to;
    image.dstAccessMask = used;
    image.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    image.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    image.srcQueueFamilyIndex = image.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    image.image = fresh;
    image.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    auto info = vulkan::vk_struct<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
    info.imageMemoryBarrierCount = fresh ? 1 : 0;
    info.pImageMemoryBarriers = &image;
    device.vk().CmdPipelineBarrier2(commands, &info);
}

} // namespace

bool can_download(const vulkan::Device& device, VkFormat frame, const PixelLayout& layout) {
    if (same_bits(frame, layout.format))
        return true;
    const auto has = [&](VkFormat format, VkFormatFeatureFlags2 feature) {
        return (device.format_properties(format).optimalTilingFeatures & feature) != 0;
    };
    return has(frame, VK_FORMAT_FEATURE_2_BLIT_SRC_BIT) &&
           has(blit_format(frame, layout), VK_FORMAT_FEATURE_2_BLIT_DST_BIT);
}

vulkan::Result<void> FrameDownload::record(VkCommandBuffer commands, const render::Image& frame,
                                           VkBuffer pixels, const PixelLayout& layout) {
    const VkExtent3D extent = frame.storage().extent();
    const VkFormat format = frame.storage().format();
    const bool drawn = frame.initialized;
    const bool converts = drawn && !same_bits(format, layout.format);
    if (converts)
        if (const auto fits = fit(blit_format(format, layout), extent); !fits)
            return std::unexpected(fits.error());

    constexpr VkPipelineStageFlags2 transfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    barrier(device_, commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
            transfer, VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
            converts ? converted_.handle() : VK_NULL_HANDLE);
    if (!drawn) {
        device_.vk().CmdFillBuffer(commands, pixels, 0,
                                   VkDeviceSize{layout.stride(extent.width)} * extent.height, 0);
    } else if (converts) {
        const VkOffset3D corner = {int32_t(extent.width), int32_t(extent.height), 1};
        const VkImageBlit region = {layers, {{0, 0, 0}, corner}, layers, {{0, 0, 0}, corner}};
        device_.vk().CmdBlitImage(commands, frame.handle(), VK_IMAGE_LAYOUT_GENERAL,
                                  converted_.handle(), VK_IMAGE_LAYOUT_GENERAL, 1, &region,
                                  VK_FILTER_NEAREST);
        barrier(device_, commands, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT, transfer,
                VK_ACCESS_2_TRANSFER_READ_BIT);
        copy(commands, converted_.handle(), extent, pixels, layout);
    } else {
        copy(commands, frame.handle(), extent, pixels, layout);
    }
    // Also orders the copy's reads before later batches' writes to the frame.
    barrier(device_, commands, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
            VK_ACCESS_2_HOST_READ_BIT);
    return {};
}

void FrameDownload::copy(VkCommandBuffer commands, VkImage image, VkExtent3D extent,
                         VkBuffer pixels, const PixelLayout& layout) const {
    VkBufferImageCopy region{};
    region.bufferRowLength = layout.stride(extent.width) / layout.bytes;
    region.imageSubresource = layers;
    region.imageExtent = extent;
    device_.vk().CmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, pixels, 1, &region);
}

vulkan::Result<void> FrameDownload::fit(VkFormat format, VkExtent3D extent) {
    if (converted_ && converted_.format() == format && converted_.extent().width == extent.width &&
        converted_.extent().height == extent.height)
        return {};
    auto info = vulkan::vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = extent;
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    auto made = vulkan::Image::create(device_, info, vulkan::MemoryKind::device_local, "frame");
    if (!made)
        return std::unexpected(made.error());
    vulkan::Queue& queue = device_.graphics();
    queue.deferred().defer(queue.timeline().submitted(), std::move(converted_));
    converted_ = std::move(*made);
    return {};
}

} // namespace kobalt::present
