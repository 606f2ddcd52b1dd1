// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/dispatch.h"

#include <utility>

namespace kobalt::vulkan {

/// A unique device-level Vulkan handle that destroys itself. Holds only the device handle and the
/// dispatch table, so it is as cheap to move as three pointers.
template <class T, auto Destroy>
class Handle {
public:
    Handle() = default;
    Handle(VkDevice device, const DeviceDispatch& vk, T handle)
        : device_(device), vk_(&vk), handle_(handle) {}
    Handle(Handle&& other) noexcept
        : device_(other.device_), vk_(other.vk_),
          handle_(std::exchange(other.handle_, VK_NULL_HANDLE)) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            reset();
            device_ = other.device_;
            vk_ = other.vk_;
            handle_ = std::exchange(other.handle_, VK_NULL_HANDLE);
        }
        return *this;
    }
    ~Handle() { reset(); }

    T get() const { return handle_; }
    explicit operator bool() const { return handle_ != VK_NULL_HANDLE; }

    void reset() {
        if (handle_ != VK_NULL_HANDLE && !vk_->keeps_objects())
            (vk_->*Destroy)(device_, handle_, nullptr);
        handle_ = VK_NULL_HANDLE;
    }
    /// Gives the handle away: the caller destroys it.
    T release() { return std::exchange(handle_, VK_NULL_HANDLE); }

private:
    VkDevice device_ = VK_NULL_HANDLE;
    const DeviceDispatch* vk_ = nullptr;
    T handle_ = VK_NULL_HANDLE;
};

using BufferHandle = Handle<VkBuffer, &DeviceDispatch::DestroyBuffer>;
using ImageHandle = Handle<VkImage, &DeviceDispatch::DestroyImage>;
using ImageView = Handle<VkImageView, &DeviceDispatch::DestroyImageView>;
using BufferView = Handle<VkBufferView, &DeviceDispatch::DestroyBufferView>;
using Sampler = Handle<VkSampler, &DeviceDispatch::DestroySampler>;
using Semaphore = Handle<VkSemaphore, &DeviceDispatch::DestroySemaphore>;
using Fence = Handle<VkFence, &DeviceDispatch::DestroyFence>;
using Event = Handle<VkEvent, &DeviceDispatch::DestroyEvent>;
using ShaderModule = Handle<VkShaderModule, &DeviceDispatch::DestroyShaderModule>;
using ShaderObject = Handle<VkShaderEXT, &DeviceDispatch::DestroyShaderEXT>;
using Pipeline = Handle<VkPipeline, &DeviceDispatch::DestroyPipeline>;
using PipelineLayout = Handle<VkPipelineLayout, &DeviceDispatch::DestroyPipelineLayout>;
using DescriptorSetLayoutHandle =
    Handle<VkDescriptorSetLayout, &DeviceDispatch::DestroyDescriptorSetLayout>;
using DescriptorPoolHandle = Handle<VkDescriptorPool, &DeviceDispatch::DestroyDescriptorPool>;
using UpdateTemplate =
    Handle<VkDescriptorUpdateTemplate, &DeviceDispatch::DestroyDescriptorUpdateTemplate>;
using QueryPoolHandle = Handle<VkQueryPool, &DeviceDispatch::DestroyQueryPool>;
using CommandPoolHandle = Handle<VkCommandPool, &DeviceDispatch::DestroyCommandPool>;
using PipelineCacheHandle = Handle<VkPipelineCache, &DeviceDispatch::DestroyPipelineCache>;
using Swapchain = Handle<VkSwapchainKHR, &DeviceDispatch::DestroySwapchainKHR>;
using DeviceMemory = Handle<VkDeviceMemory, &DeviceDispatch::FreeMemory>;

} // namespace kobalt::vulkan
