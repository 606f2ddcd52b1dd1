// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Binding numbers. Each kind has a range of numbers, as long as its highest used slot, after the
// range of the previous kind. An array has the number of its first slot.

#include "spirv/translator.h"

namespace kobalt::spirv {

uint32_t Translator::binding_of(DescriptorKind kind, uint32_t slot) {
    switch (kind) {
    case DescriptorKind::uniform_buffer:
        return slot;
    case DescriptorKind::combined_image_sampler:
    case DescriptorKind::uniform_texel_buffer:
        return ubo_count_ + slot;
    case DescriptorKind::storage_buffer:
        return ubo_count_ + sampler_count_ + slot;
    case DescriptorKind::storage_image:
    case DescriptorKind::storage_texel_buffer:
        return ubo_count_ + sampler_count_ + ssbo_count_ + slot;
    case DescriptorKind::input_attachment:
        return ubo_count_ + sampler_count_ + ssbo_count_ + image_count_ + slot;
    }
    return 0;
}

void Translator::use_binding(Id variable, DescriptorKind kind, uint32_t slot,
                             const ImageShape& image) {
    const DescriptorArray* array = array_of(kind, slot);
    if (array)
        slot = array->first;
    const bool pushed_texture = kind == DescriptorKind::combined_image_sampler &&
                                target_.pushed_texture && sampler_count_ == 1 && !array;
    const bool pushed = pushed_texture || (kind == DescriptorKind::uniform_buffer &&
                                           slot < target_.pushed_slots && !array);
    const uint32_t binding = pushed_texture ? *target_.pushed_texture
                             : pushed       ? target_.first_pushed + slot
                                            : binding_of(kind, slot);
    b_.decorate(variable, spv::Decoration::DescriptorSet,
                {pushed ? target_.pushed_set : target_.descriptor_set});
    b_.decorate(variable, spv::Decoration::Binding, {binding});
    if (!bound_.try_emplace({kind, slot}, true).second)
        return;
    const bool storage_image =
        kind == DescriptorKind::storage_image || kind == DescriptorKind::storage_texel_buffer;
    for (const uint32_t end = slot + (array ? array->count : 1); slot < end; slot++) {
        const bool swizzles =
            kind == DescriptorKind::combined_image_sampler && (vector_shadow_slots_ >> slot & 1);
        const bool writes = kind == DescriptorKind::storage_buffer
                                ? storage_buffer_uses_[slot].written
                            : storage_image ? image_uses_[slot].written
                                            : false;
        out_.bindings.push_back({binding, kind, slot, image, swizzles, writes, pushed});
    }
}

} // namespace kobalt::spirv
