// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/pipeline_info.h"

#include "vulkan/resources/image.h"

#include <algorithm>

namespace kobalt::render {
namespace {

void chain(const void*& head, auto& link) {
    link.pNext = head;
    head = &link;
}

} // namespace

PipelineInfo::PipelineInfo(const Paths& paths, const VkPhysicalDeviceLimits&) : paths_(paths) {
    info_.flags = pipeline_flags(paths);
}

VkPipelineCreateFlags pipeline_flags(const Paths& paths) {
    return paths.descriptor_buffer ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
}

std::optional<VkPipelineRobustnessCreateInfoEXT> robustness_of(const Paths& paths,
                                                               const StageSource& stage) {
    const bool texel_images = std::ranges::any_of(stage.bindings, [](const StageBinding& binding) {
        return binding.type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    });
    if (paths.robust_buffers == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT ||
        (!stage.robust && !texel_images))
        return {};
    VkPipelineRobustnessCreateInfoEXT info{VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT};
    info.storageBuffers = info.uniformBuffers = paths.robust_buffers;
    info.vertexInputs = stage.stage == Stage::vertex
                            ? paths.robust_buffers
                            : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    info.images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT;
    return info;
}

void PipelineInfo::add_stage(ShaderStage& stage) {
    VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage = shader_stage_bit(stage.stage());
    auto module = stage.module();
    if (!module) {
        error_ = module.error();
        return;
    }
    info.module = modules_.emplace_back(std::move(*module)).get();
    info.pName = "main";
    if (const auto robustness = robustness_of(paths_, stage.source()))
        info.pNext = &(robustness_[stages_.size()] = *robustness);
    stages_.push_back(info);
}

void PipelineInfo::add_vertex_input(const VertexInputKey& key, const VertexLayout* layout) {
    assembly_.topology = static_cast<VkPrimitiveTopology>(key.topology);
    dynamic_.push_back(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
    dynamic_.push_back(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE);
    info_.pInputAssemblyState = &assembly_;
    if (paths_.dynamic_vertex_input) {
        dynamic_.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
    } else if (layout) {
        for (const auto& binding : layout->bindings) {
            bindings_.push_back({binding.binding, binding.stride, binding.inputRate});
            if (binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE && binding.divisor != 1)
                binding_divisors_.push_back({binding.binding, binding.divisor});
        }
        for (const auto& attribute : layout->attributes)
            attributes_.push_back(
                {attribute.location, attribute.binding, attribute.format, attribute.offset});
        if (!binding_divisors_.empty()) {
            divisors_.vertexBindingDivisorCount = static_cast<uint32_t>(binding_divisors_.size());
            divisors_.pVertexBindingDivisors = binding_divisors_.data();
            vertex_.pNext = &divisors_;
        }
    }
    vertex_.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings_.size());
    vertex_.pVertexBindingDescriptions = bindings_.data();
    vertex_.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes_.size());
    vertex_.pVertexAttributeDescriptions = attributes_.data();
    info_.pVertexInputState = &vertex_;
}

// GL's domain has its origin at the lower left: triangles are counter-clockwise where u and v say
// so (Vulkan 1.3, "Tessellator Vertex Winding Order"; OpenGL 4.6, 11.2.2). Where Kobalt draws
// upside down, the viewport flips it, as for vertices that no tessellator made.
void PipelineInfo::add_tessellation(const PreRasterKey& key) {
    domain_.domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
    chain(tessellation_.pNext, domain_);
    tessellation_.patchControlPoints = key.patch_vertices ? key.patch_vertices : 1;
    info_.pTessellationState = &tessellation_;
    if (paths_.dynamic_patch_size)
        dynamic_.push_back(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
}

void PipelineInfo::add_pre_raster(const PreRasterKey& key, const GraphicsParts& parts) {
    rendering_.viewMask = key.view_mask;
    for (const Stage stage :
         {Stage::vertex, Stage::tess_control, Stage::tess_evaluation, Stage::geometry})
        if (ShaderStage* shader = parts.stages[static_cast<size_t>(stage)])
            add_stage(*shader);
    for (const VkDynamicState state :
         {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
          VK_DYNAMIC_STATE_LINE_WIDTH, VK_DYNAMIC_STATE_DEPTH_BIAS,
          VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_CULL_MODE,
          VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE})
        dynamic_.push_back(state);
    if (paths_.line_stipple)
        dynamic_.push_back(VK_DYNAMIC_STATE_LINE_STIPPLE_EXT);
    if (parts.stages[static_cast<size_t>(Stage::tess_control)])
        add_tessellation(key);
    viewport_.viewportCount = 0;
    info_.pViewportState = &viewport_;
    raster_.lineWidth = 1;
    raster_.polygonMode = static_cast<VkPolygonMode>(key.polygon_mode);
    raster_.depthClampEnable = key.depth_clamp;
    info_.pRasterizationState = &raster_;
    if (key.discard_rectangles)
        add_discard_rectangles(key);
    if (key.conservative)
        add_conservative(key);
    if (paths_.dynamic_state3) {
        dynamic_.push_back(VK_DYNAMIC_STATE_POLYGON_MODE_EXT);
        if (paths_.depth_clamp)
            dynamic_.push_back(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT);
        if (paths_.depth_clip_enable)
            dynamic_.push_back(VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT);
        if (paths_.depth_clip_control)
            dynamic_.push_back(VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT);
        if (paths_.provoking_vertex)
            dynamic_.push_back(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT);
        if (paths_.line_rasterization)
            dynamic_.push_back(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT);
        if (paths_.line_stipple)
            dynamic_.push_back(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT);
        return;
    }
    if (paths_.depth_clip_control) {
        clip_control_.negativeOneToOne = key.negative_one_to_one;
        chain(viewport_.pNext, clip_control_);
    }
    if (paths_.depth_clip_enable) {
        depth_clip_.depthClipEnable = key.depth_clip;
        chain(raster_.pNext, depth_clip_);
    }
    if (paths_.provoking_vertex) {
        provoking_.provokingVertexMode = key.provoking_vertex_last
                                             ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                             : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
        chain(raster_.pNext, provoking_);
    }
    if (paths_.line_rasterization) {
        line_.lineRasterizationMode = static_cast<VkLineRasterizationModeEXT>(key.line_mode);
        line_.stippledLineEnable = key.line_stipple;
        line_.lineStippleFactor = 1;
        line_.lineStipplePattern = 0xffff;
        chain(raster_.pNext, line_);
    }
}

void PipelineInfo::add_discard_rectangles(const PreRasterKey& key) {
    discard_.discardRectangleMode = key.discard_inclusive ? VK_DISCARD_RECTANGLE_MODE_INCLUSIVE_EXT
                                                          : VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT;
    discard_.discardRectangleCount = key.discard_rectangles;
    chain(info_.pNext, discard_);
    dynamic_.push_back(VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT);
}

void PipelineInfo::add_conservative(const PreRasterKey& key) {
    conservative_.conservativeRasterizationMode =
        VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
    conservative_.extraPrimitiveOverestimationSize =
        static_cast<float>(key.conservative_dilate) / 256.0f;
    chain(raster_.pNext, conservative_);
}

void PipelineInfo::multisample(uint32_t samples, bool locations) {
    multisample_.rasterizationSamples = static_cast<VkSampleCountFlagBits>(samples ? samples : 1);
    multisample_.pSampleMask = sample_mask_;
    info_.pMultisampleState = &multisample_;
    if (locations) {
        // The locations are dynamic; the structure has to be a valid one all the same.
        sample_locations_.assign(std::max(samples, 2u), {0.5f, 0.5f});
        locations_.sampleLocationsEnable = VK_TRUE;
        locations_.sampleLocationsInfo = {
            VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
            nullptr,
            static_cast<VkSampleCountFlagBits>(sample_locations_.size()),
            {1, 1},
            static_cast<uint32_t>(sample_locations_.size()),
            sample_locations_.data()};
        chain(multisample_.pNext, locations_);
        dynamic_.push_back(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT);
    }
    if (paths_.dynamic_state3)
        for (const VkDynamicState state :
             {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
              VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT})
            dynamic_.push_back(state);
    if (paths_.dynamic_state3 && paths_.alpha_to_one)
        dynamic_.push_back(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT);
}

void PipelineInfo::add_fragment(const FragmentKey& key, ShaderStage* stage) {
    rendering_.viewMask = key.view_mask;
    if (stage)
        add_stage(*stage);
    for (const VkDynamicState state :
         {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
          VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
          VK_DYNAMIC_STATE_DEPTH_BOUNDS, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
          VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
          VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, VK_DYNAMIC_STATE_STENCIL_REFERENCE})
        dynamic_.push_back(state);
    if (stage && paths_.ordered_depth_fetches && stage->fetches_depth_stencil())
        depth_stencil_.flags =
            VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
            VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;
    depth_stencil_.maxDepthBounds = 1;
    info_.pDepthStencilState = &depth_stencil_;
    // Vulkan ties multisample state to the fragment part only with sample shading, which a shader
    // that reads gl_SampleID or gl_SamplePosition switches on by itself.
    if (!key.samples)
        return;
    multisample(key.samples, key.sample_locations);
    if (!paths_.dynamic_state3) {
        multisample_.alphaToCoverageEnable = key.alpha_to_coverage;
        multisample_.alphaToOneEnable = key.alpha_to_one;
        sample_mask_[0] = key.sample_mask;
    }
}

void PipelineInfo::add_output(const OutputKey& key) {
    rendering_.viewMask = key.view_mask;
    if (!info_.pMultisampleState)
        multisample(key.samples, key.sample_locations);
    for (uint32_t i = 0; i < key.color_count; ++i) {
        formats_[i] = static_cast<VkFormat>(key.color_formats[i]);
        const OutputKey::Blend& blend = key.blend[i];
        attachments_[i] = {blend.enable,
                           static_cast<VkBlendFactor>(blend.source_color),
                           static_cast<VkBlendFactor>(blend.target_color),
                           static_cast<VkBlendOp>(blend.color_op),
                           static_cast<VkBlendFactor>(blend.source_alpha),
                           static_cast<VkBlendFactor>(blend.target_alpha),
                           static_cast<VkBlendOp>(blend.alpha_op),
                           blend.write_mask};
    }
    rendering_.colorAttachmentCount = key.color_count;
    rendering_.pColorAttachmentFormats = formats_.data();
    const auto depth_stencil = static_cast<VkFormat>(key.depth_stencil_format);
    const VkImageAspectFlags aspects = depth_stencil ? vulkan::format_aspects(depth_stencil) : 0;
    rendering_.depthAttachmentFormat =
        aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? depth_stencil : VK_FORMAT_UNDEFINED;
    rendering_.stencilAttachmentFormat =
        aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? depth_stencil : VK_FORMAT_UNDEFINED;
    blend_.attachmentCount = key.color_count;
    blend_.pAttachments = attachments_.data();
    blend_.logicOpEnable = key.logic_op_enable;
    blend_.logicOp = static_cast<VkLogicOp>(key.logic_op);
    // Fragments fetch what earlier fragments wrote, in the same draw and in earlier ones.
    if (key.ordered)
        blend_.flags |=
            VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
    info_.pColorBlendState = &blend_;
    dynamic_.push_back(VK_DYNAMIC_STATE_BLEND_CONSTANTS);
    if (paths_.dynamic_state3) {
        for (const VkDynamicState state :
             {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
              VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT})
            dynamic_.push_back(state);
        if (paths_.logic_op)
            dynamic_.push_back(VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT);
        if (paths_.logic_op && paths_.dynamic_logic_op)
            dynamic_.push_back(VK_DYNAMIC_STATE_LOGIC_OP_EXT);
    } else {
        multisample_.alphaToCoverageEnable = key.alpha_to_coverage;
        multisample_.alphaToOneEnable = key.alpha_to_one;
        sample_mask_[0] = key.sample_mask;
    }
}

const VkGraphicsPipelineCreateInfo& PipelineInfo::finish(VkPipelineLayout layout) {
    info_.stageCount = static_cast<uint32_t>(stages_.size());
    info_.pStages = stages_.data();
    dynamic_info_.dynamicStateCount = static_cast<uint32_t>(dynamic_.size());
    dynamic_info_.pDynamicStates = dynamic_.data();
    info_.pDynamicState = &dynamic_info_;
    info_.layout = layout;
    // Every part but vertex input carries the rendering info (its viewMask must agree).
    chain(info_.pNext, rendering_);
    return info_;
}

} // namespace kobalt::render
