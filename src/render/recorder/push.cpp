// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <bit>

#include "render/recorder/impl.h"
#include "vulkan/descriptors/push_descriptor.h"

// The pushed set: the same in every layout, with the buffers and a texture of stages, not of
// shaders. What another program left there stays right until its binding point changes.

namespace kobalt::render {

void Recorder::Impl::forget_pushes() {
    outdated_pushes = all_pushed_bindings;
    pushed_texture = {};
}

bool Recorder::Impl::fill_pushed_texture() {
    StageState& bound = state(Stage::fragment);
    const StageBinding& binding = bound.shader->pushed_bindings().back(); // after its buffers
    // The placeholder where no complete texture is bound depends on the shader.
    const ImageView* const view = bound.views[binding.slot].get();
    const bool complete = view && !view->image().is_placeholder.load(std::memory_order_relaxed);
    const DescriptorName name = complete ? name_of(bound, binding) : DescriptorName{};
    if (complete && name == pushed_texture)
        return false;
    pushed_texture = name;
    retain_bound(bound, binding);
    name_texture(bound, binding, pushes.texture.imageView, pushes.texture.sampler);
    return true;
}

void Recorder::Impl::fill_pushed_block(uint32_t binding) {
    const StageState& bound = stages[binding / pushed_slots];
    (void)name_range(bound.uniform_buffers[binding % pushed_slots], most_uniform_bytes,
                     pushes.buffers[binding]);
}

void Recorder::Impl::record_pushes(std::span<const VkWriteDescriptorSet> writes) {
    tally.descriptors += writes.size();
    ++binder->counts.offsets;
    vulkan::push_descriptors(engine.device(), commands(), VK_PIPELINE_BIND_POINT_GRAPHICS,
                             wanted_layout->layout.get(), pushed_set, writes);
}

// noinline: the common case of one buffer would pay for the array.
[[gnu::noinline]] void Recorder::Impl::push_several(uint32_t bindings) {
    if (constexpr uint32_t texture = 1u << pushed_texture_binding;
        bindings & texture && !fill_pushed_texture())
        bindings &= ~texture;
    std::array<VkWriteDescriptorSet, pushed_bindings_count> writes;
    uint32_t count = 0;
    for (uint32_t left = bindings; left; left &= left - 1) {
        const auto binding = static_cast<uint32_t>(std::countr_zero(left));
        if (binding != pushed_texture_binding)
            fill_pushed_block(binding);
        writes[count++] = pushes.write(binding);
    }
    if (count)
        record_pushes({writes.data(), count});
}

void Recorder::Impl::push(uint32_t bindings) {
    outdated_pushes &= ~bindings;
    const auto binding = static_cast<uint32_t>(std::countr_zero(bindings));
    if (bindings != 1u << binding)
        return push_several(bindings);
    if (binding != pushed_texture_binding)
        fill_pushed_block(binding);
    else if (!fill_pushed_texture())
        return;
    record_pushes({&pushes.write(binding), 1});
}

} // namespace kobalt::render
