// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// ALU instructions that need more than one SPIR-V instruction: moves, selects, conversions,
// reductions, shifts, wide products.

#include "spirv/translator.h"

#include <bit>

#include <spirv/unified1/GLSL.std.450.h>

#include "util/half_float.h"

namespace kobalt::spirv {

Id Translator::splat_float(double value, unsigned bits, unsigned components) {
    const Id type = scalar_type(Kind::floating, bits);
    Id scalar = 0;
    if (bits == 64) {
        const uint64_t word = std::bit_cast<uint64_t>(value);
        scalar = b_.constant(type, std::array{uint32_t(word), uint32_t(word >> 32)});
    } else if (bits == 16) {
        scalar = b_.constant(type, std::array{uint32_t(_mesa_float_to_half(float(value)))});
    } else {
        scalar = b_.constant_float(float(value));
    }
    return b_.constant_splat(type, scalar, components);
}

Id Translator::splat_uint(uint64_t value, unsigned bits, unsigned components) {
    const Id type = scalar_type(Kind::uint, bits);
    const Id scalar = bits == 64
                          ? b_.constant(type, std::array{uint32_t(value), uint32_t(value >> 32)})
                          : b_.constant(type, std::array{uint32_t(value)});
    return b_.constant_splat(type, scalar, components);
}

void Translator::emit_conversion(const nir_alu_instr* alu) {
    const nir_op_info& info = nir_op_infos[alu->op];
    const nir_alu_type from = nir_alu_type_get_base_type(info.input_types[0]);
    const nir_alu_type to = nir_alu_type_get_base_type(info.output_type);
    const unsigned components = alu->def.num_components;
    const unsigned bits = alu->def.bit_size;
    const unsigned from_bits = alu->src[0].src.ssa->bit_size;

    if (from_bits == 1) {
        const Id source = alu_source(alu, 0, Kind::boolean);
        if (bits == 1) {
            set(&alu->def, Kind::boolean, source);
            return;
        }
        const bool is_float = to == nir_type_float;
        const Kind kind = is_float ? Kind::floating : Kind::uint;
        const Id one = is_float              ? splat_float(1.0, bits, components)
                       : to == nir_type_bool ? splat_uint(~uint64_t(0), bits, components)
                                             : splat_uint(1, bits, components);
        const Id type = value_type(kind, bits, components);
        set(&alu->def, kind,
            b_.emit(spv::Op::OpSelect, type, {source, one, b_.constant_null(type)}));
        return;
    }
    if (to == nir_type_bool && bits == 1) {
        const Id source = alu_source(alu, 0, Kind::uint);
        set(&alu->def, Kind::boolean,
            b_.emit(spv::Op::OpINotEqual, value_type(Kind::boolean, 1, components),
                    {source, splat_uint(0, from_bits, components)}));
        return;
    }

    const Kind from_kind = from == nir_type_float ? Kind::floating : Kind::uint;
    const Kind to_kind = to == nir_type_float ? Kind::floating : Kind::uint;
    const Id source = alu_source(alu, 0, from_kind);
    if (from_kind == to_kind && from_bits == bits) {
        set(&alu->def, to_kind, source);
        return;
    }
    spv::Op op = spv::Op::OpNop;
    if (from_kind == Kind::floating)
        op = to_kind == Kind::floating ? spv::Op::OpFConvert
             : to == nir_type_int      ? spv::Op::OpConvertFToS
                                       : spv::Op::OpConvertFToU;
    else if (to_kind == Kind::floating)
        op = from == nir_type_int ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF;
    else
        op = from == nir_type_int ? spv::Op::OpSConvert : spv::Op::OpUConvert;
    const Id id = b_.emit(op, value_type(to_kind, bits, components), {source});
    if (alu->op == nir_op_f2f16_rtz)
        b_.decorate(id, spv::Decoration::FPRoundingMode, {uint32_t(spv::FPRoundingMode::RTZ)});
    set(&alu->def, to_kind, id);
}

bool Translator::emit_alu_special(const nir_alu_instr* alu) {
    const unsigned components = alu->def.num_components;
    const unsigned bits = alu->def.bit_size;
    const auto type = [&](Kind kind) { return value_type(kind, bits, components); };
    const auto result = [&](Kind kind, Id id) {
        set(&alu->def, kind, id);
        return true;
    };
    const auto exact = [&](Id id) {
        if (alu->exact)
            b_.decorate(id, spv::Decoration::NoContraction);
        return id;
    };

    if (nir_op_is_vec(alu->op)) {
        // The vector keeps the kind of its sources where they agree.
        const unsigned count = nir_op_infos[alu->op].num_inputs;
        bool is_float = false;
        for (unsigned i = 0; i < count; i++)
            is_float = is_float || native_kind(alu->src[i].src.ssa) == Kind::floating;
        const Kind kind = bits == 1 ? Kind::boolean : is_float ? Kind::floating : Kind::uint;
        std::vector<Id> members;
        bool one_source = true;
        for (unsigned i = 0; i < count; i++)
            one_source = one_source && alu->src[i].src.ssa == alu->src[0].src.ssa;
        const nir_def* first = alu->src[0].src.ssa;
        if (one_source && first->num_components > 1 &&
            first->parent_instr->type != nir_instr_type_load_const) {
            std::array<uint8_t, 16> order{};
            for (unsigned i = 0; i < count; i++)
                order[i] = alu->src[i].swizzle[0];
            return result(kind, swizzle(get(first, kind), scalar_type(kind, bits),
                                        first->num_components, order.data(), count));
        }
        bool constant = true;
        for (unsigned i = 0; i < count; i++) {
            members.push_back(alu_source(alu, i, kind));
            constant =
                constant && alu->src[i].src.ssa->parent_instr->type == nir_instr_type_load_const;
        }
        return result(kind, constant ? b_.constant_composite(type(kind), members)
                                     : compose(scalar_type(kind, bits), members));
    }

    switch (alu->op) {
    case nir_op_mov: {
        const Kind kind = native_kind(alu->src[0].src.ssa);
        return result(kind, alu_source(alu, 0, kind));
    }
    case nir_op_bcsel: {
        Kind kind = native_kind(alu->src[1].src.ssa);
        if (kind != native_kind(alu->src[2].src.ssa))
            kind = float_defs_[alu->def.index] ? Kind::floating : Kind::uint;
        if (bits == 1)
            kind = Kind::boolean;
        const Id condition = alu_source(alu, 0, Kind::boolean);
        const Id yes = alu_source(alu, 1, kind);
        return result(kind, b_.emit(spv::Op::OpSelect, type(kind),
                                    {condition, yes, alu_source(alu, 2, kind)}));
    }
    case nir_op_frcp:
        return result(Kind::floating, exact(b_.emit(spv::Op::OpFDiv, type(Kind::floating),
                                                    {splat_float(1.0, bits, components),
                                                     alu_source(alu, 0, Kind::floating)})));
    case nir_op_fsat: // NaN becomes 0
        return result(Kind::floating, b_.emit_extended(GLSLstd450NClamp, type(Kind::floating),
                                                       {alu_source(alu, 0, Kind::floating),
                                                        splat_float(0.0, bits, components),
                                                        splat_float(1.0, bits, components)}));
    case nir_op_fsum2:
    case nir_op_fsum3:
    case nir_op_fsum4: {
        const unsigned count = nir_op_infos[alu->op].input_sizes[0];
        return result(Kind::floating, exact(b_.emit(spv::Op::OpDot, type(Kind::floating),
                                                    {alu_source(alu, 0, Kind::floating),
                                                     splat_float(1.0, bits, count)})));
    }

    // Shifts: NIR takes the count modulo the width, SPIR-V leaves larger ones undefined.
    case nir_op_ishl:
    case nir_op_ishr:
    case nir_op_ushr: {
        const nir_alu_src& count_source = alu->src[1];
        Id count = 0;
        const unsigned count_bits = count_source.src.ssa->bit_size;
        const bool constant = count_source.src.ssa->parent_instr->type == nir_instr_type_load_const;
        bool small = constant;
        for (unsigned i = 0; constant && i < components; i++)
            small = small && nir_src_comp_as_uint(count_source.src, count_source.swizzle[i]) < bits;
        count = alu_source(alu, 1, Kind::uint);
        if (!small)
            count = b_.emit(spv::Op::OpBitwiseAnd, value_type(Kind::uint, count_bits, components),
                            {count, splat_uint(bits - 1, count_bits, components)});
        const spv::Op op = alu->op == nir_op_ishl   ? spv::Op::OpShiftLeftLogical
                           : alu->op == nir_op_ishr ? spv::Op::OpShiftRightArithmetic
                                                    : spv::Op::OpShiftRightLogical;
        return result(Kind::uint,
                      b_.emit(op, type(Kind::uint), {alu_source(alu, 0, Kind::uint), count}));
    }

    // Instructions whose second result is used
    case nir_op_uadd_carry:
    case nir_op_usub_borrow:
    case nir_op_umul_high:
    case nir_op_imul_high: {
        const spv::Op op = alu->op == nir_op_uadd_carry    ? spv::Op::OpIAddCarry
                           : alu->op == nir_op_usub_borrow ? spv::Op::OpISubBorrow
                           : alu->op == nir_op_umul_high   ? spv::Op::OpUMulExtended
                                                           : spv::Op::OpSMulExtended;
        const Id member = type(Kind::uint);
        const Id a = alu_source(alu, 0, Kind::uint);
        const Id pair =
            b_.emit(op, b_.type_struct({member, member}), {a, alu_source(alu, 1, Kind::uint)});
        return result(Kind::uint, extract(pair, member, 1));
    }
    case nir_op_uclz: {
        // FindUMsb of 0 is -1, so that 0 has 32 leading zeros.
        if (alu->src[0].src.ssa->bit_size != 32)
            return false;
        const Id type = value_type(Kind::uint, 32, components);
        const Id last =
            b_.emit_extended(GLSLstd450FindUMsb, type, {alu_source(alu, 0, Kind::uint)});
        return result(Kind::uint,
                      b_.emit(spv::Op::OpISub, type, {splat_uint(31, 32, components), last}));
    }
    case nir_op_frexp_exp:
    case nir_op_frexp_sig: {
        const unsigned from_bits = alu->src[0].src.ssa->bit_size;
        const Id significand = value_type(Kind::floating, from_bits, components);
        const Id exponent = value_type(Kind::uint, 32, components);
        const Id pair =
            b_.emit_extended(GLSLstd450FrexpStruct, b_.type_struct({significand, exponent}),
                             {alu_source(alu, 0, Kind::floating)});
        return alu->op == nir_op_frexp_sig ? result(Kind::floating, extract(pair, significand, 0))
                                           : result(Kind::uint, extract(pair, exponent, 1));
    }

    // Vector comparisons that reduce to one boolean
    case nir_op_ball_fequal2:
    case nir_op_ball_fequal3:
    case nir_op_ball_fequal4:
    case nir_op_ball_iequal2:
    case nir_op_ball_iequal3:
    case nir_op_ball_iequal4:
    case nir_op_bany_fnequal2:
    case nir_op_bany_fnequal3:
    case nir_op_bany_fnequal4:
    case nir_op_bany_inequal2:
    case nir_op_bany_inequal3:
    case nir_op_bany_inequal4: {
        const bool is_float =
            nir_alu_type_get_base_type(nir_op_infos[alu->op].input_types[0]) == nir_type_float;
        const bool all = alu->op == nir_op_ball_fequal2 || alu->op == nir_op_ball_fequal3 ||
                         alu->op == nir_op_ball_fequal4 || alu->op == nir_op_ball_iequal2 ||
                         alu->op == nir_op_ball_iequal3 || alu->op == nir_op_ball_iequal4;
        const bool is_bool = alu->src[0].src.ssa->bit_size == 1;
        const Kind kind = is_bool ? Kind::boolean : is_float ? Kind::floating : Kind::uint;
        using enum spv::Op;
        const spv::Op compare = all ? (is_bool    ? OpLogicalEqual
                                       : is_float ? OpFOrdEqual
                                                  : OpIEqual)
                                    : (is_bool    ? OpLogicalNotEqual
                                       : is_float ? OpFUnordNotEqual
                                                  : OpINotEqual);
        const unsigned count = nir_op_infos[alu->op].input_sizes[0];
        const Id a = alu_source(alu, 0, kind);
        const Id each =
            b_.emit(compare, value_type(Kind::boolean, 1, count), {a, alu_source(alu, 1, kind)});
        return result(Kind::boolean, b_.emit(all ? OpAll : OpAny, b_.type_bool(), {each}));
    }

    default:
        break;
    }

    if (nir_op_infos[alu->op].is_conversion || alu->op == nir_op_b2b1 || alu->op == nir_op_b2b32) {
        emit_conversion(alu);
        return true;
    }
    return false;
}

} // namespace kobalt::spirv
