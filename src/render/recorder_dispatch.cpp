// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder_impl.h"

namespace kobalt::render {

bool Recorder::Impl::prepare_dispatch() {
    ShaderStage* shader = broken ? nullptr : state(Stage::compute).shader.get();
    if (!shader)
        return false;
    recorder.leave_pass();
    const PipelineLayoutEntry* layout = nullptr;
    const VkPipeline compute = engine.pipelines().compute(*shader, layout);
    if (!compute)
        return false;
    track_stage(Stage::compute, false, Track::all);
    const bool handles = shader->source().reads_handles;
    if (handles)
        track_resident(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, false);
    track_condition();
    flush_barriers();
    batch->keep(*shader);
    const uint64_t epoch = binder->epoch();
    if (!write_stage(Stage::compute))
        return false;
    if (binder->epoch() != epoch) // sets of earlier draws can't be bound again
        stages_dirty = all_graphics_stages;
    vk.CmdBindPipeline(commands(), VK_PIPELINE_BIND_POINT_COMPUTE, compute);
    if (handles) {
        const BindlessBind bind = bind_bindless(VK_PIPELINE_BIND_POINT_COMPUTE, *layout);
        if (bind == BindlessBind::failed)
            return false;
        if (bind == BindlessBind::bound_alone)
            bound_layout = nullptr; // sets of graphics stages
    }
    if (shader->set_layout()) {
        constexpr uint32_t number = descriptor_set_of(Stage::compute);
        std::array<const StageSet*, set_count> own{};
        own[number] = &state(Stage::compute).set->set;
        binder->bind(commands(), VK_PIPELINE_BIND_POINT_COMPUTE, *layout, own, 1u << number);
    }
    vk.CmdPushConstants(commands(), layout->layout.get(), VK_SHADER_STAGE_ALL, 0,
                        push_constant_bytes, push_constants.data());
    dirty |= dirty_push_constants;
    if (check)
        check_dispatch();
    ++tally.dispatches;
    apply_condition();
    return true;
}

/// The queries that count a dispatch, around it.
class Recorder::Impl::DispatchQueries {
public:
    explicit DispatchQueries(Impl& impl) : impl_(impl) {
        each([&](PassQuery& query) { query.pass_begin(impl_.commands()); });
    }
    DispatchQueries(const DispatchQueries&) = delete;
    DispatchQueries& operator=(const DispatchQueries&) = delete;
    ~DispatchQueries() {
        each([&](PassQuery& query) { query.pass_end(impl_.commands()); });
    }

private:
    void each(const auto& use) {
        for (PassQuery* query : impl_.pass_queries)
            if (query->counts_dispatches())
                use(*query);
    }
    Impl& impl_;
};

void Recorder::dispatch(uint32_t x, uint32_t y, uint32_t z) {
    impl_->bound_batch();
    if (!impl_->prepare_dispatch())
        return;
    {
        const Impl::DispatchQueries counted(*impl_);
        impl_->vk.CmdDispatch(impl_->commands(), x, y, z);
    }
    impl_->end_condition();
}

void Recorder::dispatch_indirect(Buffer& arguments, VkDeviceSize offset) {
    impl_->bound_batch();
    track(arguments, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT,
          false);
    if (!impl_->prepare_dispatch())
        return;
    {
        const Impl::DispatchQueries counted(*impl_);
        impl_->vk.CmdDispatchIndirect(impl_->commands(), arguments.handle(), offset);
    }
    impl_->end_condition();
}

} // namespace kobalt::render
