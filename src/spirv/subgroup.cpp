// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Subgroups: votes (GLSL 4.60's anyInvocation and its kin) and ballots (GL_ARB_shader_ballot).

#include "spirv/translator.h"

namespace kobalt::spirv {

bool Translator::emit_subgroup_intrinsic(const nir_intrinsic_instr* intr) {
    const Id uint32 = b_.type_int(32, false);
    const Id scope = u32(uint32_t(spv::Scope::Subgroup));
    const auto use = [&](spv::Capability capability) {
        b_.capability(spv::Capability::GroupNonUniform);
        b_.capability(capability);
        if (!target_.subgroup_operations)
            fail_instruction("a subgroup operation, which the device does not have:", &intr->instr);
    };
    const auto vote = [&](spv::Op op, Kind kind) {
        use(spv::Capability::GroupNonUniformVote);
        // Scalars and vectors alike are equal where each component is.
        const nir_def* def = intr->src[0].ssa;
        Id result = 0;
        for (unsigned i = 0; i < def->num_components; i++) {
            const Id one = b_.emit(op, b_.type_bool(), {scope, component(def, i, kind)});
            result = result ? b_.emit(spv::Op::OpLogicalAnd, b_.type_bool(), {result, one}) : one;
        }
        set(&intr->def, Kind::boolean, result);
        return true;
    };
    /// A mask of invocations: SPIR-V's four words as NIR wants them.
    const auto mask = [&](Id words) {
        const unsigned bits = intr->def.bit_size;
        const unsigned count = intr->def.num_components * bits / 32;
        static constexpr uint8_t identity[] = {0, 1, 2, 3};
        if (count > 4) {
            fail_instruction("wide mask of", &intr->instr);
            return true;
        }
        const Id some = swizzle(words, uint32, 4, identity, count);
        set(&intr->def, Kind::uint,
            bits == 32 ? some
                       : b_.emit(spv::Op::OpBitcast,
                                 value_type(Kind::uint, bits, intr->def.num_components), {some}));
        return true;
    };
    const auto mask_builtin = [&](spv::BuiltIn builtin) {
        use(spv::Capability::GroupNonUniformBallot);
        const Id type = b_.type_vector(uint32, 4);
        if (nir_->info.stage == MESA_SHADER_FRAGMENT)
            b_.decorate(builtin_input(builtin, type), spv::Decoration::Flat);
        return mask(load_builtin(builtin, type));
    };
    const auto integer = [&](spv::BuiltIn builtin) {
        use(spv::Capability::GroupNonUniform);
        set(&intr->def, Kind::uint, load_builtin(builtin, uint32));
        return true;
    };
    const auto broadcast = [&](spv::Op op) {
        use(spv::Capability::GroupNonUniformBallot);
        const Kind kind = intr->def.bit_size == 1 ? Kind::boolean : Kind::uint;
        std::vector<uint32_t> words{scope, get(intr->src[0], kind)};
        if (op == spv::Op::OpGroupNonUniformBroadcast)
            words.push_back(get(intr->src[1], Kind::uint));
        set(&intr->def, kind,
            b_.emit(op, value_type(kind, intr->def.bit_size, intr->def.num_components), words));
        return true;
    };

    switch (intr->intrinsic) {
    case nir_intrinsic_vote_any:
        return vote(spv::Op::OpGroupNonUniformAny, Kind::boolean);
    case nir_intrinsic_vote_all:
        return vote(spv::Op::OpGroupNonUniformAll, Kind::boolean);
    case nir_intrinsic_vote_ieq:
        return vote(spv::Op::OpGroupNonUniformAllEqual, Kind::uint);
    case nir_intrinsic_vote_feq:
        return vote(spv::Op::OpGroupNonUniformAllEqual, Kind::floating);
    case nir_intrinsic_elect:
        use(spv::Capability::GroupNonUniform);
        set(&intr->def, Kind::boolean,
            b_.emit(spv::Op::OpGroupNonUniformElect, b_.type_bool(), {scope}));
        return true;
    case nir_intrinsic_ballot:
    case nir_intrinsic_ballot_relaxed:
        use(spv::Capability::GroupNonUniformBallot);
        return mask(b_.emit(spv::Op::OpGroupNonUniformBallot, b_.type_vector(uint32, 4),
                            {scope, get(intr->src[0], Kind::boolean)}));
    case nir_intrinsic_read_first_invocation:
        return broadcast(spv::Op::OpGroupNonUniformBroadcastFirst);
    case nir_intrinsic_read_invocation:
        return broadcast(spv::Op::OpGroupNonUniformBroadcast);
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
        return false;
    }
}

} // namespace kobalt::spirv
