// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/capture.h"

#include <algorithm>

namespace kobalt::render {

void Capture::set_targets(std::span<StreamOutputTarget* const> targets, uint32_t append_mask) {
    targets_ = {};
    count_ = static_cast<uint32_t>(std::min(targets.size(), targets_.size()));
    for (uint32_t i = 0; i < count_; ++i) {
        targets_[i] = targets[i];
        if (targets[i] && !(append_mask & (1u << i)))
            targets[i]->counter_valid = false;
    }
}

void Capture::add_accesses(Hazards& hazards, Batch& batch) const {
    for (StreamOutputTarget* const target : std::span(targets_).first(count_)) {
        if (!target)
            continue;
        hazards.write(*target->buffer, VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
                      VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT);
        hazards.write(*target->counter,
                      VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                          VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                      VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                          VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT);
        batch.retain(*target);
    }
}

void Capture::begin(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands,
                    const Buffer& missing) {
    std::array<VkBuffer, max_stream_output_buffers> buffers{}, counters{};
    std::array<VkDeviceSize, max_stream_output_buffers> offsets{}, sizes{}, counter_offsets{};
    for (uint32_t i = 0; i < count_; ++i) {
        const StreamOutputTarget* const target = targets_[i];
        const Buffer& buffer = target ? *target->buffer : missing;
        buffers[i] = buffer.handle();
        offsets[i] = target ? target->offset : 0;
        sizes[i] = target ? target->size : 4;
        counters[i] = target && target->counter_valid ? target->counter->handle() : VK_NULL_HANDLE;
    }
    vk.CmdBindTransformFeedbackBuffersEXT(commands, 0, count_, buffers.data(), offsets.data(),
                                          sizes.data());
    vk.CmdBeginTransformFeedbackEXT(commands, 0, count_, counters.data(), counter_offsets.data());
    active_ = true;
}

void Capture::end(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands) {
    if (!active_)
        return;
    std::array<VkBuffer, max_stream_output_buffers> counters{};
    std::array<VkDeviceSize, max_stream_output_buffers> counter_offsets{};
    for (uint32_t i = 0; i < count_; ++i)
        if (StreamOutputTarget* const target = targets_[i]) {
            counters[i] = target->counter->handle();
            target->counter_valid = true;
        }
    vk.CmdEndTransformFeedbackEXT(commands, 0, count_, counters.data(), counter_offsets.data());
    active_ = false;
}

} // namespace kobalt::render
