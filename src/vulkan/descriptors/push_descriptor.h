// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/descriptors/descriptor_commands.h"

#include <span>

namespace kobalt::vulkan {

class DescriptorTemplate;

/// How many descriptors a push set may hold; 0 where the device has no push descriptors.
uint32_t max_push_descriptors(const Device& device);

/// Whether sets may be pushed beside descriptor buffers without a buffer for them
/// (descriptorBufferPushDescriptors and bufferlessPushDescriptors).
bool pushes_beside_buffers(const Device& device);

/// Whether a set of so many descriptors can be pushed as number `set` of a pipeline layout; the
/// error names the limit that is exceeded.
Result<void> check_push(const Device& device, size_t descriptors, uint32_t set);

/// vkCmdPushDescriptorSet, or vkCmdPushDescriptorSet2 (Device::structured_commands()). Inline,
/// since draws call it.
inline void push_descriptors(const Device& device, VkCommandBuffer commands,
                             VkPipelineBindPoint bind_point, VkPipelineLayout layout, uint32_t set,
                             std::span<const VkWriteDescriptorSet> writes) {
    const auto count = static_cast<uint32_t>(writes.size());
    if (!device.structured_commands()) {
        device.vk().CmdPushDescriptorSetKHR(commands, bind_point, layout, set, count,
                                            writes.data());
        return;
    }
    auto info =
        vk_struct<VkPushDescriptorSetInfoKHR>(VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO_KHR);
    info.stageFlags = stages_of(bind_point);
    info.layout = layout;
    info.set = set;
    info.descriptorWriteCount = count;
    info.pDescriptorWrites = writes.data();
    device.vk().CmdPushDescriptorSet2KHR(commands, &info);
}

/// vkCmdPushDescriptorSetWithTemplate, or vkCmdPushDescriptorSetWithTemplate2, through a template
/// made for (layout, set).
void push_descriptors(const Device& device, VkCommandBuffer commands,
                      const DescriptorTemplate& update_template, VkPipelineLayout layout,
                      uint32_t set, const void* data);

} // namespace kobalt::vulkan
