// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <bit>
#include <cstddef>

#include "render/recorder/impl.h"

// The steps of a draw: pipeline, hazards, pass, descriptors, dynamic state, vkCmdDraw*. A draw that
// changes nothing takes only the last step. A draw that goes on in the pass and with the pipeline
// of the last one takes only the steps for what changed.

namespace kobalt::render {
namespace {

/// Dirty bits of the vertex and index buffers.
constexpr uint32_t fetched_state(bool indexed) {
    return dirty_vertex_input | dirty_vertex_buffers | (indexed ? dirty_index_buffer : 0u);
}

} // namespace

bool Recorder::Impl::goes_on(const DrawParametersInfo& info) const {
    return recorder.pass_open_ && tally.draws < run_ahead.limits.commands_in_batch &&
           accesses_added && !(dirty & ~uint32_t{dirty_dynamic}) && topology == info.topology &&
           patch_vertices == info.patch_vertices &&
           !(residency.stale() && program->handle_stages()) && !capture.has_targets() &&
           condition.applied() && store_generation == engine.pipelines().generation() && pipeline &&
           pipeline->current.load(std::memory_order_relaxed) == bound_pipeline &&
           (bound_pipeline || bound_objects == pipeline);
}

// For a draw that needs neither another pass nor another pipeline. False: it needs one.
bool Recorder::Impl::update(const DrawParametersInfo& info) {
    if (!goes_on(info))
        return false;
    const uint32_t relevant = info.indexed ? ~0u : ~uint32_t{dirty_index_buffer};
    const uint32_t pushed = program->pushed_bindings();
    if (dirty & relevant || stages_dirty || pushes_pending_access & pushed)
        return update_changes(info);
    if (const uint32_t needed = outdated_pushes & pushed) // other ranges of the same buffers
        push(needed);
    return true;
}

// For changes beyond buffer ranges. False: the pass has to end for a barrier, or the batch is full.
bool Recorder::Impl::update_changes(const DrawParametersInfo& info) {
    if (batch_full() || (dirty & dirty_depth_stencil && kept.forbids(depth_stencil)))
        return false;
    for (uint32_t pending = stages_dirty & stages_pending_access; pending; pending &= pending - 1)
        add_stage_accesses(static_cast<Stage>(std::countr_zero(pending)), true, Accesses::changed);
    add_push_accesses(true);
    if (dirty & fetched_state(info.indexed))
        add_fetch_accesses(info.indexed, Accesses::changed);
    if (hazards.any())
        return false;
    if (stages_dirty) {
        if (!update_descriptors())
            return false;
    } else if (const uint32_t needed = pushes_needed()) {
        push(needed);
    }
    if (dirty & ~dirty_index_buffer) {
        if (!has_state())
            return false;
        emit_dynamic_state();
    }
    if (info.indexed && dirty & dirty_index_buffer)
        bind_index_buffer();
    return true;
}

void Recorder::Impl::bind_index_buffer() {
    const Buffer& buffer = fetch.indices ? *fetch.indices : engine.null_buffer();
    vk.CmdBindIndexBuffer(commands(), buffer.handle(), fetch.indices ? fetch.index_offset : 0,
                          fetch.index_type);
    dirty &= ~dirty_index_buffer;
}

bool Recorder::Impl::prepare_draw(const DrawParametersInfo& info) {
    if (broken || !state(Stage::vertex).shader || !has_state())
        return false;
    if (framebuffer.width == 0 || framebuffer.height == 0)
        return false;
    if (topology != info.topology) {
        topology = info.topology;
        dirty |= dirty_topology | dirty_pipeline_state;
    }
    if (patch_vertices != info.patch_vertices) {
        patch_vertices = info.patch_vertices;
        dirty |= paths.dynamic_patch_size ? dirty_patch_size : dirty_pipeline_state;
    }
    note_primitive_restart(info.primitive_restart);
    if (!update_pipeline() || !choose_pipeline())
        return fail();

    // Neither the pipeline nor the buffers may change while transform feedback is active.
    const bool captures = wants_stream_output();
    if (capture.active() && (!captures || binding_changes()))
        recorder.leave_pass();

    // Fetches read attachments in VK_IMAGE_LAYOUT_GENERAL.
    if (program->traits().fetches && recorder.pass_open_ && hazards.attachment_layouts())
        recorder.leave_pass();

    if (dirty & dirty_depth_stencil)
        leave_kept(KeptAspects::written_by(*depth_stencil));

    // A clear may have begun the pass: it reads nothing of the bound state.
    const bool all = !recorder.pass_open_ || !accesses_added;
    for (uint32_t i = 0; i < graphics_stage_count; ++i)
        if (all || stages_dirty & (1u << i))
            add_stage_accesses(static_cast<Stage>(i), recorder.pass_open_,
                               all ? Accesses::all : Accesses::changed);
    add_push_accesses(recorder.pass_open_);
    const VkPipelineStageFlags2 handle_stages = program->handle_stages();
    if (handle_stages && (all || residency.wants(batch->id(), handle_stages)))
        add_resident_accesses(handle_stages, recorder.pass_open_);
    if (all || dirty & fetched_state(info.indexed))
        add_fetch_accesses(info.indexed, all ? Accesses::all : Accesses::changed);
    condition.add_read(hazards);
    const bool captured = capture.active();
    if (captures && !captured)
        capture.add_accesses(hazards, *batch);
    if (recorder.pass_open_ && hazards.any()) {
        recorder.leave_pass();
        // The pass's end wrote the counters, which the capture after the barrier reads.
        if (captures && captured)
            capture.add_accesses(hazards, *batch);
        for (uint32_t i = 0; i < graphics_stage_count; ++i)
            add_stage_accesses(static_cast<Stage>(i), false, Accesses::all);
        if (handle_stages)
            add_resident_accesses(handle_stages, false);
        add_fetch_accesses(info.indexed, Accesses::all);
    }
    if (!recorder.pass_open_)
        begin_pass(KeptAspects::written_by(*depth_stencil));
    accesses_added = true;
    condition.apply(vk, commands());
    // Draws that fetch are ordered among themselves, by the pipeline or by the app.
    if (program->traits().fetches)
        order_fetches();
    else
        attachments_written = true;

    if (dirty & (dirty_bind_pipeline | dirty_pipeline) || binding_changes())
        for (const StageState& stage : stages)
            if (stage.shader)
                batch->retain(*stage.shader);
    if (wanted_layout != bound_layout || stages_dirty || pushes_needed())
        if (!update_descriptors())
            return fail();
    if (dirty & ~dirty_index_buffer || binding_changes())
        emit_state();
    if (captures && !capture.active())
        capture.begin(vk, commands(), engine.null_buffer());
    if (info.indexed && dirty & dirty_index_buffer)
        bind_index_buffer();
    if (watch)
        watch_draw();
    return true;
}

void Recorder::Impl::draw_many(const DrawParametersInfo& info, std::span<const DrawCall> calls) {
    // The calls are what Vulkan takes, with a stride.
    static_assert(offsetof(DrawCall, first) == offsetof(VkMultiDrawIndexedInfoEXT, firstIndex));
    static_assert(offsetof(DrawCall, count) == offsetof(VkMultiDrawIndexedInfoEXT, indexCount));
    static_assert(offsetof(DrawCall, vertex_offset) ==
                  offsetof(VkMultiDrawIndexedInfoEXT, vertexOffset));
    static_assert(offsetof(DrawCall, first) == offsetof(VkMultiDrawInfoEXT, firstVertex));
    static_assert(offsetof(DrawCall, count) == offsetof(VkMultiDrawInfoEXT, vertexCount));
    while (!calls.empty()) {
        const auto part = calls.first(std::min<size_t>(calls.size(), paths.most_multi_draws));
        const auto count = static_cast<uint32_t>(part.size());
        if (info.indexed)
            vk.CmdDrawMultiIndexedEXT(
                commands(), count, reinterpret_cast<const VkMultiDrawIndexedInfoEXT*>(part.data()),
                info.instance_count, info.first_instance, sizeof(DrawCall), nullptr);
        else
            vk.CmdDrawMultiEXT(commands(), count,
                               reinterpret_cast<const VkMultiDrawInfoEXT*>(part.data()),
                               info.instance_count, info.first_instance, sizeof(DrawCall));
        calls = calls.subspan(part.size());
    }
}

void Recorder::draw(const DrawParametersInfo& info, std::span<const DrawCall> calls) {
    Impl& impl = *impl_;
    impl.note_primitive_restart(info.primitive_restart);
    if (!impl.update(info) && (!impl.bound_batch() || !impl.prepare_draw(info)))
        return;
    impl.tally.draws += calls.size();
    if (impl.fetch.parted) [[unlikely]]
        impl.fetch.add_parts(*impl.batch, info, calls);
    if (calls.size() > 1 && impl.paths.most_multi_draws && !info.same_draw_id)
        return impl.draw_many(info, calls);
    const VkCommandBuffer commands = impl.commands();
    for (const DrawCall& call : calls) {
        if (call.count == 0)
            continue;
        if (info.indexed)
            impl.vk.CmdDrawIndexed(commands, call.count, info.instance_count, call.first,
                                   call.vertex_offset, info.first_instance);
        else
            impl.vk.CmdDraw(commands, call.count, info.instance_count, call.first,
                            info.first_instance);
    }
}

void Recorder::draw_indirect(const DrawParametersInfo& info, Buffer& arguments, VkDeviceSize offset,
                             uint32_t draw_count, uint32_t stride, Buffer* count_buffer,
                             VkDeviceSize count_offset) {
    Impl& impl = *impl_;
    if (impl.broken || !impl.bound_batch())
        return;
    add_access(arguments, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
               VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false);
    if (count_buffer)
        add_access(*count_buffer, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                   VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false);
    if (!impl.prepare_draw(info))
        return;
    impl.fetch.add_wholes(*impl.batch, info.indexed);
    const VkCommandBuffer commands = impl.commands();
    const bool multi = engine_.device().has(vulkan::Capability::multi_draw_indirect);
    if (count_buffer && info.indexed)
        impl.vk.CmdDrawIndexedIndirectCount(commands, arguments.handle(), offset,
                                            count_buffer->handle(), count_offset, draw_count,
                                            stride);
    else if (count_buffer)
        impl.vk.CmdDrawIndirectCount(commands, arguments.handle(), offset, count_buffer->handle(),
                                     count_offset, draw_count, stride);
    else
        for (uint32_t done = 0, step = multi ? draw_count : 1; done < draw_count; done += step) {
            const VkDeviceSize at = offset + VkDeviceSize{done} * stride;
            if (info.indexed)
                impl.vk.CmdDrawIndexedIndirect(commands, arguments.handle(), at, step, stride);
            else
                impl.vk.CmdDrawIndirect(commands, arguments.handle(), at, step, stride);
        }
    impl.tally.draws += 1;
}

} // namespace kobalt::render
