// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "programs.h"

#include <algorithm>
#include <bit>
#include <span>

#include "program_frag.h"
#include "program_vert.h"

namespace kobalt::memory {

namespace {

constexpr VkPushConstantRange kConstants{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                                         0, 16};
constexpr std::array kStages{VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};

/// The shader's code with the placeholder constant replaced by the program's own value.
std::vector<uint32_t> patched(std::span<const uint32_t> words, uint32_t number) {
    std::vector<uint32_t> own(words.begin(), words.end());
    const float value = 0.1F + 1e-6F * static_cast<float>(number);
    std::ranges::replace(own, std::bit_cast<uint32_t>(0.123456789F),
                         std::bit_cast<uint32_t>(value));
    return own;
}

/// All state of a graphics pipeline; each library takes its part.
struct State {
    VkPipelineVertexInputStateCreateInfo vertex{
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly{
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    VkPipelineViewportStateCreateInfo viewport{
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    VkPipelineRasterizationStateCreateInfo raster{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    VkPipelineMultisampleStateCreateInfo samples{
        VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    VkPipelineDepthStencilStateCreateInfo depth{
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    VkPipelineColorBlendAttachmentState attachment{};
    VkPipelineColorBlendStateCreateInfo blend{
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    VkFormat format = Maker::kFormat;
    std::vector<VkDynamicState> states{VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                       VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
    VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};

    State(const Way& way, VkPipelineCreateFlags flags, VkPipelineLayout layout) {
        if (way.dynamic)
            states.insert(
                states.end(),
                {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                 VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
                 VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
                 VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
                 VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
                 VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
                 VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
                 VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT});
        dynamic.dynamicStateCount = static_cast<uint32_t>(states.size());
        dynamic.pDynamicStates = states.data();
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        raster.lineWidth = 1;
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        depth.maxDepthBounds = 1;
        attachment.colorWriteMask = 0xf;
        blend.attachmentCount = 1;
        blend.pAttachments = &attachment;
        rendering.colorAttachmentCount = 1;
        rendering.pColorAttachmentFormats = &format;
        info.pNext = &rendering;
        info.flags = flags;
        info.pDynamicState = &dynamic;
        info.layout = layout;
        info.basePipelineIndex = -1;
    }
    State(const State&) = delete;

    void add(VkGraphicsPipelineLibraryFlagsEXT parts) {
        if (parts & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT) {
            info.pVertexInputState = &vertex;
            info.pInputAssemblyState = &assembly;
        }
        if (parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT) {
            info.pViewportState = &viewport;
            info.pRasterizationState = &raster;
        }
        if (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT)
            info.pDepthStencilState = &depth;
        if (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) {
            info.pColorBlendState = &blend;
            info.pMultisampleState = &samples;
        }
    }
};

/// A stage with its code, as a module or without one.
struct StageInfo {
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    VkPipelineShaderStageCreateInfo stage{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
};

} // namespace

const char* lacks(const Abilities& abilities, const Way& way) {
    if (way.kind == Way::Kind::libraries && !abilities.libraries)
        return "VK_EXT_graphics_pipeline_library";
    if (way.kind == Way::Kind::objects && !abilities.objects)
        return "VK_EXT_shader_object";
    if (way.dynamic && !(abilities.dynamic && abilities.objects))
        return "VK_EXT_extended_dynamic_state3, VK_EXT_vertex_input_dynamic_state or "
               "VK_EXT_shader_object";
    if (way.descriptor_buffer && !abilities.descriptor_buffer)
        return "VK_EXT_descriptor_buffer";
    return nullptr;
}

VkPipelineCreateFlags Maker::flags() const {
    return way_.descriptor_buffer ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
}

Maker::Maker(const Vulkan& vk, const Way& way, VkPipelineCache cache)
    : vk_(vk), way_(way), cache_(cache) {
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &kConstants;
    need(vk_.CreatePipelineLayout(vk_.device, &info, nullptr, &layout_), "vkCreatePipelineLayout");
    if (way_.kind == Way::Kind::libraries) {
        vertex_input_ =
            library(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, nullptr);
        output_ = library(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, nullptr);
    }
}

Maker::~Maker() {
    vk_.DestroyPipeline(vk_.device, vertex_input_, nullptr);
    vk_.DestroyPipeline(vk_.device, output_, nullptr);
    vk_.DestroyPipelineLayout(vk_.device, layout_, nullptr);
}

VkPipeline Maker::library(VkGraphicsPipelineLibraryFlagsEXT part,
                          const VkPipelineShaderStageCreateInfo* stage) const {
    State state(way_, flags() | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, layout_);
    if (way_.retain)
        state.info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    VkGraphicsPipelineLibraryCreateInfoEXT own{
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
    own.flags = part;
    own.pNext = &state.rendering;
    state.info.pNext = &own;
    state.add(part);
    state.info.stageCount = stage != nullptr ? 1 : 0;
    state.info.pStages = stage;
    VkPipeline made = VK_NULL_HANDLE;
    need(vk_.CreateGraphicsPipelines(vk_.device, cache_, 1, &state.info, nullptr, &made),
         "vkCreateGraphicsPipelines of a library");
    return made;
}

VkPipeline Maker::whole(const std::array<VkPipelineShaderStageCreateInfo, 2>& stages) const {
    State state(way_, flags(), layout_);
    state.add(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
              VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
              VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
              VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT);
    state.info.stageCount = 2;
    state.info.pStages = stages.data();
    VkPipeline made = VK_NULL_HANDLE;
    need(vk_.CreateGraphicsPipelines(vk_.device, cache_, 1, &state.info, nullptr, &made),
         "vkCreateGraphicsPipelines of a whole pipeline");
    return made;
}

VkPipeline Maker::link(const Program& program, VkPipelineCreateFlags flags) const {
    const std::array parts{vertex_input_, program.libraries[0], program.libraries[1], output_};
    VkPipelineLibraryCreateInfoKHR libraries{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR};
    libraries.libraryCount = static_cast<uint32_t>(parts.size());
    libraries.pLibraries = parts.data();
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pNext = &libraries;
    info.flags = flags | this->flags();
    info.layout = layout_;
    info.basePipelineIndex = -1;
    VkPipeline made = VK_NULL_HANDLE;
    need(vk_.CreateGraphicsPipelines(vk_.device, cache_, 1, &info, nullptr, &made),
         "vkCreateGraphicsPipelines of a link");
    return made;
}

void Maker::make_objects(Program& program,
                         const std::array<std::vector<uint32_t>, 2>& words) const {
    std::array<VkShaderCreateInfoEXT, 2> infos{};
    for (size_t i = 0; i < infos.size(); ++i) {
        VkShaderCreateInfoEXT& info = infos[i];
        info.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
        info.flags = way_.linked_objects ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0;
        info.stage = kStages[i];
        info.nextStage = i == 0 ? VK_SHADER_STAGE_FRAGMENT_BIT : 0;
        info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
        info.codeSize = words[i].size() * 4;
        info.pCode = words[i].data();
        info.pName = "main";
        info.pushConstantRangeCount = 1;
        info.pPushConstantRanges = &kConstants;
    }
    need(vk_.CreateShadersEXT(vk_.device, 2, infos.data(), nullptr, program.objects.data()),
         "vkCreateShadersEXT");
}

Program Maker::make(uint32_t number) const {
    const std::array words{patched(program_vert, number), patched(program_frag, number)};
    Program program;
    if (way_.kind == Way::Kind::objects) {
        make_objects(program, words);
        return program;
    }
    std::array<StageInfo, 2> infos;
    for (size_t i = 0; i < infos.size(); ++i) {
        infos[i].code.codeSize = words[i].size() * 4;
        infos[i].code.pCode = words[i].data();
        infos[i].stage.stage = kStages[i];
        infos[i].stage.pName = "main";
        if (way_.inline_modules) {
            infos[i].stage.pNext = &infos[i].code;
            continue;
        }
        need(vk_.CreateShaderModule(vk_.device, &infos[i].code, nullptr, &program.modules[i]),
             "vkCreateShaderModule");
        infos[i].stage.module = program.modules[i];
    }
    if (way_.kind == Way::Kind::modules)
        return program;
    if (way_.kind == Way::Kind::whole) {
        program.final = whole({infos[0].stage, infos[1].stage});
    } else {
        program.libraries[0] = library(
            VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT, &infos[0].stage);
        program.libraries[1] =
            library(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT, &infos[1].stage);
    }
    for (VkShaderModule& module : program.modules) {
        vk_.DestroyShaderModule(vk_.device, module, nullptr);
        module = VK_NULL_HANDLE;
    }
    if (way_.fast)
        program.fast = link(program, 0);
    if (way_.optimized)
        program.final = link(program, VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT);
    if (way_.drop_fast) {
        vk_.DestroyPipeline(vk_.device, program.fast, nullptr);
        program.fast = VK_NULL_HANDLE;
    }
    for (VkPipeline& library : program.libraries)
        if (way_.drop_libraries) {
            vk_.DestroyPipeline(vk_.device, library, nullptr);
            library = VK_NULL_HANDLE;
        }
    return program;
}

void Maker::destroy(Program& program) const {
    for (const VkShaderModule module : program.modules)
        vk_.DestroyShaderModule(vk_.device, module, nullptr);
    for (const VkPipeline pipeline :
         {program.libraries[0], program.libraries[1], program.fast, program.final})
        vk_.DestroyPipeline(vk_.device, pipeline, nullptr);
    if (way_.kind == Way::Kind::objects)
        for (const VkShaderEXT object : program.objects)
            vk_.DestroyShaderEXT(vk_.device, object, nullptr);
    program = {};
}

} // namespace kobalt::memory
