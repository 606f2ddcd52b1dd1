// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/shader_object.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"
#include "vulkan/pipelines/planned_refusal.h"

namespace kobalt::vulkan {
namespace {

/// The stages that may come next (VUID-VkShaderCreateInfoEXT-nextStage-08427 to -08434).
VkShaderStageFlags stages_behind(const Device& device, VkShaderStageFlagBits stage) {
    const VkShaderStageFlags geometry =
        device.has(Capability::geometry_shader) ? VK_SHADER_STAGE_GEOMETRY_BIT : 0;
    const VkShaderStageFlags control =
        device.has(Capability::tessellation_shader) ? VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT : 0;
    switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
        return control | geometry | VK_SHADER_STAGE_FRAGMENT_BIT;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
        return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
        return geometry | VK_SHADER_STAGE_FRAGMENT_BIT;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
        return VK_SHADER_STAGE_FRAGMENT_BIT;
    default:
        return 0;
    }
}

} // namespace

Result<ShaderObject> create_shader_object(Device& device, const ShaderObjectInfo& info) {
    auto create = vk_struct<VkShaderCreateInfoEXT>(VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT);
    create.stage = info.stage;
    create.nextStage = stages_behind(device, info.stage);
    create.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    create.codeSize = info.spirv.size_bytes();
    create.pCode = info.spirv.data();
    create.pName = "main";
    create.setLayoutCount = static_cast<uint32_t>(info.set_layouts.size());
    create.pSetLayouts = info.set_layouts.data();
    create.pushConstantRangeCount = info.push_constants.size ? 1 : 0;
    create.pPushConstantRanges = &info.push_constants;
    VkShaderEXT shader = VK_NULL_HANDLE;
    const VkResult result =
        refusal_planned(info.name) ? VK_ERROR_UNKNOWN : with_second_try(device, [&] {
            return device.vk().CreateShadersEXT(device.handle(), 1, &create, nullptr, &shader);
        });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateShadersEXT", info.name ? info.name : "a shader");
    set_name(device, VK_OBJECT_TYPE_SHADER_EXT, shader, info.name);
    return device.own<ShaderObject>(shader);
}

} // namespace kobalt::vulkan
