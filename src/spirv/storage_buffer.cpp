// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Shader storage buffers, and atomic counters, which Mesa turns into them.

#include <bit>

#include "spirv/translator.h"

namespace kobalt::spirv {

void MemoryUse::add(unsigned access) {
    // GLSL's volatile memory may be changed at any time by another source (GLSL 4.60, 4.10), so it
    // must be read where others' writes are visible. SPIR-V's Volatile only requires the read to
    // happen; Coherent makes those writes visible.
    coherent = coherent || access & (ACCESS_COHERENT | ACCESS_VOLATILE);
    is_volatile = is_volatile || access & ACCESS_VOLATILE;
    // In GL two blocks or images may be the same memory unless declared `restrict`; SPIR-V assumes
    // the opposite unless decorated (section 2.18.2 of its specification).
    aliased = aliased || !(access & ACCESS_RESTRICT);
}

void MemoryUse::add(MemoryView view) {
    views |= static_cast<uint8_t>(1u << static_cast<unsigned>(view));
    // The buffer is declared once for each view.
    aliased = aliased || !std::has_single_bit(views);
}

/// The view by which a load or store of the buffer is one access, or words.
MemoryView Translator::buffer_view(const nir_intrinsic_instr* intr) {
    const bool store = intr->intrinsic == nir_intrinsic_store_ssbo;
    const nir_def& value = store ? *intr->src[0].ssa : intr->def;
    const unsigned count = value.num_components;
    if (value.bit_size != 32 || (count != 2 && count != 4) ||
        (store && nir_intrinsic_write_mask(intr) != (1u << count) - 1))
        return MemoryView::words;
    const unsigned bytes = 4 * count;
    if (nir_intrinsic_align(intr) < bytes)
        return MemoryView::words;
    return count == 4 ? MemoryView::vectors : MemoryView::pairs;
}

/// Decorates the memory behind a variable.
void Translator::decorate_memory(Id variable, const MemoryUse& use) {
    if (use.coherent)
        b_.decorate(variable, spv::Decoration::Coherent);
    if (use.is_volatile)
        b_.decorate(variable, spv::Decoration::Volatile);
    // Without vertexPipelineStoresAndAtomics or fragmentStoresAndAtomics, memory that isn't written
    // must be NonWritable. But memory that this variable only reads may change through an alias
    // that is written, and NVIDIA's driver (580) takes NonWritable as a promise that it doesn't
    // change.
    if (use.aliased && writes_memory_)
        b_.decorate(variable, spv::Decoration::Aliased);
    else if (!use.written)
        b_.decorate(variable, spv::Decoration::NonWritable);
}

/// The slots that a block index can select: one, or all of the shader's from there on.
std::vector<uint32_t> Translator::storage_buffer_slots(const nir_src& index) const {
    if (nir_src_is_const(index))
        return {uint32_t(nir_src_as_uint(index))};
    std::vector<uint32_t> slots(std::max<uint32_t>(nir_->info.num_ssbos, 1));
    for (uint32_t i = 0; i < slots.size(); i++)
        slots[i] = i;
    return slots;
}

void Translator::scan_storage_buffer(const nir_intrinsic_instr* intr) {
    const bool store = intr->intrinsic == nir_intrinsic_store_ssbo;
    const bool atomic = intr->intrinsic == nir_intrinsic_ssbo_atomic ||
                        intr->intrinsic == nir_intrinsic_ssbo_atomic_swap;
    if (!store && !atomic && intr->intrinsic != nir_intrinsic_load_ssbo &&
        intr->intrinsic != nir_intrinsic_get_ssbo_size)
        return;
    indexes_storage_buffers_ |= !nir_src_is_const(intr->src[store ? 1 : 0]);
    writes_memory_ |= store || atomic;
    for (const uint32_t slot : storage_buffer_slots(intr->src[store ? 1 : 0])) {
        ssbo_count_ = std::max(ssbo_count_, slot + 1);
        MemoryUse& use = storage_buffer_uses_[slot];
        use.written = use.written || store || atomic;
        use.add(nir_intrinsic_access(intr));
        if (intr->intrinsic != nir_intrinsic_get_ssbo_size)
            use.add(atomic ? atomic_view(intr) : buffer_view(intr));
    }
}

/// A pointer to the buffer as a runtime array.
Id Translator::storage_buffer(const DescriptorElement& descriptor, MemoryView view) {
    constexpr auto kind = DescriptorKind::storage_buffer;
    const DescriptorArray* array = array_of(kind, descriptor.slot);
    const uint32_t slot = array ? array->first : descriptor.slot;
    const Id block = b_.type_block(b_.type_runtime_array(element_type(view), element_bytes(view)));
    Id& id = storage_buffers_[{slot, view}];
    if (!id) {
        id = b_.variable(spv::StorageClass::StorageBuffer, array_or(kind, slot, block));
        use_binding(id, kind, slot);
        decorate_memory(id, use_of(storage_buffer_uses_, array, slot));
        if (target_.debug_names)
            b_.name(id, "ssbo" + std::to_string(slot));
    }
    return element_pointer(kind, id, spv::StorageClass::StorageBuffer, block, descriptor);
}

Id Translator::storage_element(const DescriptorElement& descriptor, MemoryView view, Id index) {
    const Id pointer = b_.access_chain(spv::StorageClass::StorageBuffer, element_type(view),
                                       storage_buffer(descriptor, view), {u32(0), index});
    if (descriptor.non_uniform)
        b_.decorate(pointer, spv::Decoration::NonUniform);
    return pointer;
}

void Translator::emit_storage_buffer_atomic(const nir_intrinsic_instr* intr) {
    const bool swap = intr->intrinsic == nir_intrinsic_ssbo_atomic_swap;
    const MemoryView view = atomic_view(intr);
    const Kind kind = element_kind(view);
    if (view == MemoryView::uint64 && !target_.atomics.buffer_int64) {
        fail_instruction("a 64-bit atomic operation, which the device does not have:",
                         &intr->instr);
        return;
    }
    const Id element = element_index(get(intr->src[1], Kind::uint), view);
    set(&intr->def, kind,
        at_index(DescriptorKind::storage_buffer, intr->src[0].ssa, 0,
                 storage_buffer_slots(intr->src[0]), element_type(view),
                 [&](const DescriptorElement& descriptor) {
                     return emit_atomic(intr, storage_element(descriptor, view, element), kind,
                                        spv::Scope::Device, intr->src[swap ? 3 : 2],
                                        swap ? &intr->src[2] : nullptr);
                 }));
}

bool Translator::emit_storage_buffer_intrinsic(const nir_intrinsic_instr* intr) {
    const Id uint32 = b_.type_int(32, false);
    const auto each = [&](unsigned source, Id type,
                          const std::function<Id(const DescriptorElement&)>& emit) {
        return at_index(DescriptorKind::storage_buffer, intr->src[source].ssa, 0,
                        storage_buffer_slots(intr->src[source]), type, emit);
    };
    const auto pointer = [this](const DescriptorElement& descriptor) {
        return [this, descriptor](Id word) {
            return storage_element(descriptor, MemoryView::words, word);
        };
    };
    switch (intr->intrinsic) {
    case nir_intrinsic_load_ssbo: {
        const Id offset = get(intr->src[1], Kind::uint);
        const Id type = value_type(Kind::uint, intr->def.bit_size, intr->def.num_components);
        const MemoryView view = buffer_view(intr);
        set(&intr->def, Kind::uint, each(0, type, [&](const DescriptorElement& descriptor) {
            if (view == MemoryView::words)
                return load_words(intr, offset, pointer(descriptor));
            return b_.load(type, storage_element(descriptor, view, element_index(offset, view)));
        }));
        return true;
    }
    case nir_intrinsic_store_ssbo: {
        const Id offset = get(intr->src[2], Kind::uint);
        each(1, 0, [&](const DescriptorElement& descriptor) {
            const MemoryView view = buffer_view(intr);
            if (view == MemoryView::words)
                store_words(intr, offset, pointer(descriptor));
            else
                b_.store(storage_element(descriptor, view, element_index(offset, view)),
                         get(intr->src[0], Kind::uint));
            return Id{0};
        });
        return true;
    }
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
        emit_storage_buffer_atomic(intr);
        return true;
    case nir_intrinsic_get_ssbo_size:
        set(&intr->def, Kind::uint, each(0, uint32, [&](const DescriptorElement& descriptor) {
            const Id words =
                b_.emit(spv::Op::OpArrayLength, uint32, {storage_buffer(descriptor), 0});
            return b_.emit(spv::Op::OpShiftLeftLogical, uint32, {words, u32(2)});
        }));
        return true;
    default:
        return false;
    }
}

} // namespace kobalt::spirv
