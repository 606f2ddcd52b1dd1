// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/pipelines/pipeline_store.h"

namespace kobalt::render {

/// The creation flags of every pipeline and library.
VkPipelineCreateFlags pipeline_flags(const Paths& paths);

/// What a stage's VkPipelineShaderStageCreateInfo has to carry for robust access
/// (VK_EXT_pipeline_robustness). Empty: nothing. A stage with texel buffers as images always has
/// something: GL wants zero from a load outside of one in any context (OpenGL 4.6, 8.26).
std::optional<VkPipelineRobustnessCreateInfoEXT> robustness_of(const Paths& paths,
                                                               const StageSource& stage);

/// The Vulkan structures behind a VkGraphicsPipelineCreateInfo, filled part by part; libraries fill
/// one part, whole pipelines all four. Not movable: the structures point at each other.
class PipelineInfo {
public:
    PipelineInfo(const Paths& paths, const VkPhysicalDeviceLimits& limits);
    PipelineInfo(const PipelineInfo&) = delete;
    PipelineInfo& operator=(const PipelineInfo&) = delete;

    void add_vertex_input(const VertexInputKey& key, const VertexLayout* layout);
    void add_pre_raster(const PreRasterKey& key, const GraphicsParts& parts);
    void add_fragment(const FragmentKey& key, ShaderStage* stage);
    void add_output(const OutputKey& key);
    /// What is missing of a part that was added; null: nothing.
    const vulkan::Error* error() const { return error_ ? &*error_ : nullptr; }
    /// The finished structure; valid while this object lives.
    const VkGraphicsPipelineCreateInfo& finish(VkPipelineLayout layout);

private:
    void add_stage(ShaderStage& stage);
    void add_tessellation(const PreRasterKey& key);
    void multisample(uint32_t samples, bool locations);
    void add_discard_rectangles(const PreRasterKey& key);
    void add_conservative(const PreRasterKey& key);

    const Paths& paths_;
    VkGraphicsPipelineCreateInfo info_{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    std::vector<VkDynamicState> dynamic_;
    std::vector<VkPipelineShaderStageCreateInfo> stages_;
    std::vector<vulkan::ShaderModule> modules_; ///< the stages'
    std::array<VkPipelineRobustnessCreateInfoEXT, graphics_stage_count> robustness_{}; ///< the same
    std::optional<vulkan::Error> error_;
    VkPipelineDynamicStateCreateInfo dynamic_info_{
        VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    VkPipelineVertexInputStateCreateInfo vertex_{
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineVertexInputDivisorStateCreateInfoEXT divisors_{
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT};
    std::vector<VkVertexInputBindingDescription> bindings_;
    std::vector<VkVertexInputAttributeDescription> attributes_;
    std::vector<VkVertexInputBindingDivisorDescriptionEXT> binding_divisors_;
    VkPipelineInputAssemblyStateCreateInfo assembly_{
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    VkPipelineTessellationStateCreateInfo tessellation_{
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO};
    VkPipelineTessellationDomainOriginStateCreateInfo domain_{
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO};
    VkPipelineViewportStateCreateInfo viewport_{
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    VkPipelineViewportDepthClipControlCreateInfoEXT clip_control_{
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT};
    VkPipelineRasterizationStateCreateInfo raster_{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    VkPipelineRasterizationDepthClipStateCreateInfoEXT depth_clip_{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT};
    VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking_{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT};
    VkPipelineRasterizationLineStateCreateInfoEXT line_{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT};
    VkPipelineRasterizationConservativeStateCreateInfoEXT conservative_{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT};
    VkPipelineDiscardRectangleStateCreateInfoEXT discard_{
        VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT};
    VkPipelineSampleLocationsStateCreateInfoEXT locations_{
        VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT};
    std::vector<VkSampleLocationEXT> sample_locations_;
    VkPipelineDepthStencilStateCreateInfo depth_stencil_{
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    VkPipelineMultisampleStateCreateInfo multisample_{
        VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    VkSampleMask sample_mask_[2]{~0u, ~0u};
    VkPipelineColorBlendStateCreateInfo blend_{
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    std::array<VkPipelineColorBlendAttachmentState, max_color_attachments> attachments_{};
    VkPipelineRenderingCreateInfo rendering_{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    std::array<VkFormat, max_color_attachments> formats_{};
};

} // namespace kobalt::render
