// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Atomic operations on one word of a buffer, of shared memory or of an image.

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
    default:
        return OpNop;
    }
}

} // namespace

/// Returns the word's value before, in `kind`, which is that of the pointer's target.
Id Translator::emit_atomic(const nir_intrinsic_instr* intr, Id pointer, Kind kind, spv::Scope scope,
                           const nir_src& data, const nir_src* compare) {
    const spv::Op op = atomic_instruction(nir_intrinsic_atomic_op(intr));
    if (op == spv::Op::OpNop) {
        fail_instruction("atomic operation on floats of", &intr->instr);
        return 0;
    }
    // GL's atomics order nothing but themselves: no memory semantics.
    const auto operand = [&](const nir_src& source) {
        const Kind native = kind == Kind::sint ? Kind::uint : kind;
        return cast(get(source, native), native, kind, 32, 1);
    };
    std::vector<uint32_t> words{pointer, u32(uint32_t(scope)), u32(0)};
    if (compare)
        words.push_back(u32(0)); // where the comparison fails
    words.push_back(operand(data));
    if (compare)
        words.push_back(operand(*compare));
    return b_.emit(op, scalar_type(kind, 32), words);
}

} // namespace kobalt::spirv
