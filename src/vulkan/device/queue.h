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

/// One queue, its timeline, and what waits to be destroyed after its submissions. Thread-safe.
class Queue {
public:
    static Result<std::unique_ptr<Queue>> create(Device& device, uint32_t family, uint32_t index,
                                                 const VkQueueFamilyProperties& properties,
                                                 const char* name);
    ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// Submits; the queue's own timeline is signalled with the value returned. An empty submission
    /// is allowed. A failed one leaves the timeline as it was; a lost device is marked lost.
    Result<uint64_t> submit(std::span<const VkCommandBuffer> command_buffers,
                            std::span<const SemaphorePoint> waits = {},
                            std::span<const SemaphorePoint> signals = {},
                            VkFence fence = VK_NULL_HANDLE);

    /// Binds memory to sparse resources, behind all submissions so far and in front of those that
    /// follow; nobody waits. `info`'s semaphores are this function's own. Returns the timeline's
    /// value, from which on what was bound before is unused. Needs Capability::sparse_binding.
    Result<uint64_t> bind_sparse(const VkBindSparseInfo& info);
    /// Where this queue can't: one that nothing else uses.
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

    std::mutex submit_mutex_;   ///< guards the VkQueue and what follows
    uint64_t sparse_value_ = 0; ///< of a bind_sparse() that the next submission waits for; 0: none
    std::vector<VkCommandBufferSubmitInfo> command_infos_;
    std::vector<VkSemaphoreSubmitInfo> wait_infos_;
    std::vector<VkSemaphoreSubmitInfo> signal_infos_;
};

} // namespace kobalt::vulkan
