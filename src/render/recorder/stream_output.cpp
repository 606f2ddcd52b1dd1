// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"

// Draws that are captured, and those that draw as much as was captured.

namespace kobalt::render {

void Recorder::set_stream_output_targets(std::span<StreamOutputTarget* const> targets,
                                         uint32_t append_mask) {
    if (impl_->capture.active())
        leave_pass();
    impl_->capture.set_targets(targets, append_mask);
}

bool Recorder::Impl::wants_stream_output() {
    if (!paths.transform_feedback || !capture.has_targets())
        return false;
    const ShaderStage* last = state(Stage::geometry).shader.get();
    if (!last)
        last = state(Stage::tess_evaluation).shader.get();
    if (!last)
        last = state(Stage::vertex).shader.get();
    return last && last->source().stream_output_buffers != 0;
}

void Recorder::draw_stream_output(const DrawParametersInfo& info, StreamOutputTarget& target) {
    Impl& impl = *impl_;
    if (impl.broken || !target.counter_valid || target.stride == 0 || !impl.bound_batch())
        return;
    if (impl.capture.active())
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
