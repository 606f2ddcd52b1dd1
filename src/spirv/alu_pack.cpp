// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// ALU instructions that pack values into bits or unpack them.

#include "spirv/translator.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace kobalt::spirv {

bool Translator::emit_alu_pack(const nir_alu_instr* alu) {
    const unsigned components = alu->def.num_components;
    const unsigned bits = alu->def.bit_size;
    const auto result = [&](Kind kind, Id id) {
        set(&alu->def, kind, id);
        return true;
    };
    const Id float32 = b_.type_float(32);
    const Id vec2 = b_.type_vector(float32, 2);
    const Id uint32 = b_.type_int(32, false);
    const auto bitcast = [&](Kind kind) {
        return b_.emit(spv::Op::OpBitcast, value_type(kind, bits, components),
                       {alu_source(alu, 0, Kind::uint)});
    };
    const auto pair_of_sources = [&](Kind kind, Id scalar) {
        const Id a = alu_source(alu, 0, kind);
        return compose(scalar, std::array{a, alu_source(alu, 1, kind)});
    };

    switch (alu->op) {
    case nir_op_pack_half_2x16_split:
        return result(Kind::uint, b_.emit_extended(GLSLstd450PackHalf2x16, uint32,
                                                   {pair_of_sources(Kind::floating, float32)}));
    case nir_op_unpack_half_2x16_split_x:
    case nir_op_unpack_half_2x16_split_y: {
        const unsigned index = alu->op == nir_op_unpack_half_2x16_split_y;
        std::vector<Id> members;
        const Id source = alu_source(alu, 0, Kind::uint);
        for (unsigned i = 0; i < components; i++) {
            const Id word = components == 1 ? source : extract(source, uint32, i);
            const Id both = b_.emit_extended(GLSLstd450UnpackHalf2x16, vec2, {word});
            members.push_back(extract(both, float32, index));
        }
        return result(Kind::floating, compose(float32, members));
    }
    case nir_op_pack_64_2x32:
    case nir_op_unpack_64_2x32:
    case nir_op_pack_64_4x16:
    case nir_op_unpack_64_4x16:
    case nir_op_pack_32_2x16:
    case nir_op_unpack_32_2x16:
    case nir_op_pack_32_4x8:
    case nir_op_unpack_32_4x8:
        return result(Kind::uint, bitcast(Kind::uint));
    case nir_op_pack_64_2x32_split:
    case nir_op_pack_32_2x16_split: {
        const Id half = scalar_type(Kind::uint, bits / 2);
        const Id whole = scalar_type(Kind::uint, bits);
        const std::array sources{alu_source(alu, 0, Kind::uint), alu_source(alu, 1, Kind::uint)};
        std::vector<Id> members;
        for (unsigned i = 0; i < components; i++) {
            std::array<Id, 2> pair = sources;
            for (Id& part : pair)
                part = components == 1 ? part : extract(part, half, i);
            members.push_back(b_.emit(spv::Op::OpBitcast, whole, {compose(half, pair)}));
        }
        return result(Kind::uint, compose(whole, members));
    }
    case nir_op_unpack_64_2x32_split_x:
    case nir_op_unpack_64_2x32_split_y:
    case nir_op_unpack_32_2x16_split_x:
    case nir_op_unpack_32_2x16_split_y: {
        const bool high =
            alu->op == nir_op_unpack_64_2x32_split_y || alu->op == nir_op_unpack_32_2x16_split_y;
        const Id half = scalar_type(Kind::uint, bits);
        const Id source = alu_source(alu, 0, Kind::uint);
        std::vector<Id> members;
        for (unsigned i = 0; i < components; i++) {
            const Id whole =
                components == 1 ? source : extract(source, scalar_type(Kind::uint, 2 * bits), i);
            const Id pair = b_.emit(spv::Op::OpBitcast, value_type(Kind::uint, bits, 2), {whole});
            members.push_back(extract(pair, half, high));
        }
        return result(Kind::uint, compose(half, members));
    }
    // SPIR-V requires scalar offsets and counts; NIR has one for each component.
    case nir_op_bitfield_insert:
    case nir_op_ubitfield_extract:
    case nir_op_ibitfield_extract: {
        const unsigned count = nir_op_infos[alu->op].num_inputs;
        const auto op = alu->op == nir_op_bitfield_insert     ? spv::Op::OpBitFieldInsert
                        : alu->op == nir_op_ubitfield_extract ? spv::Op::OpBitFieldUExtract
                                                              : spv::Op::OpBitFieldSExtract;
        std::array<Id, 4> sources{};
        for (unsigned i = 0; i < count; i++)
            sources[i] = alu_source(alu, i, Kind::uint);
        std::vector<Id> members;
        for (unsigned c = 0; c < components; c++) {
            std::array<Id, 4> operands = sources;
            for (unsigned i = 0; components > 1 && i < count; i++)
                operands[i] = extract(sources[i], uint32, c);
            members.push_back(b_.emit(op, uint32, std::span<const Id>(operands.data(), count)));
        }
        return result(Kind::uint, compose(uint32, members));
    }
    case nir_op_extract_u8:
    case nir_op_extract_i8:
    case nir_op_extract_u16:
    case nir_op_extract_i16: {
        const bool is_signed = alu->op == nir_op_extract_i8 || alu->op == nir_op_extract_i16;
        const unsigned width =
            alu->op == nir_op_extract_u8 || alu->op == nir_op_extract_i8 ? 8 : 16;
        if (!nir_src_is_const(alu->src[1].src) || bits != 32)
            return false;
        const uint32_t offset =
            uint32_t(nir_src_comp_as_uint(alu->src[1].src, alu->src[1].swizzle[0])) * width;
        const auto op = is_signed ? spv::Op::OpBitFieldSExtract : spv::Op::OpBitFieldUExtract;
        return result(Kind::uint,
                      b_.emit(op, value_type(Kind::uint, bits, components),
                              {alu_source(alu, 0, Kind::uint), u32(offset), u32(width)}));
    }
    default:
        return false;
    }
}

} // namespace kobalt::spirv
