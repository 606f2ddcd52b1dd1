// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

constexpr int instruction_limit = 1 << 20; ///< Vulkan has none; GL wants a number
constexpr uint32_t varying_slots = 32;     ///< as many Locations as src/spirv numbers

bool has_stage(vulkan::Device& device, pipe_shader_type shader) {
    switch (shader) {
    case PIPE_SHADER_VERTEX:
    case PIPE_SHADER_FRAGMENT:
        return true;
    case PIPE_SHADER_GEOMETRY:
        return device.has(Capability::geometry_shader);
    case PIPE_SHADER_TESS_CTRL:
    case PIPE_SHADER_TESS_EVAL:
        return device.has(Capability::tessellation_shader);
    default:
        return false; // compute comes with OpenGL 4
    }
}

uint32_t inputs(const VkPhysicalDeviceLimits& limits, pipe_shader_type shader) {
    switch (shader) {
    case PIPE_SHADER_VERTEX:
        return std::min(limits.maxVertexInputAttributes, varying_slots);
    case PIPE_SHADER_GEOMETRY:
        return std::min(limits.maxGeometryInputComponents / 4, varying_slots);
    case PIPE_SHADER_TESS_CTRL:
        return std::min(limits.maxTessellationControlPerVertexInputComponents / 4, varying_slots);
    case PIPE_SHADER_TESS_EVAL:
        return std::min(limits.maxTessellationEvaluationInputComponents / 4, varying_slots);
    default:
        return std::min(limits.maxFragmentInputComponents / 4, varying_slots);
    }
}

uint32_t outputs(const VkPhysicalDeviceLimits& limits, pipe_shader_type shader) {
    switch (shader) {
    case PIPE_SHADER_VERTEX:
        return std::min(limits.maxVertexOutputComponents / 4, varying_slots);
    case PIPE_SHADER_GEOMETRY:
        return std::min(limits.maxGeometryOutputComponents / 4, varying_slots);
    case PIPE_SHADER_TESS_CTRL:
        return std::min(limits.maxTessellationControlPerVertexOutputComponents / 4, varying_slots);
    case PIPE_SHADER_TESS_EVAL:
        return std::min(limits.maxTessellationEvaluationOutputComponents / 4, varying_slots);
    default:
        return std::min(limits.maxFragmentOutputAttachments, 8u);
    }
}

/// How many stages of one pipeline share what its sets hold together.
uint32_t graphics_stages(vulkan::Device& device) {
    uint32_t count = 0;
    for (const pipe_shader_type stage :
         {PIPE_SHADER_VERTEX, PIPE_SHADER_TESS_CTRL, PIPE_SHADER_TESS_EVAL, PIPE_SHADER_GEOMETRY,
          PIPE_SHADER_FRAGMENT})
        count += has_stage(device, stage);
    return count;
}

/// GL asks for 16; where the device's sets have room, twice as many.
uint32_t samplers(vulkan::Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    const uint32_t stages = graphics_stages(device);
    return std::clamp(
        std::min({limits.maxPerStageDescriptorSamplers, limits.maxPerStageDescriptorSampledImages,
                  limits.maxDescriptorSetSamplers / stages,
                  limits.maxDescriptorSetSampledImages / stages}),
        16u, static_cast<uint32_t>(PIPE_MAX_SAMPLERS));
}

int get_shader_param(pipe_screen* pscreen, pipe_shader_type shader, pipe_shader_cap cap) {
    vulkan::Device& device = Screen::from(pscreen)->device();
    const VkPhysicalDeviceLimits& limits = device.limits();
    if (!has_stage(device, shader))
        return cap == PIPE_SHADER_CAP_SUPPORTED_IRS ? 1 << PIPE_SHADER_IR_NIR : 0;
    switch (cap) {
    case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
    case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
    case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
    case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
        return instruction_limit;
    case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
        return 1 << 16;
    case PIPE_SHADER_CAP_MAX_INPUTS:
        return static_cast<int>(inputs(limits, shader));
    case PIPE_SHADER_CAP_MAX_OUTPUTS:
        return static_cast<int>(outputs(limits, shader));
    case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
        return static_cast<int>(std::min(limits.maxUniformBufferRange, 65536u));
    case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
        // The default block and 15 of the app's.
        return static_cast<int>(
            std::min({limits.maxPerStageDescriptorUniformBuffers,
                      limits.maxDescriptorSetUniformBuffers / graphics_stages(device), 16u}));
    case PIPE_SHADER_CAP_MAX_TEMPS:
        return 4096;
    case PIPE_SHADER_CAP_CONT_SUPPORTED:
    case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
    case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
    case PIPE_SHADER_CAP_SUBROUTINES:
    case PIPE_SHADER_CAP_INTEGERS:
    case PIPE_SHADER_CAP_TGSI_SQRT_SUPPORTED:
    case PIPE_SHADER_CAP_TGSI_ANY_INOUT_DECL_RANGE:
        return 1;
    case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
    case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
        return static_cast<int>(samplers(device));
    case PIPE_SHADER_CAP_SUPPORTED_IRS:
        return 1 << PIPE_SHADER_IR_NIR;
    // Half precision, storage buffers, images and atomic counters are OpenGL 4's.
    case PIPE_SHADER_CAP_INT64_ATOMICS:
    case PIPE_SHADER_CAP_FP16:
    case PIPE_SHADER_CAP_FP16_DERIVATIVES:
    case PIPE_SHADER_CAP_FP16_CONST_BUFFERS:
    case PIPE_SHADER_CAP_INT16:
    case PIPE_SHADER_CAP_GLSL_16BIT_CONSTS:
    case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
    case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
    case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS:
    case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS:
        return 0;
    }
    return 0;
}

int get_compute_param(pipe_screen*, pipe_shader_ir, pipe_compute_cap, void*) {
    return 0;
}

} // namespace

void init_screen_shader_caps(Screen& screen) {
    screen.get_shader_param = get_shader_param;
    screen.get_compute_param = get_compute_param;
}

} // namespace kobalt::gallium
