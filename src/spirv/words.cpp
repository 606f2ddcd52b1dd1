// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Storage buffers and shared memory as arrays of 32-bit words: any type that GLSL stores there
// consists of words.

#include "spirv/translator.h"

namespace kobalt::spirv {

Id Translator::word_index(Id byte_offset) {
    return b_.emit(spv::Op::OpShiftRightLogical, b_.type_int(32, false), {byte_offset, u32(2)});
}

/// The result of a load at a byte offset (a multiple of 4).
Id Translator::load_words(const nir_intrinsic_instr* intr, Id byte_offset,
                          const WordPointer& pointer) {
    const unsigned bits = intr->def.bit_size;
    if (bits < 32) {
        fail_instruction("narrow load", &intr->instr);
        return 0;
    }
    const Id uint32 = b_.type_int(32, false);
    const Id first = word_index(byte_offset);
    const unsigned count = intr->def.num_components * (bits / 32);
    std::vector<Id> words(count);
    for (unsigned i = 0; i < count; i++) {
        const Id index = i ? b_.emit(spv::Op::OpIAdd, uint32, {first, u32(i)}) : first;
        words[i] = b_.load(uint32, pointer(index));
    }
    if (bits == 32)
        return compose(uint32, words);
    const Id wide = scalar_type(Kind::uint, 64);
    std::vector<Id> members;
    for (size_t i = 0; i + 1 < words.size(); i += 2)
        members.push_back(
            b_.emit(spv::Op::OpBitcast, wide, {compose(uint32, std::span(words).subspan(i, 2))}));
    return compose(wide, members);
}

/// A store of the intrinsic's source 0 under its write mask.
void Translator::store_words(const nir_intrinsic_instr* intr, Id byte_offset,
                             const WordPointer& pointer) {
    const nir_def* value = intr->src[0].ssa;
    if (value->bit_size < 32) {
        fail_instruction("narrow store", &intr->instr);
        return;
    }
    const Id uint32 = b_.type_int(32, false);
    const Id first = word_index(byte_offset);
    const unsigned mask = nir_intrinsic_write_mask(intr);
    const unsigned words_each = value->bit_size / 32;
    for (unsigned c = 0; c < value->num_components; c++) {
        if (!(mask >> c & 1))
            continue;
        Id member = component(value, c, Kind::uint);
        if (words_each == 2)
            member = b_.emit(spv::Op::OpBitcast, b_.type_vector(uint32, 2), {member});
        for (unsigned w = 0; w < words_each; w++) {
            const unsigned offset = c * words_each + w;
            const Id index =
                offset ? b_.emit(spv::Op::OpIAdd, uint32, {first, u32(offset)}) : first;
            b_.store(pointer(index), words_each == 2 ? extract(member, uint32, w) : member);
        }
    }
}

} // namespace kobalt::spirv
