// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/query/sum_shader.h"

#include "nir.h"
#include "nir_builder.h"

namespace kobalt::gallium {
namespace {

nir_def* read_word(nir_builder& b, SumBuffer buffer, nir_def* word) {
    return _nir_build_load_ssbo(&b, 1, 32, nir_imm_int(&b, static_cast<int>(buffer)),
                                nir_ishl_imm(&b, word, 2),
                                {.access = ACCESS_NON_WRITEABLE, .align_mul = 4});
}

void write_word(nir_builder& b, nir_def* word, nir_def* value) {
    _nir_build_store_ssbo(&b, value, nir_imm_int(&b, sum_target), nir_ishl_imm(&b, word, 2),
                          {.write_mask = 1, .align_mul = 4});
}

nir_def* parameter(nir_builder& b, size_t bytes) {
    return read_word(b, sum_parameters, nir_imm_int(&b, static_cast<int>(bytes / 4)));
}

nir_variable* new_word(nir_builder& b, const char* name, nir_def* value) {
    nir_variable* variable = nir_local_variable_create(b.impl, glsl_uint_type(), name);
    nir_store_var(&b, variable, value, 1);
    return variable;
}

/// Adds one term to the sum (low, high).
void add_term(nir_builder& b, nir_def* index, nir_variable* low, nir_variable* high) {
    nir_def* const term =
        read_word(b, sum_parameters, nir_iadd_imm(&b, index, sizeof(SumParameters) / 4));
    nir_def* const word = nir_iand_imm(&b, term, ~SumParameters::negative);
    // -x is ~x + 1.
    nir_def* const inverted = nir_ishr_imm(&b, term, 31);
    const auto half = [&](unsigned which, size_t mask) {
        nir_def* const value = read_word(b, sum_terms, nir_iadd_imm(&b, word, which));
        return nir_ixor(&b, nir_iand(&b, value, parameter(b, mask)), inverted);
    };
    nir_def* const term_low = half(0, offsetof(SumParameters, mask_low));
    nir_def* const term_high = half(1, offsetof(SumParameters, mask_high));
    nir_def* const sum = nir_iadd(&b, nir_load_var(&b, low), term_low);
    nir_def* const carry = nir_b2i32(&b, nir_ult(&b, sum, term_low));
    nir_def* const total = nir_iadd(&b, sum, nir_iand_imm(&b, inverted, 1));
    nir_def* const second_carry = nir_b2i32(&b, nir_ult(&b, total, sum));
    nir_def* const total_high = nir_iadd(&b, nir_iadd(&b, nir_load_var(&b, high), term_high),
                                         nir_iadd(&b, carry, second_carry));
    nir_store_var(&b, low, total, 1);
    nir_store_var(&b, high, total_high, 1);
}

void write_result(nir_builder& b, nir_def* low, nir_def* high) {
    nir_def* const scale = parameter(b, offsetof(SumParameters, scale));
    high = nir_iadd(&b, nir_imul(&b, high, scale), nir_umul_high(&b, low, scale));
    low = nir_imul(&b, low, scale);

    nir_def* const boolean = nir_ine_imm(&b, parameter(b, offsetof(SumParameters, boolean)), 0);
    nir_def* const is_any = nir_b2i32(&b, nir_ine_imm(&b, nir_ior(&b, low, high), 0));
    low = nir_bcsel(&b, boolean, is_any, low);
    high = nir_bcsel(&b, boolean, nir_imm_int(&b, 0), high);

    nir_def* const limit = parameter(b, offsetof(SumParameters, limit));
    nir_def* const target = parameter(b, offsetof(SumParameters, target));
    nir_if* const is_long = nir_push_if(&b, nir_ieq_imm(&b, limit, 0));
    write_word(b, target, low);
    write_word(b, nir_iadd_imm(&b, target, 1), high);
    nir_push_else(&b, is_long);
    nir_def* const exceeds = nir_ior(&b, nir_ine_imm(&b, high, 0), nir_ult(&b, limit, low));
    write_word(b, target, nir_bcsel(&b, exceeds, limit, low));
    nir_pop_if(&b, is_long);
}

} // namespace

std::unique_ptr<Shader> create_sum_shader(Screen& screen) {
    nir_builder b = nir_builder_init_simple_shader(
        MESA_SHADER_COMPUTE, spirv::compiler_options(MESA_SHADER_COMPUTE, screen.spirv_target),
        "result of a query");
    for (uint16_t& size : b.shader->info.workgroup_size)
        size = 1;
    b.shader->info.num_ssbos = sum_buffers;

    nir_def* const count = parameter(b, offsetof(SumParameters, count));
    nir_variable* const index = new_word(b, "index", nir_imm_int(&b, 0));
    nir_variable* const low = new_word(b, "low", parameter(b, offsetof(SumParameters, base_low)));
    nir_variable* const high =
        new_word(b, "high", parameter(b, offsetof(SumParameters, base_high)));
    nir_loop* const loop = nir_push_loop(&b);
    nir_def* const next = nir_load_var(&b, index);
    nir_if* const done = nir_push_if(&b, nir_uge(&b, next, count));
    nir_jump(&b, nir_jump_break);
    nir_pop_if(&b, done);
    add_term(b, next, low, high);
    nir_store_var(&b, index, nir_iadd_imm(&b, next, 1), 1);
    nir_pop_loop(&b, loop);
    write_result(b, nir_load_var(&b, low), nir_load_var(&b, high));
    return create_shader(screen, b.shader);
}

} // namespace kobalt::gallium
