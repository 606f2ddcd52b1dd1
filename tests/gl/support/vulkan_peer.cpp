// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstring>

#include "vulkan_peer_impl.h"

namespace kobalt::gltest {

void VulkanPeer::Impl::run(Order order, auto&& record) {
    const VkCommandBufferAllocateInfo allocate_info{
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    AllocateCommandBuffers(device, &allocate_info, &commands);
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    BeginCommandBuffer(commands, &begin);
    record(commands);
    const VkMemoryBarrier all{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                       1, &all, 0, nullptr, 0, nullptr);
    EndCommandBuffer(commands);
    const auto at = [&](int index) { return index < 0 ? nullptr : &semaphores[size_t(index)]; };
    const VkPipelineStageFlags everywhere = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .waitSemaphoreCount = order.wait < 0 ? 0U : 1U,
                              .pWaitSemaphores = at(order.wait),
                              .pWaitDstStageMask = &everywhere,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &commands,
                              .signalSemaphoreCount = order.signal < 0 ? 0U : 1U,
                              .pSignalSemaphores = at(order.signal)};
    QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
    if (order.signal < 0) {
        QueueWaitIdle(queue);
    }
}

void VulkanPeer::Impl::hand_over(VkCommandBuffer commands, bool take) {
    const bool fresh = take && !image_used;
    image_used = true;
    const VkImageMemoryBarrier barrier{
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = take ? 0U : VkAccessFlags{VK_ACCESS_MEMORY_WRITE_BIT},
        .dstAccessMask =
            take ? VkAccessFlags{VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT} : 0U,
        .oldLayout = fresh ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = fresh  ? VK_QUEUE_FAMILY_IGNORED
                               : take ? VK_QUEUE_FAMILY_EXTERNAL
                                      : 0,
        .dstQueueFamilyIndex = fresh  ? VK_QUEUE_FAMILY_IGNORED
                               : take ? 0
                                      : VK_QUEUE_FAMILY_EXTERNAL,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

VulkanPeer::VulkanPeer() : impl_(std::make_unique<Impl>()) {}
VulkanPeer::~VulkanPeer() = default;

std::unique_ptr<VulkanPeer> VulkanPeer::create(const Uuid& device, std::string& why_not) {
    std::unique_ptr<VulkanPeer> peer(new VulkanPeer);
    return peer->impl_->open(device, why_not) ? std::move(peer) : nullptr;
}

bool VulkanPeer::make_buffer(std::uint64_t bytes, std::uint64_t offset, SharedMemory& shared,
                             bool dma_buf) {
    Impl& vk = *impl_;
    if (dma_buf && !vk.exports_dma_bufs) {
        return false;
    }
    const auto type = dma_buf ? dma_buf_memory : opaque_memory;
    const VkExternalMemoryBufferCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type};
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .pNext = &external,
                                  .size = bytes,
                                  .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                           VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    if (vk.CreateBuffer(vk.device, &info, nullptr, &vk.buffer) != VK_SUCCESS) {
        return false;
    }
    vk.buffer_bytes = bytes;
    VkMemoryRequirements needs{};
    vk.GetBufferMemoryRequirements(vk.device, vk.buffer, &needs);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    return vk.share(needs, offset, nullptr, shared, memory, type) &&
           vk.BindBufferMemory(vk.device, vk.buffer, memory, shared.offset) == VK_SUCCESS &&
           vk.make_readback(bytes);
}

bool VulkanPeer::renders_to_linear() const {
    VkFormatProperties properties{};
    impl_->GetPhysicalDeviceFormatProperties(impl_->physical, VK_FORMAT_R8G8B8A8_UNORM,
                                             &properties);
    return properties.linearTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
}

bool VulkanPeer::make_image(const ImageShape& shape, std::uint64_t offset, SharedMemory& shared) {
    Impl& vk = *impl_;
    const VkExternalMemoryImageCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .handleTypes = opaque_memory};
    const VkImageCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = &external,
        .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .extent = {shape.width, shape.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = shape.linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    if (vk.CreateImage(vk.device, &info, nullptr, &vk.image) != VK_SUCCESS) {
        return false;
    }
    vk.shape = shape;
    VkMemoryRequirements needs{};
    vk.GetImageMemoryRequirements(vk.device, vk.image, &needs);
    const VkMemoryDedicatedAllocateInfo dedicated{
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = vk.image};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    return vk.share(needs, offset, shape.dedicated ? &dedicated : nullptr, shared, memory) &&
           vk.BindImageMemory(vk.device, vk.image, memory, shared.offset) == VK_SUCCESS &&
           vk.make_readback(std::uint64_t{shape.width} * shape.height * 4);
}

int VulkanPeer::make_semaphore(std::size_t index) {
    Impl& vk = *impl_;
    if (!vk.exports_semaphores) {
        return -1;
    }
    const VkExportSemaphoreCreateInfo exported{
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, .handleTypes = opaque_semaphore};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                     .pNext = &exported};
    vk.semaphores.resize(std::max(vk.semaphores.size(), index + 1));
    if (vk.CreateSemaphore(vk.device, &info, nullptr, &vk.semaphores[index]) != VK_SUCCESS) {
        return -1;
    }
    const VkSemaphoreGetFdInfoKHR get{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                      .semaphore = vk.semaphores[index],
                                      .handleType = opaque_semaphore};
    int fd = -1;
    return vk.GetSemaphoreFdKHR(vk.device, &get, &fd) == VK_SUCCESS ? fd : -1;
}

void VulkanPeer::fill_buffer(std::uint32_t word, Order order) {
    Impl& vk = *impl_;
    vk.run(order, [&](VkCommandBuffer commands) {
        vk.CmdFillBuffer(commands, vk.buffer, 0, VK_WHOLE_SIZE, word);
    });
}

std::vector<std::uint32_t> VulkanPeer::read_buffer(Order order) {
    Impl& vk = *impl_;
    vk.run(order, [&](VkCommandBuffer commands) {
        const VkBufferCopy whole{0, 0, vk.buffer_bytes};
        vk.CmdCopyBuffer(commands, vk.buffer, vk.readback, 1, &whole);
    });
    std::vector<std::uint32_t> words(vk.buffer_bytes / 4);
    std::memcpy(words.data(), vk.readback_bytes, words.size() * 4);
    return words;
}

void VulkanPeer::clear_image(const std::array<float, 4>& colour, Order order) {
    Impl& vk = *impl_;
    vk.run(order, [&](VkCommandBuffer commands) {
        VkClearColorValue value{};
        std::ranges::copy(colour, value.float32);
        const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vk.hand_over(commands, true);
        vk.CmdClearColorImage(commands, vk.image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &whole);
        vk.hand_over(commands, false);
    });
}

std::vector<std::uint32_t> VulkanPeer::read_image(Order order) {
    Impl& vk = *impl_;
    vk.image_used = true; // OpenGL wrote it
    vk.run(order, [&](VkCommandBuffer commands) {
        const VkBufferImageCopy whole{0,  0,
                                      0,  {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      {}, {vk.shape.width, vk.shape.height, 1}};
        vk.hand_over(commands, true);
        vk.CmdCopyImageToBuffer(commands, vk.image, VK_IMAGE_LAYOUT_GENERAL, vk.readback, 1,
                                &whole);
        vk.hand_over(commands, false);
    });
    std::vector<std::uint32_t> texels(std::size_t{vk.shape.width} * vk.shape.height);
    std::memcpy(texels.data(), vk.readback_bytes, texels.size() * 4);
    return texels;
}

} // namespace kobalt::gltest
