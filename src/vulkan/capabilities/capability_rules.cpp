// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/capabilities/capability_rules.h"

namespace kobalt::vulkan {

namespace {

// Names a feature bit by its path inside DeviceFeatures.
#define BIT(path)                                                                                  \
    FeatureBit {                                                                                   \
#path, [](DeviceFeatures & features) -> VkBool32& { return features.path; }                \
    }

using C = Capability;

std::vector<CapabilityRule> make_rules() {
    std::vector<CapabilityRule> rules;
    const auto rule = [&](Capability id, std::vector<const char*> extensions,
                          std::vector<FeatureBit> required = {},
                          std::vector<FeatureBit> optional = {},
                          std::vector<Capability> needs = {}) {
        rules.push_back({id, std::move(extensions), std::move(required), std::move(optional),
                         std::move(needs)});
    };
    const auto core = [&](Capability id, FeatureBit bit, std::vector<FeatureBit> optional = {}) {
        rule(id, {}, {bit}, std::move(optional));
    };

    // Pipelines and descriptors.
    rule(C::graphics_pipeline_library,
         {"VK_EXT_graphics_pipeline_library", "VK_KHR_pipeline_library"},
         {BIT(graphics_pipeline_library.graphicsPipelineLibrary)});
    rule(C::descriptor_buffer, {"VK_EXT_descriptor_buffer"},
         {BIT(descriptor_buffer.descriptorBuffer)},
         {BIT(descriptor_buffer.descriptorBufferPushDescriptors)});
    // Limits decide too (see trim_descriptor_buffers).
    rule(C::several_descriptor_buffers, {}, {}, {}, {C::descriptor_buffer});
    // Vulkan 1.4 demands the feature.
    rule(C::push_descriptors, {"VK_KHR_push_descriptor|Vulkan 1.4"}, {},
         {BIT(vulkan14.pushDescriptor)});
    rule(C::shader_object, {"VK_EXT_shader_object"}, {BIT(shader_object.shaderObject)});
    core(C::pipeline_creation_cache_control, BIT(vulkan13.pipelineCreationCacheControl));

    // Dynamic state.
    rule(C::extended_dynamic_state2_logic_op, {"VK_EXT_extended_dynamic_state2"},
         {BIT(extended_dynamic_state2.extendedDynamicState2LogicOp)});
    rule(C::extended_dynamic_state2_patch_control_points, {"VK_EXT_extended_dynamic_state2"},
         {BIT(extended_dynamic_state2.extendedDynamicState2PatchControlPoints)});
    rule(C::vertex_input_dynamic_state, {"VK_EXT_vertex_input_dynamic_state"},
         {BIT(vertex_input_dynamic_state.vertexInputDynamicState)});
    rule(C::vertex_attribute_divisor,
         {"VK_EXT_vertex_attribute_divisor|VK_KHR_vertex_attribute_divisor"},
         {BIT(vertex_attribute_divisor.vertexAttributeInstanceRateDivisor)});
    rule(C::color_write_enable, {"VK_EXT_color_write_enable"},
         {BIT(color_write_enable.colorWriteEnable)});

    // Geometry.
    core(C::geometry_shader, BIT(core.geometryShader));
    core(C::tessellation_shader, BIT(core.tessellationShader));
    core(C::shader_tess_geom_point_size, BIT(core.shaderTessellationAndGeometryPointSize));
    rule(C::transform_feedback, {"VK_EXT_transform_feedback"},
         {BIT(transform_feedback.transformFeedback)});
    rule(C::geometry_streams, {}, {BIT(transform_feedback.geometryStreams)}, {},
         {C::transform_feedback, C::geometry_shader});
    rule(C::primitives_generated_query, {"VK_EXT_primitives_generated_query"},
         {BIT(primitives_generated_query.primitivesGeneratedQuery)},
         {BIT(primitives_generated_query.primitivesGeneratedQueryWithRasterizerDiscard),
          BIT(primitives_generated_query.primitivesGeneratedQueryWithNonZeroStreams)},
         {C::transform_feedback});
    rule(C::provoking_vertex, {"VK_EXT_provoking_vertex"},
         {BIT(provoking_vertex.provokingVertexLast)});
    rule(C::transform_feedback_preserves_provoking_vertex, {},
         {BIT(provoking_vertex.transformFeedbackPreservesProvokingVertex)}, {},
         {C::provoking_vertex, C::transform_feedback});
    rule(C::primitive_topology_list_restart, {"VK_EXT_primitive_topology_list_restart"},
         {BIT(primitive_topology_list_restart.primitiveTopologyListRestart)});
    core(C::multiview, BIT(vulkan11.multiview));
    core(C::multi_viewport, BIT(core.multiViewport));
    core(C::shader_output_viewport_index, BIT(vulkan12.shaderOutputViewportIndex));
    core(C::shader_output_layer, BIT(vulkan12.shaderOutputLayer));
    rule(C::viewport_mask, {"VK_NV_viewport_array2"}, {}, {}, {C::multi_viewport});
    rule(C::multi_draw, {"VK_EXT_multi_draw"}, {BIT(multi_draw.multiDraw)});
    core(C::multi_draw_indirect, BIT(core.multiDrawIndirect));
    core(C::draw_indirect_first_instance, BIT(core.drawIndirectFirstInstance));
    core(C::draw_indirect_count, BIT(vulkan12.drawIndirectCount));
    core(C::full_draw_index_uint32, BIT(core.fullDrawIndexUint32));
    rule(C::index_type_uint8, {"VK_EXT_index_type_uint8|VK_KHR_index_type_uint8"},
         {BIT(index_type_uint8.indexTypeUint8)});

    // Rasterisation.
    rule(C::depth_clip_control, {"VK_EXT_depth_clip_control"},
         {BIT(depth_clip_control.depthClipControl)});
    rule(C::depth_clip_enable, {"VK_EXT_depth_clip_enable"},
         {BIT(depth_clip_enable.depthClipEnable)});
    core(C::depth_clamp, BIT(core.depthClamp));
    rule(C::depth_clamp_zero_one, {"VK_EXT_depth_clamp_zero_one"},
         {BIT(depth_clamp_zero_one.depthClampZeroOne)}, {}, {C::depth_clamp});
    rule(C::depth_range_unrestricted, {"VK_EXT_depth_range_unrestricted"});
    rule(C::line_rasterization, {"VK_EXT_line_rasterization|VK_KHR_line_rasterization"});
    const auto line = [&](Capability id, FeatureBit bit) {
        rule(id, {}, {bit}, {}, {C::line_rasterization});
    };
    line(C::rectangular_lines, BIT(line_rasterization.rectangularLines));
    line(C::bresenham_lines, BIT(line_rasterization.bresenhamLines));
    line(C::smooth_lines, BIT(line_rasterization.smoothLines));
    line(C::stippled_rectangular_lines, BIT(line_rasterization.stippledRectangularLines));
    line(C::stippled_bresenham_lines, BIT(line_rasterization.stippledBresenhamLines));
    line(C::stippled_smooth_lines, BIT(line_rasterization.stippledSmoothLines));
    core(C::wide_lines, BIT(core.wideLines));
    core(C::large_points, BIT(core.largePoints));
    core(C::fill_mode_non_solid, BIT(core.fillModeNonSolid));
    core(C::depth_bias_clamp, BIT(core.depthBiasClamp));
    core(C::depth_bounds, BIT(core.depthBounds));
    core(C::sample_rate_shading, BIT(core.sampleRateShading));
    rule(C::sample_locations, {"VK_EXT_sample_locations"});
    rule(C::conservative_rasterization, {"VK_EXT_conservative_rasterization"});
    rule(C::discard_rectangles, {"VK_EXT_discard_rectangles"});
    rule(C::multisampled_render_to_single_sampled, {"VK_EXT_multisampled_render_to_single_sampled"},
         {BIT(multisampled_render_to_single_sampled.multisampledRenderToSingleSampled)});
    rule(C::post_depth_coverage, {"VK_EXT_post_depth_coverage"});

    // Output.
    core(C::dual_source_blend, BIT(core.dualSrcBlend));
    core(C::logic_op, BIT(core.logicOp));
    core(C::alpha_to_one, BIT(core.alphaToOne));
    core(C::independent_blend, BIT(core.independentBlend));
    rule(C::attachment_feedback_loop_layout, {"VK_EXT_attachment_feedback_loop_layout"},
         {BIT(attachment_feedback_loop_layout.attachmentFeedbackLoopLayout)});
    rule(C::attachment_feedback_loop_dynamic_state,
         {"VK_EXT_attachment_feedback_loop_dynamic_state"},
         {BIT(attachment_feedback_loop_dynamic_state.attachmentFeedbackLoopDynamicState)}, {},
         {C::attachment_feedback_loop_layout});
    rule(C::rasterization_order_attachment_access, {"VK_EXT_rasterization_order_attachment_access"},
         {BIT(rasterization_order_attachment_access.rasterizationOrderColorAttachmentAccess)},
         {BIT(rasterization_order_attachment_access.rasterizationOrderDepthAttachmentAccess),
          BIT(rasterization_order_attachment_access.rasterizationOrderStencilAttachmentAccess)});
    rule(C::dynamic_rendering_local_read, {"VK_KHR_dynamic_rendering_local_read"},
         {BIT(dynamic_rendering_local_read.dynamicRenderingLocalRead)});

    // Queries and conditions.
    rule(C::conditional_rendering, {"VK_EXT_conditional_rendering"},
         {BIT(conditional_rendering.conditionalRendering)});
    core(C::occlusion_query_precise, BIT(core.occlusionQueryPrecise));
    core(C::pipeline_statistics_query, BIT(core.pipelineStatisticsQuery));
    rule(C::calibrated_timestamps, {"VK_EXT_calibrated_timestamps|VK_KHR_calibrated_timestamps"});

    // Reports of lost devices.
    rule(C::device_fault, {"VK_EXT_device_fault"}, {BIT(device_fault.deviceFault)});
    rule(C::buffer_marker, {"VK_AMD_buffer_marker"});

    // Robustness.
    core(C::robust_buffer_access, BIT(core.robustBufferAccess));
    core(C::robust_image_access, BIT(vulkan13.robustImageAccess));
    rule(C::robust_buffer_access2, {"VK_EXT_robustness2"}, {BIT(robustness2.robustBufferAccess2)},
         {}, {C::robust_buffer_access});
    rule(C::pipeline_robustness, {"VK_EXT_pipeline_robustness"},
         {BIT(pipeline_robustness.pipelineRobustness)}, {}, {C::robust_buffer_access});
    rule(C::robust_image_access2, {"VK_EXT_robustness2"}, {BIT(robustness2.robustImageAccess2)}, {},
         {C::robust_image_access});
    rule(C::null_descriptor, {"VK_EXT_robustness2"}, {BIT(robustness2.nullDescriptor)});

    // Shaders.
    core(C::shader_clip_distance, BIT(core.shaderClipDistance));
    core(C::shader_cull_distance, BIT(core.shaderCullDistance));
    core(C::shader_float64, BIT(core.shaderFloat64));
    core(C::shader_int64, BIT(core.shaderInt64));
    core(C::shader_int16, BIT(core.shaderInt16));
    core(C::shader_float16, BIT(vulkan12.shaderFloat16));
    core(C::shader_int8, BIT(vulkan12.shaderInt8));
    core(C::shader_buffer_int64_atomics, BIT(vulkan12.shaderBufferInt64Atomics),
         {BIT(vulkan12.shaderSharedInt64Atomics)});
    rule(C::shader_atomic_float, {"VK_EXT_shader_atomic_float"},
         {BIT(shader_atomic_float.shaderBufferFloat32Atomics)},
         {BIT(shader_atomic_float.shaderBufferFloat32AtomicAdd),
          BIT(shader_atomic_float.shaderSharedFloat32Atomics),
          BIT(shader_atomic_float.shaderSharedFloat32AtomicAdd),
          BIT(shader_atomic_float.shaderImageFloat32Atomics),
          BIT(shader_atomic_float.shaderImageFloat32AtomicAdd)});
    rule(C::shader_atomic_float2, {"VK_EXT_shader_atomic_float2"},
         {BIT(shader_atomic_float2.shaderBufferFloat32AtomicMinMax)},
         {BIT(shader_atomic_float2.shaderSharedFloat32AtomicMinMax)}, {C::shader_atomic_float});
    rule(C::workgroup_memory_explicit_layout, {"VK_KHR_workgroup_memory_explicit_layout"},
         {BIT(workgroup_memory_explicit_layout.workgroupMemoryExplicitLayout)});
    core(C::shader_image_gather_extended, BIT(core.shaderImageGatherExtended));
    core(C::shader_draw_parameters, BIT(vulkan11.shaderDrawParameters));
    rule(C::shader_stencil_export, {"VK_EXT_shader_stencil_export"});
    core(C::shader_demote, BIT(vulkan13.shaderDemoteToHelperInvocation));
    core(C::shader_terminate_invocation, BIT(vulkan13.shaderTerminateInvocation));
    rule(C::shader_clock, {"VK_KHR_shader_clock"}, {BIT(shader_clock.shaderSubgroupClock)});
    rule(C::compute_shader_derivatives, {"VK_NV_compute_shader_derivatives"},
         {BIT(compute_shader_derivatives.computeDerivativeGroupQuads),
          BIT(compute_shader_derivatives.computeDerivativeGroupLinear)});
    core(C::shader_uniform_dynamic_indexing, BIT(core.shaderUniformBufferArrayDynamicIndexing));
    core(C::shader_sampled_image_dynamic_indexing,
         BIT(core.shaderSampledImageArrayDynamicIndexing));
    core(C::shader_storage_buffer_dynamic_indexing,
         BIT(core.shaderStorageBufferArrayDynamicIndexing));
    core(C::shader_storage_image_dynamic_indexing,
         BIT(core.shaderStorageImageArrayDynamicIndexing));
    core(C::shader_storage_image_multisample, BIT(core.shaderStorageImageMultisample));
    core(C::shader_storage_image_read_without_format,
         BIT(core.shaderStorageImageReadWithoutFormat));
    core(C::shader_storage_image_write_without_format,
         BIT(core.shaderStorageImageWriteWithoutFormat));
    core(C::storage_image_extended_formats, BIT(core.shaderStorageImageExtendedFormats));
    core(C::vertex_stores_and_atomics, BIT(core.vertexPipelineStoresAndAtomics));
    core(C::fragment_stores_and_atomics, BIT(core.fragmentStoresAndAtomics));
    rule(C::fragment_shader_interlock, {"VK_EXT_fragment_shader_interlock"},
         {BIT(fragment_shader_interlock.fragmentShaderPixelInterlock)},
         {BIT(fragment_shader_interlock.fragmentShaderSampleInterlock)});
    core(C::uniform_buffer_standard_layout, BIT(vulkan12.uniformBufferStandardLayout));
    rule(C::bindless_update_after_bind, {},
         {BIT(vulkan12.descriptorBindingSampledImageUpdateAfterBind),
          BIT(vulkan12.descriptorBindingStorageImageUpdateAfterBind),
          BIT(vulkan12.descriptorBindingUpdateUnusedWhilePending),
          BIT(vulkan12.descriptorBindingPartiallyBound), BIT(vulkan12.runtimeDescriptorArray)});
    rule(C::bindless_non_uniform_indexing, {},
         {BIT(vulkan12.shaderSampledImageArrayNonUniformIndexing),
          BIT(vulkan12.shaderStorageImageArrayNonUniformIndexing)},
         {BIT(vulkan12.shaderUniformBufferArrayNonUniformIndexing),
          BIT(vulkan12.shaderStorageBufferArrayNonUniformIndexing)});
    // Texture and image handles. Limits decide too (see trim_bindless).
    rule(C::bindless, {},
         {BIT(vulkan12.descriptorBindingUniformTexelBufferUpdateAfterBind),
          BIT(vulkan12.descriptorBindingStorageTexelBufferUpdateAfterBind),
          BIT(vulkan12.shaderUniformTexelBufferArrayNonUniformIndexing),
          BIT(vulkan12.shaderStorageTexelBufferArrayNonUniformIndexing),
          BIT(vulkan12.shaderUniformTexelBufferArrayDynamicIndexing),
          BIT(vulkan12.shaderStorageTexelBufferArrayDynamicIndexing)},
         {},
         {C::shader_sampled_image_dynamic_indexing, C::shader_storage_image_dynamic_indexing,
          C::bindless_update_after_bind, C::bindless_non_uniform_indexing});

    // Images, samplers, formats.
    rule(C::custom_border_color, {"VK_EXT_custom_border_color"},
         {BIT(custom_border_color.customBorderColors)});
    rule(C::custom_border_color_without_format, {},
         {BIT(custom_border_color.customBorderColorWithoutFormat)}, {}, {C::custom_border_color});
    rule(C::border_color_swizzle, {"VK_EXT_border_color_swizzle"},
         {BIT(border_color_swizzle.borderColorSwizzle)}, {}, {C::custom_border_color});
    rule(C::border_color_swizzle_from_image, {},
         {BIT(border_color_swizzle.borderColorSwizzleFromImage)}, {}, {C::border_color_swizzle});
    rule(C::host_image_copy, {"VK_EXT_host_image_copy"}, {BIT(host_image_copy.hostImageCopy)});
    core(C::image_cube_array, BIT(core.imageCubeArray));
    core(C::texture_compression_bc, BIT(core.textureCompressionBC));
    core(C::texture_compression_etc2, BIT(core.textureCompressionETC2));
    core(C::texture_compression_astc, BIT(core.textureCompressionASTC_LDR));
    core(C::sampler_anisotropy, BIT(core.samplerAnisotropy));
    core(C::sampler_mirror_clamp_to_edge, BIT(vulkan12.samplerMirrorClampToEdge));
    core(C::sampler_filter_minmax, BIT(vulkan12.samplerFilterMinmax));
    rule(C::non_seamless_cube_map, {"VK_EXT_non_seamless_cube_map"},
         {BIT(non_seamless_cube_map.nonSeamlessCubeMap)});
    rule(C::image_2d_view_of_3d, {"VK_EXT_image_2d_view_of_3d"},
         {BIT(image_2d_view_of_3d.image2DViewOf3D)});
    rule(C::sampler_2d_view_of_3d, {}, {BIT(image_2d_view_of_3d.sampler2DViewOf3D)}, {},
         {C::image_2d_view_of_3d});
    rule(C::format_4444, {"VK_EXT_4444_formats"}, {BIT(formats_4444.formatA4R4G4B4)},
         {BIT(formats_4444.formatA4B4G4R4)});
    core(C::sparse_binding, BIT(core.sparseBinding));
    rule(C::sparse_residency, {},
         {BIT(core.sparseResidencyBuffer), BIT(core.sparseResidencyImage2D)},
         {BIT(core.sparseResidencyImage3D), BIT(core.sparseResidency2Samples),
          BIT(core.sparseResidency4Samples), BIT(core.sparseResidency8Samples),
          BIT(core.sparseResidency16Samples), BIT(core.shaderResourceResidency),
          BIT(core.shaderResourceMinLod)},
         {C::sparse_binding});

    // Housekeeping.
    rule(C::maintenance5, {"VK_KHR_maintenance5"}, {BIT(maintenance5.maintenance5)});
    rule(C::maintenance6, {"VK_KHR_maintenance6|Vulkan 1.4"}, {BIT(maintenance6.maintenance6)});
    rule(C::memory_budget, {"VK_EXT_memory_budget"});

    // Other processes and windows.
    rule(C::swapchain, {"VK_KHR_swapchain"});
    rule(C::swapchain_maintenance1, {"VK_EXT_swapchain_maintenance1"},
         {BIT(swapchain_maintenance1.swapchainMaintenance1)}, {}, {C::swapchain});
    rule(C::external_memory_fd, {"VK_KHR_external_memory_fd"});
    rule(C::external_memory_dma_buf, {"VK_EXT_external_memory_dma_buf"}, {}, {},
         {C::external_memory_fd});
    rule(C::external_memory_host, {"VK_EXT_external_memory_host"});
    rule(C::image_drm_format_modifier, {"VK_EXT_image_drm_format_modifier"});
    rule(C::queue_family_foreign, {"VK_EXT_queue_family_foreign"});
    rule(C::external_semaphore_fd, {"VK_KHR_external_semaphore_fd"});

    // Last: its single bits depend on what else is on (see trim_dynamic_state).
    rule(C::extended_dynamic_state3, {"VK_EXT_extended_dynamic_state3"});
    return rules;
}

#undef BIT

} // namespace

const std::vector<CapabilityRule>& capability_rules() {
    static const std::vector<CapabilityRule> rules = make_rules();
    return rules;
}

} // namespace kobalt::vulkan
