// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/device/deferred_destruction.h"
#include "vulkan/device/timeline.h"

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace kobalt::vulkan {

/// A semaphore a submission waits for or signals. `value` is 0 for a binary semaphore.
struct SemaphorePoint {
    VkSemaphore semaphore = VK_NULL_HANDLE;
    uint64_t value = 0;
    VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
};

/// One queue, its timeline, and the objects to be destroyed after its submissions. Thread-safe.
class Queue {
public:
    static Result<std::unique_ptr<Queue>> create(Device& device, uint32_t family, uint32_t index,
                                                 const VkQueueFamilyProperties& properties,
                                                 const char* name);
    ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// Submits and signals the queue's own timeline with the value returned. An empty submission is
    /// allowed. A failed submission leaves the timeline as it was; a lost device is marked lost.
    Result<uint64_t> submit(std::span<const VkCommandBuffer> command_buffers,
                            std::span<const SemaphorePoint> waits = {},
                            std::span<const SemaphorePoint> signals = {},
                            VkFence fence = VK_NULL_HANDLE);

    /// Binds memory to sparse resources, after all submissions so far and before the following
    /// ones, without a CPU wait. This function sets `info`'s semaphores. Returns the timeline value
    /// after which the memory bound before is unused. Needs Capability::sparse_binding.
    Result<uint64_t> bind_sparse(const VkBindSparseInfo& info);
    /// Sets the queue for bind_sparse() where this queue can't bind. Nothing else may use `queue`.
    void bind_sparse_on(VkQueue queue) { binding_queue_ = queue; }

    /// vkQueuePresentKHR under the queue's lock. VK_SUBOPTIMAL_KHR, VK_ERROR_OUT_OF_DATE_KHR and
    /// surface loss come back as they are.
    VkResult present(const VkPresentInfoKHR& info);

    /// Waits for everything submitted, then collects.
    Result<void> wait_idle();

    VkQueue handle() const { return queue_; }
    uint32_t family() const { return family_; }
    VkQueueFlags flags() const { return flags_; }
    uint32_t timestamp_valid_bits() const { return timestamp_valid_bits_; }
    const char* name() const { return name_; }
    Timeline& timeline() { return *timeline_; }
    DeferredDestruction& deferred() { return *deferred_; }
    /// Timeline::wait_to_destroy() for all that was submitted, and what was deferred until then.
    void wait_to_destroy();

private:
    Queue(Device& device, uint32_t family, const VkQueueFamilyProperties& properties,
          const char* name);

    Device& device_;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkQueue binding_queue_ = VK_NULL_HANDLE; ///< null: queue_
    uint32_t family_;
    VkQueueFlags flags_;
    uint32_t timestamp_valid_bits_;
    const char* name_;
    std::unique_ptr<Timeline> timeline_;
    std::unique_ptr<DeferredDestruction> deferred_;

    std::mutex submit_mutex_;   ///< guards the VkQueue and the members below
    uint64_t sparse_value_ = 0; ///< bind_sparse() value that the next submission awaits; 0: none
    std::vector<VkCommandBufferSubmitInfo> command_infos_;
    std::vector<VkSemaphoreSubmitInfo> wait_infos_;
    std::vector<VkSemaphoreSubmitInfo> signal_infos_;
};

} // namespace kobalt::vulkan
