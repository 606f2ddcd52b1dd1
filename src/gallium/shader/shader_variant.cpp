// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <optional>

#include "gallium/context/shader.h"
#include "spirv/push_constants.h"

#include "nir.h"
#include "nir_builder.h"

// Fixed-function state that changes fragment shaders at the time of a draw. Sprite coordinates are
// chosen by a push constant in every shader that reads gl_TexCoord; round points and polygon
// stipple use discard, which would disable the early depth test for all other draws, so they are
// variants. All work on lowered I/O intrinsics.

namespace kobalt::gallium {
namespace {

bool reads_texture_coordinate(const nir_intrinsic_instr* intrinsic) {
    if (intrinsic->intrinsic != nir_intrinsic_load_interpolated_input &&
        intrinsic->intrinsic != nir_intrinsic_load_input)
        return false;
    const unsigned location = nir_intrinsic_io_semantics(intrinsic).location;
    return location >= VARYING_SLOT_TEX0 && location <= VARYING_SLOT_TEX7;
}

// OpenGL compatibility, "Point Sprites" (GL_COORD_REPLACE): (s, t, 0, 1) over the sprite.
bool replace_coordinate(nir_builder* b, nir_intrinsic_instr* intrinsic, void*) {
    if (!reads_texture_coordinate(intrinsic))
        return false;
    b->cursor = nir_after_instr(&intrinsic->instr);
    const unsigned bit = nir_intrinsic_io_semantics(intrinsic).location - VARYING_SLOT_TEX0;
    const _nir_load_push_constant_indices where{
        .base = offsetof(spirv::DrawParameters, sprite_coordinates), .range = 4};
    nir_def* mask = _nir_build_load_push_constant(b, 1, 32, nir_imm_int(b, 0), where);
    nir_def* replaced = nir_ine_imm(b, nir_iand_imm(b, mask, 1u << bit), 0);
    nir_def* point = nir_load_point_coord(b);
    nir_def* channels[4] = {nir_channel(b, point, 0), nir_channel(b, point, 1),
                            nir_imm_float(b, 0.0), nir_imm_float(b, 1.0)};
    const unsigned first = nir_intrinsic_component(intrinsic);
    nir_def* sprite = nir_vec(b, channels + first, intrinsic->def.num_components);
    nir_def* value = nir_bcsel(b, replaced, sprite, &intrinsic->def);
    nir_def_rewrite_uses_after(&intrinsic->def, value, value->parent_instr);
    return true;
}

bool shift_primitive_id(nir_builder* b, nir_intrinsic_instr* intrinsic, void*) {
    const bool reads =
        intrinsic->intrinsic == nir_intrinsic_load_primitive_id ||
        (intrinsic->intrinsic == nir_intrinsic_load_input &&
         nir_intrinsic_io_semantics(intrinsic).location == VARYING_SLOT_PRIMITIVE_ID);
    if (!reads)
        return false;
    b->cursor = nir_after_instr(&intrinsic->instr);
    const _nir_load_push_constant_indices where{
        .base = offsetof(spirv::DrawParameters, primitive_shift), .range = 4};
    nir_def* shift = _nir_build_load_push_constant(b, 1, 32, nir_imm_int(b, 0), where);
    nir_def* number = nir_ushr(b, &intrinsic->def, shift);
    nir_def_rewrite_uses_after(&intrinsic->def, number, number->parent_instr);
    return true;
}

// OpenGL 4.6, section 14.3.1.1 (glMinSampleShading): each sample is shaded with the inputs at its
// position.
bool interpolate_at_sample(nir_builder*, nir_intrinsic_instr* intrinsic, void*) {
    if (intrinsic->intrinsic != nir_intrinsic_load_barycentric_pixel &&
        intrinsic->intrinsic != nir_intrinsic_load_barycentric_centroid)
        return false;
    intrinsic->intrinsic = nir_intrinsic_load_barycentric_sample;
    return true;
}

bool writes_float_color(const nir_intrinsic_instr* intrinsic) {
    if (intrinsic->intrinsic != nir_intrinsic_store_output)
        return false;
    const unsigned location = nir_intrinsic_io_semantics(intrinsic).location;
    return (location == FRAG_RESULT_COLOR || location >= FRAG_RESULT_DATA0) &&
           nir_alu_type_get_base_type(nir_intrinsic_src_type(intrinsic)) == nir_type_float &&
           intrinsic->src[0].ssa->bit_size == 32;
}

/// Which component of the stored colour is alpha; none where the store has no alpha.
std::optional<unsigned> written_alpha(const nir_intrinsic_instr* intrinsic) {
    if (!writes_float_color(intrinsic))
        return {};
    const unsigned first = nir_intrinsic_component(intrinsic);
    if (first > 3 || first + intrinsic->src[0].ssa->num_components <= 3)
        return {};
    return 3 - first;
}

bool scale_alpha(nir_builder* b, nir_intrinsic_instr* intrinsic, void* data) {
    const std::optional<unsigned> alpha = written_alpha(intrinsic);
    if (!alpha)
        return false;
    nir_def* color = intrinsic->src[0].ssa;
    b->cursor = nir_before_instr(&intrinsic->instr);
    nir_def* scaled = nir_fmul(b, nir_channel(b, color, *alpha), static_cast<nir_def*>(data));
    nir_src_rewrite(&intrinsic->src[0], nir_vector_insert_imm(b, color, scaled, *alpha));
    return true;
}

/// The mask of samples that an alpha covers, the same in every pixel or dithered. With dithering,
/// one of the four pixels in a square takes one more sample for each quarter of a sample, and each
/// pixel takes samples in another order (GL_NV_alpha_to_coverage_dither_control).
nir_def* covered_samples(nir_builder* b, nir_def* alpha, const VariantKey& key) {
    const unsigned samples = key.coverage_samples;
    const auto mask_of = [&](nir_def* count) {
        return nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), nir_f2u32(b, nir_ffloor(b, count))),
                            -1);
    };
    nir_def* count = nir_fmul_imm(b, nir_fsat(b, alpha), samples);
    if (!key.coverage_dither)
        return mask_of(nir_fadd_imm(b, count, 0.5));
    nir_def* pixel = nir_iand_imm(
        b, nir_f2u32(b, nir_ffloor(b, nir_trim_vector(b, nir_load_frag_coord(b), 2))), 1);
    nir_def* column = nir_channel(b, pixel, 0);
    nir_def* row = nir_channel(b, pixel, 1);
    // The thresholds of the square: 1/8 and 5/8 in the upper row, 7/8 and 3/8 in the lower.
    nir_def* eighths = nir_iadd_imm(
        b, nir_iadd(b, nir_imul_imm(b, nir_ixor(b, column, row), 4), nir_imul_imm(b, row, 2)), 1);
    nir_def* mask = mask_of(nir_fadd(b, count, nir_fmul_imm(b, nir_u2f32(b, eighths), 1.0 / 8.0)));
    nir_def* turn =
        nir_imul_imm(b, nir_iadd(b, column, nir_imul_imm(b, row, 2)), std::max(samples / 4, 1u));
    turn = nir_iand_imm(b, turn, samples - 1);
    nir_def* turned = nir_ior(b, nir_ishl(b, mask, turn),
                              nir_ushr(b, mask, nir_isub(b, nir_imm_int(b, int(samples)), turn)));
    return samples < 32 ? nir_iand_imm(b, turned, (1u << samples) - 1) : turned;
}

void store_sample_mask(nir_builder* b, nir_def* mask) {
    const _nir_store_output_indices where{
        .write_mask = 1,
        .src_type = nir_type_int32,
        .io_semantics = {.location = FRAG_RESULT_SAMPLE_MASK, .num_slots = 1}};
    _nir_build_store_output(b, mask, nir_imm_int(b, 0), where);
}

/// GL_SAMPLE_ALPHA_TO_COVERAGE and GL_SAMPLE_ALPHA_TO_ONE (OpenGL 4.6, section 17.3.2), where the
/// device lacks the latter or the app chooses the dithering of the former: the alpha of the first
/// colour determines how many samples are covered, and then every alpha is set to 1. `data`: the
/// variant's key.
bool replace_alpha(nir_builder* b, nir_intrinsic_instr* intrinsic, void* data) {
    const std::optional<unsigned> alpha = written_alpha(intrinsic);
    if (!alpha)
        return false;
    nir_def* color = intrinsic->src[0].ssa;
    b->cursor = nir_before_instr(&intrinsic->instr);
    const auto& key = *static_cast<const VariantKey*>(data);
    const unsigned location = nir_intrinsic_io_semantics(intrinsic).location;
    if (key.coverage_samples && (location == FRAG_RESULT_COLOR || location == FRAG_RESULT_DATA0) &&
        !nir_intrinsic_io_semantics(intrinsic).dual_source_blend_index) {
        nir_def* mask = covered_samples(b, nir_channel(b, color, *alpha), key);
        store_sample_mask(b, mask);
    }
    if (key.alpha_to_one)
        nir_src_rewrite(&intrinsic->src[0],
                        nir_vector_insert_imm(b, color, nir_imm_float(b, 1.0f), *alpha));
    return true;
}

/// driconf's dual_color_blend_by_location: programs that count on it write the second source of
/// blending at Location 1, not at Location 0 with index 1 (OpenGL 4.6, section 14.2.3).
bool make_second_source(nir_builder*, nir_intrinsic_instr* intrinsic, void*) {
    if (intrinsic->intrinsic != nir_intrinsic_store_output)
        return false;
    nir_io_semantics semantics = nir_intrinsic_io_semantics(intrinsic);
    if (semantics.location != FRAG_RESULT_DATA1)
        return false;
    semantics.location = FRAG_RESULT_DATA0;
    semantics.dual_source_blend_index = 1;
    nir_intrinsic_set_io_semantics(intrinsic, semantics);
    return true;
}

bool writes_sample_mask(const nir_intrinsic_instr* intrinsic) {
    return intrinsic->intrinsic == nir_intrinsic_store_output &&
           nir_intrinsic_io_semantics(intrinsic).location == FRAG_RESULT_SAMPLE_MASK;
}

/// A sample that alpha covers is written only where gl_SampleMask has it, too (OpenGL 4.6, section
/// 17.3.2): both masks are combined in one register (`data`).
bool gather_sample_masks(nir_builder* b, nir_intrinsic_instr* intrinsic, void* data) {
    if (!writes_sample_mask(intrinsic))
        return false;
    b->cursor = nir_before_instr(&intrinsic->instr);
    nir_def* masks = static_cast<nir_def*>(data);
    nir_store_reg(b, nir_iand(b, nir_load_reg(b, masks), intrinsic->src[0].ssa), masks);
    nir_instr_remove(&intrinsic->instr);
    return true;
}

void combine_sample_masks(nir_shader* nir) {
    nir_function_impl* impl = nir_shader_get_entrypoint(nir);
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    nir_def* masks = nir_decl_reg(&b, 1, 32, 0);
    nir_store_reg(&b, nir_imm_int(&b, -1), masks);
    nir_shader_intrinsics_pass(nir, gather_sample_masks, nir_metadata_control_flow, masks);
    b = nir_builder_at(nir_after_impl(impl));
    store_sample_mask(&b, nir_load_reg(&b, masks));
}

// OpenGL compatibility, "Point Antialiasing" (GL_POINT_SMOOTH): coverage falls to 0 over the last
// pixel of the radius; fragments without coverage are discarded.
nir_def* round_point_coverage(nir_builder* b) {
    nir_def* point = nir_load_point_coord(b);
    nir_def* size = nir_frcp(b, nir_fabs(b, nir_ddx(b, nir_channel(b, point, 0))));
    nir_def* offset = nir_fadd_imm(b, point, -0.5);
    nir_def* distance = nir_fmul(b, nir_fsqrt(b, nir_fdot2(b, offset, offset)), size);
    nir_def* radius = nir_fmul_imm(b, size, 0.5);
    nir_def* coverage = nir_fsat(b, nir_fadd_imm(b, nir_fsub(b, radius, distance), 0.5));
    nir_discard_if(b, nir_feq_imm(b, coverage, 0.0));
    return coverage;
}

// OpenGL compatibility, "Polygon Stipple": bit 31 - x of row y, both modulo 32, keeps the fragment.
// The state tracker has turned the pattern over where the window's rows run downwards.
void discard_stippled(nir_builder* b) {
    nir_def* position = nir_f2u32(b, nir_trim_vector(b, nir_load_frag_coord(b), 2));
    nir_def* column = nir_iand_imm(b, nir_channel(b, position, 0), 31);
    nir_def* row = nir_iand_imm(b, nir_channel(b, position, 1), 31);
    const _nir_load_ubo_indices range{.access = ACCESS_NON_WRITEABLE,
                                      .align_mul = 4,
                                      .align_offset = 0,
                                      .range_base = 0,
                                      .range = 128};
    nir_def* pattern = _nir_build_load_ubo(b, 1, 32, nir_imm_int(b, stipple_buffer_slot),
                                           nir_ishl_imm(b, row, 2), range);
    nir_def* bit = nir_ushr(b, nir_ishl(b, pattern, column), nir_imm_int(b, 31));
    nir_discard_if(b, nir_ieq_imm(b, bit, 0));
}

bool is_placed_in_pixel(const nir_intrinsic_instr* intrinsic) {
    switch (intrinsic->intrinsic) {
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_sample:
    case nir_intrinsic_load_barycentric_at_sample:
    case nir_intrinsic_load_barycentric_at_offset:
    case nir_intrinsic_load_frag_coord:
    case nir_intrinsic_load_point_coord:
    case nir_intrinsic_load_sample_id:
    case nir_intrinsic_load_sample_pos:
    case nir_intrinsic_load_sample_pos_or_center:
    case nir_intrinsic_load_sample_mask_in:
        return true;
    case nir_intrinsic_store_output:
        return nir_intrinsic_io_semantics(intrinsic).location == FRAG_RESULT_SAMPLE_MASK;
    default:
        return false;
    }
}

nir_def* sample_barycentric(nir_builder* b, nir_intrinsic_instr* of) {
    const _nir_load_barycentric_sample_indices mode{
        .interp_mode = static_cast<unsigned>(nir_intrinsic_interp_mode(of))};
    return _nir_build_load_barycentric_sample(b, 2, mode);
}

// The fragment runs for a sample in place of its pixel's centre (whole_pixels.h). Inputs are
// interpolated at the centre, where gl_FragCoord lies as well. gl_SamplePosition is the centre, and
// neither gl_SampleID nor gl_SampleMask distinguishes samples (OpenGL 4.6, sections 15.2.2 and
// 17.3.2).
bool run_at_centred_sample(nir_builder* b, nir_intrinsic_instr* intrinsic, void*) {
    if (!is_placed_in_pixel(intrinsic))
        return false;
    b->cursor = nir_after_instr(&intrinsic->instr);
    switch (intrinsic->intrinsic) {
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_at_sample:
        nir_def_rewrite_uses(&intrinsic->def, sample_barycentric(b, intrinsic));
        break;
    case nir_intrinsic_load_barycentric_at_offset: {
        b->cursor = nir_before_instr(&intrinsic->instr);
        nir_def* offset = nir_fadd_imm(b, nir_load_sample_pos(b), -0.5);
        nir_src_rewrite(&intrinsic->src[0], nir_fadd(b, intrinsic->src[0].ssa, offset));
        return true;
    }
    case nir_intrinsic_load_frag_coord: {
        nir_def* corner = nir_ffloor(b, nir_trim_vector(b, &intrinsic->def, 2));
        nir_def* centre = nir_fadd_imm(b, corner, 0.5);
        nir_def* coordinate =
            nir_vec4(b, nir_channel(b, centre, 0), nir_channel(b, centre, 1),
                     nir_channel(b, &intrinsic->def, 2), nir_channel(b, &intrinsic->def, 3));
        nir_def_rewrite_uses_after(&intrinsic->def, coordinate, coordinate->parent_instr);
        return true;
    }
    case nir_intrinsic_load_sample_id:
        nir_def_rewrite_uses(&intrinsic->def, nir_imm_int(b, 0));
        break;
    case nir_intrinsic_load_sample_mask_in: // the pixel has one sample, which is covered
        nir_def_rewrite_uses(&intrinsic->def, nir_imm_int(b, 1));
        break;
    case nir_intrinsic_load_sample_pos:
    case nir_intrinsic_load_sample_pos_or_center:
        nir_def_rewrite_uses(&intrinsic->def, nir_imm_vec2(b, 0.5, 0.5));
        break;
    case nir_intrinsic_store_output:
        break;
    default:
        return false;
    }
    nir_instr_remove(&intrinsic->instr);
    return true;
}

} // namespace

bool varies_in_pixel(nir_shader* nir) {
    return nir_shader_intrinsics_pass(
        nir,
        [](nir_builder*, nir_intrinsic_instr* intrinsic, void*) {
            return is_placed_in_pixel(intrinsic);
        },
        nir_metadata_all, nullptr);
}

void lower_sprite_coordinates(nir_shader* nir) {
    nir_shader_intrinsics_pass(nir, replace_coordinate, nir_metadata_control_flow, nullptr);
}

bool lower_primitive_id(nir_shader* nir) {
    return nir_shader_intrinsics_pass(nir, shift_primitive_id, nir_metadata_control_flow, nullptr);
}

void lower_fragment_variant(nir_shader* nir, const VariantKey& key) {
    nir_function_impl* impl = nir_shader_get_entrypoint(nir);
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    if (key.point_smooth) {
        nir_def* coverage = round_point_coverage(&b);
        nir_shader_intrinsics_pass(nir, scale_alpha, nir_metadata_control_flow, coverage);
    }
    if (key.polygon_stipple) {
        b = nir_builder_at(nir_before_impl(impl));
        discard_stippled(&b);
    }
    if (key.dual_by_location)
        nir_shader_intrinsics_pass(nir, make_second_source, nir_metadata_all, nullptr);
    if (key.alpha_to_one || key.coverage_samples) {
        VariantKey copy = key;
        nir_shader_intrinsics_pass(nir, replace_alpha, nir_metadata_control_flow, &copy);
        if (key.coverage_samples &&
            nir->info.outputs_written & BITFIELD64_BIT(FRAG_RESULT_SAMPLE_MASK))
            combine_sample_masks(nir);
    }
    if (key.point_smooth || key.polygon_stipple) {
        nir->info.fs.uses_discard = true;
        nir->info.num_ubos = key.polygon_stipple ? PIPE_MAX_CONSTANT_BUFFERS : nir->info.num_ubos;
        nir_metadata_preserve(impl, nir_metadata_none);
    }
    if (key.per_sample) {
        nir_shader_intrinsics_pass(nir, interpolate_at_sample, nir_metadata_all, nullptr);
        nir->info.fs.uses_sample_shading = true;
    }
    if (key.at_samples) {
        nir_shader_intrinsics_pass(nir, run_at_centred_sample, nir_metadata_control_flow, nullptr);
        nir->info.fs.uses_sample_shading = true;
    }
    nir_shader_gather_info(nir, impl);
}

} // namespace kobalt::gallium
