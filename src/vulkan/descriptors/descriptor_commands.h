// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/device/device.h"

#include <span>

namespace kobalt::vulkan {

/// The stages of a bind point: the structured commands take stages instead.
constexpr VkShaderStageFlags stages_of(VkPipelineBindPoint point) {
    return point == VK_PIPELINE_BIND_POINT_COMPUTE ? VK_SHADER_STAGE_COMPUTE_BIT
                                                   : VK_SHADER_STAGE_ALL_GRAPHICS;
}

// Each of these commands has two forms: the one of Vulkan 1.0 (or VK_EXT_descriptor_buffer), and
// the one of VK_KHR_maintenance6 and Vulkan 1.4, which takes a structure.
// Device::structured_commands() tells which form is used. The functions are inline because a draw
// makes several such calls and each takes a few nanoseconds.

/// vkCmdBindDescriptorSets, or vkCmdBindDescriptorSets2.
inline void bind_sets(const Device& device, VkCommandBuffer commands, VkPipelineBindPoint point,
                      VkPipelineLayout layout, uint32_t first,
                      std::span<const VkDescriptorSet> sets) {
    const auto count = static_cast<uint32_t>(sets.size());
    if (!device.structured_commands()) {
        device.vk().CmdBindDescriptorSets(commands, point, layout, first, count, sets.data(), 0,
                                          nullptr);
        return;
    }
    auto info =
        vk_struct<VkBindDescriptorSetsInfoKHR>(VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR);
    info.stageFlags = stages_of(point);
    info.layout = layout;
    info.firstSet = first;
    info.descriptorSetCount = count;
    info.pDescriptorSets = sets.data();
    device.vk().CmdBindDescriptorSets2KHR(commands, &info);
}

/// vkCmdSetDescriptorBufferOffsetsEXT, or vkCmdSetDescriptorBufferOffsets2EXT: `buffers` are
/// indices into what vkCmdBindDescriptorBuffersEXT bound, one for each of `offsets`.
inline void set_descriptor_offsets(const Device& device, VkCommandBuffer commands,
                                   VkPipelineBindPoint point, VkPipelineLayout layout,
                                   uint32_t first, std::span<const VkDeviceSize> offsets,
                                   const uint32_t* buffers) {
    const auto count = static_cast<uint32_t>(offsets.size());
    if (!device.structured_commands()) {
        device.vk().CmdSetDescriptorBufferOffsetsEXT(commands, point, layout, first, count, buffers,
                                                     offsets.data());
        return;
    }
    auto info = vk_struct<VkSetDescriptorBufferOffsetsInfoEXT>(
        VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT);
    info.stageFlags = stages_of(point);
    info.layout = layout;
    info.firstSet = first;
    info.setCount = count;
    info.pBufferIndices = buffers;
    info.pOffsets = offsets.data();
    device.vk().CmdSetDescriptorBufferOffsets2EXT(commands, &info);
}

/// vkCmdPushConstants, or vkCmdPushConstants2.
inline void push_constants(const Device& device, VkCommandBuffer commands, VkPipelineLayout layout,
                           VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                           const void* values) {
    if (!device.structured_commands()) {
        device.vk().CmdPushConstants(commands, layout, stages, offset, size, values);
        return;
    }
    auto info = vk_struct<VkPushConstantsInfoKHR>(VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO_KHR);
    info.layout = layout;
    info.stageFlags = stages;
    info.offset = offset;
    info.size = size;
    info.pValues = values;
    device.vk().CmdPushConstants2KHR(commands, &info);
}

} // namespace kobalt::vulkan
