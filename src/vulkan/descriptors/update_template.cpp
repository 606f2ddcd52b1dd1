// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/update_template.h"

#include "vulkan/descriptors/push_descriptor.h"
#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"

namespace kobalt::vulkan {

Result<DescriptorTemplate> DescriptorTemplate::create(Device& device,
                                                      const DescriptorSetLayout& layout,
                                                      VkDescriptorUpdateTemplateCreateInfo info,
                                                      const char* name) {
    DescriptorTemplate made;
    for (const DescriptorBinding& binding : layout.bindings()) {
        if (binding.count == 0)
            continue;
        VkDescriptorUpdateTemplateEntry entry{};
        entry.dstBinding = binding.binding;
        entry.descriptorCount = binding.count;
        entry.descriptorType = binding.type;
        entry.offset = made.bytes();
        entry.stride = sizeof(DescriptorSlot);
        made.entries_.push_back(entry);
        made.slots_ += binding.count;
    }
    if (made.entries_.empty())
        return fail(VK_ERROR_UNKNOWN, "creating a descriptor update template",
                    "a set layout without descriptors");
    info.descriptorUpdateEntryCount = static_cast<uint32_t>(made.entries_.size());
    info.pDescriptorUpdateEntries = made.entries_.data();
    VkDescriptorUpdateTemplate handle = VK_NULL_HANDLE;
    const VkResult result =
        device.vk().CreateDescriptorUpdateTemplate(device.handle(), &info, nullptr, &handle);
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateDescriptorUpdateTemplate",
                    std::string(name ? name : "a template") + " of " +
                        std::to_string(made.entries_.size()) + " bindings");
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, handle, name);
    made.handle_ = device.own<UpdateTemplate>(handle);
    return made;
}

Result<DescriptorTemplate> create_update_template(Device& device, const DescriptorSetLayout& layout,
                                                  const char* name) {
    auto info = vk_struct<VkDescriptorUpdateTemplateCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO);
    info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
    info.descriptorSetLayout = layout.handle();
    return DescriptorTemplate::create(device, layout, info, name);
}

Result<DescriptorTemplate> create_push_template(Device& device, const DescriptorSetLayout& layout,
                                                VkPipelineLayout pipeline_layout,
                                                VkPipelineBindPoint bind_point, uint32_t set,
                                                const char* name) {
    if (const auto fits = check_push(device, layout.descriptor_count(), set); !fits)
        return std::unexpected(fits.error());
    if (layout.mode() != DescriptorMode::push &&
        layout.mode() != DescriptorMode::push_beside_buffers)
        return fail(VK_ERROR_UNKNOWN, "creating a push template",
                    "a set layout that was not made to be pushed");
    auto info = vk_struct<VkDescriptorUpdateTemplateCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO);
    info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
    info.descriptorSetLayout = layout.handle();
    info.pipelineBindPoint = bind_point;
    info.pipelineLayout = pipeline_layout;
    info.set = set;
    return DescriptorTemplate::create(device, layout, info, name);
}

void update_set(const Device& device, VkDescriptorSet set,
                const DescriptorTemplate& update_template, const DescriptorSlot* slots) {
    device.vk().UpdateDescriptorSetWithTemplate(device.handle(), set, update_template.handle(),
                                                slots);
}

} // namespace kobalt::vulkan
