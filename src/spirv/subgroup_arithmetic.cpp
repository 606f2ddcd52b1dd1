// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Subgroups: exchange of values between invocations, and reductions (GL_KHR_shader_subgroup).

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

struct Reduction {
    spv::Op op;
    Kind kind;
};

/// `bits` 1: booleans, for which bitwise operations become logical ones.
Reduction reduction_of(nir_op op, unsigned bits) {
    using enum spv::Op;
    const bool boolean = bits == 1;
    const Kind integer = boolean ? Kind::boolean : Kind::uint;
    switch (op) {
    case nir_op_iadd:
        return {OpGroupNonUniformIAdd, Kind::uint};
    case nir_op_fadd:
        return {OpGroupNonUniformFAdd, Kind::floating};
    case nir_op_imul:
        return {OpGroupNonUniformIMul, Kind::uint};
    case nir_op_fmul:
        return {OpGroupNonUniformFMul, Kind::floating};
    case nir_op_imin:
        return {OpGroupNonUniformSMin, Kind::uint};
    case nir_op_umin:
        return {OpGroupNonUniformUMin, Kind::uint};
    case nir_op_fmin:
        return {OpGroupNonUniformFMin, Kind::floating};
    case nir_op_imax:
        return {OpGroupNonUniformSMax, Kind::uint};
    case nir_op_umax:
        return {OpGroupNonUniformUMax, Kind::uint};
    case nir_op_fmax:
        return {OpGroupNonUniformFMax, Kind::floating};
    case nir_op_iand:
        return {boolean ? OpGroupNonUniformLogicalAnd : OpGroupNonUniformBitwiseAnd, integer};
    case nir_op_ior:
        return {boolean ? OpGroupNonUniformLogicalOr : OpGroupNonUniformBitwiseOr, integer};
    case nir_op_ixor:
        return {boolean ? OpGroupNonUniformLogicalXor : OpGroupNonUniformBitwiseXor, integer};
    default:
        return {OpNop, Kind::uint};
    }
}

} // namespace

/// The kind that a value is exchanged as. GLSL exchanges 64-bit floats but no 64-bit integers,
/// which would need shaderSubgroupExtendedTypes.
Kind Translator::moved_kind(const nir_def* def) const {
    if (def->bit_size == 1)
        return Kind::boolean;
    return def->bit_size == 64 && target_.float64 ? Kind::floating : Kind::uint;
}

bool Translator::emit_subgroup_exchange(const nir_intrinsic_instr* intr) {
    const Id scope = u32(uint32_t(spv::Scope::Subgroup));
    const auto move = [&](spv::Op op, spv::Capability capability,
                          std::initializer_list<uint32_t> operands) {
        use_subgroups(intr, capability);
        const Kind kind = moved_kind(&intr->def);
        std::vector<uint32_t> words{scope, get(intr->src[0], kind)};
        words.insert(words.end(), operands);
        set(&intr->def, kind,
            b_.emit(op, value_type(kind, intr->def.bit_size, intr->def.num_components), words));
        return true;
    };
    const auto other = [&] { return get(intr->src[1], Kind::uint); };
    const auto swap_quad = [&](uint32_t direction) {
        return move(spv::Op::OpGroupNonUniformQuadSwap, spv::Capability::GroupNonUniformQuad,
                    {u32(direction)});
    };
    using enum spv::Capability;
    switch (intr->intrinsic) {
    case nir_intrinsic_read_first_invocation:
        return move(spv::Op::OpGroupNonUniformBroadcastFirst, GroupNonUniformBallot, {});
    case nir_intrinsic_read_invocation:
        // A broadcast needs a uniform invocation id, which GLSL requires as well.
        return move(spv::Op::OpGroupNonUniformBroadcast, GroupNonUniformBallot, {other()});
    case nir_intrinsic_shuffle:
        return move(spv::Op::OpGroupNonUniformShuffle, GroupNonUniformShuffle, {other()});
    case nir_intrinsic_shuffle_xor:
        return move(spv::Op::OpGroupNonUniformShuffleXor, GroupNonUniformShuffle, {other()});
    case nir_intrinsic_shuffle_up:
        return move(spv::Op::OpGroupNonUniformShuffleUp, GroupNonUniformShuffleRelative, {other()});
    case nir_intrinsic_shuffle_down:
        return move(spv::Op::OpGroupNonUniformShuffleDown, GroupNonUniformShuffleRelative,
                    {other()});
    case nir_intrinsic_quad_broadcast:
        return move(spv::Op::OpGroupNonUniformQuadBroadcast, GroupNonUniformQuad, {other()});
    case nir_intrinsic_quad_swap_horizontal:
        return swap_quad(0);
    case nir_intrinsic_quad_swap_vertical:
        return swap_quad(1);
    case nir_intrinsic_quad_swap_diagonal:
        return swap_quad(2);
    default:
        return false;
    }
}

bool Translator::emit_subgroup_reduction(const nir_intrinsic_instr* intr) {
    auto operation = spv::GroupOperation::Reduce;
    auto capability = spv::Capability::GroupNonUniformArithmetic;
    uint32_t cluster = 0;
    switch (intr->intrinsic) {
    case nir_intrinsic_reduce:
        cluster = nir_intrinsic_cluster_size(intr);
        if (cluster) {
            operation = spv::GroupOperation::ClusteredReduce;
            capability = spv::Capability::GroupNonUniformClustered;
        }
        break;
    case nir_intrinsic_inclusive_scan:
        operation = spv::GroupOperation::InclusiveScan;
        break;
    case nir_intrinsic_exclusive_scan:
        operation = spv::GroupOperation::ExclusiveScan;
        break;
    default:
        return false;
    }
    const unsigned bits = intr->def.bit_size;
    const auto [op, kind] = reduction_of(nir_op(nir_intrinsic_reduction_op(intr)), bits);
    if (op == spv::Op::OpNop) {
        fail_instruction("the operation of", &intr->instr);
        return true;
    }
    use_subgroups(intr, capability);
    std::vector<uint32_t> words{u32(uint32_t(spv::Scope::Subgroup)), uint32_t(operation),
                                get(intr->src[0], kind)};
    if (cluster)
        words.push_back(u32(cluster));
    set(&intr->def, kind, b_.emit(op, value_type(kind, bits, intr->def.num_components), words));
    return true;
}

} // namespace kobalt::spirv
