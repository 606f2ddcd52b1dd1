// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "nir_builder.h"

#include "spirv/handles.h"
#include "spirv/lowering.h"
#include "spirv/push_constants.h"
#include "spirv/translate.h"

namespace kobalt::spirv {

namespace {

/// SPIR-V allows offsets that are not constant for gathers only.
bool offset_needs_lowering(const nir_instr* instr, const void*) {
    if (instr->type != nir_instr_type_tex)
        return false;
    const nir_tex_instr* tex = nir_instr_as_tex(instr);
    const int index = nir_tex_instr_src_index(tex, nir_tex_src_offset);
    return index >= 0 && tex->op != nir_texop_tg4 && !nir_src_is_const(tex->src[index].src);
}

/// GL_TEXTURE_RECTANGLE has coordinates in texels, and Vulkan's are normalised. The conversion to
/// them and back rounds three times, so a whole number may end up slightly smaller, in the previous
/// texel. A little more than that error is added beforehand, to negative coordinates too, as an
/// offset may bring them into the image.
bool allow_for_rounding(nir_builder* b, nir_instr* instr, void*) {
    if (instr->type != nir_instr_type_tex)
        return false;
    nir_tex_instr* tex = nir_instr_as_tex(instr);
    const int index = nir_tex_instr_src_index(tex, nir_tex_src_coord);
    if (tex->sampler_dim != GLSL_SAMPLER_DIM_RECT || tex->op == nir_texop_txf || index < 0)
        return false;
    b->cursor = nir_before_instr(instr);
    // The relative error of a multiplication is at most 2^-24, that of the size's reciprocal 2.5 *
    // 2^-23 (Vulkan 1.4, "Precision and Operation of SPIR-V Instructions").
    nir_def* coordinate = tex->src[index].src.ssa;
    nir_def* more = nir_fmul_imm(b, nir_fabs(b, coordinate), 0x1p-21);
    nir_src_rewrite(&tex->src[index].src, nir_fadd(b, coordinate, more));
    return true;
}

void lower_textures(nir_shader* nir, const Target& target) {
    nir_lower_tex_options options{};
    options.lower_txp = ~0u;
    options.lower_txp_array = true;
    NIR_PASS(_, nir, nir_lower_tex, &options);
    NIR_PASS(_, nir, nir_shader_instructions_pass, allow_for_rounding, nir_metadata_control_flow,
             nullptr);
    options.lower_rect = true;
    options.lower_1d = !target.one_dimensional_textures;
    options.lower_offset_filter = offset_needs_lowering;
    options.lower_invalid_implicit_lod = true;
    NIR_PASS(_, nir, nir_lower_tex, &options);
}

int vec4_slots(const glsl_type* type, bool bindless) {
    return static_cast<int>(glsl_count_vec4_slots(type, false, bindless));
}

/// Mesa's variants add accesses to variables (a point size, say) to shaders whose inputs and
/// outputs are intrinsics already.
void lower_late_io(nir_shader* nir) {
    NIR_PASS(_, nir, nir_lower_io, nir_variable_mode(nir_var_shader_in | nir_var_shader_out),
             vec4_slots, nir_lower_io_options(0));
    NIR_PASS(_, nir, nir_remove_dead_derefs);
}

/// GL clamps gl_FragDepth to 0 … 1 for depth formats of any kind (OpenGL 4.6, 15.2.3); Vulkan
/// doesn't specify that for float formats.
bool clamp_depth(nir_builder* b, nir_intrinsic_instr* store, void*) {
    if (store->intrinsic != nir_intrinsic_store_output ||
        nir_intrinsic_io_semantics(store).location != FRAG_RESULT_DEPTH)
        return false;
    b->cursor = nir_before_instr(&store->instr);
    nir_src_rewrite(&store->src[0], nir_fsat(b, store->src[0].ssa));
    return true;
}

/// gl_SampleMask counts only where multisampling is on (OpenGL 4.6, 14.9.3, "Multisample Fragment
/// Operations"), while Vulkan's sample mask applies with one sample as well.
bool ignore_sample_mask(nir_builder* b, nir_intrinsic_instr* store, void*) {
    if (store->intrinsic != nir_intrinsic_store_output ||
        nir_intrinsic_io_semantics(store).location != FRAG_RESULT_SAMPLE_MASK)
        return false;
    b->cursor = nir_before_instr(&store->instr);
    const _nir_load_push_constant_indices where{
        .base = offsetof(DrawParameters, ignored_sample_mask), .range = 4};
    nir_def* ignored = _nir_build_load_push_constant(b, 1, 32, nir_imm_int(b, 0), where);
    nir_src_rewrite(&store->src[0], nir_ior(b, store->src[0].ssa, ignored));
    return true;
}

/// A device may write depth and stencil before the shader runs, which would then fetch its own
/// fragment's values (Vulkan 1.3, "Early Fragment Test"). Early writes are impossible where the
/// shader may discard the fragment, so a discard that never happens is added: no depth is a NaN and
/// no stencil value has nine bits, but compilers don't know that.
bool fetch_before_tests(nir_builder* b, nir_intrinsic_instr* load, void*) {
    if (load->intrinsic != nir_intrinsic_load_output)
        return false;
    const nir_io_semantics where = nir_intrinsic_io_semantics(load);
    const bool depth = where.location == FRAG_RESULT_DEPTH;
    if (!where.fb_fetch_output || (!depth && where.location != FRAG_RESULT_STENCIL))
        return false;
    b->cursor = nir_after_instr(&load->instr);
    nir_def* value = nir_channel(b, &load->def, 0);
    nir_demote_if(b,
                  depth ? nir_fneu(b, value, value) : nir_ult(b, nir_imm_int(b, UINT8_MAX), value));
    b->shader->info.fs.uses_discard = true;
    return true;
}

/// A division by zero gives infinity (GLSL 4.60, 4.7.1), but SPIR-V leaves its result undefined,
/// and lavapipe's compiler exploits that where the divisor is a constant.
bool divide_by_zero(nir_builder* b, nir_alu_instr* divide, void*) {
    if (divide->op != nir_op_fdiv || !nir_src_is_const(divide->src[1].src))
        return false;
    const unsigned count = divide->def.num_components;
    std::array<double, NIR_MAX_VEC_COMPONENTS> by{};
    for (unsigned c = 0; c < count; c++)
        by[c] = nir_src_comp_as_float(divide->src[1].src, divide->src[1].swizzle[c]);
    if (std::ranges::none_of(std::span(by).first(count), [](double one) { return one == 0; }))
        return false;
    b->cursor = nir_before_instr(&divide->instr);
    nir_def* const dividend = nir_ssa_for_alu_src(b, divide, 0);
    std::array<nir_def*, NIR_MAX_VEC_COMPONENTS> quotients{};
    for (unsigned c = 0; c < count; c++) {
        const bool zero = by[c] == 0;
        nir_def* const factor = nir_imm_floatN_t(b, zero ? std::copysign(HUGE_VAL, by[c]) : by[c],
                                                 divide->def.bit_size);
        nir_def* const part = nir_channel(b, dividend, c);
        quotients[c] = zero ? nir_fmul(b, part, factor) : nir_fdiv(b, part, factor);
    }
    nir_def_replace(&divide->def, nir_vec(b, quotients.data(), count));
    return true;
}

void clean_up(nir_shader* nir) {
    bool progress = true;
    while (progress) {
        progress = false;
        NIR_PASS(progress, nir, nir_copy_prop);
        NIR_PASS(progress, nir, nir_opt_constant_folding);
        NIR_PASS(progress, nir, nir_opt_algebraic);
        NIR_PASS(progress, nir, nir_opt_cse);
        NIR_PASS(progress, nir, nir_opt_dce);
        NIR_PASS(progress, nir, nir_opt_dead_cf);
        NIR_PASS(progress, nir, nir_opt_remove_phis);
    }
}

} // namespace

void prepare(nir_shader* nir, const Target& target) {
    const bool lowered = nir->info.io_lowered;
    if (!lowered)
        nir_lower_io_passes(nir, false);
    lower_late_io(nir);
    NIR_PASS(_, nir, nir_lower_system_values);
    NIR_PASS(_, nir, nir_lower_continue_constructs);
    NIR_PASS(_, nir, nir_lower_frexp);
    lower_textures(nir, target);
    if (target.bindless)
        lower_handles(nir);
    lower_subgroups(nir, target);
    lower_atomics(nir, target);
    lower_shared_memory(nir, target);
    if (nir->info.stage == MESA_SHADER_FRAGMENT) {
        NIR_PASS(_, nir, nir_shader_intrinsics_pass, clamp_depth, nir_metadata_control_flow,
                 nullptr);
        NIR_PASS(_, nir, nir_shader_intrinsics_pass, ignore_sample_mask, nir_metadata_control_flow,
                 nullptr);
        NIR_PASS(_, nir, nir_shader_intrinsics_pass, fetch_before_tests, nir_metadata_control_flow,
                 nullptr);
    }
    clean_up(nir);

    // Lower fneg, fsub and isub to the forms that SPIR-V has.
    bool late = true;
    while (late) {
        late = false;
        NIR_PASS(late, nir, nir_opt_algebraic_late);
        if (late) {
            NIR_PASS(_, nir, nir_opt_constant_folding);
            NIR_PASS(_, nir, nir_copy_prop);
            NIR_PASS(_, nir, nir_opt_dce);
            NIR_PASS(_, nir, nir_opt_cse);
        }
    }
    NIR_PASS(_, nir, nir_shader_alu_pass, divide_by_zero, nir_metadata_control_flow, nullptr);
    // Local variables that remain are indexed, and become registers with elements.
    NIR_PASS(_, nir, nir_lower_vars_to_ssa);
    NIR_PASS(_, nir, nir_lower_locals_to_regs, 1);
    NIR_PASS(_, nir, nir_lower_undef_to_zero);
    NIR_PASS(_, nir, nir_opt_dce);
    NIR_PASS(_, nir, nir_opt_dead_cf);
    NIR_PASS(_, nir, nir_remove_dead_variables,
             nir_variable_mode(nir_var_function_temp | nir_var_shader_temp), nullptr);
    nir_foreach_function_impl(impl, nir) {
        nir_index_blocks(impl);
        nir_index_ssa_defs(impl);
    }
    nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
}

} // namespace kobalt::spirv
