// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Compute shaders: the workgroup's shape, its shared memory and who an invocation is.

#include "spirv/translator.h"

namespace kobalt::spirv {

void Translator::compute_modes() {
    const shader_info& info = nir_->info;
    if (info.workgroup_size_variable) {
        fail("a workgroup size that is known only at the dispatch");
        return;
    }
    b_.execution_mode(spv::ExecutionMode::LocalSize,
                      {std::max<uint32_t>(info.workgroup_size[0], 1),
                       std::max<uint32_t>(info.workgroup_size[1], 1),
                       std::max<uint32_t>(info.workgroup_size[2], 1)});
}

Id Translator::shared_word(Id word) {
    const Id uint32 = b_.type_int(32, false);
    if (!shared_memory_) {
        const uint32_t words = std::max((nir_->info.shared_size + 3) / 4, 1u);
        shared_memory_ = b_.variable(spv::StorageClass::Workgroup, b_.type_array(uint32, words));
        if (target_.debug_names)
            b_.name(shared_memory_, "shared");
    }
    return b_.access_chain(spv::StorageClass::Workgroup, uint32, shared_memory_, {word});
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
    const auto pointer = [this](Id word) { return shared_word(word); };
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
        set(&intr->def, Kind::uint, load_words(intr, offset(intr->src[0]), pointer));
        return true;
    case nir_intrinsic_store_shared:
        store_words(intr, offset(intr->src[1]), pointer);
        return true;
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap: {
        if (intr->def.bit_size != 32) {
            fail_instruction("64-bit atomic", &intr->instr);
            return true;
        }
        const bool swap = intr->intrinsic == nir_intrinsic_shared_atomic_swap;
        const Id word = shared_word(word_index(offset(intr->src[0])));
        set(&intr->def, Kind::uint,
            emit_atomic(intr, word, Kind::uint, spv::Scope::Workgroup, intr->src[swap ? 2 : 1],
                        swap ? &intr->src[1] : nullptr));
        return true;
    }
    default:
        return false;
    }
}

} // namespace kobalt::spirv
