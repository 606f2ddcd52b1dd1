// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/recorder.h"

#include <bit>
#include <utility>

#include "render/recorder/impl.h"

// A recorder and its batches, from their beginning to the submission.

namespace kobalt::render {

Recorder::Impl::Impl(Recorder& owner, Engine& shared)
    : recorder(owner), engine(shared), vk(shared.device().vk()), paths(shared.paths()),
      context_slot(shared.batches().take_context_slot()),
      most_uniform_bytes(shared.device().limits().maxUniformBufferRange),
      slow_paths(shared.device().log(), shared.device().instance().environment().has_debug("perf")),
      run_ahead(run_ahead_limits(shared.device().properties().core.deviceType)),
      hazards(residency, shared.batches().next_epoch()) {
    descriptor_data.reserve(most_descriptors);
    Watch wanted{.breadcrumbs = Breadcrumbs::create(shared.core())};
    if (shared.checks_descriptors())
        wanted.check = std::make_unique<DescriptorCheck>(shared.device().log());
    if (wanted.check || wanted.breadcrumbs)
        watch = std::make_unique<Watch>(std::move(wanted));
    auto made = make_descriptor_binder(shared.core(), shared.layouts(), shared.bindless());
    if (made)
        binder = std::move(*made);
    else
        shared.device().log().error("no memory for descriptors: " + made.error().to_string());
    broken = !binder || !begin_batch();
}

void Recorder::Impl::retain_bound(Batch& in) const {
    const auto retain = [&in](const Buffer* buffer) {
        if (buffer)
            in.retain(*buffer);
    };
    for (const StageState& stage : stages) {
        for (uint32_t slots = stage.filled_uniform_buffers; slots; slots &= slots - 1)
            retain(stage.uniform_buffers[std::countr_zero(slots)].buffer);
        for (uint32_t slots = stage.filled_storage_buffers; slots; slots &= slots - 1)
            retain(stage.storage_buffers[std::countr_zero(slots)].buffer);
    }
    for (const VertexBuffer& bound : fetch.buffers)
        retain(bound.buffer);
    retain(fetch.indices);
}

bool Recorder::Impl::begin_batch() {
    auto begun = engine.batches().begin(context_slot);
    if (!begun) {
        // The next calls would be left out as well, so that no later frame would be right.
        engine.device().status().mark_lost("beginning a command buffer (" +
                                           begun.error().to_string() + ")");
        batch.reset();
        recorder.batch_ = nullptr;
        hazards.set_batch(nullptr);
        return false;
    }
    batch = std::move(*begun);
    recorder.batch_ = batch.get();
    hazards.set_batch(batch.get());
    retain_bound(*batch);
    if (const uint64_t endings = engine.pipelines().endings(); store_endings != endings) {
        store_endings = endings;
        programs.drop_ended();
    }
    binder->begin_commands();
    descriptor_bytes = 0;
    mark_everything_dirty();
    return true;
}

bool Recorder::Impl::batch_full() const {
    const RunAheadLimits& limits = run_ahead.limits;
    return batch && (tally.commands() >= limits.commands_in_batch ||
                     batch->new_bytes() >= limits.bytes_in_batch ||
                     descriptor_bytes >= limits.descriptor_bytes_in_batch);
}

bool Recorder::Impl::bound_batch() {
    if (batch_full())
        recorder.flush();
    return !broken;
}

void Recorder::Impl::report_tally() {
    Counters& counters = engine.counters();
    const auto add = [](std::atomic<uint64_t>& to, uint64_t more) {
        if (more)
            to.fetch_add(more, std::memory_order_relaxed);
    };
    constexpr std::pair<uint64_t Tally::*, std::atomic<uint64_t> Counters::*> pairs[] = {
        {&Tally::draws, &Counters::draws},
        {&Tally::dispatches, &Counters::dispatches},
        {&Tally::passes, &Counters::passes},
        {&Tally::barriers, &Counters::barriers},
        {&Tally::descriptors, &Counters::descriptors},
        {&Tally::descriptor_writes, &Counters::descriptor_writes},
        {&Tally::descriptor_binds, &Counters::descriptor_binds},
        {&Tally::bindless_binds, &Counters::bindless_binds},
    };
    for (const auto& [from, to] : pairs)
        add(counters.*to, tally.*from - reported.*from);
    reported = tally;
    for (size_t i = 0; i < slow_path_count; ++i)
        add(counters.slow_paths[i], std::exchange(slow_paths.counts[i], 0));
    if (!binder)
        return;
    const DescriptorBinder::Counts bound = std::exchange(binder->counts, {});
    add(counters.descriptor_offsets, bound.offsets);
    add(counters.descriptor_rebinds, bound.rebinds);
}

// Marks the state that a new command buffer lacks. The choice of the pipeline is no part of it.
void Recorder::Impl::mark_everything_dirty() {
    dirty |= dirty_all & ~uint32_t{dirty_pipeline};
    outdated_words = ~0u;
    recorded = {};
    for (uint32_t i = 0; i < stage_count; ++i)
        mark_all(static_cast<Stage>(i));
    bound_pipeline = VK_NULL_HANDLE;
    bound_objects = nullptr;
    shaders_bound = false;
    bound_layout = nullptr;
    compute.accesses_added_at = 0;
    compute.bound_pipeline = VK_NULL_HANDLE;
    compute.bound_layout = nullptr;
}

// The host waits for the timeline only, which makes the writes available but not visible to it
// (Vulkan 1.3, 7.4.1 "Semaphore Signaling"). On a GPU it takes microseconds.
void Recorder::Impl::make_visible_to_host() {
    record_barrier({.source_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                    .source_access = VK_ACCESS_2_MEMORY_WRITE_BIT,
                    .target_stages = VK_PIPELINE_STAGE_2_HOST_BIT,
                    .target_access = VK_ACCESS_2_HOST_READ_BIT});
}

Recorder::Recorder(Engine& engine)
    : engine_(engine), impl_(std::make_unique<Impl>(*this, engine)) {}

Recorder::~Recorder() {
    vulkan::Timeline& timeline = engine_.device().graphics().timeline();
    // The flush may wait for what is in flight, and without end.
    if (impl_->last_token)
        timeline.wait_to_destroy(impl_->last_token->timeline_value());
    flush();
    if (impl_->batch)
        impl_->batch->token().mark_failed();
    // Descriptor memory may still be read by batches in flight.
    if (impl_->last_token)
        timeline.wait_to_destroy(impl_->last_token->timeline_value());
    engine_.batches().give_context_slot(impl_->context_slot);
}

void Recorder::retain(const RefCounted& object) {
    if (batch_)
        batch_->retain(object);
}

VkCommandBuffer Recorder::commands(bool outside_pass) {
    if (impl_->broken)
        return VK_NULL_HANDLE;
    if (outside_pass)
        leave_pass();
    return impl_->commands();
}

Ref<BatchToken> Recorder::flush() {
    Impl& impl = *impl_;
    if (impl.broken) {
        if (!impl.last_token) {
            impl.last_token = make_ref<BatchToken>(engine_.device(), 0);
            impl.last_token->mark_failed();
        }
        return impl.last_token;
    }
    leave_pass();
    const uint64_t recorded_commands = impl.tally.commands();
    impl.end_run();
    impl.report_tally();
    impl.tally = impl.reported = {};
    impl.run_began = 0;
    if (!impl.batch->has_commands && impl.last_token)
        return impl.last_token;
    impl.hazards.end_batch();
    impl.flush_barriers();
    if (impl.batch->writes_for_host())
        impl.make_visible_to_host();
    Ref<BatchToken> token = impl.batch->share_token();
    std::unique_ptr<Batch> recorded = std::move(impl.batch);
    const VkDeviceSize new_bytes = recorded->new_bytes();
    batch_ = nullptr;
    // The GPU begins while the next batch is made. That batch retains what is bound before this one
    // may release it.
    const auto value =
        engine_.batches().submit(*recorded, impl.semaphores.waits, impl.semaphores.signals);
    impl.broken = !impl.begin_batch();
    if (value)
        engine_.batches().hold(std::move(recorded));
    impl.semaphores = {};
    if (!value && !engine_.device().lost()) {
        engine_.device().log().error("a batch was not submitted: " + value.error().to_string());
        if (impl.failure_listener)
            impl.failure_listener();
    }
    // Descriptors of a batch that was not submitted may lie beside those that running batches read.
    impl.binder->retire(value ? *value : engine_.device().graphics().timeline().submitted());
    impl.last_token = token;
    if (impl.run_ahead.submitted(token, new_bytes, recorded_commands))
        impl.slow_paths.note(SlowPath::run_ahead);
    return token;
}

void Recorder::set_failure_listener(std::function<void()> listener) {
    impl_->failure_listener = std::move(listener);
}

void Recorder::report_counters() {
    impl_->report_tally();
}

void Recorder::slow_path(SlowPath kind, std::string_view detail) {
    impl_->slow_paths.note(kind, detail);
}

void Recorder::set_slow_path_listener(SlowPaths::Listener listener) {
    impl_->slow_paths.set_listener(std::move(listener));
}

bool Recorder::empty() const {
    return !impl_->batch || !impl_->batch->has_commands;
}

uint64_t Recorder::draws_in_batch() const {
    return impl_->tally.draws;
}

Ref<BatchToken> Recorder::current_token() const {
    if (impl_->batch)
        return impl_->batch->share_token();
    return impl_->last_token;
}

bool Recorder::works() const {
    return !impl_->broken;
}

bool Recorder::device_lost() const {
    return impl_->broken || engine_.device().lost();
}

} // namespace kobalt::render
