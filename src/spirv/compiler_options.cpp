// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Options of what Mesa lowers before a shader reaches prepare().

#include <map>
#include <mutex>

#include "nir_builder.h"

#include "spirv/translate.h"

namespace kobalt::spirv {

namespace {

nir_shader_compiler_options make_options(const Target& target) {
    nir_shader_compiler_options options{};
    // Operations that SPIR-V has no instruction for.
    options.lower_fdph = true;
    options.lower_scmp = true;
    options.lower_hadd = true;
    options.lower_uadd_sat = true;
    options.lower_usub_sat = true;
    options.lower_iadd_sat = true;
    options.lower_mul_32x16 = true;
    options.lower_mul_2x32_64 = true;
    options.lower_extract_byte = true;
    options.lower_extract_word = true;
    options.lower_insert_byte = true;
    options.lower_insert_word = true;
    options.lower_fisnormal = true;
    // A fused multiply-add only where the source asks for one.
    options.lower_ffma16 = true;
    options.lower_ffma32 = true;
    options.lower_ffma64 = true;
    options.has_fsub = true;
    options.has_isub = true;
    options.has_ddx_intrinsics = true;
    options.lower_base_vertex = true;
    options.lower_uniforms_to_ubo = true;
    options.lower_device_index_to_zero = true;
    options.discard_is_demote = target.demote;
    options.max_unroll_iterations = 32;
    options.max_unroll_iterations_aggressive = 32;
    // Sampler arrays indexed by a loop counter (GLSL before 1.30) need a case for each element
    // anyway.
    options.force_indirect_unrolling_sampler = true;
    // Inputs of whole primitives can be indexed directly; others go through local arrays.
    options.support_indirect_inputs =
        uint8_t(BITFIELD_BIT(MESA_SHADER_TESS_CTRL) | BITFIELD_BIT(MESA_SHADER_TESS_EVAL) |
                BITFIELD_BIT(MESA_SHADER_GEOMETRY));
    options.support_indirect_outputs = uint8_t(BITFIELD_BIT(MESA_SHADER_TESS_CTRL));
    // A slot is one variable of SPIR-V, which decorations interpolate as a whole. So Mesa must not
    // pack inputs of different qualifiers into one, as flexible interpolation would let it: GLSL
    // requires the same of an app that packs varyings itself (4.60, section 4.4.1, location
    // aliasing).
    options.io_options = nir_io_options(
        nir_io_mediump_is_32bit | nir_io_dont_use_pos_for_non_fs_varyings | nir_io_has_intrinsics);
    options.divergence_analysis_options = nir_divergence_options(0);
    // All bits of the enumeration and none above, which would be outside of its range.
    if (!target.int64)
        options.lower_int64_options = nir_lower_int64_options(2 * nir_lower_iadd3_64 - 1);
    // lavapipe rounds large doubles as if they were floats.
    options.lower_doubles_options =
        nir_lower_doubles_options(nir_lower_dround_even | nir_lower_dtrunc);
    if (!target.float64) {
        options.lower_doubles_options =
            nir_lower_doubles_options(2 * nir_lower_fp64_full_software - 1);
        // Mesa's software implementation of doubles lacks these.
        options.lower_flrp64 = true;
        options.lower_ldexp = true;
    }
    return options;
}

} // namespace

const nir_shader_compiler_options* compiler_options(gl_shader_stage, const Target& target) {
    // Shaders keep the pointer, so each different set is made once and stays.
    static std::mutex mutex;
    static std::map<uint32_t, nir_shader_compiler_options> all;
    const uint32_t key =
        uint32_t(target.demote) | uint32_t(target.int64) << 1 | uint32_t(target.float64) << 2;
    const std::scoped_lock lock(mutex);
    return &all.try_emplace(key, make_options(target)).first->second;
}

} // namespace kobalt::spirv
