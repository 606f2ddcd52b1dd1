// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_kernel.h"

namespace kobalt::compute {

Result<void> VulkanKernel::create_layout(const Device& vk, std::size_t storage_buffers) {
    std::vector<VkDescriptorSetLayoutBinding> bindings(1 + storage_buffers);
    for (std::size_t i = 0; i < bindings.size(); ++i) {
        bindings[i].binding = static_cast<std::uint32_t>(i);
        bindings[i].descriptorType =
            i == 0 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        bindings[i].descriptorCount = 1;
        bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    set_info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    set_info.pBindings = bindings.data();
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
    if (auto good = done(vk.CreateDescriptorSetLayout(vk.device, &set_info, nullptr, &set),
                         "vkCreateDescriptorSetLayout");
        !good) {
        return good;
    }
    set_ = {vk.device, set, vk.DestroyDescriptorSetLayout};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = 1;
    info.pSetLayouts = &set_.get();
    VkPipelineLayout layout = VK_NULL_HANDLE;
    auto good =
        done(vk.CreatePipelineLayout(vk.device, &info, nullptr, &layout), "vkCreatePipelineLayout");
    layout_ = {vk.device, layout, vk.DestroyPipelineLayout};
    return good;
}

Result<void> VulkanKernel::create_pipeline(const Device& vk, std::span<const std::uint32_t> code) {
    VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module_info.codeSize = code.size_bytes();
    module_info.pCode = code.data();
    VkShaderModule handle = VK_NULL_HANDLE;
    if (auto good = done(vk.CreateShaderModule(vk.device, &module_info, nullptr, &handle),
                         "vkCreateShaderModule");
        !good) {
        return good;
    }
    const Owned<VkShaderModule> module(vk.device, handle, vk.DestroyShaderModule);
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module.get();
    info.stage.pName = "main";
    info.layout = layout_.get();
    info.basePipelineIndex = -1;
    VkPipeline pipeline = VK_NULL_HANDLE;
    auto good =
        done(vk.CreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
             "vkCreateComputePipelines");
    pipeline_ = {vk.device, pipeline, vk.DestroyPipeline};
    return good;
}

Result<VulkanKernel> VulkanKernel::create(const Device& vk, std::span<const std::uint32_t> code,
                                          std::size_t storage_buffers) {
    VulkanKernel kernel;
    auto good = kernel.create_layout(vk, storage_buffers);
    if (good) {
        good = kernel.create_pipeline(vk, code);
    }
    if (!good) {
        return std::unexpected(good.error());
    }
    return kernel;
}

} // namespace kobalt::compute
