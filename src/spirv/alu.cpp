// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// ALU instructions. `rules` maps each NIR opcode to its SPIR-V instruction; the types of sources
// and result follow from NIR's own table (nir_op_infos). Opcodes that need more than one
// instruction are in alu_special.cpp and alu_pack.cpp.

#include "spirv/translator.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace kobalt::spirv {

namespace {

enum class Form : uint8_t {
    none,
    op,       ///< a core instruction
    extended, ///< one of GLSL.std.450
};

struct Rule {
    Form form = Form::none;
    uint16_t instruction = 0;
    uint16_t boolean = 0;      ///< core instruction where the sources are 1-bit
    bool contractible = false; ///< takes NoContraction where NIR says exact
};

constexpr uint16_t code(spv::Op op) {
    return uint16_t(op);
}

constexpr std::array<Rule, nir_num_opcodes> make_rules() {
    std::array<Rule, nir_num_opcodes> rules{};
    const auto core = [&](nir_op op, spv::Op instruction, spv::Op boolean = spv::Op::OpNop) {
        rules[op] = {Form::op, code(instruction), code(boolean), false};
    };
    const auto math = [&](nir_op op, spv::Op instruction) {
        rules[op] = {Form::op, code(instruction), 0, true};
    };
    const auto extended = [&](nir_op op, GLSLstd450 instruction, bool contractible = false) {
        rules[op] = {Form::extended, uint16_t(instruction), 0, contractible};
    };
    using enum spv::Op;

    // Float arithmetic
    math(nir_op_fadd, OpFAdd);
    math(nir_op_fsub, OpFSub);
    math(nir_op_fmul, OpFMul);
    math(nir_op_fdiv, OpFDiv);
    math(nir_op_fneg, OpFNegate);
    math(nir_op_fmod, OpFMod);
    math(nir_op_frem, OpFRem);
    math(nir_op_fdot2, OpDot);
    math(nir_op_fdot3, OpDot);
    math(nir_op_fdot4, OpDot);
    extended(nir_op_ffma, GLSLstd450Fma, true);
    extended(nir_op_flrp, GLSLstd450FMix, true);
    extended(nir_op_fabs, GLSLstd450FAbs);
    extended(nir_op_fsign, GLSLstd450FSign);
    extended(nir_op_ffloor, GLSLstd450Floor);
    extended(nir_op_fceil, GLSLstd450Ceil);
    extended(nir_op_ftrunc, GLSLstd450Trunc);
    extended(nir_op_ffract, GLSLstd450Fract);
    extended(nir_op_fround_even, GLSLstd450RoundEven);
    extended(nir_op_fsqrt, GLSLstd450Sqrt);
    extended(nir_op_frsq, GLSLstd450InverseSqrt);
    extended(nir_op_fexp2, GLSLstd450Exp2);
    extended(nir_op_flog2, GLSLstd450Log2);
    extended(nir_op_fpow, GLSLstd450Pow);
    extended(nir_op_fsin, GLSLstd450Sin);
    extended(nir_op_fcos, GLSLstd450Cos);
    extended(nir_op_ldexp, GLSLstd450Ldexp);
    // NIR's fmin and fmax return the number where one source is NaN.
    extended(nir_op_fmin, GLSLstd450NMin);
    extended(nir_op_fmax, GLSLstd450NMax);
    core(nir_op_fquantize2f16, OpQuantizeToF16);

    // Integer arithmetic. Where the sign matters, the instruction determines it, not the type.
    core(nir_op_iadd, OpIAdd);
    core(nir_op_isub, OpISub);
    core(nir_op_imul, OpIMul);
    core(nir_op_amul, OpIMul);
    core(nir_op_ineg, OpSNegate);
    core(nir_op_idiv, OpSDiv);
    core(nir_op_udiv, OpUDiv);
    core(nir_op_imod, OpSMod);
    core(nir_op_irem, OpSRem);
    core(nir_op_umod, OpUMod);
    core(nir_op_iand, OpBitwiseAnd, OpLogicalAnd);
    core(nir_op_ior, OpBitwiseOr, OpLogicalOr);
    core(nir_op_ixor, OpBitwiseXor, OpLogicalNotEqual);
    core(nir_op_inot, OpNot, OpLogicalNot);
    core(nir_op_bitfield_reverse, OpBitReverse);
    core(nir_op_bit_count, OpBitCount);
    extended(nir_op_iabs, GLSLstd450SAbs);
    extended(nir_op_isign, GLSLstd450SSign);
    extended(nir_op_imin, GLSLstd450SMin);
    extended(nir_op_imax, GLSLstd450SMax);
    extended(nir_op_umin, GLSLstd450UMin);
    extended(nir_op_umax, GLSLstd450UMax);
    extended(nir_op_find_lsb, GLSLstd450FindILsb);
    extended(nir_op_ifind_msb, GLSLstd450FindSMsb);
    extended(nir_op_ufind_msb, GLSLstd450FindUMsb);

    // Comparisons. NIR's fneu is true where a source is NaN, the other three are false.
    core(nir_op_feq, OpFOrdEqual);
    core(nir_op_fneu, OpFUnordNotEqual);
    core(nir_op_flt, OpFOrdLessThan);
    core(nir_op_fge, OpFOrdGreaterThanEqual);
    core(nir_op_fequ, OpFUnordEqual);
    core(nir_op_fneo, OpFOrdNotEqual);
    core(nir_op_fltu, OpFUnordLessThan);
    core(nir_op_fgeu, OpFUnordGreaterThanEqual);
    core(nir_op_ieq, OpIEqual, OpLogicalEqual);
    core(nir_op_ine, OpINotEqual, OpLogicalNotEqual);
    core(nir_op_ilt, OpSLessThan);
    core(nir_op_ige, OpSGreaterThanEqual);
    core(nir_op_ult, OpULessThan);
    core(nir_op_uge, OpUGreaterThanEqual);

    // Packing
    extended(nir_op_pack_half_2x16, GLSLstd450PackHalf2x16);
    extended(nir_op_pack_snorm_2x16, GLSLstd450PackSnorm2x16);
    extended(nir_op_pack_unorm_2x16, GLSLstd450PackUnorm2x16);
    extended(nir_op_pack_snorm_4x8, GLSLstd450PackSnorm4x8);
    extended(nir_op_pack_unorm_4x8, GLSLstd450PackUnorm4x8);
    extended(nir_op_unpack_half_2x16, GLSLstd450UnpackHalf2x16);
    extended(nir_op_unpack_snorm_2x16, GLSLstd450UnpackSnorm2x16);
    extended(nir_op_unpack_unorm_2x16, GLSLstd450UnpackUnorm2x16);
    extended(nir_op_unpack_snorm_4x8, GLSLstd450UnpackSnorm4x8);
    extended(nir_op_unpack_unorm_4x8, GLSLstd450UnpackUnorm4x8);
    return rules;
}

constexpr std::array<Rule, nir_num_opcodes> rules = make_rules();

Kind kind_of(nir_alu_type type) {
    switch (nir_alu_type_get_base_type(type)) {
    case nir_type_float:
        return Kind::floating;
    case nir_type_bool:
        return Kind::boolean;
    default:
        return Kind::uint;
    }
}

} // namespace

/// Source `index` with its swizzle applied, with as many components as the instruction reads.
Id Translator::alu_source(const nir_alu_instr* alu, unsigned index, Kind kind) {
    const nir_alu_src& source = alu->src[index];
    const nir_def* def = source.src.ssa;
    const unsigned components = nir_ssa_alu_instr_src_components(alu, index);
    if (def->bit_size == 1)
        kind = Kind::boolean;
    if (def->parent_instr->type == nir_instr_type_load_const)
        return constant_of(nir_instr_as_load_const(def->parent_instr), kind, source.swizzle,
                           components);
    return swizzle(get(def, kind), scalar_type(kind, def->bit_size), def->num_components,
                   source.swizzle, components);
}

void Translator::emit_alu(const nir_alu_instr* alu) {
    const nir_op_info& info = nir_op_infos[alu->op];
    const Rule& rule = rules[alu->op];
    const unsigned bits = alu->def.bit_size;

    if (rule.form == Form::none ||
        (rule.form == Form::extended && bits == 64 && kind_of(info.output_type) == Kind::floating &&
         (alu->op == nir_op_fsin || alu->op == nir_op_fpow))) {
        if (!emit_alu_special(alu) && !emit_alu_pack(alu))
            fail_instruction("ALU instruction", &alu->instr);
        return;
    }

    const Kind result = bits == 1 ? Kind::boolean : kind_of(info.output_type);
    const Id type = value_type(result, bits, alu->def.num_components);
    std::array<uint32_t, 4> sources{};
    bool boolean = false;
    for (unsigned i = 0; i < info.num_inputs; i++) {
        sources[i] = alu_source(alu, i, kind_of(info.input_types[i]));
        boolean = boolean || alu->src[i].src.ssa->bit_size == 1;
    }
    const std::span operands(sources.data(), info.num_inputs);

    Id id = 0;
    if (rule.form == Form::extended)
        id = b_.emit_extended(rule.instruction, type, operands);
    else if (alu->op == nir_op_fneu && nir_alu_srcs_equal(alu, alu, 0, 1))
        // A comparison of a value with itself is GL's isnan(). Compilers may assume that there are
        // no NaNs and fold the comparison, but they keep OpIsNan.
        id = b_.emit(spv::Op::OpIsNan, type, operands.first(1));
    else
        id = b_.emit(spv::Op(boolean ? rule.boolean : rule.instruction), type, operands);
    if (rule.contractible && alu->exact)
        b_.decorate(id, spv::Decoration::NoContraction);
    set(&alu->def, result, id);
}

} // namespace kobalt::spirv
