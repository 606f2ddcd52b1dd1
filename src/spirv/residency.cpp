// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// ARB_sparse_texture2: texels with a code that tells whether their memory is resident. GLSL lets a
// shader pass codes around, and NIR combines them, so the code is not the device's own but 1 (all
// texels are resident) or 0. The texel followed by the code is one vector of words.

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

spv::Op sparse_form(spv::Op op) {
    using enum spv::Op;
    switch (op) {
    case OpImageSampleImplicitLod:
        return OpImageSparseSampleImplicitLod;
    case OpImageSampleExplicitLod:
        return OpImageSparseSampleExplicitLod;
    case OpImageSampleDrefImplicitLod:
        return OpImageSparseSampleDrefImplicitLod;
    case OpImageSampleDrefExplicitLod:
        return OpImageSparseSampleDrefExplicitLod;
    case OpImageFetch:
        return OpImageSparseFetch;
    case OpImageGather:
        return OpImageSparseGather;
    case OpImageDrefGather:
        return OpImageSparseDrefGather;
    default:
        return OpImageSparseRead;
    }
}

} // namespace

/// The texel of an image instruction; *code tells whether its memory is resident.
Id Translator::emit_sparse(spv::Op op, Id texel_type, std::span<const Id> words, Id* code) {
    b_.capability(spv::Capability::SparseResidency);
    const Id uint32 = b_.type_int(32, false);
    const Id both = b_.emit(sparse_form(op), b_.type_struct({uint32, texel_type}), words);
    const Id resident = b_.emit(spv::Op::OpImageSparseTexelsResident, b_.type_bool(),
                                {b_.emit(spv::Op::OpCompositeExtract, uint32, {both, 0})});
    *code = b_.emit(spv::Op::OpSelect, uint32, {resident, u32(1), u32(0)});
    return b_.emit(spv::Op::OpCompositeExtract, texel_type, {both, 1});
}

/// Appends the code to a texel of `count` components; the result is of Kind::uint.
Id Translator::append_code(Id texel, Kind kind, unsigned count, Id code) {
    const Id uint32 = b_.type_int(32, false);
    const Id words = cast(texel, kind, Kind::uint, 32, count);
    std::vector<Id> members;
    for (unsigned i = 0; i < count; i++)
        members.push_back(count == 1 ? words : extract(words, uint32, i));
    members.push_back(code);
    return compose(uint32, members);
}

bool Translator::emit_residency_intrinsic(const nir_intrinsic_instr* intr) {
    switch (intr->intrinsic) {
    case nir_intrinsic_is_sparse_texels_resident:
        set(&intr->def, Kind::boolean,
            b_.emit(spv::Op::OpINotEqual, b_.type_bool(), {get(intr->src[0], Kind::uint), u32(0)}));
        return true;
    case nir_intrinsic_sparse_residency_code_and:
        set(&intr->def, Kind::uint,
            b_.emit(spv::Op::OpBitwiseAnd, b_.type_int(32, false),
                    {get(intr->src[0], Kind::uint), get(intr->src[1], Kind::uint)}));
        return true;
    default:
        return false;
    }
}

} // namespace kobalt::spirv
