// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <bit>
#include <utility>

#include "render/recorder/impl.h"
#include "render/sync/barrier.h"

// The barriers of a recorder: which uses are noted in Hazards, and when what it gathered is
// recorded.
//
// The hazard of each access to a resource is known, of shaders' loads and stores as well, so
// glMemoryBarrier has to add only what GL leaves to it: an order among loads and stores of several
// draws and dispatches. It opens an epoch. The first use after it of a resource with a store of an
// earlier epoch has the barrier, from the stages that stored to those that use it. Nothing is
// recorded where nothing was stored, or where nothing after it uses what was stored. By the bits of
// OpenGL 4.6, 7.13.2:
//
// - VERTEX_ATTRIB_ARRAY, ELEMENT_ARRAY: vertex and index reads, in add_fetch_accesses
// - UNIFORM, TEXTURE_FETCH: uniform and sampled reads, in add_stage_accesses and
//   add_resident_accesses
// - SHADER_IMAGE_ACCESS, SHADER_STORAGE, ATOMIC_COUNTER: storage, in add_stage_accesses with
//   the epoch
// - COMMAND: indirect reads, in add_access() of the draw or dispatch
// - PIXEL_BUFFER, TEXTURE_UPDATE, BUFFER_UPDATE, QUERY_BUFFER: transfers, in begin_copy; maps wait
//   for the batch
// - CLIENT_MAPPED_BUFFER: host reads; flush() ends each batch that wrote such memory with a barrier
//   for them
// - FRAMEBUFFER: attachments, in begin_pass; a pass with stores to its attachments is ended
// - TRANSFORM_FEEDBACK: in Capture::add_accesses(); a pass that captures is ended
//
// So the bits can be ignored, and glMemoryBarrierByRegion is the same: its stores and loads are
// those of fragment shaders, which Vulkan can order by region inside a pass only where the pass
// declared that before.

namespace kobalt::render {

void Recorder::Impl::initialize(Image& image) {
    engine.batches().initialize(image);
}

void Recorder::Impl::add_uniform_read(Stage stage, uint32_t slot) {
    const BufferRange& bound = state(stage).uniform_buffers[slot];
    if (!bound.buffer)
        return;
    hazards.read(*bound.buffer, pipeline_stage_bit(stage), VK_ACCESS_2_UNIFORM_READ_BIT,
                 ByteRange::of(bound.offset, bound.size));
}

bool Recorder::Impl::attached(const Image& image) const {
    const auto is_view = [&](const ImageView* view) { return view && &view->image() == &image; };
    for (uint32_t i = 0; i < framebuffer.color_count; ++i)
        if (is_view(framebuffer.color[i]) || is_view(framebuffer.color_targets[i].view))
            return true;
    return is_view(framebuffer.depth_stencil) || is_view(framebuffer.depth_stencil_target.view);
}

// Sampling what the open pass renders to is undefined in GL without a texture barrier, so it must
// not break the pass.
bool Recorder::Impl::add_sampled_read(Image& image, VkPipelineStageFlags2 where, bool in_pass) {
    if (attached(image)) {
        // Its descriptor names VK_IMAGE_LAYOUT_GENERAL.
        image.read_while_attached.store(true, std::memory_order_relaxed);
        if (in_pass) {
            if (hazards.attachment_layout(image))
                hazards.break_pass();
            batch->mark_used(image, false);
            return false;
        }
    }
    initialize(image);
    hazards.read(image, where, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    return true;
}

void Recorder::Impl::add_binding_access(Stage stage, const StageBinding& binding, bool in_pass) {
    const StageState& bound = state(stage);
    const VkPipelineStageFlags2 where = pipeline_stage_bit(stage);
    const uint32_t slot = binding.slot;
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        add_uniform_read(stage, slot);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        if (Buffer* buffer = bound.storage_buffers[slot].buffer)
            hazards.storage(*buffer, where, binding.writes);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        if (BufferView* view = bound.texel_buffers[slot])
            hazards.read(view->buffer(), where, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        if (ImageView* view = bound.images[slot]) {
            initialize(view->image());
            hazards.storage(view->image(), where, binding.writes);
            if (attached(view->image())) {
                view->image().read_while_attached.store(true, std::memory_order_relaxed);
                stored_to_attachment |= binding.writes;
            }
        }
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        if (BufferView* view = bound.image_texels[slot])
            hazards.storage(view->buffer(), where, binding.writes);
        break;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        break; // the pass adds the accesses to its attachments
    default:
        if (ImageView* view = bound.views[slot])
            add_sampled_read(view->image(), where, in_pass);
        break;
    }
}

void Recorder::Impl::add_stage_accesses(Stage stage, bool in_pass, Accesses which) {
    StageState& bound = state(stage);
    if (!bound.shader)
        return;
    const uint64_t from = which == Accesses::all ? 0 : bound.access_pending_from;
    bound.times.for_each_changed(bound.shader->bindings(), from, [&](const StageBinding& binding) {
        add_binding_access(stage, binding, in_pass);
    });
    if (stage != Stage::compute)
        pushes_pending_access &= ~pushed_bindings_of(stage);
}

void Recorder::Impl::add_push_accesses(bool in_pass) {
    uint32_t pending = pushes_pending_access & program->pushed_bindings();
    pushes_pending_access &= ~pending;
    for (; pending; pending &= pending - 1) {
        const auto binding = static_cast<uint32_t>(std::countr_zero(pending));
        if (binding == pushed_texture_binding) {
            if (ImageView* const view = state(Stage::fragment).views[0])
                add_sampled_read(view->image(), pipeline_stage_bit(Stage::fragment), in_pass);
            continue;
        }
        add_uniform_read(static_cast<Stage>(binding / pushed_slots), binding % pushed_slots);
    }
}

void Recorder::Impl::add_fetch_accesses(bool indexed, Accesses which) {
    if (which == Accesses::all)
        fetch.pending = fetch.filled;
    fetch.add_accesses(hazards, indexed && (which == Accesses::all || dirty & dirty_index_buffer));
}

void Recorder::Impl::record_barrier(const Hazard& needed, VkDependencyFlags flags) {
    render::record_barrier(vk, commands(), needed, {}, flags);
}

void Recorder::Impl::flush_barriers() {
    if (hazards.any()) {
        render::record_barrier(vk, commands(), hazards.memory(), hazards.images());
        ++tally.barriers;
    }
    hazards.clear();
}

void Recorder::add_access(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                          bool write) {
    if (impl_->broken)
        return;
    auto* image = dynamic_cast<Image*>(&resource);
    // A clear that waits for its pass comes before this use.
    if (image && !pass_open_ && impl_->attached(*image))
        leave_pass();
    if (write)
        impl_->hazards.write(resource, stages, access);
    else
        impl_->hazards.read(resource, stages, access);
    if (image)
        impl_->initialize(*image);
    if (impl_->hazards.any()) {
        leave_pass();
        impl_->flush_barriers();
    }
}

// Vulkan 1.4, "Render Pass Instance Dependencies" of dynamic rendering with local reads: inside a
// pass, by region, from the writes of attachments to their reads by fragments.
void Recorder::Impl::order_fetches() {
    if (!attachments_written)
        return;
    attachments_written = false;
    Hazard fetch{.source_stages = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                 .source_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                 .target_stages = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                 .target_access = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT};
    if (state(Stage::fragment).shader->fetches_depth_stencil()) {
        fetch.source_stages |= VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
                               VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
        fetch.source_access |= VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    }
    record_barrier(fetch, VK_DEPENDENCY_BY_REGION_BIT);
    ++tally.barriers;
}

void Recorder::texture_barrier() {
    leave_pass();
}

void Recorder::memory_barrier() {
    Impl& impl = *impl_;
    if (impl.broken || !impl.hazards.stored())
        return;
    impl.hazards.begin_epoch(engine_.batches().next_epoch());
    impl.accesses_added = false;
    // The accesses of an open pass's attachments and captures were added when they began.
    if (pass_open_ && (impl.stored_to_attachment || impl.capture.active()))
        leave_pass();
    impl.stored_to_attachment = false;
}

void Recorder::attachment_barrier() {
    impl_->note_attachment_writes();
}

void Recorder::full_barrier() {
    if (impl_->broken)
        return;
    leave_pass();
    impl_->hazards.add({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                        VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT});
    impl_->flush_barriers();
}

} // namespace kobalt::render
