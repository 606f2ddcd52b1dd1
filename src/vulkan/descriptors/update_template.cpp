// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/update_template.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"

namespace kobalt::vulkan {

namespace {

Result<UpdateTemplate> create(Device& device, const DescriptorSetLayout& layout,
                              VkDescriptorUpdateTemplateCreateInfo info, const char* name) {
    std::vector<VkDescriptorUpdateTemplateEntry> entries;
    size_t slot = 0;
    for (const DescriptorBinding& binding : layout.bindings()) {
        if (binding.count == 0)
            continue;
        VkDescriptorUpdateTemplateEntry entry{};
        entry.dstBinding = binding.binding;
        entry.descriptorCount = binding.count;
        entry.descriptorType = binding.type;
        entry.offset = slot * sizeof(DescriptorSlot);
        entry.stride = sizeof(DescriptorSlot);
        entries.push_back(entry);
        slot += binding.count;
    }
    if (entries.empty())
        return fail(VK_ERROR_UNKNOWN, "creating a descriptor update template",
                    "a set layout without descriptors");
    info.descriptorUpdateEntryCount = static_cast<uint32_t>(entries.size());
    info.pDescriptorUpdateEntries = entries.data();
    VkDescriptorUpdateTemplate handle = VK_NULL_HANDLE;
    const VkResult result =
        device.vk().CreateDescriptorUpdateTemplate(device.handle(), &info, nullptr, &handle);
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateDescriptorUpdateTemplate",
                    std::string(name ? name : "a template") + " of " +
                        std::to_string(entries.size()) + " bindings");
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, handle, name);
    return device.own<UpdateTemplate>(handle);
}

} // namespace

Result<UpdateTemplate> create_update_template(Device& device, const DescriptorSetLayout& layout,
                                              const char* name) {
    auto info = vk_struct<VkDescriptorUpdateTemplateCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO);
    info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
    info.descriptorSetLayout = layout.handle();
    return create(device, layout, info, name);
}

Result<UpdateTemplate> create_push_template(Device& device, const DescriptorSetLayout& layout,
                                            VkPipelineLayout pipeline_layout,
                                            VkPipelineBindPoint bind_point, uint32_t set,
                                            const char* name) {
    auto info = vk_struct<VkDescriptorUpdateTemplateCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO);
    info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
    info.descriptorSetLayout = layout.handle();
    info.pipelineBindPoint = bind_point;
    info.pipelineLayout = pipeline_layout;
    info.set = set;
    return create(device, layout, info, name);
}

uint32_t descriptor_slot_count(const DescriptorSetLayout& layout) {
    uint32_t count = 0;
    for (const DescriptorBinding& binding : layout.bindings())
        count += binding.count;
    return count;
}

void update_set(const Device& device, VkDescriptorSet set,
                VkDescriptorUpdateTemplate update_template, const DescriptorSlot* slots) {
    device.vk().UpdateDescriptorSetWithTemplate(device.handle(), set, update_template, slots);
}

} // namespace kobalt::vulkan
