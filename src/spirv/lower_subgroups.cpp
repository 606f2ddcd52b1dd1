// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "nir_builder.h"

#include "spirv/lowering.h"

namespace kobalt::spirv {

namespace {

/// The result of the instruction in a subgroup of one invocation; null: not a subgroup instruction.
nir_def* alone(nir_builder* b, const nir_intrinsic_instr* intr) {
    const nir_def& def = intr->def;
    /// A mask with only this invocation, or with none.
    const auto mask = [&](nir_def* lowest_bit) {
        nir_def* words[NIR_MAX_VEC_COMPONENTS] = {nir_u2uN(b, lowest_bit, def.bit_size)};
        for (unsigned i = 1; i < def.num_components; i++)
            words[i] = nir_imm_intN_t(b, 0, def.bit_size);
        return nir_vec(b, words, def.num_components);
    };
    const auto whole = [&](int value) { return mask(nir_imm_int(b, value)); };
    nir_def* source = nir_intrinsic_infos[intr->intrinsic].num_srcs ? intr->src[0].ssa : nullptr;
    switch (intr->intrinsic) {
    case nir_intrinsic_vote_any:
    case nir_intrinsic_vote_all:
    case nir_intrinsic_read_invocation:
    case nir_intrinsic_read_first_invocation:
    case nir_intrinsic_shuffle:
    case nir_intrinsic_shuffle_xor:
    case nir_intrinsic_shuffle_up:
    case nir_intrinsic_shuffle_down:
    case nir_intrinsic_reduce:
    case nir_intrinsic_inclusive_scan:
        return source;
    case nir_intrinsic_vote_ieq:
    case nir_intrinsic_vote_feq:
    case nir_intrinsic_elect:
        return nir_imm_true(b);
    case nir_intrinsic_ballot:
    case nir_intrinsic_ballot_relaxed:
        return mask(nir_b2i32(b, source));
    case nir_intrinsic_load_subgroup_size:
        return nir_imm_int(b, 1);
    case nir_intrinsic_load_subgroup_invocation:
    case nir_intrinsic_first_invocation:
        return nir_imm_int(b, 0);
    case nir_intrinsic_load_subgroup_eq_mask:
    case nir_intrinsic_load_subgroup_ge_mask:
    case nir_intrinsic_load_subgroup_le_mask:
        return whole(1);
    case nir_intrinsic_load_subgroup_gt_mask:
    case nir_intrinsic_load_subgroup_lt_mask:
        return whole(0);
    default:
        return nullptr;
    }
}

/// Lowers GL_ARB_shader_ballot's masks of 64 bits to SPIR-V's four words.
nir_def* in_words(nir_builder* b, nir_intrinsic_instr* intr) {
    if (intr->def.bit_size != 64)
        return nullptr;
    switch (intr->intrinsic) {
    case nir_intrinsic_ballot:
    case nir_intrinsic_ballot_relaxed:
    case nir_intrinsic_load_subgroup_eq_mask:
    case nir_intrinsic_load_subgroup_ge_mask:
    case nir_intrinsic_load_subgroup_gt_mask:
    case nir_intrinsic_load_subgroup_le_mask:
    case nir_intrinsic_load_subgroup_lt_mask:
        break;
    default:
        return nullptr;
    }
    auto* words = nir_instr_as_intrinsic(nir_instr_clone(b->shader, &intr->instr));
    words->num_components = 4;
    words->def.num_components = 4;
    words->def.bit_size = 32;
    nir_builder_instr_insert(b, &words->instr);
    return nir_pack_64_2x32_split(b, nir_channel(b, &words->def, 0),
                                  nir_channel(b, &words->def, 1));
}

bool lower_intrinsic(nir_builder* b, nir_intrinsic_instr* intr, void* data) {
    const Target& target = *static_cast<const Target*>(data);
    b->cursor = nir_before_instr(&intr->instr);
    const bool has_subgroups = target.subgroup_stages >> b->shader->info.stage & 1;
    nir_def* instead = has_subgroups ? in_words(b, intr) : alone(b, intr);
    if (!instead)
        return false;
    nir_def_replace(&intr->def, instead);
    return true;
}

} // namespace

void lower_subgroups(nir_shader* nir, const Target& target) {
    NIR_PASS(_, nir, nir_shader_intrinsics_pass, lower_intrinsic, nir_metadata_control_flow,
             const_cast<Target*>(&target));
}

} // namespace kobalt::spirv
