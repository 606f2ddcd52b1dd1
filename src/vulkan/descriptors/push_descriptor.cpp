// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/push_descriptor.h"

#include "vulkan/device/device.h"

namespace kobalt::vulkan {

uint32_t max_push_descriptors(const Device& device) {
    return device.has(Capability::push_descriptors)
               ? device.properties().push_descriptor.maxPushDescriptors
               : 0;
}

bool pushes_beside_buffers(const Device& device) {
    return device.has(Capability::descriptor_buffer) && device.has(Capability::push_descriptors) &&
           device.features().descriptor_buffer.descriptorBufferPushDescriptors &&
           device.properties().descriptor_buffer.bufferlessPushDescriptors;
}

void push_descriptors(const Device& device, VkCommandBuffer commands,
                      VkPipelineBindPoint bind_point, VkPipelineLayout layout, uint32_t set,
                      std::span<const VkWriteDescriptorSet> writes) {
    device.vk().CmdPushDescriptorSetKHR(commands, bind_point, layout, set,
                                        static_cast<uint32_t>(writes.size()), writes.data());
}

void push_descriptors(const Device& device, VkCommandBuffer commands,
                      VkDescriptorUpdateTemplate update_template, VkPipelineLayout layout,
                      uint32_t set, const void* data) {
    device.vk().CmdPushDescriptorSetWithTemplateKHR(commands, update_template, layout, set, data);
}

} // namespace kobalt::vulkan
