// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// NIR values as SPIR-V ids: types on demand, bitcasts, constants and swizzles.

#include "spirv/translator.h"

namespace kobalt::spirv {

Kind texel_kind(nir_alu_type type) {
    switch (nir_alu_type_get_base_type(type)) {
    case nir_type_int:
        return Kind::sint;
    case nir_type_uint:
        return Kind::uint;
    default:
        return Kind::floating;
    }
}

ImageTexels texels_of(Kind kind) {
    return kind == Kind::sint   ? ImageTexels::sint
           : kind == Kind::uint ? ImageTexels::uint
                                : ImageTexels::floating;
}

Id Translator::scalar_type(Kind kind, unsigned bits) {
    if (kind == Kind::boolean || bits == 1)
        return b_.type_bool();
    switch (bits) {
    case 8:
        b_.capability(spv::Capability::Int8);
        break;
    case 16:
        b_.capability(kind == Kind::floating ? spv::Capability::Float16 : spv::Capability::Int16);
        break;
    case 64:
        b_.capability(kind == Kind::floating ? spv::Capability::Float64 : spv::Capability::Int64);
        break;
    default:
        break;
    }
    const bool allowed =
        bits == 32 || (bits == 8 && target_.int8) ||
        (bits == 16 && (kind == Kind::floating ? target_.float16 : target_.int16)) ||
        (bits == 64 && (kind == Kind::floating ? target_.float64 : target_.int64));
    if (!allowed)
        fail("a " + std::to_string(bits) + "-bit " +
             (kind == Kind::floating ? "float" : "integer") + ", which the device does not have");
    if (kind == Kind::floating)
        return b_.type_float(bits);
    return b_.type_int(bits, kind == Kind::sint);
}

Id Translator::value_type(Kind kind, unsigned bits, unsigned components) {
    if (components > 5)
        fail("a vector of " + std::to_string(components) + " components");
    return composite_type(scalar_type(kind, bits), components);
}

/// The type of a vector. SPIR-V's vectors have at most four components, so a texel with its
/// residency code, which has five, is an array; it is taken apart before any other use.
Id Translator::composite_type(Id component_type, unsigned components) {
    return components > 4 ? b_.type_array(component_type, components, 0)
                          : b_.type_vector(component_type, components);
}

Kind Translator::native_kind(const nir_def* def) const {
    if (def->bit_size == 1)
        return Kind::boolean;
    if (def->parent_instr->type == nir_instr_type_load_const)
        return float_defs_[def->index] ? Kind::floating : Kind::uint;
    return values_[def->index].kind;
}

void Translator::set(const nir_def* def, Kind kind, Id id) {
    if (kind == Kind::sint) {
        id = cast(id, Kind::sint, Kind::uint, def->bit_size, def->num_components);
        kind = Kind::uint;
    }
    values_[def->index] = Value{.id = id, .kind = kind};
}

Id Translator::cast(Id id, Kind from, Kind to, unsigned bits, unsigned components) {
    if (from == to)
        return id;
    const Id type = value_type(to, bits, components);
    // NIR keeps 1-bit booleans apart from integers, so only FrontFacing and the like reach this.
    if (from == Kind::boolean)
        return b_.emit(spv::Op::OpSelect, type,
                       {id,
                        b_.constant_splat(scalar_type(to, bits), b_.constant_uint(~0u), components),
                        b_.constant_null(type)});
    if (components > 4) {
        std::vector<Id> members;
        for (unsigned i = 0; i < components; i++)
            members.push_back(cast(extract(id, scalar_type(from, bits), i), from, to, bits, 1));
        return compose(scalar_type(to, bits), members);
    }
    return b_.emit(spv::Op::OpBitcast, type, {id});
}

Id Translator::get(const nir_def* def, Kind kind) {
    if (def->bit_size == 1)
        kind = Kind::boolean;
    if (def->parent_instr->type == nir_instr_type_load_const) {
        static constexpr uint8_t identity[] = {0, 1, 2,  3,  4,  5,  6,  7,
                                               8, 9, 10, 11, 12, 13, 14, 15};
        return constant_of(nir_instr_as_load_const(def->parent_instr), kind, identity,
                           def->num_components);
    }
    if (def->parent_instr->type == nir_instr_type_undef)
        return b_.constant_null(value_type(kind, def->bit_size, def->num_components));

    Value& value = values_[def->index];
    if (!value.id) {
        if (!error_)
            fail("a use of ssa_" + std::to_string(def->index) + " before its definition");
        return b_.undef(value_type(kind, def->bit_size, def->num_components));
    }
    if (value.kind == kind)
        return value.id;
    // A cast is emitted at its first use, which need not dominate the next use.
    if (value.cast_id && value.cast_kind == kind && value.cast_block == b_.current_block())
        return value.cast_id;
    value.cast_id = cast(value.id, value.kind, kind, def->bit_size, def->num_components);
    value.cast_kind = kind;
    value.cast_block = b_.current_block();
    return value.cast_id;
}

Id Translator::constant_of(const nir_load_const_instr* instr, Kind kind, const uint8_t* swizzle,
                           unsigned components) {
    const unsigned bits = instr->def.bit_size;
    const Id type = scalar_type(kind, bits);
    std::array<Id, 16> members{};
    for (unsigned i = 0; i < components; i++) {
        const nir_const_value& value = instr->value[swizzle[i]];
        if (bits == 1) {
            members[i] = b_.constant_bool(value.b);
        } else if (bits == 64) {
            const std::array words{uint32_t(value.u64), uint32_t(value.u64 >> 32)};
            members[i] = b_.constant(type, words);
        } else {
            // Narrow literals are sign-extended where the type is signed; ours is not.
            const std::array words{bits == 8 ? value.u8 : bits == 16 ? value.u16 : value.u32};
            members[i] = b_.constant(type, words);
        }
    }
    if (components == 1)
        return members[0];
    return b_.constant_composite(value_type(kind, bits, components),
                                 std::span(members.data(), components));
}

Id Translator::extract(Id vector, Id component_type, unsigned index) {
    return b_.emit(spv::Op::OpCompositeExtract, component_type, {vector, index});
}

Id Translator::swizzle(Id vector, Id component_type, unsigned from_components,
                       const uint8_t* swizzle, unsigned components) {
    if (from_components == 1) {
        if (components == 1)
            return vector;
        const std::vector<Id> members(components, vector);
        return compose(component_type, members);
    }
    if (components == 1)
        return extract(vector, component_type, swizzle[0]);
    bool identity = components == from_components;
    for (unsigned i = 0; i < components; i++)
        identity = identity && swizzle[i] == i;
    if (identity)
        return vector;
    if (from_components > 4 || components > 4) {
        std::vector<Id> members;
        for (unsigned i = 0; i < components; i++)
            members.push_back(extract(vector, component_type, swizzle[i]));
        return compose(component_type, members);
    }
    std::vector<uint32_t> operands{vector, vector};
    operands.insert(operands.end(), swizzle, swizzle + components);
    return b_.emit(spv::Op::OpVectorShuffle, b_.type_vector(component_type, components), operands);
}

Id Translator::compose(Id component_type, std::span<const Id> members) {
    if (members.size() == 1)
        return members[0];
    return b_.emit(spv::Op::OpCompositeConstruct,
                   composite_type(component_type, unsigned(members.size())), members);
}

Id Translator::component(const nir_def* def, unsigned index, Kind kind) {
    if (def->parent_instr->type == nir_instr_type_load_const) {
        const uint8_t at = uint8_t(index);
        return constant_of(nir_instr_as_load_const(def->parent_instr), kind, &at, 1);
    }
    const Id value = get(def, kind);
    return def->num_components == 1 ? value
                                    : extract(value, scalar_type(kind, def->bit_size), index);
}

} // namespace kobalt::spirv
