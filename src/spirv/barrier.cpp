// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Barriers of execution and memory, in the GLSL450 memory model.

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

spv::Scope scope_of(mesa_scope scope) {
    switch (scope) {
    case SCOPE_DEVICE:
    case SCOPE_QUEUE_FAMILY: // a scope of the Vulkan memory model only
        return spv::Scope::Device;
    case SCOPE_WORKGROUP:
        return spv::Scope::Workgroup;
    case SCOPE_SUBGROUP:
        return spv::Scope::Subgroup;
    default:
        return spv::Scope::Invocation;
    }
}

} // namespace

bool Translator::emit_barrier(const nir_intrinsic_instr* intr) {
    if (intr->intrinsic != nir_intrinsic_barrier)
        return false;
    const mesa_scope execution = nir_intrinsic_execution_scope(intr);
    const nir_variable_mode modes = nir_intrinsic_memory_modes(intr);

    using Semantics = spv::MemorySemanticsMask;
    uint32_t memory = 0;
    if (modes & (nir_var_mem_ssbo | nir_var_mem_global | nir_var_uniform))
        memory |= uint32_t(Semantics::UniformMemory);
    if (modes & nir_var_mem_shared)
        memory |= uint32_t(Semantics::WorkgroupMemory);
    if (modes & nir_var_image)
        memory |= uint32_t(Semantics::ImageMemory);
    // OpControlBarrier orders a control shader's outputs without memory semantics for them.
    const spv::Scope scope =
        memory ? scope_of(nir_intrinsic_memory_scope(intr)) : spv::Scope::Invocation;
    if (memory)
        memory |= uint32_t(Semantics::AcquireRelease);
    if (execution != SCOPE_NONE)
        b_.emit_void(spv::Op::OpControlBarrier,
                     {u32(uint32_t(scope_of(execution))), u32(uint32_t(scope)), u32(memory)});
    else if (memory)
        b_.emit_void(spv::Op::OpMemoryBarrier, {u32(uint32_t(scope)), u32(memory)});
    return true;
}

} // namespace kobalt::spirv
