// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Arrays of descriptors: an array that a shader indexes dynamically is one binding where the device
// supports that. GL requires such an index to be the same in all invocations (GLSL 4.60, 4.1.7.1);
// an index that can't be shown to be uniform is decorated NonUniform.

#include <algorithm>
#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

struct IndexCapabilities {
    spv::Capability dynamic, non_uniform;
};

IndexCapabilities capabilities_of(DescriptorKind kind) {
    using enum spv::Capability;
    switch (kind) {
    case DescriptorKind::uniform_buffer:
        return {UniformBufferArrayDynamicIndexing, UniformBufferArrayNonUniformIndexing};
    case DescriptorKind::uniform_texel_buffer:
        return {UniformTexelBufferArrayDynamicIndexing, UniformTexelBufferArrayNonUniformIndexing};
    case DescriptorKind::storage_buffer:
        return {StorageBufferArrayDynamicIndexing, StorageBufferArrayNonUniformIndexing};
    case DescriptorKind::storage_image:
        return {StorageImageArrayDynamicIndexing, StorageImageArrayNonUniformIndexing};
    case DescriptorKind::storage_texel_buffer:
        return {StorageTexelBufferArrayDynamicIndexing, StorageTexelBufferArrayNonUniformIndexing};
    default:
        return {SampledImageArrayDynamicIndexing, SampledImageArrayNonUniformIndexing};
    }
}

} // namespace

/// Records that some access indexes these slots.
void Translator::add_array(DescriptorKind kind, uint32_t first, uint32_t count) {
    if (count > 1 && target_.dynamic_arrays >> uint32_t(kind) & 1 && !array_of(kind, first))
        arrays_.push_back({kind, first, count});
}

/// The array that a slot is an element of; null: it has a binding of its own.
const DescriptorArray* Translator::array_of(DescriptorKind kind, uint32_t slot) const {
    const auto found = std::ranges::find_if(arrays_, [&](const DescriptorArray& array) {
        return array.kind == kind && slot - array.first < array.count;
    });
    return found == arrays_.end() ? nullptr : &*found;
}

/// How the memory of a slot is used, or of a whole array.
MemoryUse Translator::use_of(const std::map<uint32_t, MemoryUse>& uses,
                             const DescriptorArray* array, uint32_t slot) {
    MemoryUse all;
    bool first = true;
    for (uint32_t i = array ? array->first : slot, end = array ? i + array->count : slot + 1;
         i < end; i++) {
        const auto found = uses.find(i);
        if (found == uses.end())
            continue;
        const MemoryUse& one = found->second;
        all.read |= one.read;
        all.written |= one.written;
        all.coherent |= one.coherent;
        all.is_volatile |= one.is_volatile;
        all.aliased |= one.aliased;
        if (first || one.read || one.written)
            all.kind = one.kind;
        first = false;
    }
    return all;
}

/// The type of the variable for a slot: `element`, or an array of it.
Id Translator::array_or(DescriptorKind kind, uint32_t slot, Id element) {
    const DescriptorArray* array = array_of(kind, slot);
    return array ? b_.type_array(element, array->count, 0) : element;
}

/// A pointer to `descriptor`, which has the type `type`, in the variable of its slot.
Id Translator::element_pointer(DescriptorKind kind, Id variable, spv::StorageClass storage, Id type,
                               const DescriptorElement& descriptor) {
    const DescriptorArray* array = array_of(kind, descriptor.slot);
    if (!array)
        return variable;
    const Id index = descriptor.index ? descriptor.index : u32(descriptor.slot - array->first);
    const Id pointer = b_.access_chain(storage, type, variable, {index});
    if (descriptor.non_uniform)
        b_.decorate(pointer, spv::Decoration::NonUniform);
    return pointer;
}

/// Calls `emit` for the resource at slot `base` + `index`, one of `slots`: once where they are an
/// array, else once for each slot, in a switch. Returns its result of type `type`; 0 where `type`
/// is 0.
Id Translator::at_index(DescriptorKind kind, const nir_def* index, uint32_t base,
                        const std::vector<uint32_t>& slots, Id type,
                        const std::function<Id(const DescriptorElement& descriptor)>& emit) {
    if (slots.size() == 1)
        return emit({slots[0]});
    const DescriptorArray* array = array_of(kind, slots[0]);
    const bool same = is_uniform(index);
    if (!array || !(same || target_.non_uniform_arrays >> uint32_t(kind) & 1))
        return switch_over(get(index, Kind::uint), base, slots, type,
                           [&](uint32_t slot) { return emit({slot}); });
    const auto [dynamic, non_uniform] = capabilities_of(kind);
    b_.capability(dynamic);
    if (!same) {
        b_.capability(spv::Capability::ShaderNonUniform);
        b_.capability(non_uniform);
    }
    const Id uint32 = b_.type_int(32, false);
    Id element = get(index, Kind::uint);
    if (base > array->first)
        element = b_.emit(spv::Op::OpIAdd, uint32, {element, u32(base - array->first)});
    else if (base < array->first)
        element = b_.emit(spv::Op::OpISub, uint32, {element, u32(array->first - base)});
    // For an index past the end, GL leaves only the value undefined, Vulkan the behaviour.
    element = b_.emit_extended(GLSLstd450UMin, uint32, {element, u32(array->count - 1)});
    return emit({array->first, element, !same});
}

} // namespace kobalt::spirv
