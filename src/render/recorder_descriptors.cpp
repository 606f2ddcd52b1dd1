// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <bit>

#include "render/null_views.h"
#include "render/recorder_impl.h"
#include "vulkan/descriptors/push_descriptor.h"

namespace kobalt::render {

// Member by member: what is stored in halves and then loaded whole makes the processor wait.
const Buffer& Recorder::Impl::name_range(const BufferRange& range, VkDeviceSize limit,
                                         VkDescriptorBufferInfo& named) const {
    const VkDeviceSize end = range.buffer ? range.buffer->size() : 0;
    const VkDeviceSize size =
        end > range.offset ? std::min({range.size, end - range.offset, limit}) : 0;
    const Buffer& target = size ? *range.buffer : engine.null_buffer();
    named.buffer = target.handle();
    named.offset = size ? range.offset : 0;
    named.range = size ? size : std::min(target.size(), limit);
    return target;
}

void Recorder::Impl::resolve(const StageState& bound, const StageBinding& binding,
                             DescriptorData& data) {
    data.type = binding.type;
    const auto buffer = [&](const BufferRange& range, VkDeviceSize limit) {
        VkDescriptorBufferInfo named;
        const Buffer& target = name_range(range, limit, named);
        data.buffer = named.buffer;
        data.offset = named.offset;
        data.range = named.range;
        data.address = paths.descriptor_buffer ? target.address() + named.offset : 0;
    };
    const auto texels = [&](BufferView* view) {
        if (!view)
            view = engine.null_views().texels(binding.shape.texels);
        if (!view)
            return; // a null descriptor
        data.bytes = view->descriptor();
        data.texel_buffer = view->handle();
        data.format = view->format;
        data.range = view->size;
        data.address = paths.descriptor_buffer ? view->buffer().address() + view->offset : 0;
    };
    const auto image = [&](ImageView* view) {
        if (!view)
            view = engine.null_views().get(binding.shape);
        if (view) // else a null descriptor
            data.view = view->handle();
    };
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        buffer(bound.uniform_buffers[binding.slot], engine.device().limits().maxUniformBufferRange);
        break;
    // Memory that stood in would keep what one shader stores for all others to read, and it would
    // have a length.
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: {
        const BufferRange& range = bound.storage_buffers[binding.slot];
        const bool memory = range.buffer && range.size && range.offset < range.buffer->size();
        if (memory || !paths.null_descriptor)
            buffer(range, engine.device().limits().maxStorageBufferRange);
        else
            data.range = VK_WHOLE_SIZE; // as Vulkan wants it beside no buffer
        break;
    }
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        if (bound.texel_buffers[binding.slot] || !paths.null_descriptor)
            texels(bound.texel_buffers[binding.slot]);
        break;
    // Nothing bound, or nothing that the shader's type fits: loads are zero and stores are lost
    // (OpenGL 4.6, 8.26), which only a null descriptor does.
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        if (bound.image_texels[binding.slot] || !paths.null_descriptor)
            texels(bound.image_texels[binding.slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: {
        ImageView* view = bound.images[binding.slot];
        if (view)
            view = (view->image().storage().samples() > 1) == binding.shape.multisampled
                       ? view->as(binding.shape.type)
                       : nullptr;
        if (view || !paths.null_descriptor)
            image(view);
        break;
    }
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        image(binding.slot == depth_fetch_slot     ? fetched_depth
              : binding.slot == stencil_fetch_slot ? fetched_stencil
                                                   : framebuffer.color[binding.slot]);
        break;
    default: {
        ImageView* compared = binding.compares ? bound.compared_views[binding.slot].get() : nullptr;
        image(compared ? compared : bound.views[binding.slot]);
        const Sampler& sampler =
            bound.samplers[binding.slot] ? *bound.samplers[binding.slot] : engine.null_sampler();
        data.sampler = sampler.handle();
        break;
    }
    }
}

// The engine's substitutes for what is not bound live as long as it does.
void Recorder::Impl::keep_bound(const StageState& bound, const StageBinding& binding) {
    const uint32_t slot = binding.slot;
    const auto keep_object = [&](const RefCounted* object) {
        if (object)
            batch->keep(*object);
    };
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        break; // keep_bound() of the batch's begin
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        // The pass keeps the colours.
        keep_object(slot == depth_fetch_slot     ? fetched_depth
                    : slot == stencil_fetch_slot ? fetched_stencil
                                                 : nullptr);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        keep_object(bound.texel_buffers[slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        keep_object(bound.image_texels[slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        keep_object(bound.images[slot]);
        break;
    default:
        keep_object(bound.views[slot]);
        keep_object(bound.compared_views[slot]);
        keep_object(bound.samplers[slot]);
        break;
    }
}

void Recorder::Impl::forget_sets() {
    sets.clear();
    object_sets.clear();
    if (binder)
        binder->forget();
    bound_sets.fill(nullptr);
    compute.bound_layout = nullptr;
    for (uint32_t i = 0; i < stage_count; ++i) {
        stages[i].set = nullptr;
        mark_all(static_cast<Stage>(i));
    }
}

bool Recorder::Impl::write_stage(Stage stage) {
    StageState& bound = state(stage);
    if (!bound.shader || !bound.shader->set_layout())
        return true;
    const bool object = draws_objects && stage != Stage::compute;
    if (!bound.set)
        bound.set = &(object ? object_sets : sets)[bound.shader->id()];
    ShaderSet& own = *bound.set;
    const SetLayout& layout =
        object ? *wanted_layout->sets[descriptor_set_of(stage)] : *bound.shader->set_layout();
    const std::span<const StageBinding> bindings = bound.shader->set_bindings();
    const bool keeps = own.kept_in == batch->id();
    resolved.clear();
    const uint32_t* const places = object ? bound.shader->object()->places.data() : nullptr;
    for (uint32_t i = 0; i < bindings.size(); ++i) {
        const bool outdated = bound.times.of(bindings[i]) >= own.outdated_from;
        if (outdated)
            resolve(bound, bindings[i],
                    resolved.emplace_back(DescriptorData{.index = places ? places[i] : i}));
        if (outdated || !keeps)
            keep_bound(bound, bindings[i]);
    }
    if (!resolved.empty()) {
        binder->encode(own.set, layout, resolved);
        tally.descriptors += resolved.size();
    }
    own.outdated_from = bound.times.next();
    own.kept_in = batch->id();
    if (own.set.epoch != binder->epoch()) {
        if (!binder->place(own.set, layout))
            return false;
        ++tally.descriptor_writes;
        descriptor_bytes += own.set.content.empty() ? layout.layout.size() : own.set.content.size();
    }
    if (stage != Stage::compute) // which has the number of another stage's set
        bound_sets[descriptor_set_of(stage)] = &own.set;
    return true;
}

void Recorder::Impl::forget_pushes() {
    for (uint32_t i = 0; i < graphics_stage_count; ++i)
        stages[i].pushed_at.fill({});
}

// The set is the same in every layout and holds the buffers of stages, not of shaders: what another
// program left there stays right until its binding point gets something else.
void Recorder::Impl::push_blocks(uint32_t pending) {
    constexpr size_t most = size_t{graphics_stage_count} * pushed_slots;
    std::array<VkDescriptorBufferInfo, most> buffers;
    std::array<VkWriteDescriptorSet, most> writes;
    const VkDeviceSize limit = engine.device().limits().maxUniformBufferRange;
    uint32_t count = 0;
    for (; pending; pending &= pending - 1) {
        const auto stage = static_cast<Stage>(std::countr_zero(pending));
        StageState& bound = state(stage);
        for (const StageBinding& binding : bound.shader->pushed_bindings()) {
            const uint64_t time = bound.times.uniform_buffers[binding.slot];
            if (bound.pushed_at[binding.slot] == time)
                continue;
            bound.pushed_at[binding.slot] = time;
            (void)name_range(bound.uniform_buffers[binding.slot], limit, buffers[count]);
            writes[count] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
            writes[count].dstBinding = binding.binding;
            writes[count].descriptorCount = 1;
            writes[count].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
            writes[count].pBufferInfo = &buffers[count];
            ++count;
        }
    }
    if (!count)
        return;
    vulkan::push_descriptors(engine.device(), commands(), VK_PIPELINE_BIND_POINT_GRAPHICS,
                             wanted_layout->layout.get(), pushed_set,
                             std::span(writes).first(count));
    tally.descriptors += count;
    ++binder->counts.offsets;
}

namespace {

/// The first set that two layouts have not in common: those before it stay bound (Vulkan 1.3,
/// 14.2.2). `before`: null where none was bound.
uint32_t first_difference(const PipelineLayoutEntry* before, const PipelineLayoutEntry& now) {
    if (!before)
        return 0;
    const auto [other, own] = std::ranges::mismatch(before->sets, now.sets);
    return static_cast<uint32_t>(own - now.sets.begin());
}

} // namespace

bool Recorder::Impl::update_descriptors() {
    const PipelineLayoutEntry* layout = wanted_layout;
    uint32_t rebind = 0; // mask of set numbers
    uint32_t pushing = program->pushing_stages();
    if (layout != bound_layout) {
        rebind = binder->disturbs_all() ? ~0u : ~0u << first_difference(bound_layout, *layout);
        forget_pushes(); // whether this program pushes or not: the next with its layout may
    } else {
        pushing &= pushes_dirty;
    }
    const uint32_t uses = program->stages_with_sets();
    push_blocks(pushing);
    uint32_t pending = stages_dirty & uses;
    for (uint64_t epoch = 0; epoch != binder->epoch();) {
        // Where the epoch changes in between, all are placed in the new one.
        if (epoch)
            pending = uses;
        epoch = binder->epoch();
        for (; pending; pending &= pending - 1) {
            const auto stage = static_cast<Stage>(std::countr_zero(pending));
            if (!write_stage(stage))
                return false;
            rebind |= 1u << descriptor_set_of(stage);
        }
    }
    // All that changed was tracked before.
    for (pending = stages_changed(); pending; pending &= pending - 1) {
        StageState& bound = state(static_cast<Stage>(std::countr_zero(pending)));
        bound.untracked_from = bound.times.next();
    }
    stages_dirty = pushes_dirty = 0;
    if (program->handle_stages()) {
        const BindlessBind bind = bind_bindless(VK_PIPELINE_BIND_POINT_GRAPHICS, *layout);
        if (bind == BindlessBind::failed)
            return false;
        if (bind == BindlessBind::bound_alone)
            rebind = ~0u;
    }
    // The sets of the graphics stages have their stages' numbers, one up.
    static_assert(descriptor_set_of(Stage::vertex) == 1 && descriptor_set_of(Stage::geometry) == 5);
    if (const uint32_t mask = rebind & uses << 1) {
        binder->bind(commands(), VK_PIPELINE_BIND_POINT_GRAPHICS, *layout, bound_sets, mask);
        ++tally.descriptor_binds;
    }
    bound_layout = layout;
    return true;
}

} // namespace kobalt::render
