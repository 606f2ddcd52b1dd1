// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/pipeline_library.h"

#include "vulkan/device/device.h"
#include "vulkan/pipelines/pipeline.h"

namespace kobalt::vulkan {

Result<Pipeline> create_pipeline_library(Device& device, VkGraphicsPipelineLibraryFlagsEXT parts,
                                         const VkGraphicsPipelineCreateInfo& info,
                                         VkPipelineCache cache, const char* name,
                                         bool optimizable) {
    auto library = vk_struct<VkGraphicsPipelineLibraryCreateInfoEXT>(
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    library.pNext = const_cast<void*>(info.pNext);
    library.flags = parts;
    VkGraphicsPipelineCreateInfo create = info;
    create.pNext = &library;
    create.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    if (optimizable)
        create.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    return create_graphics_pipeline(device, create, cache, name ? name : "a pipeline library");
}

Result<Pipeline> link_pipeline(Device& device, std::span<const VkPipeline> libraries,
                               VkPipelineLayout layout, LinkMode mode, VkPipelineCreateFlags flags,
                               VkPipelineCache cache, const char* name) {
    auto library = vk_struct<VkPipelineLibraryCreateInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    library.libraryCount = static_cast<uint32_t>(libraries.size());
    library.pLibraries = libraries.data();
    auto create =
        vk_struct<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    create.pNext = &library;
    create.flags = flags;
    if (mode == LinkMode::optimized)
        create.flags |= VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
    create.layout = layout;
    create.basePipelineIndex = -1;
    return create_graphics_pipeline(device, create, cache, name ? name : "a linked pipeline");
}

} // namespace kobalt::vulkan
