// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/queue.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::vulkan {

namespace {

VkSemaphoreSubmitInfo submit_info(const SemaphorePoint& point) {
    auto info = vk_struct<VkSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO);
    info.semaphore = point.semaphore;
    info.value = point.value;
    info.stageMask = point.stages;
    return info;
}

} // namespace

Queue::Queue(Device& device, uint32_t family, const VkQueueFamilyProperties& properties,
             const char* name)
    : device_(device), family_(family), flags_(properties.queueFlags),
      timestamp_valid_bits_(properties.timestampValidBits), name_(name) {}

Result<std::unique_ptr<Queue>> Queue::create(Device& device, uint32_t family, uint32_t index,
                                             const VkQueueFamilyProperties& properties,
                                             const char* name) {
    std::unique_ptr<Queue> queue(new Queue(device, family, properties, name));
    device.vk().GetDeviceQueue(device.handle(), family, index, &queue->queue_);
    set_name(device, VK_OBJECT_TYPE_QUEUE, queue->queue_, name);
    Result<std::unique_ptr<Timeline>> timeline = Timeline::create(device, name);
    if (!timeline)
        return std::unexpected(timeline.error());
    queue->timeline_ = std::move(*timeline);
    queue->deferred_ = std::make_unique<DeferredDestruction>(*queue->timeline_);
    return queue;
}

Queue::~Queue() {
    if (timeline_)
        timeline_->wait_to_destroy(timeline_->submitted());
}

void Queue::wait_to_destroy() {
    timeline_->wait_to_destroy(timeline_->submitted());
    deferred_->collect();
}

Result<uint64_t> Queue::submit(std::span<const VkCommandBuffer> command_buffers,
                               std::span<const SemaphorePoint> waits,
                               std::span<const SemaphorePoint> signals, VkFence fence) {
    if (device_.lost() || device_.status().lost_by_fork())
        return fail(VK_ERROR_DEVICE_LOST, "vkQueueSubmit2", name_);
    const std::lock_guard lock(submit_mutex_);
    command_infos_.clear();
    wait_infos_.clear();
    signal_infos_.clear();
    for (const VkCommandBuffer buffer : command_buffers) {
        command_infos_.push_back(
            vk_struct<VkCommandBufferSubmitInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO));
        command_infos_.back().commandBuffer = buffer;
    }
    for (const SemaphorePoint& point : waits)
        wait_infos_.push_back(submit_info(point));
    for (const SemaphorePoint& point : signals)
        signal_infos_.push_back(submit_info(point));
    // Vulkan 1.3, "Sparse Resource Memory Binding": only semaphores order binding and submissions.
    if (sparse_value_)
        wait_infos_.push_back(submit_info({timeline_->semaphore(), sparse_value_}));
    const uint64_t value = timeline_->next();
    signal_infos_.push_back(submit_info({timeline_->semaphore(), value}));

    auto info = vk_struct<VkSubmitInfo2>(VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
    info.waitSemaphoreInfoCount = static_cast<uint32_t>(wait_infos_.size());
    info.pWaitSemaphoreInfos = wait_infos_.data();
    info.commandBufferInfoCount = static_cast<uint32_t>(command_infos_.size());
    info.pCommandBufferInfos = command_infos_.data();
    info.signalSemaphoreInfoCount = static_cast<uint32_t>(signal_infos_.size());
    info.pSignalSemaphoreInfos = signal_infos_.data();
    const VkResult result = device_.status().check(
        with_second_try(device_,
                        [&] { return device_.vk().QueueSubmit2(queue_, 1, &info, fence); }),
        "vkQueueSubmit2");
    if (result != VK_SUCCESS)
        return fail(result, "vkQueueSubmit2", name_);
    timeline_->publish(value);
    sparse_value_ = 0;
    return value;
}

Result<uint64_t> Queue::bind_sparse(const VkBindSparseInfo& info) {
    if (device_.lost() || device_.status().lost_by_fork())
        return fail(VK_ERROR_DEVICE_LOST, "vkQueueBindSparse", name_);
    const std::lock_guard lock(submit_mutex_);
    const VkSemaphore semaphore = timeline_->semaphore();
    const uint64_t value = timeline_->next(), before = value - 1;
    auto points =
        vk_struct<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    points.waitSemaphoreValueCount = points.signalSemaphoreValueCount = 1;
    points.pWaitSemaphoreValues = &before;
    points.pSignalSemaphoreValues = &value;
    VkBindSparseInfo ordered = info;
    ordered.pNext = &points;
    ordered.waitSemaphoreCount = ordered.signalSemaphoreCount = 1;
    ordered.pWaitSemaphores = ordered.pSignalSemaphores = &semaphore;
    const VkQueue binding = binding_queue_ ? binding_queue_ : queue_;
    const VkResult result = device_.status().check(
        with_second_try(
            device_,
            [&] { return device_.vk().QueueBindSparse(binding, 1, &ordered, VK_NULL_HANDLE); }),
        "vkQueueBindSparse");
    if (result != VK_SUCCESS)
        return fail(result, "vkQueueBindSparse", name_);
    timeline_->publish(value);
    sparse_value_ = value;
    return value;
}

VkResult Queue::present(const VkPresentInfoKHR& info) {
    const std::lock_guard lock(submit_mutex_);
    return device_.status().check(device_.vk().QueuePresentKHR(queue_, &info), "vkQueuePresentKHR");
}

Result<void> Queue::wait_idle() {
    const Result<bool> done = timeline_->wait(timeline_->submitted());
    deferred_->collect();
    if (!done)
        return std::unexpected(done.error());
    return {};
}

} // namespace kobalt::vulkan
