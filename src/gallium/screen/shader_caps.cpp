// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <initializer_list>

#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

constexpr int instruction_limit = 1 << 20; ///< Vulkan has no limit, but GL needs a number
constexpr uint32_t varying_slots = 32;     ///< the number of Locations that src/spirv assigns

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
    case PIPE_SHADER_COMPUTE:
        return true;
    default:
        return false;
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
        // GL's minimum is 128 components. Intel reports 116, which leave out the built-in ones.
        // The varyings that a program passes between stages have their own limit (max_varyings).
        return varying_slots;
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

/// The number of stages that share the limits on all descriptor sets of a pipeline.
uint32_t graphics_stages(vulkan::Device& device) {
    uint32_t count = 0;
    for (const pipe_shader_type stage :
         {PIPE_SHADER_VERTEX, PIPE_SHADER_TESS_CTRL, PIPE_SHADER_TESS_EVAL, PIPE_SHADER_GEOMETRY,
          PIPE_SHADER_FRAGMENT})
        count += has_stage(device, stage);
    return count;
}

/// GL requires 16; twice as many if the device's descriptor sets have room.
uint32_t samplers(vulkan::Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    const uint32_t stages = graphics_stages(device);
    return std::clamp(
        std::min({limits.maxPerStageDescriptorSamplers, limits.maxPerStageDescriptorSampledImages,
                  limits.maxDescriptorSetSamplers / stages,
                  limits.maxDescriptorSetSampledImages / stages}),
        16u, static_cast<uint32_t>(PIPE_MAX_SAMPLERS));
}

/// Whether a stage may write storage buffers and images.
bool stage_stores(vulkan::Device& device, pipe_shader_type shader) {
    switch (shader) {
    case PIPE_SHADER_COMPUTE:
        return true;
    case PIPE_SHADER_FRAGMENT:
        return device.has(Capability::fragment_stores_and_atomics);
    default:
        return device.has(Capability::vertex_stores_and_atomics);
    }
}

/// Atomic counters are storage buffers too: Mesa reserves half of the storage buffers for them.
uint32_t storage_buffers(vulkan::Device& device, pipe_shader_type shader) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    const uint32_t stages = shader == PIPE_SHADER_COMPUTE ? 1 : graphics_stages(device);
    return stage_stores(device, shader) ? std::min({limits.maxPerStageDescriptorStorageBuffers,
                                                    limits.maxDescriptorSetStorageBuffers / stages,
                                                    static_cast<uint32_t>(PIPE_MAX_SHADER_BUFFERS)})
                                        : 0;
}

uint32_t storage_images(vulkan::Device& device, pipe_shader_type shader) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    const uint32_t stages = shader == PIPE_SHADER_COMPUTE ? 1 : graphics_stages(device);
    return stage_stores(device, shader)
               ? std::min({limits.maxPerStageDescriptorStorageImages,
                           limits.maxDescriptorSetStorageImages / stages, 32u})
               : 0;
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
        // The default uniform block and 15 blocks of the app.
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
    case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
        return static_cast<int>(storage_buffers(device, shader));
    case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
        return static_cast<int>(storage_images(device, shader));
    // Mesa lowers atomic counters to storage buffers.
    case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS:
    case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS:
    case PIPE_SHADER_CAP_INT64_ATOMICS:
    case PIPE_SHADER_CAP_FP16:
    case PIPE_SHADER_CAP_FP16_DERIVATIVES:
    case PIPE_SHADER_CAP_FP16_CONST_BUFFERS:
    case PIPE_SHADER_CAP_INT16:
    case PIPE_SHADER_CAP_GLSL_16BIT_CONSTS:
        return 0;
    }
    return 0;
}

template <typename T>
int answer(void* into, std::initializer_list<T> values) {
    if (into)
        std::ranges::copy(values, static_cast<T*>(into));
    return static_cast<int>(values.size() * sizeof(T));
}

/// Writes the answer, unless `into` is null, and returns its size in bytes.
int get_compute_param(pipe_screen* pscreen, pipe_shader_ir, pipe_compute_cap cap, void* into) {
    const VkPhysicalDeviceLimits& limits = Screen::from(pscreen)->device().limits();
    // GL returns limits as signed integers; some devices report UINT32_MAX.
    const auto three = [into](const uint32_t(&value)[3]) {
        constexpr uint32_t most = INT32_MAX;
        return answer<uint64_t>(
            into, {std::min(value[0], most), std::min(value[1], most), std::min(value[2], most)});
    };
    switch (cap) {
    case PIPE_COMPUTE_CAP_GRID_DIMENSION:
        return answer<uint64_t>(into, {3});
    case PIPE_COMPUTE_CAP_MAX_GRID_SIZE:
        return three(limits.maxComputeWorkGroupCount);
    case PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE:
        return three(limits.maxComputeWorkGroupSize);
    case PIPE_COMPUTE_CAP_MAX_THREADS_PER_BLOCK:
        return answer<uint64_t>(into, {limits.maxComputeWorkGroupInvocations});
    case PIPE_COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK: // a variant for each size
        return answer<uint64_t>(into, {limits.maxComputeWorkGroupInvocations});
    case PIPE_COMPUTE_CAP_MAX_LOCAL_SIZE:
        return answer<uint64_t>(into, {limits.maxComputeSharedMemorySize});
    case PIPE_COMPUTE_CAP_ADDRESS_BITS:
        return answer<uint32_t>(into, {64});
    default:
        return 0; // OpenCL's
    }
}

} // namespace

void init_screen_shader_caps(Screen& screen) {
    screen.get_shader_param = get_shader_param;
    screen.get_compute_param = get_compute_param;
}

} // namespace kobalt::gallium
