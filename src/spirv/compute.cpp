// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Compute shaders: the workgroup's shape, its shared memory and the invocation's ids.

#include <algorithm>

#include "spirv/translator.h"

namespace kobalt::spirv {

void Translator::compute_modes() {
    const shader_info& info = nir_->info;
    std::array<uint32_t, 3> size = target_.workgroup_size;
    if (!info.workgroup_size_variable)
        std::copy_n(info.workgroup_size, 3, size.begin());
    for (uint32_t& extent : size)
        extent = std::max(extent, 1u);
    b_.execution_mode(spv::ExecutionMode::LocalSize, {size[0], size[1], size[2]});
    // NV_compute_shader_derivatives: which invocations are neighbours.
    if (info.derivative_group == DERIVATIVE_GROUP_NONE)
        return;
    const bool quads = info.derivative_group == DERIVATIVE_GROUP_QUADS;
    b_.extension("SPV_NV_compute_shader_derivatives");
    b_.capability(quads ? spv::Capability::ComputeDerivativeGroupQuadsNV
                        : spv::Capability::ComputeDerivativeGroupLinearNV);
    b_.execution_mode(quads ? spv::ExecutionMode::DerivativeGroupQuadsNV
                            : spv::ExecutionMode::DerivativeGroupLinearNV,
                      {});
}

void Translator::scan_shared(const nir_intrinsic_instr* intr) {
    if (intr->intrinsic == nir_intrinsic_shared_atomic ||
        intr->intrinsic == nir_intrinsic_shared_atomic_swap)
        (target_.workgroup_explicit_layout ? shared_views_ : shared_wide_) |=
            atomic_view(intr) != MemoryView::words;
}

/// A pointer to an element of shared memory declared as `view`: one array of words, or several
/// blocks that alias the same memory (SPV_KHR_workgroup_memory_explicit_layout).
Id Translator::shared_element(MemoryView view, Id index) {
    const Id element = element_type(view);
    Id& memory = shared_memory_[view];
    const uint32_t stride = element_bytes(view);
    const uint32_t length = std::max((nir_->info.shared_size + stride - 1) / stride, 1u);
    if (!memory && shared_views_) {
        b_.capability(spv::Capability::WorkgroupMemoryExplicitLayoutKHR);
        b_.extension("SPV_KHR_workgroup_memory_explicit_layout");
        memory = b_.variable(spv::StorageClass::Workgroup,
                             b_.type_block(b_.type_array(element, length, stride)));
        b_.decorate(memory, spv::Decoration::Aliased);
    } else if (!memory) {
        memory = b_.variable(spv::StorageClass::Workgroup, b_.type_array(element, length));
        if (target_.debug_names)
            b_.name(memory, "shared");
    }
    if (shared_views_)
        return b_.access_chain(spv::StorageClass::Workgroup, element, memory, {u32(0), index});
    return b_.access_chain(spv::StorageClass::Workgroup, element, memory, {index});
}

/// A load or store where shared memory is 64-bit elements (lower_shared_memory).
void Translator::access_wide_shared(const nir_intrinsic_instr* intr, Id byte_offset) {
    const bool load = intr->intrinsic == nir_intrinsic_load_shared;
    const nir_def* value = load ? &intr->def : intr->src[0].ssa;
    if (value->bit_size != 64) {
        fail_instruction("narrow access among wide ones:", &intr->instr);
        return;
    }
    const Id uint32 = b_.type_int(32, false);
    const Id first = element_index(byte_offset, MemoryView::uint64);
    std::vector<Id> members;
    for (unsigned i = 0; i < value->num_components; i++) {
        if (!load && !(nir_intrinsic_write_mask(intr) >> i & 1))
            continue;
        const Id index = i ? b_.emit(spv::Op::OpIAdd, uint32, {first, u32(i)}) : first;
        const Id pointer = shared_element(MemoryView::uint64, index);
        if (load)
            members.push_back(b_.load(element_type(MemoryView::uint64), pointer));
        else
            b_.store(pointer, component(value, i, Kind::uint));
    }
    if (load)
        set(&intr->def, Kind::uint, compose(element_type(MemoryView::uint64), members));
}

void Translator::emit_shared_atomic(const nir_intrinsic_instr* intr, Id byte_offset) {
    const bool swap = intr->intrinsic == nir_intrinsic_shared_atomic_swap;
    const MemoryView view = atomic_view(intr);
    if (view == MemoryView::uint64 && !target_.atomics.shared_int64) {
        fail_instruction("a 64-bit atomic operation, which the device does not have:",
                         &intr->instr);
        return;
    }
    const Id element = shared_element(view, element_index(byte_offset, view));
    set(&intr->def, element_kind(view),
        emit_atomic(intr, element, element_kind(view), spv::Scope::Workgroup,
                    intr->src[swap ? 2 : 1], swap ? &intr->src[1] : nullptr));
}

bool Translator::emit_compute_intrinsic(const nir_intrinsic_instr* intr) {
    const Id uint32 = b_.type_int(32, false);
    const auto vector = [&](spv::BuiltIn builtin) {
        set(&intr->def, Kind::uint, load_builtin(builtin, b_.type_vector(uint32, 3)));
        return true;
    };
    const auto offset = [&](const nir_src& source) {
        const Id bytes = get(source, Kind::uint);
        const uint32_t base = uint32_t(nir_intrinsic_base(intr));
        return base ? b_.emit(spv::Op::OpIAdd, uint32, {bytes, u32(base)}) : bytes;
    };
    const auto pointer = [this](Id word) { return shared_element(MemoryView::words, word); };
    switch (intr->intrinsic) {
    case nir_intrinsic_load_local_invocation_id:
        return vector(spv::BuiltIn::LocalInvocationId);
    case nir_intrinsic_load_workgroup_id:
        return vector(spv::BuiltIn::WorkgroupId);
    case nir_intrinsic_load_global_invocation_id:
        return vector(spv::BuiltIn::GlobalInvocationId);
    case nir_intrinsic_load_num_workgroups:
        return vector(spv::BuiltIn::NumWorkgroups);
    case nir_intrinsic_load_local_invocation_index:
        set(&intr->def, Kind::uint, load_builtin(spv::BuiltIn::LocalInvocationIndex, uint32));
        return true;
    case nir_intrinsic_load_base_workgroup_id:
    case nir_intrinsic_load_base_global_invocation_id: // GL has no base
        set(&intr->def, Kind::uint,
            b_.constant_null(value_type(Kind::uint, 32, intr->def.num_components)));
        return true;
    case nir_intrinsic_load_shared:
        if (shared_wide_)
            access_wide_shared(intr, offset(intr->src[0]));
        else
            set(&intr->def, Kind::uint, load_words(intr, offset(intr->src[0]), pointer));
        return true;
    case nir_intrinsic_store_shared:
        if (shared_wide_)
            access_wide_shared(intr, offset(intr->src[1]));
        else
            store_words(intr, offset(intr->src[1]), pointer);
        return true;
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap:
        emit_shared_atomic(intr, offset(intr->src[0]));
        return true;
    case nir_intrinsic_load_workgroup_size: { // a size that Mesa doesn't know at compile time
        std::vector<Id> members;
        for (unsigned i = 0; i < intr->def.num_components; i++)
            members.push_back(u32(std::max(nir_->info.workgroup_size_variable
                                               ? target_.workgroup_size[i]
                                               : uint32_t(nir_->info.workgroup_size[i]),
                                           1u)));
        set(&intr->def, Kind::uint, compose(uint32, members));
        return true;
    }
    default:
        return false;
    }
}

} // namespace kobalt::spirv
