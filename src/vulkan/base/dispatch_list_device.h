// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// The Vulkan commands that Kobalt calls, as X-macro lists with a comment for the version or
// extension that brings them. One X(Command) becomes one member of a dispatch table and one load of
// "vkCommand". tests/launcher/test_unused.py fails for a command that no source names.
// clang-format off

#define KOBALT_DEVICE_COMMANDS(X) \
    /* Vulkan 1.0 */ \
    X(DestroyDevice) \
    X(GetDeviceQueue) \
    X(DeviceWaitIdle) \
    X(AllocateMemory) \
    X(FreeMemory) \
    X(MapMemory) \
    X(BindBufferMemory) \
    X(BindImageMemory) \
    X(GetBufferMemoryRequirements) \
    X(GetImageMemoryRequirements) \
    X(GetImageSparseMemoryRequirements) \
    X(QueueBindSparse) \
    X(CreateFence) \
    X(DestroyFence) \
    X(ResetFences) \
    X(GetFenceStatus) \
    X(WaitForFences) \
    X(CreateSemaphore) \
    X(DestroySemaphore) \
    X(DestroyEvent) \
    X(CreateQueryPool) \
    X(DestroyQueryPool) \
    X(GetQueryPoolResults) \
    X(CreateBuffer) \
    X(DestroyBuffer) \
    X(CreateBufferView) \
    X(DestroyBufferView) \
    X(CreateImage) \
    X(DestroyImage) \
    X(GetImageSubresourceLayout) \
    X(CreateImageView) \
    X(DestroyImageView) \
    X(CreateShaderModule) \
    X(DestroyShaderModule) \
    X(CreatePipelineCache) \
    X(DestroyPipelineCache) \
    X(GetPipelineCacheData) \
    X(MergePipelineCaches) \
    X(CreateGraphicsPipelines) \
    X(CreateComputePipelines) \
    X(DestroyPipeline) \
    X(CreatePipelineLayout) \
    X(DestroyPipelineLayout) \
    X(CreateSampler) \
    X(DestroySampler) \
    X(CreateDescriptorSetLayout) \
    X(DestroyDescriptorSetLayout) \
    X(CreateDescriptorPool) \
    X(DestroyDescriptorPool) \
    X(ResetDescriptorPool) \
    X(AllocateDescriptorSets) \
    X(UpdateDescriptorSets) \
    X(CreateCommandPool) \
    X(DestroyCommandPool) \
    X(ResetCommandPool) \
    X(AllocateCommandBuffers) \
    X(BeginCommandBuffer) \
    X(EndCommandBuffer) \
    X(CmdBindPipeline) \
    X(CmdSetLineWidth) \
    X(CmdSetDepthBias) \
    X(CmdSetBlendConstants) \
    X(CmdSetDepthBounds) \
    X(CmdSetStencilCompareMask) \
    X(CmdSetStencilWriteMask) \
    X(CmdSetStencilReference) \
    X(CmdBindDescriptorSets) \
    X(CmdBindIndexBuffer) \
    X(CmdDraw) \
    X(CmdDrawIndexed) \
    X(CmdDrawIndirect) \
    X(CmdDrawIndexedIndirect) \
    X(CmdDispatch) \
    X(CmdDispatchIndirect) \
    X(CmdCopyBuffer) \
    X(CmdCopyImage) \
    X(CmdBlitImage) \
    X(CmdCopyBufferToImage) \
    X(CmdCopyImageToBuffer) \
    X(CmdFillBuffer) \
    X(CmdClearColorImage) \
    X(CmdClearDepthStencilImage) \
    X(CmdClearAttachments) \
    X(CmdResolveImage) \
    X(CmdPipelineBarrier) \
    X(CmdBeginQuery) \
    X(CmdEndQuery) \
    X(CmdCopyQueryPoolResults) \
    X(CmdPushConstants) \
    /* Vulkan 1.1 */ \
    X(GetImageMemoryRequirements2) \
    X(GetBufferMemoryRequirements2) \
    X(CreateDescriptorUpdateTemplate) \
    X(DestroyDescriptorUpdateTemplate) \
    X(UpdateDescriptorSetWithTemplate) \
    /* Vulkan 1.2 */ \
    X(CmdDrawIndirectCount) \
    X(CmdDrawIndexedIndirectCount) \
    X(ResetQueryPool) \
    X(GetSemaphoreCounterValue) \
    X(WaitSemaphores) \
    X(SignalSemaphore) \
    X(GetBufferDeviceAddress) \
    /* Vulkan 1.3 */ \
    X(CmdPipelineBarrier2) \
    X(CmdWriteTimestamp2) \
    X(QueueSubmit2) \
    X(CmdBeginRendering) \
    X(CmdEndRendering) \
    X(CmdSetCullMode) \
    X(CmdSetFrontFace) \
    X(CmdSetPrimitiveTopology) \
    X(CmdSetViewportWithCount) \
    X(CmdSetScissorWithCount) \
    X(CmdBindVertexBuffers2) \
    X(CmdSetDepthTestEnable) \
    X(CmdSetDepthWriteEnable) \
    X(CmdSetDepthCompareOp) \
    X(CmdSetDepthBoundsTestEnable) \
    X(CmdSetStencilTestEnable) \
    X(CmdSetStencilOp) \
    X(CmdSetRasterizerDiscardEnable) \
    X(CmdSetDepthBiasEnable) \
    X(CmdSetPrimitiveRestartEnable) \
    X(GetDeviceBufferMemoryRequirements) \
    /* VK_KHR_swapchain */ \
    X(CreateSwapchainKHR) \
    X(DestroySwapchainKHR) \
    X(GetSwapchainImagesKHR) \
    X(AcquireNextImageKHR) \
    X(QueuePresentKHR) \
    /* VK_KHR_external_memory_fd */ \
    X(GetMemoryFdKHR) \
    X(GetMemoryFdPropertiesKHR) \
    /* VK_KHR_external_semaphore_fd */ \
    X(ImportSemaphoreFdKHR) \
    X(GetSemaphoreFdKHR) \
    /* VK_KHR_push_descriptor */ \
    X(CmdPushDescriptorSetKHR) \
    X(CmdPushDescriptorSetWithTemplateKHR) \
    /* VK_KHR_line_rasterization */ \
    X(CmdSetLineStippleKHR) \
    /* VK_KHR_calibrated_timestamps */ \
    X(GetCalibratedTimestampsKHR) \
    /* VK_KHR_maintenance6 */ \
    X(CmdBindDescriptorSets2KHR) \
    X(CmdPushConstants2KHR) \
    X(CmdPushDescriptorSet2KHR) \
    X(CmdPushDescriptorSetWithTemplate2KHR) \
    X(CmdSetDescriptorBufferOffsets2EXT) \
    /* VK_EXT_transform_feedback */ \
    X(CmdBindTransformFeedbackBuffersEXT) \
    X(CmdBeginTransformFeedbackEXT) \
    X(CmdEndTransformFeedbackEXT) \
    X(CmdBeginQueryIndexedEXT) \
    X(CmdEndQueryIndexedEXT) \
    X(CmdDrawIndirectByteCountEXT) \
    /* VK_EXT_conditional_rendering */ \
    X(CmdBeginConditionalRenderingEXT) \
    X(CmdEndConditionalRenderingEXT) \
    /* VK_EXT_debug_utils */ \
    X(SetDebugUtilsObjectNameEXT) \
    /* VK_EXT_sample_locations */ \
    X(CmdSetSampleLocationsEXT) \
    /* VK_EXT_discard_rectangles */ \
    X(CmdDrawMultiEXT) \
    X(CmdDrawMultiIndexedEXT) \
    X(CmdSetDiscardRectangleEXT) \
    X(CmdSetDiscardRectangleEnableEXT) \
    /* VK_EXT_image_drm_format_modifier */ \
    X(GetImageDrmFormatModifierPropertiesEXT) \
    /* VK_EXT_external_memory_host */ \
    X(GetMemoryHostPointerPropertiesEXT) \
    /* VK_EXT_calibrated_timestamps */ \
    X(GetCalibratedTimestampsEXT) \
    /* VK_EXT_line_rasterization */ \
    X(CmdSetLineStippleEXT) \
    /* VK_EXT_host_image_copy */ \
    X(CopyMemoryToImageEXT) \
    X(TransitionImageLayoutEXT) \
    /* VK_EXT_descriptor_buffer */ \
    X(GetDescriptorSetLayoutSizeEXT) \
    X(GetDescriptorSetLayoutBindingOffsetEXT) \
    X(GetDescriptorEXT) \
    X(CmdBindDescriptorBuffersEXT) \
    X(CmdSetDescriptorBufferOffsetsEXT) \
    /* VK_EXT_vertex_input_dynamic_state */ \
    X(CmdSetVertexInputEXT) \
    /* VK_EXT_extended_dynamic_state2 */ \
    X(CmdSetPatchControlPointsEXT) \
    X(CmdSetLogicOpEXT) \
    /* VK_EXT_extended_dynamic_state3 */ \
    X(CmdSetDepthClampEnableEXT) \
    X(CmdSetPolygonModeEXT) \
    X(CmdSetRasterizationSamplesEXT) \
    X(CmdSetSampleMaskEXT) \
    X(CmdSetAlphaToCoverageEnableEXT) \
    X(CmdSetAlphaToOneEnableEXT) \
    X(CmdSetLogicOpEnableEXT) \
    X(CmdSetColorBlendEnableEXT) \
    X(CmdSetColorBlendEquationEXT) \
    X(CmdSetColorWriteMaskEXT) \
    X(CmdSetTessellationDomainOriginEXT) \
    X(CmdSetRasterizationStreamEXT) \
    X(CmdSetConservativeRasterizationModeEXT) \
    X(CmdSetDepthClipEnableEXT) \
    X(CmdSetSampleLocationsEnableEXT) \
    X(CmdSetProvokingVertexModeEXT) \
    X(CmdSetLineRasterizationModeEXT) \
    X(CmdSetLineStippleEnableEXT) \
    X(CmdSetDepthClipNegativeOneToOneEXT) \
    /* VK_EXT_shader_object */ \
    X(CreateShadersEXT) \
    X(DestroyShaderEXT) \
    X(CmdBindShadersEXT) \
    /* VK_EXT_color_write_enable */ \
    X(CmdSetColorWriteEnableEXT) \
    /* VK_EXT_device_fault */ \
    X(GetDeviceFaultInfoEXT) \
    /* VK_AMD_buffer_marker */ \
    X(CmdWriteBufferMarkerAMD) \
    /* VK_EXT_attachment_feedback_loop_dynamic_state */ \
    X(CmdSetAttachmentFeedbackLoopEnableEXT)
// clang-format on
