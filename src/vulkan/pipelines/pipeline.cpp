// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/pipeline.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"
#include "vulkan/pipelines/planned_refusal.h"

namespace kobalt::vulkan {

Result<Pipeline> create_compute_pipeline(Device& device, const ComputePipelineInfo& info,
                                         VkPipelineCache cache) {
    auto create =
        vk_struct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    create.flags = info.flags;
    create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    create.stage.pNext = info.stage_next;
    create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    create.stage.module = info.module;
    create.stage.pName = info.entry;
    create.stage.pSpecializationInfo = info.specialization;
    create.layout = info.layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result =
        refusal_planned(info.name) ? VK_ERROR_UNKNOWN : with_second_try(device, [&] {
            return device.vk().CreateComputePipelines(device.handle(), cache, 1, &create, nullptr,
                                                      &pipeline);
        });
    if (result != VK_SUCCESS)
        return fail(device.status().check(result, "vkCreateComputePipelines"),
                    "vkCreateComputePipelines", info.name ? info.name : "a compute pipeline");
    set_name(device, VK_OBJECT_TYPE_PIPELINE, pipeline, info.name);
    return device.own<Pipeline>(pipeline);
}

Result<Pipeline> create_graphics_pipeline(Device& device, const VkGraphicsPipelineCreateInfo& info,
                                          VkPipelineCache cache, const char* name) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = refusal_planned(name ? name : "a graphics pipeline")
                                ? VK_ERROR_UNKNOWN
                                : with_second_try(device, [&] {
                                      return device.vk().CreateGraphicsPipelines(
                                          device.handle(), cache, 1, &info, nullptr, &pipeline);
                                  });
    if (result != VK_SUCCESS)
        return fail(device.status().check(result, "vkCreateGraphicsPipelines"),
                    "vkCreateGraphicsPipelines", name ? name : "a graphics pipeline");
    set_name(device, VK_OBJECT_TYPE_PIPELINE, pipeline, name);
    return device.own<Pipeline>(pipeline);
}

} // namespace kobalt::vulkan
