// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/shaders/stage.h"

namespace kobalt::render {

VkShaderStageFlagBits shader_stage_bit(Stage stage) {
    switch (stage) {
    case Stage::vertex:
        return VK_SHADER_STAGE_VERTEX_BIT;
    case Stage::fragment:
        return VK_SHADER_STAGE_FRAGMENT_BIT;
    case Stage::tess_control:
        return VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case Stage::tess_evaluation:
        return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case Stage::geometry:
        return VK_SHADER_STAGE_GEOMETRY_BIT;
    case Stage::compute:
        return VK_SHADER_STAGE_COMPUTE_BIT;
    }
    return VK_SHADER_STAGE_ALL;
}

VkPipelineStageFlags2 pipeline_stage_bit(Stage stage) {
    switch (stage) {
    case Stage::vertex:
        return VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    case Stage::fragment:
        return VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    case Stage::tess_control:
        return VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT;
    case Stage::tess_evaluation:
        return VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT;
    case Stage::geometry:
        return VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT;
    case Stage::compute:
        return VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    }
    return VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

} // namespace kobalt::render
