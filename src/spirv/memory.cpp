// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Uniform buffers, push constants and NIR registers (local arrays).

#include "spirv/push_constants.h"
#include "spirv/translator.h"

namespace kobalt::spirv {

/// A uniform buffer declared as an array of uvec4 (`vectors`) or of uint. Both may be declared, as
/// they are read-only and share the binding.
Id Translator::uniform_buffer(uint32_t slot, bool vectors) {
    const DescriptorArray* descriptors = array_of(DescriptorKind::uniform_buffer, slot);
    if (descriptors)
        slot = descriptors->first;
    Id& id = uniform_buffers_[{slot, vectors}];
    if (id)
        return id;
    const Id uint32 = b_.type_int(32, false);
    const Id element = vectors ? b_.type_vector(uint32, 4) : uint32;
    const uint32_t stride = vectors ? 16 : 4;
    const Id array = b_.type_array(element, target_.max_uniform_buffer_size / stride, stride);
    id = b_.variable(spv::StorageClass::Uniform,
                     array_or(DescriptorKind::uniform_buffer, slot, b_.type_block(array)));
    use_binding(id, DescriptorKind::uniform_buffer, slot);
    if (target_.debug_names)
        b_.name(id, "ubo" + std::to_string(slot));
    return id;
}

/// Loads the value at `indices` in a buffer: a component of a vector where there are two indices, a
/// whole vector where `type` is one, else a word.
Id Translator::load_uniform(const DescriptorElement& descriptor, Id type,
                            std::initializer_list<Id> indices) {
    const Id uint32 = b_.type_int(32, false);
    const bool vectors = indices.size() > 1 || type != uint32;
    std::vector<Id> path;
    if (const DescriptorArray* array = array_of(DescriptorKind::uniform_buffer, descriptor.slot))
        path.push_back(descriptor.index ? descriptor.index : u32(descriptor.slot - array->first));
    path.push_back(u32(0));
    path.insert(path.end(), indices);
    const Id pointer = b_.access_chain(spv::StorageClass::Uniform, type,
                                       uniform_buffer(descriptor.slot, vectors), path);
    if (descriptor.non_uniform)
        b_.decorate(pointer, spv::Decoration::NonUniform);
    return b_.load(type, pointer);
}

/// The 32-bit words that a load_ubo reads from one buffer.
std::vector<Id> Translator::load_ubo_words(const nir_intrinsic_instr* intr,
                                           const DescriptorElement& descriptor) {
    const Id uint32 = b_.type_int(32, false);
    const unsigned count = intr->def.num_components * std::max(intr->def.bit_size / 32u, 1u);
    const nir_src& offset = intr->src[1];
    std::vector<Id> words(count);

    const auto load_vector = [&](Id index, unsigned from, unsigned n, unsigned first_word) {
        if (n == 1) {
            words[first_word] = load_uniform(descriptor, uint32, {index, u32(from)});
            return;
        }
        const Id vector = load_uniform(descriptor, b_.type_vector(uint32, 4), {index});
        for (unsigned i = 0; i < n; i++)
            words[first_word + i] = extract(vector, uint32, from + i);
    };

    if (nir_src_is_const(offset)) {
        uint32_t word = uint32_t(nir_src_as_uint(offset)) / 4;
        const uint32_t end = target_.max_uniform_buffer_size / 4;
        for (unsigned done = 0; done < count;) {
            const unsigned from = word % 4;
            const unsigned n = std::min(count - done, 4 - from);
            if (word + n > end) { // beyond any buffer: reads as 0
                for (unsigned i = 0; i < n; i++)
                    words[done + i] = u32(0);
            } else {
                load_vector(u32(word / 4), from, n, done);
            }
            done += n;
            word += n;
        }
        return words;
    }

    const Id bytes = get(offset, Kind::uint);
    const unsigned align_multiple = nir_intrinsic_align_mul(intr);
    const unsigned from = nir_intrinsic_align_offset(intr) % 16 / 4;
    if (align_multiple % 16 == 0 && from + count <= 4) {
        const Id index = b_.emit(spv::Op::OpShiftRightLogical, uint32, {bytes, u32(4)});
        load_vector(index, from, count, 0);
        return words;
    }
    const Id first = b_.emit(spv::Op::OpShiftRightLogical, uint32, {bytes, u32(2)});
    for (unsigned i = 0; i < count; i++) {
        const Id index = i ? b_.emit(spv::Op::OpIAdd, uint32, {first, u32(i)}) : first;
        words[i] = load_uniform(descriptor, uint32, {index});
    }
    return words;
}

/// Handles the common case, a load within one aligned vec4; 0 for any other load.
Id Translator::load_ubo_vector(const nir_intrinsic_instr* intr,
                               const DescriptorElement& descriptor) {
    const unsigned count = intr->def.num_components;
    if (intr->def.bit_size != 32 || count < 2 || count > 4)
        return 0;
    const Id uint32 = b_.type_int(32, false);
    const nir_src& offset = intr->src[1];
    unsigned from = 0;
    Id index = 0;
    if (nir_src_is_const(offset)) {
        const uint32_t bytes = uint32_t(nir_src_as_uint(offset));
        from = bytes / 4 % 4;
        if (from + count > 4 || bytes + 4 * count > target_.max_uniform_buffer_size)
            return 0;
        index = u32(bytes / 16);
    } else {
        from = nir_intrinsic_align_offset(intr) % 16 / 4;
        if (nir_intrinsic_align_mul(intr) % 16 || from + count > 4)
            return 0;
        index = b_.emit(spv::Op::OpShiftRightLogical, uint32, {get(offset, Kind::uint), u32(4)});
    }
    const Id vector = load_uniform(descriptor, b_.type_vector(uint32, 4), {index});
    std::array<uint8_t, 4> order{};
    for (unsigned i = 0; i < count; i++)
        order[i] = uint8_t(from + i);
    return swizzle(vector, uint32, 4, order.data(), count);
}

/// The value that a load_ubo reads from one buffer, as unsigned integers of its bit size.
Id Translator::load_ubo_value(const nir_intrinsic_instr* intr,
                              const DescriptorElement& descriptor) {
    if (const Id vector = load_ubo_vector(intr, descriptor))
        return vector;
    const Id uint32 = b_.type_int(32, false);
    const std::vector<Id> words = load_ubo_words(intr, descriptor);
    if (intr->def.bit_size == 32)
        return compose(uint32, words);
    std::vector<Id> members;
    const Id wide = scalar_type(Kind::uint, 64);
    for (size_t i = 0; i + 1 < words.size(); i += 2)
        members.push_back(
            b_.emit(spv::Op::OpBitcast, wide, {compose(uint32, std::span(words).subspan(i, 2))}));
    return compose(wide, members);
}

void Translator::emit_load_ubo(const nir_intrinsic_instr* intr) {
    const unsigned bits = intr->def.bit_size;
    if (bits < 32) {
        fail_instruction("narrow uniform load", &intr->instr);
        return;
    }
    // Only the app's blocks can be indexed.
    std::vector<uint32_t> slots;
    if (nir_src_is_const(intr->src[0])) {
        slots.push_back(uint32_t(nir_src_as_uint(intr->src[0])));
    } else {
        for (uint32_t slot = nir_->info.first_ubo_is_default_ubo; slot < ubo_count_; slot++)
            slots.push_back(slot);
    }
    if (slots.empty()) {
        fail_instruction("uniform block index", &intr->instr);
        return;
    }
    const unsigned components = intr->def.num_components;
    const Id value = at_index(
        DescriptorKind::uniform_buffer, intr->src[0].ssa, 0, slots,
        value_type(Kind::uint, bits, components),
        [&](const DescriptorElement& descriptor) { return load_ubo_value(intr, descriptor); });
    const Kind kind = bits == 32 && float_defs_[intr->def.index] ? Kind::floating : Kind::uint;
    set(&intr->def, kind, cast(value, Kind::uint, kind, bits, components));
}

Id Translator::load_push_constant(uint32_t offset_bytes) {
    const Id uint32 = b_.type_int(32, false);
    if (!push_constants_) {
        const Id words = b_.type_array(uint32, sizeof(DrawParameters) / 4, 4);
        push_constants_ = b_.variable(spv::StorageClass::PushConstant, b_.type_block(words));
        if (target_.debug_names)
            b_.name(push_constants_, "draw_parameters");
    }
    static_assert(sizeof(DrawParameters) / 4 <= 32);
    out_.push_constant_words |= 1u << offset_bytes / 4;
    return b_.load(uint32, b_.access_chain(spv::StorageClass::PushConstant, uint32, push_constants_,
                                           {u32(0), u32(offset_bytes / 4)}));
}

// A NIR register is a function variable: a vector, or an array of vectors where it is indexed.
void Translator::emit_register_intrinsic(const nir_intrinsic_instr* intr) {
    if (intr->intrinsic == nir_intrinsic_decl_reg) {
        const unsigned bits = nir_intrinsic_bit_size(intr);
        const unsigned elements = nir_intrinsic_num_array_elems(intr);
        const Kind kind = bits == 1 ? Kind::boolean : Kind::uint;
        const Id element = value_type(kind, bits, nir_intrinsic_num_components(intr));
        const Id type = elements ? b_.type_array(element, elements) : element;
        registers_[&intr->def] = {b_.function_variable(type), element};
        return;
    }
    const bool is_load = intr->intrinsic == nir_intrinsic_load_reg ||
                         intr->intrinsic == nir_intrinsic_load_reg_indirect;
    const bool indirect = intr->intrinsic == nir_intrinsic_load_reg_indirect ||
                          intr->intrinsic == nir_intrinsic_store_reg_indirect;
    const nir_def* handle = intr->src[is_load ? 0 : 1].ssa;
    const nir_intrinsic_instr* declaration = nir_reg_get_decl(const_cast<nir_def*>(handle));
    const auto [variable, element] = registers_.at(handle);
    const unsigned bits = nir_intrinsic_bit_size(declaration);
    const unsigned components = nir_intrinsic_num_components(declaration);
    const Kind kind = bits == 1 ? Kind::boolean : Kind::uint;

    std::vector<Id> indices;
    if (nir_intrinsic_num_array_elems(declaration)) {
        Id index = u32(nir_intrinsic_base(intr));
        if (indirect) {
            const Id dynamic = get(intr->src[is_load ? 1 : 2], Kind::uint);
            index = nir_intrinsic_base(intr)
                        ? b_.emit(spv::Op::OpIAdd, b_.type_int(32, false), {dynamic, index})
                        : dynamic;
        }
        indices.push_back(index);
    }
    const auto storage = spv::StorageClass::Function;
    if (is_load) {
        set(&intr->def, kind,
            b_.load(element, b_.access_chain(storage, element, variable, indices)));
        return;
    }
    const unsigned mask = nir_intrinsic_write_mask(intr);
    if (mask == (1u << components) - 1) {
        b_.store(b_.access_chain(storage, element, variable, indices), get(intr->src[0], kind));
        return;
    }
    const Id scalar = scalar_type(kind, bits);
    indices.push_back(0);
    for (unsigned c = 0; c < components; c++) {
        if (!(mask >> c & 1))
            continue;
        indices.back() = u32(c);
        b_.store(b_.access_chain(storage, scalar, variable, indices),
                 component(intr->src[0].ssa, c, kind));
    }
}

bool Translator::emit_memory_intrinsic(const nir_intrinsic_instr* intr) {
    switch (intr->intrinsic) {
    case nir_intrinsic_load_ubo:
        emit_load_ubo(intr);
        return true;
    case nir_intrinsic_decl_reg:
    case nir_intrinsic_load_reg:
    case nir_intrinsic_load_reg_indirect:
    case nir_intrinsic_store_reg:
    case nir_intrinsic_store_reg_indirect:
        emit_register_intrinsic(intr);
        return true;
    default:
        return false;
    }
}

} // namespace kobalt::spirv
