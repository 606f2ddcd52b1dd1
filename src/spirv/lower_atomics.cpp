// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "nir_builder.h"

#include "spirv/lowering.h"

namespace kobalt::spirv {

namespace {

bool is_swap(const nir_intrinsic_instr* intr) {
    return intr->intrinsic == nir_intrinsic_ssbo_atomic_swap ||
           intr->intrinsic == nir_intrinsic_shared_atomic_swap;
}

bool is_shared(const nir_intrinsic_instr* intr) {
    return intr->intrinsic == nir_intrinsic_shared_atomic ||
           intr->intrinsic == nir_intrinsic_shared_atomic_swap;
}

bool needs_loop(const nir_intrinsic_instr* intr, const Target& target) {
    const bool shared = is_shared(intr);
    if (!shared && intr->intrinsic != nir_intrinsic_ssbo_atomic &&
        intr->intrinsic != nir_intrinsic_ssbo_atomic_swap)
        return false;
    const AtomicSupport& has = target.atomics;
    const bool views = target.workgroup_explicit_layout;
    switch (nir_intrinsic_atomic_op(intr)) {
    case nir_atomic_op_fadd:
        return !(shared ? has.shared_float_add && views : has.buffer_float_add);
    case nir_atomic_op_fmin:
    case nir_atomic_op_fmax:
        return !(shared ? has.shared_float_min_max && views : has.buffer_float_min_max);
    case nir_atomic_op_fcmpxchg: // compares as floats, which no device supports
        return true;
    default:
        return false;
    }
}

/// Makes `def`'s instruction access the same memory as `intr`.
void set_memory(nir_def* def, const nir_intrinsic_instr* intr) {
    nir_intrinsic_instr* made = nir_instr_as_intrinsic(def->parent_instr);
    if (is_shared(intr))
        nir_intrinsic_set_base(made, nir_intrinsic_base(intr));
    else
        nir_intrinsic_set_access(made, nir_intrinsic_access(intr));
}

nir_def* load_current(nir_builder* b, const nir_intrinsic_instr* intr) {
    nir_def* value = is_shared(intr) ? nir_load_shared(b, 1, 32, intr->src[0].ssa)
                                     : nir_load_ssbo(b, 1, 32, intr->src[0].ssa, intr->src[1].ssa);
    set_memory(value, intr);
    nir_intrinsic_set_align(nir_instr_as_intrinsic(value->parent_instr), 4, 0);
    return value;
}

nir_def* compare_and_swap(nir_builder* b, const nir_intrinsic_instr* intr, nir_def* expected,
                          nir_def* wanted) {
    nir_def* before =
        is_shared(intr)
            ? nir_shared_atomic_swap(b, 32, intr->src[0].ssa, expected, wanted)
            : nir_ssbo_atomic_swap(b, 32, intr->src[0].ssa, intr->src[1].ssa, expected, wanted);
    set_memory(before, intr);
    nir_intrinsic_set_atomic_op(nir_instr_as_intrinsic(before->parent_instr),
                                nir_atomic_op_cmpxchg);
    return before;
}

/// Replaces `intr` by a loop. `next` computes the new value from the expected one, which is `guess`
/// at first. `swap` returns the value that it found, and the loop repeats until that is the
/// expected one. `next` may leave the loop.
template <typename Next, typename Swap>
void loop_around_swap(nir_builder* b, nir_intrinsic_instr* intr, nir_def* guess, const Next& next,
                      const Swap& swap) {
    nir_variable* seen = nir_local_variable_create(b->impl, glsl_uint_type(), "seen");
    nir_store_var(b, seen, guess, 1);
    nir_push_loop(b);
    nir_def* before = nir_load_var(b, seen);
    nir_def* found = swap(before, next(before));
    nir_store_var(b, seen, found, 1);
    nir_break_if(b, nir_ieq(b, found, before));
    nir_pop_loop(b, nullptr);
    nir_def_replace(&intr->def, nir_load_var(b, seen));
}

bool lower_atomic(nir_builder* b, nir_intrinsic_instr* intr, void* data) {
    const Target& target = *static_cast<const Target*>(data);
    if (!needs_loop(intr, target))
        return false;
    const nir_atomic_op op = nir_intrinsic_atomic_op(intr);
    const unsigned first = is_shared(intr) ? 1 : 2;
    nir_def* operand = intr->src[first + is_swap(intr)].ssa;

    b->cursor = nir_before_instr(&intr->instr);
    const bool was_exact = b->exact;
    b->exact = true;
    const auto next = [&](nir_def* before) {
        if (op != nir_atomic_op_fcmpxchg)
            return nir_build_alu2(b, nir_atomic_op_to_alu(op), before, operand);
        nir_break_if(b, nir_inot(b, nir_feq(b, before, intr->src[first].ssa)));
        return operand;
    };
    loop_around_swap(b, intr, load_current(b, intr), next, [&](nir_def* before, nir_def* wanted) {
        return compare_and_swap(b, intr, before, wanted);
    });
    b->exact = was_exact;
    return true;
}

/// The value of a texel after an increment or decrement that wraps around
/// (GL_EXT_shader_image_load_store, "Texture Image Loads, Stores and Atomics").
nir_def* wrapped(nir_builder* b, nir_atomic_op op, nir_def* before, nir_def* wrap) {
    if (op == nir_atomic_op_inc_wrap)
        return nir_bcsel(b, nir_uge(b, before, wrap), nir_imm_int(b, 0),
                         nir_iadd_imm(b, before, 1));
    return nir_bcsel(b, nir_ior(b, nir_ieq_imm(b, before, 0), nir_ult(b, wrap, before)), wrap,
                     nir_iadd_imm(b, before, -1));
}

nir_def* compare_and_swap_texel(nir_builder* b, const nir_intrinsic_instr* intr, nir_def* expected,
                                nir_def* wanted) {
    const bool bindless = intr->intrinsic == nir_intrinsic_bindless_image_atomic;
    nir_intrinsic_instr* swap =
        nir_intrinsic_instr_create(b->shader, bindless ? nir_intrinsic_bindless_image_atomic_swap
                                                       : nir_intrinsic_image_atomic_swap);
    for (unsigned i = 0; i < 3; ++i) // image, coordinate and sample
        swap->src[i] = nir_src_for_ssa(intr->src[i].ssa);
    swap->src[3] = nir_src_for_ssa(expected);
    swap->src[4] = nir_src_for_ssa(wanted);
    nir_intrinsic_copy_const_indices(swap, const_cast<nir_intrinsic_instr*>(intr));
    nir_intrinsic_set_atomic_op(swap, nir_atomic_op_cmpxchg);
    nir_def_init(&swap->instr, &swap->def, 1, 32);
    nir_builder_instr_insert(b, &swap->instr);
    return &swap->def;
}

bool lower_image_wrap(nir_builder* b, nir_intrinsic_instr* intr, void*) {
    if (intr->intrinsic != nir_intrinsic_image_atomic &&
        intr->intrinsic != nir_intrinsic_bindless_image_atomic)
        return false;
    const nir_atomic_op op = nir_intrinsic_atomic_op(intr);
    if (op != nir_atomic_op_inc_wrap && op != nir_atomic_op_dec_wrap)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    // The first swap returns the texel's value.
    loop_around_swap(
        b, intr, nir_imm_int(b, 0),
        [&](nir_def* before) { return wrapped(b, op, before, intr->src[3].ssa); },
        [&](nir_def* before, nir_def* wanted) {
            return compare_and_swap_texel(b, intr, before, wanted);
        });
    return true;
}

} // namespace

void lower_atomics(nir_shader* nir, const Target& target) {
    bool lowered = false;
    NIR_PASS(lowered, nir, nir_shader_intrinsics_pass, lower_atomic, nir_metadata_none,
             const_cast<Target*>(&target));
    NIR_PASS(lowered, nir, nir_shader_intrinsics_pass, lower_image_wrap, nir_metadata_none,
             nullptr);
    if (lowered)
        NIR_PASS(_, nir, nir_lower_vars_to_ssa);
}

} // namespace kobalt::spirv
