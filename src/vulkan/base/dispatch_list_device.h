// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// The Vulkan commands Kobalt may call, as X-macro lists grouped by the version or extension that
// brings them. One X(Command) becomes one member of a dispatch table and one load of "vkCommand".
// clang-format off

#define KOBALT_DEVICE_COMMANDS_VERSION_1_0(X) \
    X(DestroyDevice) \
    X(GetDeviceQueue) \
    X(QueueSubmit) \
    X(QueueWaitIdle) \
    X(DeviceWaitIdle) \
    X(AllocateMemory) \
    X(FreeMemory) \
    X(MapMemory) \
    X(UnmapMemory) \
    X(FlushMappedMemoryRanges) \
    X(InvalidateMappedMemoryRanges) \
    X(GetDeviceMemoryCommitment) \
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
    X(CreateEvent) \
    X(DestroyEvent) \
    X(GetEventStatus) \
    X(SetEvent) \
    X(ResetEvent) \
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
    X(FreeDescriptorSets) \
    X(UpdateDescriptorSets) \
    X(CreateFramebuffer) \
    X(DestroyFramebuffer) \
    X(CreateRenderPass) \
    X(DestroyRenderPass) \
    X(GetRenderAreaGranularity) \
    X(CreateCommandPool) \
    X(DestroyCommandPool) \
    X(ResetCommandPool) \
    X(AllocateCommandBuffers) \
    X(FreeCommandBuffers) \
    X(BeginCommandBuffer) \
    X(EndCommandBuffer) \
    X(ResetCommandBuffer) \
    X(CmdBindPipeline) \
    X(CmdSetViewport) \
    X(CmdSetScissor) \
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
    X(CmdUpdateBuffer) \
    X(CmdFillBuffer) \
    X(CmdClearColorImage) \
    X(CmdClearDepthStencilImage) \
    X(CmdClearAttachments) \
    X(CmdResolveImage) \
    X(CmdSetEvent) \
    X(CmdResetEvent) \
    X(CmdWaitEvents) \
    X(CmdPipelineBarrier) \
    X(CmdBeginQuery) \
    X(CmdEndQuery) \
    X(CmdResetQueryPool) \
    X(CmdWriteTimestamp) \
    X(CmdCopyQueryPoolResults) \
    X(CmdPushConstants) \
    X(CmdBeginRenderPass) \
    X(CmdNextSubpass) \
    X(CmdEndRenderPass) \
    X(CmdExecuteCommands)

#define KOBALT_DEVICE_COMMANDS_VERSION_1_1(X) \
    X(BindBufferMemory2) \
    X(BindImageMemory2) \
    X(GetDeviceGroupPeerMemoryFeatures) \
    X(CmdSetDeviceMask) \
    X(CmdDispatchBase) \
    X(GetImageMemoryRequirements2) \
    X(GetBufferMemoryRequirements2) \
    X(GetImageSparseMemoryRequirements2) \
    X(TrimCommandPool) \
    X(GetDeviceQueue2) \
    X(CreateSamplerYcbcrConversion) \
    X(DestroySamplerYcbcrConversion) \
    X(CreateDescriptorUpdateTemplate) \
    X(DestroyDescriptorUpdateTemplate) \
    X(UpdateDescriptorSetWithTemplate) \
    X(GetDescriptorSetLayoutSupport)

#define KOBALT_DEVICE_COMMANDS_VERSION_1_2(X) \
    X(CmdDrawIndirectCount) \
    X(CmdDrawIndexedIndirectCount) \
    X(CreateRenderPass2) \
    X(CmdBeginRenderPass2) \
    X(CmdNextSubpass2) \
    X(CmdEndRenderPass2) \
    X(ResetQueryPool) \
    X(GetSemaphoreCounterValue) \
    X(WaitSemaphores) \
    X(SignalSemaphore) \
    X(GetBufferDeviceAddress) \
    X(GetBufferOpaqueCaptureAddress) \
    X(GetDeviceMemoryOpaqueCaptureAddress)

#define KOBALT_DEVICE_COMMANDS_VERSION_1_3(X) \
    X(CreatePrivateDataSlot) \
    X(DestroyPrivateDataSlot) \
    X(SetPrivateData) \
    X(GetPrivateData) \
    X(CmdSetEvent2) \
    X(CmdResetEvent2) \
    X(CmdWaitEvents2) \
    X(CmdPipelineBarrier2) \
    X(CmdWriteTimestamp2) \
    X(QueueSubmit2) \
    X(CmdCopyBuffer2) \
    X(CmdCopyImage2) \
    X(CmdCopyBufferToImage2) \
    X(CmdCopyImageToBuffer2) \
    X(CmdBlitImage2) \
    X(CmdResolveImage2) \
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
    X(GetDeviceImageMemoryRequirements) \
    X(GetDeviceImageSparseMemoryRequirements)

#define KOBALT_DEVICE_COMMANDS_KHR_swapchain(X) \
    X(CreateSwapchainKHR) \
    X(DestroySwapchainKHR) \
    X(GetSwapchainImagesKHR) \
    X(AcquireNextImageKHR) \
    X(QueuePresentKHR) \
    X(GetDeviceGroupPresentCapabilitiesKHR) \
    X(GetDeviceGroupSurfacePresentModesKHR) \
    X(AcquireNextImage2KHR)

#define KOBALT_DEVICE_COMMANDS_KHR_external_memory_fd(X) \
    X(GetMemoryFdKHR) \
    X(GetMemoryFdPropertiesKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_external_semaphore_fd(X) \
    X(ImportSemaphoreFdKHR) \
    X(GetSemaphoreFdKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_push_descriptor(X) \
    X(CmdPushDescriptorSetKHR) \
    X(CmdPushDescriptorSetWithTemplateKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_external_fence_fd(X) \
    X(ImportFenceFdKHR) \
    X(GetFenceFdKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_dynamic_rendering_local_read(X) \
    X(CmdSetRenderingAttachmentLocationsKHR) \
    X(CmdSetRenderingInputAttachmentIndicesKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_present_wait(X) \
    X(WaitForPresentKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_pipeline_executable_properties(X) \
    X(GetPipelineExecutablePropertiesKHR) \
    X(GetPipelineExecutableStatisticsKHR) \
    X(GetPipelineExecutableInternalRepresentationsKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_maintenance5(X) \
    X(CmdBindIndexBuffer2KHR) \
    X(GetRenderingAreaGranularityKHR) \
    X(GetDeviceImageSubresourceLayoutKHR) \
    X(GetImageSubresourceLayout2KHR)

#define KOBALT_DEVICE_COMMANDS_KHR_line_rasterization(X) \
    X(CmdSetLineStippleKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_calibrated_timestamps(X) \
    X(GetCalibratedTimestampsKHR)

#define KOBALT_DEVICE_COMMANDS_KHR_maintenance6(X) \
    X(CmdBindDescriptorSets2KHR) \
    X(CmdPushConstants2KHR) \
    X(CmdPushDescriptorSet2KHR) \
    X(CmdPushDescriptorSetWithTemplate2KHR) \
    X(CmdSetDescriptorBufferOffsets2EXT) \
    X(CmdBindDescriptorBufferEmbeddedSamplers2EXT)

#define KOBALT_DEVICE_COMMANDS_EXT_transform_feedback(X) \
    X(CmdBindTransformFeedbackBuffersEXT) \
    X(CmdBeginTransformFeedbackEXT) \
    X(CmdEndTransformFeedbackEXT) \
    X(CmdBeginQueryIndexedEXT) \
    X(CmdEndQueryIndexedEXT) \
    X(CmdDrawIndirectByteCountEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_conditional_rendering(X) \
    X(CmdBeginConditionalRenderingEXT) \
    X(CmdEndConditionalRenderingEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_debug_utils(X) \
    X(SetDebugUtilsObjectNameEXT) \
    X(SetDebugUtilsObjectTagEXT) \
    X(QueueBeginDebugUtilsLabelEXT) \
    X(QueueEndDebugUtilsLabelEXT) \
    X(QueueInsertDebugUtilsLabelEXT) \
    X(CmdBeginDebugUtilsLabelEXT) \
    X(CmdEndDebugUtilsLabelEXT) \
    X(CmdInsertDebugUtilsLabelEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_sample_locations(X) \
    X(CmdSetSampleLocationsEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_discard_rectangles(X) \
    X(CmdSetDiscardRectangleEXT) \
    X(CmdSetDiscardRectangleEnableEXT) \
    X(CmdSetDiscardRectangleModeEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_image_drm_format_modifier(X) \
    X(GetImageDrmFormatModifierPropertiesEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_external_memory_host(X) \
    X(GetMemoryHostPointerPropertiesEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_calibrated_timestamps(X) \
    X(GetCalibratedTimestampsEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_line_rasterization(X) \
    X(CmdSetLineStippleEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_host_image_copy(X) \
    X(CopyMemoryToImageEXT) \
    X(CopyImageToMemoryEXT) \
    X(CopyImageToImageEXT) \
    X(TransitionImageLayoutEXT) \
    X(GetImageSubresourceLayout2EXT)

#define KOBALT_DEVICE_COMMANDS_EXT_swapchain_maintenance1(X) \
    X(ReleaseSwapchainImagesEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_descriptor_buffer(X) \
    X(GetDescriptorSetLayoutSizeEXT) \
    X(GetDescriptorSetLayoutBindingOffsetEXT) \
    X(GetDescriptorEXT) \
    X(CmdBindDescriptorBuffersEXT) \
    X(CmdSetDescriptorBufferOffsetsEXT) \
    X(CmdBindDescriptorBufferEmbeddedSamplersEXT) \
    X(GetBufferOpaqueCaptureDescriptorDataEXT) \
    X(GetImageOpaqueCaptureDescriptorDataEXT) \
    X(GetImageViewOpaqueCaptureDescriptorDataEXT) \
    X(GetSamplerOpaqueCaptureDescriptorDataEXT) \
    X(GetAccelerationStructureOpaqueCaptureDescriptorDataEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_device_fault(X) \
    X(GetDeviceFaultInfoEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_vertex_input_dynamic_state(X) \
    X(CmdSetVertexInputEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_extended_dynamic_state2(X) \
    X(CmdSetPatchControlPointsEXT) \
    X(CmdSetLogicOpEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_multi_draw(X) \
    X(CmdDrawMultiEXT) \
    X(CmdDrawMultiIndexedEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_extended_dynamic_state3(X) \
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
    X(CmdSetExtraPrimitiveOverestimationSizeEXT) \
    X(CmdSetDepthClipEnableEXT) \
    X(CmdSetSampleLocationsEnableEXT) \
    X(CmdSetColorBlendAdvancedEXT) \
    X(CmdSetProvokingVertexModeEXT) \
    X(CmdSetLineRasterizationModeEXT) \
    X(CmdSetLineStippleEnableEXT) \
    X(CmdSetDepthClipNegativeOneToOneEXT) \
    X(CmdSetViewportWScalingEnableNV) \
    X(CmdSetViewportSwizzleNV) \
    X(CmdSetCoverageToColorEnableNV) \
    X(CmdSetCoverageToColorLocationNV) \
    X(CmdSetCoverageModulationModeNV) \
    X(CmdSetCoverageModulationTableEnableNV) \
    X(CmdSetCoverageModulationTableNV) \
    X(CmdSetShadingRateImageEnableNV) \
    X(CmdSetRepresentativeFragmentTestEnableNV) \
    X(CmdSetCoverageReductionModeNV)

#define KOBALT_DEVICE_COMMANDS_EXT_shader_object(X) \
    X(CreateShadersEXT) \
    X(DestroyShaderEXT) \
    X(GetShaderBinaryDataEXT) \
    X(CmdBindShadersEXT) \
    X(CmdSetDepthClampRangeEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_color_write_enable(X) \
    X(CmdSetColorWriteEnableEXT)

#define KOBALT_DEVICE_COMMANDS_EXT_attachment_feedback_loop_dynamic_state(X) \
    X(CmdSetAttachmentFeedbackLoopEnableEXT)

#define KOBALT_DEVICE_COMMANDS(X) \
    KOBALT_DEVICE_COMMANDS_VERSION_1_0(X) \
    KOBALT_DEVICE_COMMANDS_VERSION_1_1(X) \
    KOBALT_DEVICE_COMMANDS_VERSION_1_2(X) \
    KOBALT_DEVICE_COMMANDS_VERSION_1_3(X) \
    KOBALT_DEVICE_COMMANDS_KHR_swapchain(X) \
    KOBALT_DEVICE_COMMANDS_KHR_external_memory_fd(X) \
    KOBALT_DEVICE_COMMANDS_KHR_external_semaphore_fd(X) \
    KOBALT_DEVICE_COMMANDS_KHR_push_descriptor(X) \
    KOBALT_DEVICE_COMMANDS_KHR_external_fence_fd(X) \
    KOBALT_DEVICE_COMMANDS_KHR_dynamic_rendering_local_read(X) \
    KOBALT_DEVICE_COMMANDS_KHR_present_wait(X) \
    KOBALT_DEVICE_COMMANDS_KHR_pipeline_executable_properties(X) \
    KOBALT_DEVICE_COMMANDS_KHR_maintenance5(X) \
    KOBALT_DEVICE_COMMANDS_KHR_line_rasterization(X) \
    KOBALT_DEVICE_COMMANDS_KHR_calibrated_timestamps(X) \
    KOBALT_DEVICE_COMMANDS_KHR_maintenance6(X) \
    KOBALT_DEVICE_COMMANDS_EXT_transform_feedback(X) \
    KOBALT_DEVICE_COMMANDS_EXT_conditional_rendering(X) \
    KOBALT_DEVICE_COMMANDS_EXT_debug_utils(X) \
    KOBALT_DEVICE_COMMANDS_EXT_sample_locations(X) \
    KOBALT_DEVICE_COMMANDS_EXT_discard_rectangles(X) \
    KOBALT_DEVICE_COMMANDS_EXT_image_drm_format_modifier(X) \
    KOBALT_DEVICE_COMMANDS_EXT_external_memory_host(X) \
    KOBALT_DEVICE_COMMANDS_EXT_calibrated_timestamps(X) \
    KOBALT_DEVICE_COMMANDS_EXT_line_rasterization(X) \
    KOBALT_DEVICE_COMMANDS_EXT_host_image_copy(X) \
    KOBALT_DEVICE_COMMANDS_EXT_swapchain_maintenance1(X) \
    KOBALT_DEVICE_COMMANDS_EXT_descriptor_buffer(X) \
    KOBALT_DEVICE_COMMANDS_EXT_device_fault(X) \
    KOBALT_DEVICE_COMMANDS_EXT_vertex_input_dynamic_state(X) \
    KOBALT_DEVICE_COMMANDS_EXT_extended_dynamic_state2(X) \
    KOBALT_DEVICE_COMMANDS_EXT_multi_draw(X) \
    KOBALT_DEVICE_COMMANDS_EXT_extended_dynamic_state3(X) \
    KOBALT_DEVICE_COMMANDS_EXT_shader_object(X) \
    KOBALT_DEVICE_COMMANDS_EXT_color_write_enable(X) \
    KOBALT_DEVICE_COMMANDS_EXT_attachment_feedback_loop_dynamic_state(X)
