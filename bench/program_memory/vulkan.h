// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <vulkan/vulkan.h>

// clang-format off
#define KOBALT_MEMORY_INSTANCE(X) \
    X(EnumeratePhysicalDevices) X(GetPhysicalDeviceProperties2) X(GetPhysicalDeviceFeatures2) \
    X(GetPhysicalDeviceMemoryProperties) X(EnumerateDeviceExtensionProperties) X(CreateDevice) \
    X(GetDeviceProcAddr) X(DestroyInstance)
#define KOBALT_MEMORY_DEVICE(X) \
    X(GetDeviceQueue) X(DestroyDevice) X(CreateShaderModule) X(DestroyShaderModule) X(CreatePipelineLayout) X(DestroyPipelineLayout) \
    X(CreateGraphicsPipelines) X(DestroyPipeline) X(CreatePipelineCache) X(DestroyPipelineCache) \
    X(CreateImage) X(GetImageMemoryRequirements) X(AllocateMemory) X(BindImageMemory) \
    X(CreateImageView) X(DestroyImageView) X(DestroyImage) X(FreeMemory) X(DestroyCommandPool) X(CreateCommandPool) X(AllocateCommandBuffers) X(BeginCommandBuffer) \
    X(EndCommandBuffer) X(QueueSubmit) X(QueueSubmit2) X(QueueWaitIdle) \
    X(CreateSemaphore) X(DestroySemaphore) X(WaitSemaphores) \
    X(CreateFence) X(DestroyFence) X(GetFenceStatus) X(ResetFences) X(CmdPipelineBarrier) \
    X(CmdBeginRendering) X(CmdEndRendering) X(CmdBindPipeline) X(CmdDraw) \
    X(CmdPushConstants) X(CmdSetViewportWithCount) X(CmdSetScissorWithCount) \
    X(CmdSetRasterizerDiscardEnable) X(CmdSetPrimitiveTopology) X(CmdSetPrimitiveRestartEnable) \
    X(CmdSetCullMode) X(CmdSetFrontFace) X(CmdSetDepthTestEnable) X(CmdSetDepthWriteEnable) \
    X(CmdSetDepthBiasEnable) X(CmdSetStencilTestEnable)
// Null where the device has no shader objects.
#define KOBALT_MEMORY_OBJECTS(X) \
    X(CreateShadersEXT) X(DestroyShaderEXT) X(CmdBindShadersEXT) X(CmdSetVertexInputEXT) \
    X(CmdSetPolygonModeEXT) X(CmdSetRasterizationSamplesEXT) X(CmdSetSampleMaskEXT) \
    X(CmdSetAlphaToCoverageEnableEXT) X(CmdSetColorBlendEnableEXT) X(CmdSetColorWriteMaskEXT)
// clang-format on

namespace kobalt::memory {

/// The device's abilities that the ways of making programs need.
struct Abilities {
    bool libraries = false;         ///< VK_EXT_graphics_pipeline_library
    bool objects = false;           ///< VK_EXT_shader_object
    bool descriptor_buffer = false; ///< VK_EXT_descriptor_buffer
    bool dynamic = false;           ///< pipelines can have the state that objects have as dynamic
};

/// A device with one queue, and its commands. All of it stays until the process exits.
struct Vulkan {
#define KOBALT_MEMORY_MEMBER(name) PFN_vk##name name = nullptr;
    KOBALT_MEMORY_INSTANCE(KOBALT_MEMORY_MEMBER)
    KOBALT_MEMORY_DEVICE(KOBALT_MEMORY_MEMBER)
    KOBALT_MEMORY_OBJECTS(KOBALT_MEMORY_MEMBER)
#undef KOBALT_MEMORY_MEMBER
    std::string name;
    std::string driver;
    bool is_cpu = false;
    Abilities abilities;
    VkInstance instance = nullptr;
    VkPhysicalDevice physical = nullptr;
    VkDevice device = nullptr;
    VkQueue queue = nullptr;
    uint32_t queue_family = 0;
    VkPhysicalDeviceMemoryProperties memory{};
};

/// Opens the device that KOBALT_DEVICE names (a part of its name, or its number); without it the
/// first device that is no CPU, or else the first. Exits with a message where there is none. Calls
/// `reached` after each step.
Vulkan open_vulkan(const std::function<void(const char*)>& reached = [](const char*) {});

/// Exits with a message if a command failed.
void need(VkResult result, const char* what);

} // namespace kobalt::memory
