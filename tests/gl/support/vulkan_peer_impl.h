// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "vulkan_peer.h"

namespace kobalt::gltest {

/// The kinds of descriptors that are shared.
inline constexpr auto opaque_memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
inline constexpr auto dma_buf_memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
inline constexpr auto opaque_semaphore = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

// The Vulkan commands that the peer calls.
#define PEER_INSTANCE_COMMANDS(X)                                                                  \
    X(EnumeratePhysicalDevices)                                                                    \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(CreateDevice)                                                                                \
    X(GetDeviceProcAddr)                                                                           \
    X(DestroyInstance)
#define PEER_DEVICE_COMMANDS(X)                                                                    \
    X(GetDeviceQueue)                                                                              \
    X(AllocateMemory)                                                                              \
    X(FreeMemory)                                                                                  \
    X(MapMemory)                                                                                   \
    X(CreateBuffer)                                                                                \
    X(DestroyBuffer)                                                                               \
    X(GetBufferMemoryRequirements)                                                                 \
    X(BindBufferMemory)                                                                            \
    X(CreateImage)                                                                                 \
    X(DestroyImage)                                                                                \
    X(GetImageMemoryRequirements)                                                                  \
    X(BindImageMemory)                                                                             \
    X(CreateSemaphore)                                                                             \
    X(DestroySemaphore)                                                                            \
    X(CreateCommandPool)                                                                           \
    X(DestroyCommandPool)                                                                          \
    X(AllocateCommandBuffers)                                                                      \
    X(BeginCommandBuffer)                                                                          \
    X(EndCommandBuffer)                                                                            \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdFillBuffer)                                                                               \
    X(CmdCopyBuffer)                                                                               \
    X(CmdClearColorImage)                                                                          \
    X(CmdCopyImageToBuffer)                                                                        \
    X(QueueSubmit)                                                                                 \
    X(QueueWaitIdle)                                                                               \
    X(DestroyDevice)                                                                               \
    X(GetMemoryFdKHR)                                                                              \
    X(GetSemaphoreFdKHR)

/// The device and what was made on it.
struct VulkanPeer::Impl {
    void* library = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties memory_types{};
    bool exports_semaphores = false, exports_dma_bufs = false;

    VkBuffer buffer = VK_NULL_HANDLE;
    std::uint64_t buffer_bytes = 0;
    VkImage image = VK_NULL_HANDLE;
    ImageShape shape;
    bool image_used = false; ///< OpenGL's before that
    VkBuffer readback = VK_NULL_HANDLE;
    void* readback_bytes = nullptr;
    std::vector<VkDeviceMemory> memories;
    std::vector<VkSemaphore> semaphores;

#define PEER_MEMBER(name) PFN_vk##name name = nullptr;
    PEER_INSTANCE_COMMANDS(PEER_MEMBER)
    PEER_DEVICE_COMMANDS(PEER_MEMBER)
#undef PEER_MEMBER

    ~Impl();
    bool open(const Uuid& uuid, std::string& why_not);
    bool open_device(const Uuid& uuid, std::string& why_not);
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, std::uint64_t size,
                            bool host_visible, const void* chain);
    bool share(const VkMemoryRequirements& needs, std::uint64_t offset, const void* dedicated,
               SharedMemory& shared, VkDeviceMemory& memory,
               VkExternalMemoryHandleTypeFlagBits type = opaque_memory);
    bool make_readback(std::uint64_t bytes);
    void run(Order order, auto&& record);
    /// Takes the image over from OpenGL, or gives it back.
    void hand_over(VkCommandBuffer commands, bool take);
};

} // namespace kobalt::gltest
