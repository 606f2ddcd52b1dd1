// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/push_descriptor.h"

#include "vulkan/descriptors/update_template.h"

#include <string>

namespace kobalt::vulkan {

uint32_t max_push_descriptors(const Device& device) {
    return device.has(Capability::push_descriptors)
               ? device.properties().push_descriptor.maxPushDescriptors
               : 0;
}

Result<void> check_push(const Device& device, size_t descriptors, uint32_t set) {
    const auto refuse = [&](VkResult result, const std::string& why) -> Result<void> {
        return fail(result, "pushing descriptors",
                    "set " + std::to_string(set) + " of " + std::to_string(descriptors) +
                        " descriptors: " + why);
    };
    if (!device.has(Capability::push_descriptors))
        return refuse(VK_ERROR_FEATURE_NOT_PRESENT, "the device has no push descriptors");
    if (const uint32_t most = max_push_descriptors(device); descriptors > most)
        return refuse(VK_ERROR_TOO_MANY_OBJECTS,
                      "maxPushDescriptors is " + std::to_string(most) + "; bind it instead");
    if (const uint32_t sets = device.limits().maxBoundDescriptorSets; set >= sets)
        return refuse(VK_ERROR_TOO_MANY_OBJECTS,
                      "maxBoundDescriptorSets is " + std::to_string(sets));
    return {};
}

bool pushes_beside_buffers(const Device& device) {
    return device.has(Capability::descriptor_buffer) && device.has(Capability::push_descriptors) &&
           device.features().descriptor_buffer.descriptorBufferPushDescriptors &&
           device.properties().descriptor_buffer.bufferlessPushDescriptors;
}

void push_descriptors(const Device& device, VkCommandBuffer commands,
                      const DescriptorTemplate& update_template, VkPipelineLayout layout,
                      uint32_t set, const void* data) {
    if (!device.structured_commands()) {
        device.vk().CmdPushDescriptorSetWithTemplateKHR(commands, update_template.handle(), layout,
                                                        set, data);
        return;
    }
    auto info = vk_struct<VkPushDescriptorSetWithTemplateInfoKHR>(
        VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO_KHR);
    info.descriptorUpdateTemplate = update_template.handle();
    info.layout = layout;
    info.set = set;
    info.pData = data;
    device.vk().CmdPushDescriptorSetWithTemplate2KHR(commands, &info);
}

} // namespace kobalt::vulkan
