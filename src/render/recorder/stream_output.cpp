// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"

// Transform feedback (VK_EXT_transform_feedback). It is active inside a pass only; the counter
// buffers carry the append position from one pass to the next, and into draw_stream_output().

namespace kobalt::render {

void Recorder::set_stream_output_targets(std::span<StreamOutputTarget* const> targets,
                                         uint32_t append_mask) {
    Impl& impl = *impl_;
    if (impl.stream_output_active)
        leave_pass();
    impl.stream_outputs = {};
    impl.stream_output_count =
        static_cast<uint32_t>(std::min<size_t>(targets.size(), max_stream_output_buffers));
    for (uint32_t i = 0; i < impl.stream_output_count; ++i) {
        impl.stream_outputs[i] = targets[i];
        if (targets[i] && !(append_mask & (1u << i)))
            targets[i]->counter_valid = false;
    }
}

bool Recorder::Impl::wants_stream_output() {
    if (!paths.transform_feedback || stream_output_count == 0)
        return false;
    const ShaderStage* last = state(Stage::geometry).shader.get();
    if (!last)
        last = state(Stage::tess_evaluation).shader.get();
    if (!last)
        last = state(Stage::vertex).shader.get();
    return last && last->source().stream_output_buffers != 0;
}

void Recorder::Impl::add_stream_output_access() {
    for (uint32_t i = 0; i < stream_output_count; ++i)
        if (StreamOutputTarget* target = stream_outputs[i]) {
            hazards.write(*target->buffer, VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
                          VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT);
            hazards.write(*target->counter,
                          VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                              VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                          VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                              VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT);
            batch->retain(*target);
        }
}

void Recorder::Impl::begin_stream_output() {
    std::array<VkBuffer, max_stream_output_buffers> buffers{}, counters{};
    std::array<VkDeviceSize, max_stream_output_buffers> offsets{}, sizes{}, counter_offsets{};
    for (uint32_t i = 0; i < stream_output_count; ++i) {
        StreamOutputTarget* target = stream_outputs[i];
        const Buffer& buffer = target ? *target->buffer : engine.null_buffer();
        buffers[i] = buffer.handle();
        offsets[i] = target ? target->offset : 0;
        sizes[i] = target ? target->size : 4;
        counters[i] = target && target->counter_valid ? target->counter->handle() : VK_NULL_HANDLE;
    }
    vk.CmdBindTransformFeedbackBuffersEXT(commands(), 0, stream_output_count, buffers.data(),
                                          offsets.data(), sizes.data());
    vk.CmdBeginTransformFeedbackEXT(commands(), 0, stream_output_count, counters.data(),
                                    counter_offsets.data());
    stream_output_active = true;
}

void Recorder::Impl::end_stream_output() {
    if (!stream_output_active)
        return;
    std::array<VkBuffer, max_stream_output_buffers> counters{};
    std::array<VkDeviceSize, max_stream_output_buffers> counter_offsets{};
    for (uint32_t i = 0; i < stream_output_count; ++i)
        if (StreamOutputTarget* target = stream_outputs[i]) {
            counters[i] = target->counter->handle();
            target->counter_valid = true;
        }
    vk.CmdEndTransformFeedbackEXT(commands(), 0, stream_output_count, counters.data(),
                                  counter_offsets.data());
    stream_output_active = false;
}

void Recorder::draw_stream_output(const DrawParametersInfo& info, StreamOutputTarget& target) {
    Impl& impl = *impl_;
    if (impl.broken || !target.counter_valid || target.stride == 0 || !impl.bound_batch())
        return;
    if (impl.stream_output_active)
        leave_pass();
    add_access(
        *target.counter,
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT,
        false);
    if (!impl.prepare_draw(info))
        return;
    impl.fetch.add_wholes(*impl.batch, info.indexed);
    impl.vk.CmdDrawIndirectByteCountEXT(impl.commands(), info.instance_count, info.first_instance,
                                        target.counter->handle(), 0, 0, target.stride);
    impl.tally.draws += 1;
}

} // namespace kobalt::render
