// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Handles are 64-bit values in NIR, but texture and image instructions need only their lower half.

#include "nir_builder.h"

#include "spirv/handles.h"

namespace kobalt::spirv {

namespace {

/// Loads only the lower half of `whole`'s value, at the same offset because memory is
/// little-endian.
nir_def* load_lower_half(nir_builder* b, const nir_intrinsic_instr* whole) {
    nir_intrinsic_instr* half = nir_intrinsic_instr_create(b->shader, whole->intrinsic);
    half->num_components = 1;
    for (unsigned i = 0; i < nir_intrinsic_infos[whole->intrinsic].num_srcs; i++)
        half->src[i] = nir_src_for_ssa(whole->src[i].ssa);
    nir_intrinsic_copy_const_indices(half, const_cast<nir_intrinsic_instr*>(whole));
    nir_def_init(&half->instr, &half->def, 1, 32);
    b->cursor = nir_after_instr(const_cast<nir_instr*>(&whole->instr));
    nir_builder_instr_insert(b, &half->instr);
    return &half->def;
}

/// The lower half of a handle, without 64-bit values where the handle's source allows that.
nir_def* slot_of_handle(nir_builder* b, nir_def* handle) {
    if (handle->bit_size == 32)
        return handle;
    nir_instr* made = handle->parent_instr;
    if (made->type == nir_instr_type_alu) {
        nir_alu_instr* alu = nir_instr_as_alu(made);
        if (alu->op == nir_op_pack_64_2x32 || alu->op == nir_op_pack_64_2x32_split) {
            b->cursor = nir_after_instr(made);
            return nir_channel(b, alu->src[0].src.ssa, alu->src[0].swizzle[0]);
        }
        if (alu->op == nir_op_bcsel && alu->src[1].src.ssa->num_components == 1 &&
            alu->src[2].src.ssa->num_components == 1) {
            nir_def* yes = slot_of_handle(b, alu->src[1].src.ssa);
            nir_def* no = slot_of_handle(b, alu->src[2].src.ssa);
            b->cursor = nir_after_instr(made);
            return nir_bcsel(b, nir_channel(b, alu->src[0].src.ssa, alu->src[0].swizzle[0]), yes,
                             no);
        }
    }
    if (made->type == nir_instr_type_intrinsic) {
        const nir_intrinsic_instr* load = nir_instr_as_intrinsic(made);
        if (load->intrinsic == nir_intrinsic_load_ubo || load->intrinsic == nir_intrinsic_load_ssbo)
            return load_lower_half(b, load);
    }
    b->cursor =
        made->type == nir_instr_type_phi ? nir_after_phis(made->block) : nir_after_instr(made);
    return nir_unpack_64_2x32_split_x(b, handle);
}

bool lower_image_handle(nir_builder* b, nir_intrinsic_instr* access) {
    switch (access->intrinsic) {
    case nir_intrinsic_bindless_image_load:
    case nir_intrinsic_bindless_image_store:
    case nir_intrinsic_bindless_image_atomic:
    case nir_intrinsic_bindless_image_atomic_swap:
    case nir_intrinsic_bindless_image_size:
    case nir_intrinsic_bindless_image_samples:
        nir_src_rewrite(&access->src[0], slot_of_handle(b, access->src[0].ssa));
        return true;
    default:
        return false;
    }
}

bool lower_handle(nir_builder* b, nir_instr* instr, void*) {
    if (instr->type == nir_instr_type_intrinsic)
        return lower_image_handle(b, nir_instr_as_intrinsic(instr));
    if (instr->type != nir_instr_type_tex)
        return false;
    nir_tex_instr* tex = nir_instr_as_tex(instr);
    // Texture and sampler have the same handle.
    if (const int index = nir_tex_instr_src_index(tex, nir_tex_src_sampler_handle); index >= 0)
        nir_tex_instr_remove_src(tex, unsigned(index));
    const int index = nir_tex_instr_src_index(tex, nir_tex_src_texture_handle);
    if (index < 0)
        return false;
    nir_src& source = tex->src[index].src;
    nir_src_rewrite(&source, slot_of_handle(b, source.ssa));
    return true;
}

} // namespace

void lower_handles(nir_shader* nir) {
    NIR_PASS(_, nir, nir_copy_prop);
    NIR_PASS(_, nir, nir_shader_instructions_pass, lower_handle, nir_metadata_control_flow,
             nullptr);
}

} // namespace kobalt::spirv
