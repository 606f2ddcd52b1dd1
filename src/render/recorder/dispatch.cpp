// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"
#include "vulkan/descriptors/descriptor_commands.h"

namespace kobalt::render {

// The steps of a dispatch: pipeline, hazards, descriptors, push constants, vkCmdDispatch. As with
// draws, each step is skipped where nothing changed since the last one; a program that dispatches
// the same shader again and again records vkCmdDispatch and nothing else.

/// Brings the command buffer's pipeline and sets up to date.
bool Recorder::Impl::bind_compute(const ShaderStage& shader) {
    const bool handles = shader.source().reads_handles;
    if (const uint64_t before = binder->generation(); handles) {
        if (!binder->prepare_bindless())
            return false;
        if (binder->generation() != before)
            stages_dirty = all_graphics_stages;
    }
    const ShaderSet* set = state(Stage::compute).set;
    if (compute.dirty || (set && set->set.generation != binder->generation())) {
        batch->retain(shader);
        const uint64_t generation_before = binder->generation();
        if (!write_stage(Stage::compute))
            return false;
        state(Stage::compute).access_pending_from = state(Stage::compute).times.next();
        if (binder->generation() != generation_before) // sets of earlier draws can't be bound again
            stages_dirty = all_graphics_stages;
        compute.dirty = false;
        compute.bound_layout = nullptr;
    }
    if (compute.bound_pipeline != compute.pipeline) {
        vk.CmdBindPipeline(commands(), VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
        compute.bound_pipeline = compute.pipeline;
        forget_push_constants(shader.source().push_constant_words);
    }
    if (handles) {
        const BindlessBind bind = bind_bindless(VK_PIPELINE_BIND_POINT_COMPUTE, *compute.layout);
        if (bind == BindlessBind::failed)
            return false;
        if (bind == BindlessBind::bound_alone)
            bound_layout = nullptr; // the sets of graphics stages are unbound
    }
    if (shader.set_layout() && (compute.bound_layout != compute.layout ||
                                compute.disturbances != binder->disturbances())) {
        constexpr uint32_t number = descriptor_set_of(Stage::compute);
        std::array<const StageSet*, set_count> own{};
        own[number] = &state(Stage::compute).set->set;
        binder->bind(commands(), VK_PIPELINE_BIND_POINT_COMPUTE, *compute.layout, own,
                     1u << number);
        ++tally.descriptor_binds;
        compute.bound_layout = compute.layout;
        compute.disturbances = binder->disturbances();
    }
    return true;
}

bool Recorder::Impl::prepare_dispatch() {
    ShaderStage* shader = broken ? nullptr : state(Stage::compute).shader.get();
    if (!shader)
        return false;
    recorder.leave_pass();
    if (!compute.pipeline) {
        compute.pipeline = engine.pipelines().compute(*shader, compute.layout);
        if (!compute.pipeline)
            return fail();
    }
    if (compute.accesses_added_at != hazards.uses())
        add_stage_accesses(Stage::compute, false, Accesses::all);
    else if (compute.dirty)
        add_stage_accesses(Stage::compute, false, Accesses::changed);
    constexpr VkPipelineStageFlags2 where = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    if (shader->source().reads_handles && residency.wants(batch->id(), where))
        add_resident_accesses(where, false);
    condition.add_read(hazards);
    flush_barriers();
    compute.accesses_added_at = hazards.uses();
    if (!bind_compute(*shader))
        return fail();
    if (const uint32_t read = shader->source().push_constant_words)
        record_push_constants(*compute.layout, read);
    if (watch)
        watch_dispatch();
    ++tally.dispatches;
    condition.apply(vk, commands());
    return true;
}

/// Begins and ends the queries that count a dispatch.
class Recorder::Impl::DispatchQueries {
public:
    explicit DispatchQueries(Impl& impl) : impl_(impl) {
        each([&](PassQuery& query) { query.pass_begin(impl_.commands(), Counted::dispatch); });
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
    if (!impl_->bound_batch() || !impl_->prepare_dispatch())
        return;
    {
        const Impl::DispatchQueries counted(*impl_);
        impl_->vk.CmdDispatch(impl_->commands(), x, y, z);
    }
    impl_->condition.end(impl_->vk, impl_->commands());
}

void Recorder::dispatch_indirect(Buffer& arguments, VkDeviceSize offset) {
    if (!impl_->bound_batch())
        return;
    add_access(arguments, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
               VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false);
    if (!impl_->prepare_dispatch())
        return;
    {
        const Impl::DispatchQueries counted(*impl_);
        impl_->vk.CmdDispatchIndirect(impl_->commands(), arguments.handle(), offset);
    }
    impl_->condition.end(impl_->vk, impl_->commands());
}

} // namespace kobalt::render
