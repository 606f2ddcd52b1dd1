// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Atomic operations on one element of a buffer, of shared memory or of an image.

#include <bit>

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

spv::Op atomic_instruction(nir_atomic_op op) {
    using enum spv::Op;
    switch (op) {
    case nir_atomic_op_iadd:
        return OpAtomicIAdd;
    case nir_atomic_op_imin:
        return OpAtomicSMin;
    case nir_atomic_op_umin:
        return OpAtomicUMin;
    case nir_atomic_op_imax:
        return OpAtomicSMax;
    case nir_atomic_op_umax:
        return OpAtomicUMax;
    case nir_atomic_op_iand:
        return OpAtomicAnd;
    case nir_atomic_op_ior:
        return OpAtomicOr;
    case nir_atomic_op_ixor:
        return OpAtomicXor;
    case nir_atomic_op_xchg:
        return OpAtomicExchange;
    case nir_atomic_op_cmpxchg:
        return OpAtomicCompareExchange;
    case nir_atomic_op_fadd:
        return OpAtomicFAddEXT;
    case nir_atomic_op_fmin:
        return OpAtomicFMinEXT;
    case nir_atomic_op_fmax:
        return OpAtomicFMaxEXT;
    default:
        return OpNop;
    }
}

} // namespace

MemoryView Translator::atomic_view(const nir_intrinsic_instr* intr) {
    if (intr->def.bit_size == 64)
        return MemoryView::uint64;
    switch (nir_intrinsic_atomic_op(intr)) {
    case nir_atomic_op_fadd:
    case nir_atomic_op_fmin:
    case nir_atomic_op_fmax:
        return MemoryView::float32;
    default:
        return MemoryView::words;
    }
}

Kind Translator::element_kind(MemoryView view) {
    return view == MemoryView::float32 ? Kind::floating : Kind::uint;
}

uint32_t Translator::element_bytes(MemoryView view) {
    switch (view) {
    case MemoryView::words:
    case MemoryView::float32:
        return 4;
    case MemoryView::uint64:
    case MemoryView::pairs:
        return 8;
    case MemoryView::vectors:
        return 16;
    }
    return 0;
}

Id Translator::element_type(MemoryView view) {
    if (view == MemoryView::pairs || view == MemoryView::vectors)
        return b_.type_vector(scalar_type(Kind::uint, 32), element_bytes(view) / 4);
    return scalar_type(element_kind(view), view == MemoryView::uint64 ? 64 : 32);
}

Id Translator::element_index(Id byte_offset, MemoryView view) {
    return b_.emit(spv::Op::OpShiftRightLogical, b_.type_int(32, false),
                   {byte_offset, u32(std::countr_zero(element_bytes(view)))});
}

/// Returns the element's value before the operation, in `kind`, which is the kind of the pointer's
/// target.
Id Translator::emit_atomic(const nir_intrinsic_instr* intr, Id pointer, Kind kind, spv::Scope scope,
                           const nir_src& data, const nir_src* compare) {
    const spv::Op op = atomic_instruction(nir_intrinsic_atomic_op(intr));
    const unsigned bits = intr->def.bit_size;
    if (op == spv::Op::OpAtomicFAddEXT) {
        b_.capability(spv::Capability::AtomicFloat32AddEXT);
        b_.extension("SPV_EXT_shader_atomic_float_add");
    } else if (op == spv::Op::OpAtomicFMinEXT || op == spv::Op::OpAtomicFMaxEXT) {
        b_.capability(spv::Capability::AtomicFloat32MinMaxEXT);
        b_.extension("SPV_EXT_shader_atomic_float_min_max");
    }
    const bool of_floats = op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicFMinEXT ||
                           op == spv::Op::OpAtomicFMaxEXT;
    const bool possible =
        kind == Kind::floating ? of_floats || op == spv::Op::OpAtomicExchange : !of_floats;
    if (op == spv::Op::OpNop || !possible || (of_floats && bits != 32)) {
        fail_instruction("atomic operation on floats of", &intr->instr);
        return 0;
    }
    if (bits == 64)
        b_.capability(spv::Capability::Int64Atomics);
    // GL's atomics order nothing but themselves: no memory semantics.
    const auto operand = [&](const nir_src& source) {
        const Kind native = kind == Kind::sint ? Kind::uint : kind;
        return cast(get(source, native), native, kind, bits, 1);
    };
    std::vector<uint32_t> words{pointer, u32(uint32_t(scope)), u32(0)};
    if (compare)
        words.push_back(u32(0)); // memory semantics where the comparison fails
    words.push_back(operand(data));
    if (compare)
        words.push_back(operand(*compare));
    return b_.emit(op, scalar_type(kind, bits), words);
}

} // namespace kobalt::spirv
