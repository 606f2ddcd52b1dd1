// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/descriptor_layout.h"

#include "vulkan/base/round_up.h"
#include "vulkan/descriptors/push_descriptor.h"
#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::vulkan {

Result<DescriptorSetLayout> DescriptorSetLayout::create(Device& device,
                                                        std::span<const DescriptorBinding> bindings,
                                                        DescriptorMode mode, const char* name) {
    std::vector<VkDescriptorSetLayoutBinding> list;
    uint32_t descriptors = 0;
    std::vector<VkDescriptorBindingFlags> flags;
    bool any_flag = false;
    bool update_after_bind = false;
    for (const DescriptorBinding& binding : bindings) {
        list.push_back({binding.binding, binding.type, binding.count, binding.stages, nullptr});
        descriptors += binding.count;
        VkDescriptorBindingFlags f = binding.flags;
        // The update-after-bind flags exist for pooled sets only.
        if (mode != DescriptorMode::pool)
            f &= ~(VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                   VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT);
        flags.push_back(f);
        any_flag |= f != 0;
        update_after_bind |= (f & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0;
    }
    if (mode == DescriptorMode::push || mode == DescriptorMode::push_beside_buffers)
        if (const auto fits = check_push(device, descriptors, 0); !fits)
            return std::unexpected(fits.error());
    auto flags_info = vk_struct<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    flags_info.bindingCount = static_cast<uint32_t>(flags.size());
    flags_info.pBindingFlags = flags.data();
    auto info = vk_struct<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    if (any_flag)
        info.pNext = &flags_info;
    info.bindingCount = static_cast<uint32_t>(list.size());
    info.pBindings = list.data();
    if (mode == DescriptorMode::push)
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    else if (mode == DescriptorMode::push_beside_buffers)
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR |
                     VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    else if (mode == DescriptorMode::buffer)
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    else if (update_after_bind)
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    VkDescriptorSetLayout handle = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateDescriptorSetLayout(device.handle(), &info, nullptr, &handle);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateDescriptorSetLayout",
                    std::string(name ? name : "a set layout") + " of " +
                        std::to_string(list.size()) + " bindings");

    DescriptorSetLayout layout;
    layout.handle_ = device.own<DescriptorSetLayoutHandle>(handle);
    layout.mode_ = mode;
    layout.bindings_.assign(bindings.begin(), bindings.end());
    if (mode == DescriptorMode::buffer) {
        device.vk().GetDescriptorSetLayoutSizeEXT(device.handle(), handle, &layout.size_);
        const VkDeviceSize step =
            device.properties().descriptor_buffer.descriptorBufferOffsetAlignment;
        layout.size_ = round_up(layout.size_, step);
        for (const DescriptorBinding& binding : bindings)
            device.vk().GetDescriptorSetLayoutBindingOffsetEXT(
                device.handle(), handle, binding.binding, &layout.offsets_.emplace_back());
    }
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, handle, name);
    return layout;
}

uint32_t DescriptorSetLayout::descriptor_count() const {
    uint32_t count = 0;
    for (const DescriptorBinding& binding : bindings_)
        count += binding.count;
    return count;
}

Result<PipelineLayout> create_pipeline_layout(Device& device,
                                              std::span<const VkDescriptorSetLayout> sets,
                                              std::span<const VkPushConstantRange> push_constants,
                                              bool independent_sets, const char* name) {
    auto info =
        vk_struct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    if (independent_sets)
        info.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    info.setLayoutCount = static_cast<uint32_t>(sets.size());
    info.pSetLayouts = sets.data();
    info.pushConstantRangeCount = static_cast<uint32_t>(push_constants.size());
    info.pPushConstantRanges = push_constants.data();
    VkPipelineLayout layout = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreatePipelineLayout(device.handle(), &info, nullptr, &layout);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreatePipelineLayout",
                    std::string(name ? name : "a pipeline layout") + " of " +
                        std::to_string(sets.size()) + " sets");
    set_name(device, VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout, name);
    return device.own<PipelineLayout>(layout);
}

} // namespace kobalt::vulkan
