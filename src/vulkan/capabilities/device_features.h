// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/capabilities/core_1_4.h"

// Every feature structure Kobalt looks at: X(member, type, sType, extension, other extension).
// A null extension means core 1.3. Where two extensions are named, either brings the structure.
// clang-format off
#define KOBALT_FEATURE_STRUCTS(X) \
    X(vulkan11, VkPhysicalDeviceVulkan11Features, VULKAN_1_1_FEATURES, nullptr, nullptr) \
    X(vulkan12, VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, nullptr, nullptr) \
    X(vulkan13, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES, nullptr, nullptr) \
    X(vulkan14, VkPhysicalDeviceVulkan14Features, VULKAN_1_4_FEATURES, core_1_4, nullptr) \
    X(graphics_pipeline_library, VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT, GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, "VK_EXT_graphics_pipeline_library", nullptr) \
    X(descriptor_buffer, VkPhysicalDeviceDescriptorBufferFeaturesEXT, DESCRIPTOR_BUFFER_FEATURES_EXT, "VK_EXT_descriptor_buffer", nullptr) \
    X(shader_object, VkPhysicalDeviceShaderObjectFeaturesEXT, SHADER_OBJECT_FEATURES_EXT, "VK_EXT_shader_object", nullptr) \
    X(extended_dynamic_state2, VkPhysicalDeviceExtendedDynamicState2FeaturesEXT, EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, "VK_EXT_extended_dynamic_state2", nullptr) \
    X(extended_dynamic_state3, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT, EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, "VK_EXT_extended_dynamic_state3", nullptr) \
    X(vertex_input_dynamic_state, VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT, VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, "VK_EXT_vertex_input_dynamic_state", nullptr) \
    X(vertex_attribute_divisor, VkPhysicalDeviceVertexAttributeDivisorFeaturesKHR, VERTEX_ATTRIBUTE_DIVISOR_FEATURES_KHR, "VK_EXT_vertex_attribute_divisor", "VK_KHR_vertex_attribute_divisor") \
    X(transform_feedback, VkPhysicalDeviceTransformFeedbackFeaturesEXT, TRANSFORM_FEEDBACK_FEATURES_EXT, "VK_EXT_transform_feedback", nullptr) \
    X(primitives_generated_query, VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT, PRIMITIVES_GENERATED_QUERY_FEATURES_EXT, "VK_EXT_primitives_generated_query", nullptr) \
    X(provoking_vertex, VkPhysicalDeviceProvokingVertexFeaturesEXT, PROVOKING_VERTEX_FEATURES_EXT, "VK_EXT_provoking_vertex", nullptr) \
    X(depth_clip_control, VkPhysicalDeviceDepthClipControlFeaturesEXT, DEPTH_CLIP_CONTROL_FEATURES_EXT, "VK_EXT_depth_clip_control", nullptr) \
    X(depth_clip_enable, VkPhysicalDeviceDepthClipEnableFeaturesEXT, DEPTH_CLIP_ENABLE_FEATURES_EXT, "VK_EXT_depth_clip_enable", nullptr) \
    X(depth_clamp_zero_one, VkPhysicalDeviceDepthClampZeroOneFeaturesEXT, DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT, "VK_EXT_depth_clamp_zero_one", nullptr) \
    X(line_rasterization, VkPhysicalDeviceLineRasterizationFeaturesKHR, LINE_RASTERIZATION_FEATURES_KHR, "VK_EXT_line_rasterization", "VK_KHR_line_rasterization") \
    X(custom_border_color, VkPhysicalDeviceCustomBorderColorFeaturesEXT, CUSTOM_BORDER_COLOR_FEATURES_EXT, "VK_EXT_custom_border_color", nullptr) \
    X(border_color_swizzle, VkPhysicalDeviceBorderColorSwizzleFeaturesEXT, BORDER_COLOR_SWIZZLE_FEATURES_EXT, "VK_EXT_border_color_swizzle", nullptr) \
    X(conditional_rendering, VkPhysicalDeviceConditionalRenderingFeaturesEXT, CONDITIONAL_RENDERING_FEATURES_EXT, "VK_EXT_conditional_rendering", nullptr) \
    X(robustness2, VkPhysicalDeviceRobustness2FeaturesEXT, ROBUSTNESS_2_FEATURES_EXT, "VK_EXT_robustness2", nullptr) \
    X(pipeline_robustness, VkPhysicalDevicePipelineRobustnessFeaturesEXT, PIPELINE_ROBUSTNESS_FEATURES_EXT, "VK_EXT_pipeline_robustness", nullptr) \
    X(host_image_copy, VkPhysicalDeviceHostImageCopyFeaturesEXT, HOST_IMAGE_COPY_FEATURES_EXT, "VK_EXT_host_image_copy", nullptr) \
    X(index_type_uint8, VkPhysicalDeviceIndexTypeUint8FeaturesKHR, INDEX_TYPE_UINT8_FEATURES_KHR, "VK_EXT_index_type_uint8", "VK_KHR_index_type_uint8") \
    X(multi_draw, VkPhysicalDeviceMultiDrawFeaturesEXT, MULTI_DRAW_FEATURES_EXT, "VK_EXT_multi_draw", nullptr) \
    X(non_seamless_cube_map, VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT, NON_SEAMLESS_CUBE_MAP_FEATURES_EXT, "VK_EXT_non_seamless_cube_map", nullptr) \
    X(image_2d_view_of_3d, VkPhysicalDeviceImage2DViewOf3DFeaturesEXT, IMAGE_2D_VIEW_OF_3D_FEATURES_EXT, "VK_EXT_image_2d_view_of_3d", nullptr) \
    X(formats_4444, VkPhysicalDevice4444FormatsFeaturesEXT, 4444_FORMATS_FEATURES_EXT, "VK_EXT_4444_formats", nullptr) \
    X(primitive_topology_list_restart, VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT, PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT, "VK_EXT_primitive_topology_list_restart", nullptr) \
    X(attachment_feedback_loop_layout, VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT, ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT, "VK_EXT_attachment_feedback_loop_layout", nullptr) \
    X(attachment_feedback_loop_dynamic_state, VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT, ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_FEATURES_EXT, "VK_EXT_attachment_feedback_loop_dynamic_state", nullptr) \
    X(dynamic_rendering_local_read, VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR, DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR, "VK_KHR_dynamic_rendering_local_read", nullptr) \
    X(maintenance5, VkPhysicalDeviceMaintenance5FeaturesKHR, MAINTENANCE_5_FEATURES_KHR, "VK_KHR_maintenance5", nullptr) \
    X(maintenance6, VkPhysicalDeviceMaintenance6FeaturesKHR, MAINTENANCE_6_FEATURES_KHR, "VK_KHR_maintenance6", nullptr) \
    X(color_write_enable, VkPhysicalDeviceColorWriteEnableFeaturesEXT, COLOR_WRITE_ENABLE_FEATURES_EXT, "VK_EXT_color_write_enable", nullptr) \
    X(rasterization_order_attachment_access, VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT, RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT, "VK_EXT_rasterization_order_attachment_access", nullptr) \
    X(shader_atomic_float, VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, SHADER_ATOMIC_FLOAT_FEATURES_EXT, "VK_EXT_shader_atomic_float", nullptr) \
    X(shader_atomic_float2, VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT, SHADER_ATOMIC_FLOAT_2_FEATURES_EXT, "VK_EXT_shader_atomic_float2", nullptr) \
    X(workgroup_memory_explicit_layout, VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR, WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, "VK_KHR_workgroup_memory_explicit_layout", nullptr) \
    X(shader_clock, VkPhysicalDeviceShaderClockFeaturesKHR, SHADER_CLOCK_FEATURES_KHR, "VK_KHR_shader_clock", nullptr) \
    X(compute_shader_derivatives, VkPhysicalDeviceComputeShaderDerivativesFeaturesNV, COMPUTE_SHADER_DERIVATIVES_FEATURES_NV, "VK_NV_compute_shader_derivatives", nullptr) \
    X(fragment_shader_interlock, VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, "VK_EXT_fragment_shader_interlock", nullptr) \
    X(multisampled_render_to_single_sampled, VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT, MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT, "VK_EXT_multisampled_render_to_single_sampled", nullptr) \
    X(device_fault, VkPhysicalDeviceFaultFeaturesEXT, FAULT_FEATURES_EXT, "VK_EXT_device_fault", nullptr) \
    X(swapchain_maintenance1, VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT, SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT, "VK_EXT_swapchain_maintenance1", nullptr)
// clang-format on

namespace kobalt::vulkan {

/// Feature bits of a device: what it offers, or what was enabled on it. The pNext members are null
/// at rest, so the value copies freely; chain() links them for one call.
struct DeviceFeatures {
    VkPhysicalDeviceFeatures core{};
#define KOBALT_MEMBER(member, type, stype, ext, other)                                             \
    type member = vk_struct<type>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##stype);
    KOBALT_FEATURE_STRUCTS(KOBALT_MEMBER)
#undef KOBALT_MEMBER
};

} // namespace kobalt::vulkan
