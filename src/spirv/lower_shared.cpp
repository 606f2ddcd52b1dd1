// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Lowers shared memory to 64-bit elements. Without workgroupMemoryExplicitLayout, shared memory has
// one type in SPIR-V, so where a shader has 64-bit atomic operations on it, 32-bit accesses go
// through the 64 bits around them.

#include "nir_builder.h"

#include "spirv/lowering.h"

namespace kobalt::spirv {

namespace {

bool is_atomic(const nir_intrinsic_instr* intr) {
    return intr->intrinsic == nir_intrinsic_shared_atomic ||
           intr->intrinsic == nir_intrinsic_shared_atomic_swap;
}

bool find_wide_atomic(nir_builder*, nir_intrinsic_instr* intr, void* found) {
    if (is_atomic(intr) && intr->def.bit_size == 64)
        *static_cast<bool*>(found) = true;
    return false;
}

/// One word of shared memory inside the element that holds it.
struct Word {
    nir_def* element; ///< byte offset
    nir_def* upper;   ///< whether the word is the element's upper half
};

Word word_at(nir_builder* b, nir_def* byte_offset) {
    return {nir_iand_imm(b, byte_offset, ~uint64_t{7}),
            nir_ine_imm(b, nir_iand_imm(b, byte_offset, 4), 0)};
}

nir_def* load_element(nir_builder* b, const Word& word) {
    nir_def* value = nir_load_shared(b, 1, 64, word.element);
    nir_intrinsic_set_align(nir_instr_as_intrinsic(value->parent_instr), 8, 0);
    return value;
}

nir_def* half_of(nir_builder* b, const Word& word, nir_def* element) {
    return nir_bcsel(b, word.upper, nir_unpack_64_2x32_split_y(b, element),
                     nir_unpack_64_2x32_split_x(b, element));
}

nir_def* with_half(nir_builder* b, const Word& word, nir_def* element, nir_def* half) {
    return nir_pack_64_2x32_split(
        b, nir_bcsel(b, word.upper, nir_unpack_64_2x32_split_x(b, element), half),
        nir_bcsel(b, word.upper, half, nir_unpack_64_2x32_split_y(b, element)));
}

/// Applies `op` with `data` to a word atomically; returns the word's value before.
nir_def* change_word(nir_builder* b, const Word& word, nir_atomic_op op, nir_def* data,
                     nir_def* compare) {
    nir_variable* seen = nir_local_variable_create(b->impl, glsl_uint64_t_type(), "seen");
    nir_store_var(b, seen, load_element(b, word), 1);
    nir_push_loop(b);
    nir_def* before = nir_load_var(b, seen);
    nir_def* old = half_of(b, word, before);
    nir_def* wanted = data;
    if (op == nir_atomic_op_cmpxchg)
        wanted = nir_bcsel(b, nir_ieq(b, old, compare), data, old);
    else if (op != nir_atomic_op_xchg)
        wanted = nir_build_alu2(b, nir_atomic_op_to_alu(op), old, data);
    nir_def* found =
        nir_shared_atomic_swap(b, 64, word.element, before, with_half(b, word, before, wanted));
    nir_intrinsic_set_atomic_op(nir_instr_as_intrinsic(found->parent_instr), nir_atomic_op_cmpxchg);
    nir_store_var(b, seen, found, 1);
    nir_break_if(b, nir_ieq(b, found, before));
    nir_pop_loop(b, nullptr);
    return half_of(b, word, nir_load_var(b, seen));
}

bool widen(nir_builder* b, nir_intrinsic_instr* intr, void*) {
    const bool load = intr->intrinsic == nir_intrinsic_load_shared;
    const bool store = intr->intrinsic == nir_intrinsic_store_shared;
    if (!load && !store && !is_atomic(intr))
        return false;
    if ((store ? intr->src[0].ssa->bit_size : intr->def.bit_size) != 32)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    nir_def* offset = nir_iadd_imm(b, intr->src[store ? 1 : 0].ssa, nir_intrinsic_base(intr));
    if (load) {
        nir_def* words[NIR_MAX_VEC_COMPONENTS];
        for (unsigned i = 0; i < intr->def.num_components; i++) {
            const Word word = word_at(b, nir_iadd_imm(b, offset, 4 * i));
            words[i] = half_of(b, word, load_element(b, word));
        }
        nir_def_replace(&intr->def, nir_vec(b, words, intr->def.num_components));
        return true;
    }
    if (store) {
        nir_def* value = intr->src[0].ssa;
        for (unsigned i = 0; i < value->num_components; i++)
            if (nir_intrinsic_write_mask(intr) >> i & 1)
                change_word(b, word_at(b, nir_iadd_imm(b, offset, 4 * i)), nir_atomic_op_xchg,
                            nir_channel(b, value, i), nullptr);
        nir_instr_remove(&intr->instr);
        return true;
    }
    const bool swap = intr->intrinsic == nir_intrinsic_shared_atomic_swap;
    nir_def_replace(&intr->def,
                    change_word(b, word_at(b, offset), nir_intrinsic_atomic_op(intr),
                                intr->src[swap ? 2 : 1].ssa, swap ? intr->src[1].ssa : nullptr));
    return true;
}

} // namespace

void lower_shared_memory(nir_shader* nir, const Target& target) {
    if (target.workgroup_explicit_layout || !target.atomics.shared_int64)
        return;
    bool wide = false;
    nir_shader_intrinsics_pass(nir, find_wide_atomic, nir_metadata_all, &wide);
    if (!wide)
        return;
    NIR_PASS(_, nir, nir_shader_intrinsics_pass, widen, nir_metadata_none, nullptr);
    NIR_PASS(_, nir, nir_lower_vars_to_ssa);
}

} // namespace kobalt::spirv
