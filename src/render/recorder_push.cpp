// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <bit>

#include "render/recorder_impl.h"
#include "vulkan/descriptors/push_descriptor.h"

// The set that is pushed: the same in every layout, with the buffers of stages and a texture, not
// of shaders. What another program left there stays right until its binding point gets something
// else.

namespace kobalt::render {

void Recorder::Impl::forget_pushes() {
    for (uint32_t i = 0; i < graphics_stage_count; ++i) {
        stages[i].pushed_at.fill({});
        stages[i].pushed_texture = {};
    }
}

bool Recorder::Impl::push_block(StageState& bound, const StageBinding& binding) {
    const uint64_t time = bound.times.uniform_buffer(binding.slot);
    if (bound.pushed_at[binding.slot] == time)
        return false;
    bound.pushed_at[binding.slot] = time;
    (void)name_range(bound.uniform_buffers[binding.slot], most_uniform_bytes,
                     pushes.buffers[binding.binding]);
    return true;
}

bool Recorder::Impl::push_texture(StageState& bound, const StageBinding& binding) {
    // What stands in where no complete texture is bound depends on the shader.
    const ImageView* const view = bound.views[binding.slot].get();
    const bool shown = view && !view->image().stands_in.load(std::memory_order_relaxed);
    const DescriptorName name = shown ? name_of(bound, binding) : DescriptorName{};
    if (shown && name == bound.pushed_texture)
        return false;
    bound.pushed_texture = name;
    keep_bound(bound, binding);
    name_texture(bound, binding, pushes.texture.imageView, pushes.texture.sampler);
    return true;
}

void Recorder::Impl::push_changed(uint32_t pending) {
    uint32_t changed = 0; // mask of bindings
    for (; pending; pending &= pending - 1) {
        StageState& bound = stages[static_cast<size_t>(std::countr_zero(pending))];
        for (const StageBinding& binding : bound.shader->pushed_bindings())
            if (binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ? push_block(bound, binding)
                                                                  : push_texture(bound, binding))
                changed |= 1u << binding.binding;
    }
    if (!changed)
        return;
    std::array<VkWriteDescriptorSet, pushed_bindings_count> several;
    std::span<const VkWriteDescriptorSet> writes(&pushes.write(std::countr_zero(changed)), 1);
    if (!std::has_single_bit(changed)) {
        size_t count = 0;
        for (uint32_t left = changed; left; left &= left - 1)
            several[count++] = pushes.write(std::countr_zero(left));
        writes = std::span(several).first(count);
    }
    vulkan::push_descriptors(engine.device(), commands(), VK_PIPELINE_BIND_POINT_GRAPHICS,
                             wanted_layout->layout.get(), pushed_set, writes);
    tally.descriptors += writes.size();
    ++binder->counts.offsets;
}

} // namespace kobalt::render
