// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Subgroups: votes (GLSL 4.60's anyInvocation and its kin), ballots (GL_ARB_shader_ballot) and the
// ids and masks of an invocation (GL_KHR_shader_subgroup).

#include "spirv/translator.h"

namespace kobalt::spirv {

void Translator::use_subgroups(const nir_intrinsic_instr* intr, spv::Capability capability) {
    b_.capability(spv::Capability::GroupNonUniform);
    b_.capability(capability);
    if (!(target_.subgroup_stages >> nir_->info.stage & 1))
        fail_instruction("a subgroup operation, which the device does not have:", &intr->instr);
}

/// Sets the result to a mask of invocations: as many of SPIR-V's four words as NIR needs.
void Translator::set_subgroup_mask(const nir_intrinsic_instr* intr, Id words) {
    static constexpr uint8_t identity[] = {0, 1, 2, 3};
    const unsigned count = intr->def.num_components;
    if (intr->def.bit_size != 32 || count > 4) {
        fail_instruction("wide mask of", &intr->instr);
        return;
    }
    set(&intr->def, Kind::uint, swizzle(words, b_.type_int(32, false), 4, identity, count));
}

bool Translator::emit_subgroup_intrinsic(const nir_intrinsic_instr* intr) {
    const Id uint32 = b_.type_int(32, false);
    const Id scope = u32(uint32_t(spv::Scope::Subgroup));
    const auto vote = [&](spv::Op op, Kind kind) {
        use_subgroups(intr, spv::Capability::GroupNonUniformVote);
        // Values are equal where each of their components is.
        const nir_def* def = intr->src[0].ssa;
        Id result = 0;
        for (unsigned i = 0; i < def->num_components; i++) {
            const Id one = b_.emit(op, b_.type_bool(), {scope, component(def, i, kind)});
            result = result ? b_.emit(spv::Op::OpLogicalAnd, b_.type_bool(), {result, one}) : one;
        }
        set(&intr->def, Kind::boolean, result);
        return true;
    };
    const auto mask_builtin = [&](spv::BuiltIn builtin) {
        use_subgroups(intr, spv::Capability::GroupNonUniformBallot);
        const Id type = b_.type_vector(uint32, 4);
        if (nir_->info.stage == MESA_SHADER_FRAGMENT)
            b_.decorate(builtin_input(builtin, type), spv::Decoration::Flat);
        set_subgroup_mask(intr, load_builtin(builtin, type));
        return true;
    };
    const auto integer = [&](spv::BuiltIn builtin) {
        use_subgroups(intr, spv::Capability::GroupNonUniform);
        set(&intr->def, Kind::uint, load_builtin(builtin, uint32));
        return true;
    };

    switch (intr->intrinsic) {
    case nir_intrinsic_vote_any:
        return vote(spv::Op::OpGroupNonUniformAny, Kind::boolean);
    case nir_intrinsic_vote_all:
        return vote(spv::Op::OpGroupNonUniformAll, Kind::boolean);
    case nir_intrinsic_vote_ieq:
        return vote(spv::Op::OpGroupNonUniformAllEqual,
                    intr->src[0].ssa->bit_size == 1 ? Kind::boolean : Kind::uint);
    case nir_intrinsic_vote_feq:
        return vote(spv::Op::OpGroupNonUniformAllEqual,
                    intr->src[0].ssa->bit_size == 1 ? Kind::boolean : Kind::floating);
    case nir_intrinsic_elect:
        use_subgroups(intr, spv::Capability::GroupNonUniform);
        set(&intr->def, Kind::boolean,
            b_.emit(spv::Op::OpGroupNonUniformElect, b_.type_bool(), {scope}));
        return true;
    case nir_intrinsic_load_subgroup_size:
        return integer(spv::BuiltIn::SubgroupSize);
    case nir_intrinsic_load_subgroup_invocation:
        return integer(spv::BuiltIn::SubgroupLocalInvocationId);
    case nir_intrinsic_load_subgroup_id:
        return integer(spv::BuiltIn::SubgroupId);
    case nir_intrinsic_load_num_subgroups:
        return integer(spv::BuiltIn::NumSubgroups);
    case nir_intrinsic_load_subgroup_eq_mask:
        return mask_builtin(spv::BuiltIn::SubgroupEqMask);
    case nir_intrinsic_load_subgroup_ge_mask:
        return mask_builtin(spv::BuiltIn::SubgroupGeMask);
    case nir_intrinsic_load_subgroup_gt_mask:
        return mask_builtin(spv::BuiltIn::SubgroupGtMask);
    case nir_intrinsic_load_subgroup_le_mask:
        return mask_builtin(spv::BuiltIn::SubgroupLeMask);
    case nir_intrinsic_load_subgroup_lt_mask:
        return mask_builtin(spv::BuiltIn::SubgroupLtMask);
    default:
        return emit_ballot_intrinsic(intr) || emit_subgroup_exchange(intr) ||
               emit_subgroup_reduction(intr);
    }
}

bool Translator::emit_ballot_intrinsic(const nir_intrinsic_instr* intr) {
    const Id uint32 = b_.type_int(32, false);
    const Id scope = u32(uint32_t(spv::Scope::Subgroup));
    /// The mask operand; NIR's may be shorter than SPIR-V's.
    const auto mask = [&] {
        const nir_def* def = intr->src[0].ssa;
        if (def->bit_size != 32) {
            fail_instruction("wide mask of", &intr->instr);
            return Id{0};
        }
        std::vector<Id> words;
        for (unsigned i = 0; i < 4; i++)
            words.push_back(i < def->num_components ? component(def, i, Kind::uint) : u32(0));
        return compose(uint32, words);
    };
    const auto result = [&](Kind kind, spv::Op op, std::initializer_list<uint32_t> operands) {
        use_subgroups(intr, spv::Capability::GroupNonUniformBallot);
        set(&intr->def, kind,
            b_.emit(op, kind == Kind::boolean ? b_.type_bool() : uint32, operands));
        return true;
    };
    const auto count = [&](spv::GroupOperation operation) {
        return result(Kind::uint, spv::Op::OpGroupNonUniformBallotBitCount,
                      {scope, uint32_t(operation), mask()});
    };
    switch (intr->intrinsic) {
    case nir_intrinsic_ballot:
    case nir_intrinsic_ballot_relaxed:
        use_subgroups(intr, spv::Capability::GroupNonUniformBallot);
        set_subgroup_mask(intr, b_.emit(spv::Op::OpGroupNonUniformBallot, b_.type_vector(uint32, 4),
                                        {scope, get(intr->src[0], Kind::boolean)}));
        return true;
    case nir_intrinsic_inverse_ballot:
        return result(Kind::boolean, spv::Op::OpGroupNonUniformInverseBallot, {scope, mask()});
    case nir_intrinsic_ballot_bitfield_extract:
        return result(Kind::boolean, spv::Op::OpGroupNonUniformBallotBitExtract,
                      {scope, mask(), get(intr->src[1], Kind::uint)});
    case nir_intrinsic_ballot_bit_count_reduce:
        return count(spv::GroupOperation::Reduce);
    case nir_intrinsic_ballot_bit_count_inclusive:
        return count(spv::GroupOperation::InclusiveScan);
    case nir_intrinsic_ballot_bit_count_exclusive:
        return count(spv::GroupOperation::ExclusiveScan);
    case nir_intrinsic_ballot_find_lsb:
        return result(Kind::uint, spv::Op::OpGroupNonUniformBallotFindLSB, {scope, mask()});
    case nir_intrinsic_ballot_find_msb:
        return result(Kind::uint, spv::Op::OpGroupNonUniformBallotFindMSB, {scope, mask()});
    default:
        return false;
    }
}

} // namespace kobalt::spirv
