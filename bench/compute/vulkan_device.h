// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <vulkan/vulkan.h>

#include "gl_runner.h"
#include "runner.h"

namespace kobalt::compute {

// clang-format off
#define KOBALT_COMPUTE_INSTANCE(X) \
    X(EnumeratePhysicalDevices) X(GetPhysicalDeviceProperties2) X(GetPhysicalDeviceFeatures2) \
    X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceQueueFamilyProperties) \
    X(EnumerateDeviceExtensionProperties) X(CreateDevice) X(GetDeviceProcAddr) X(DestroyInstance)
#define KOBALT_COMPUTE_DEVICE(X) \
    X(GetDeviceQueue) X(DestroyDevice) X(CreateShaderModule) X(DestroyShaderModule) \
    X(CreateDescriptorSetLayout) X(DestroyDescriptorSetLayout) X(CreatePipelineLayout) \
    X(DestroyPipelineLayout) X(CreateComputePipelines) X(DestroyPipeline) X(CreateBuffer) \
    X(DestroyBuffer) X(GetBufferMemoryRequirements) X(AllocateMemory) X(FreeMemory) \
    X(BindBufferMemory) X(MapMemory) X(CreateCommandPool) X(DestroyCommandPool) \
    X(AllocateCommandBuffers) X(BeginCommandBuffer) X(EndCommandBuffer) X(CreateFence) \
    X(DestroyFence) X(WaitForFences) X(ResetFences) X(QueueSubmit) X(CmdBindPipeline) \
    X(CmdPushDescriptorSetKHR) X(CmdDispatch) X(CmdPipelineBarrier) X(CmdCopyBuffer)
// clang-format on

/// A Vulkan object of a device, which ends with it.
template <typename Handle>
class Owned {
public:
    using Destroy = void(VKAPI_PTR*)(VkDevice, Handle, const VkAllocationCallbacks*);

    Owned() = default;
    Owned(VkDevice device, Handle handle, Destroy destroy)
        : device_(device), handle_(handle), destroy_(destroy) {}
    Owned(Owned&& other) noexcept
        : device_(other.device_), handle_(std::exchange(other.handle_, Handle{})),
          destroy_(other.destroy_) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(handle_, other.handle_);
        std::swap(destroy_, other.destroy_);
        return *this;
    }
    ~Owned() {
        if (handle_ != Handle{}) {
            destroy_(device_, handle_, nullptr);
        }
    }

    const Handle& get() const { return handle_; }

private:
    VkDevice device_ = nullptr;
    Handle handle_{};
    Destroy destroy_ = nullptr;
};

/// A device with one queue that computes, and its commands. It has VK_KHR_push_descriptor.
class Device {
public:
    /// Opens the device of that UUID. Where none has it: the one that KOBALT_DEVICE names (a part
    /// of its name, or its number), or else the first that is no CPU, or else the first.
    static Result<std::unique_ptr<Device>> open(const Uuid& uuid);

    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device();

#define KOBALT_COMPUTE_MEMBER(name) PFN_vk##name name = nullptr;
    KOBALT_COMPUTE_INSTANCE(KOBALT_COMPUTE_MEMBER)
    KOBALT_COMPUTE_DEVICE(KOBALT_COMPUTE_MEMBER)
#undef KOBALT_COMPUTE_MEMBER

    std::string name;   ///< the device's
    std::string driver; ///< the driver's name and version
    bool is_cpu = false;
    bool is_of_uuid = false; ///< the device has the UUID that was asked for
    bool has_fp16 = false;
    std::size_t most_bytes = 0; ///< of a storage buffer
    VkPhysicalDeviceMemoryProperties memory{};
    VkDevice device = nullptr;
    VkQueue queue = nullptr;
    std::uint32_t family = 0; ///< of the queue

private:
    Result<void> create_instance();
    Result<void> choose(const Uuid& uuid);
    Result<void> create_device();

    void* library_ = nullptr;
    PFN_vkGetInstanceProcAddr get_ = nullptr;
    VkInstance instance_ = nullptr;
    VkPhysicalDevice physical_ = nullptr;
};

/// An error's line, where a command failed.
Result<void> done(VkResult result, const char* what);

} // namespace kobalt::compute
