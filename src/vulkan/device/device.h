// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/dispatch.h"
#include "vulkan/base/error.h"
#include "vulkan/capabilities/capabilities.h"
#include "vulkan/device/device_status.h"
#include "vulkan/device/image_format_cache.h"
#include "vulkan/device/queue.h"
#include "vulkan/instance/instance.h"
#include "vulkan/instance/physical_device.h"

#include <chrono>
#include <memory>
#include <span>
#include <vector>

namespace kobalt::vulkan {

struct DeviceOptions {
    /// Capability names to switch off besides the instance's KOBALT_DISABLE.
    std::vector<std::string> disabled;
    /// Use one queue for everything even where there are dedicated ones.
    bool single_queue = false;
    /// How long the device may complete nothing while something waits to destroy what it uses.
    std::chrono::nanoseconds patience = std::chrono::minutes(1);
};

/// A VkDevice with its queues, memory allocator, capabilities and status (alive or lost). Its
/// address is stable; everything made from it must be destroyed before it.
class Device {
public:
    static Result<std::unique_ptr<Device>> create(std::shared_ptr<const Instance> instance,
                                                  const PhysicalDevice& physical,
                                                  const DeviceOptions& options = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    VkDevice handle() const { return device_; }
    VkPhysicalDevice physical() const { return physical_; }
    const DeviceDispatch& vk() const { return vk_; }
    const Instance& instance() const { return *instance_; }
    const Log& log() const { return instance_->log(); }

    const Capabilities& capabilities() const { return capabilities_; }
    bool has(Capability capability) const { return capabilities_.has(capability); }
    /// Feature bits enabled on this device.
    const DeviceFeatures& features() const { return capabilities_.features(); }
    const DeviceProperties& properties() const { return properties_; }
    const VkPhysicalDeviceLimits& limits() const { return properties_.core.limits; }
    /// Whether to use the structured form of the commands in
    /// vulkan/descriptors/descriptor_commands.h.
    bool structured_commands() const { return structured_commands_; }

    /// Graphics, compute and transfer.
    Queue& graphics() { return *graphics_; }
    /// The dedicated queue where there is one, else graphics().
    Queue& transfer() { return transfer_ ? *transfer_ : *graphics_; }
    Queue& compute() { return compute_ ? *compute_ : *graphics_; }
    bool has_dedicated_transfer() const { return transfer_ != nullptr; }
    bool has_dedicated_compute() const { return compute_ != nullptr; }

    /// The distinct families of the queues in use: buffers are shared among them.
    std::span<const uint32_t> queue_families() const { return families_; }

    VmaAllocator_T* allocator() const { return allocator_; }
    /// Used and available bytes of all device-local heaps (VK_EXT_memory_budget, else estimated).
    struct MemoryUse {
        uint64_t used_bytes = 0;
        uint64_t budget_bytes = 0;
    };
    MemoryUse device_memory_use() const;

    DeviceStatus& status() { return *status_; }
    bool lost() const { return status_->lost(); }
    std::chrono::nanoseconds patience() const { return patience_; }
    /// Marks a device that hangs as lost. Its objects, and the device itself, are never destroyed.
    void give_up();
    bool given_up() const;

    VkFormatProperties3 format_properties(VkFormat format) const;
    /// Fails with VK_ERROR_FORMAT_NOT_SUPPORTED where the combination doesn't exist. Each answer is
    /// cached: drivers take microseconds to answer, and every texture asks. Thread-safe.
    Result<VkImageFormatProperties> image_format_properties(VkFormat format, VkImageType type,
                                                            VkImageTiling tiling,
                                                            VkImageUsageFlags usage,
                                                            VkImageCreateFlags flags) const;
    /// Whether images of this kind are as fast with VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT as without
    /// (VkHostImageCopyDevicePerformanceQueryEXT); false where they can't have it. `views`: the
    /// formats of their views, or null where these may have any format. Some drivers compress
    /// images only if a list is given (ANV), so the answers differ. The list must have static
    /// storage. Needs Capability::host_image_copy. The answer is cached. Thread-safe.
    bool host_transfer_is_free(VkFormat format, VkImageType type, VkImageTiling tiling,
                               VkImageUsageFlags usage, VkImageCreateFlags flags,
                               const VkImageFormatListCreateInfo* views) const;

    /// Waits for every queue. A lost device counts as idle.
    Result<void> wait_idle();
    /// Destroys what no queue needs any longer.
    void collect();

    /// Wraps a fresh handle.
    template <class H, class T>
    H own(T handle) const {
        return H(device_, vk_, handle);
    }

private:
    Device() = default;
    Result<void> create_device(const PhysicalDevice& physical, const DeviceOptions& options);
    Result<void> create_allocator();
    ImageFormatCache::Answer ask_image_format(const ImageFormatCache::Question& asked) const;

    std::shared_ptr<const Instance> instance_;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    DeviceDispatch vk_;
    Capabilities capabilities_;
    DeviceProperties properties_;
    std::vector<uint32_t> families_;
    std::unique_ptr<DeviceStatus> status_;
    DeviceStatus::Explainer fault_explainer_;
    VmaAllocator_T* allocator_ = nullptr;
    mutable ImageFormatCache image_formats_;
    std::unique_ptr<Queue> graphics_;
    std::unique_ptr<Queue> transfer_;
    std::unique_ptr<Queue> compute_;
    bool structured_commands_ = false;
    std::chrono::nanoseconds patience_{};
};

} // namespace kobalt::vulkan
