// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Texture instructions. A sampler slot is one combined image sampler (a buffer texture: one uniform
// texel buffer) whose image type follows from the instruction.

#include <algorithm>

#include "spirv/push_constants.h"
#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

int source_index(const nir_tex_instr* tex, nir_tex_src_type type) {
    return nir_tex_instr_src_index(tex, type);
}

bool is_query(nir_texop op) {
    return op == nir_texop_txs || op == nir_texop_query_levels || op == nir_texop_texture_samples;
}

DescriptorKind texture_descriptor(const nir_tex_instr* tex) {
    return tex->sampler_dim == GLSL_SAMPLER_DIM_BUF ? DescriptorKind::uniform_texel_buffer
                                                    : DescriptorKind::combined_image_sampler;
}

} // namespace

/// The types of the instruction's texture. `known`: the sampled type that other accesses show.
TextureVariable Translator::texture_type(const nir_tex_instr* tex, std::optional<Kind> known) {
    TextureVariable texture;
    texture.kind = texel_kind(tex->dest_type);
    bool multisampled = false;
    auto dim = spv::Dim::Dim2D;
    switch (tex->sampler_dim) {
    case GLSL_SAMPLER_DIM_1D:
        dim = spv::Dim::Dim1D;
        b_.capability(spv::Capability::Sampled1D);
        break;
    case GLSL_SAMPLER_DIM_2D:
    case GLSL_SAMPLER_DIM_RECT: // coordinates were normalised in prepare()
    case GLSL_SAMPLER_DIM_EXTERNAL:
        break;
    case GLSL_SAMPLER_DIM_3D:
        dim = spv::Dim::Dim3D;
        break;
    case GLSL_SAMPLER_DIM_CUBE:
        dim = spv::Dim::Cube;
        if (tex->is_array)
            b_.capability(spv::Capability::SampledCubeArray);
        break;
    case GLSL_SAMPLER_DIM_BUF:
        dim = spv::Dim::Buffer;
        b_.capability(spv::Capability::SampledBuffer);
        break;
    case GLSL_SAMPLER_DIM_MS:
        multisampled = true;
        break;
    default:
        fail_instruction("sampler dimension", &tex->instr);
        break;
    }
    // A size query has an integer result whatever the texture holds.
    Kind sampled = is_query(tex->op) || tex->op == nir_texop_lod ? Kind::floating : texture.kind;
    if ((is_query(tex->op) || tex->op == nir_texop_lod) && known)
        sampled = *known;
    texture.kind = sampled;
    texture.component_type = scalar_type(sampled, 32);
    texture.image_type = b_.type_image(texture.component_type, dim, tex->is_shadow, tex->is_array,
                                       multisampled, 1, spv::ImageFormat::Unknown);
    if (tex->sampler_dim != GLSL_SAMPLER_DIM_BUF)
        texture.sampled_type = b_.type_sampled_image(texture.image_type);
    return texture;
}

const TextureVariable& Translator::texture_variable(const nir_tex_instr* tex, uint32_t slot) {
    const auto known = texture_kinds_.find(slot);
    const TextureVariable texture = texture_type(
        tex, known == texture_kinds_.end() ? std::nullopt : std::optional(known->second));
    const DescriptorKind kind = texture_descriptor(tex);
    if (const DescriptorArray* array = array_of(kind, slot))
        slot = array->first;
    const auto [it, is_new] = textures_.try_emplace({slot, texture.image_type}, texture);
    if (!is_new)
        return it->second;

    const Id element = texture.sampled_type ? texture.sampled_type : texture.image_type;
    it->second.variable =
        b_.variable(spv::StorageClass::UniformConstant, array_or(kind, slot, element));
    use_binding(it->second.variable, kind, slot,
                {tex->sampler_dim, tex->is_array,
                 tex->is_shadow ? ImageTexels::depth : texels_of(texture.kind)});
    if (target_.debug_names)
        b_.name(it->second.variable, "tex" + std::to_string(slot));
    return it->second;
}

/// The coordinate, reduced to the components that the image's dimension has.
Id Translator::texture_coordinate(const nir_tex_instr* tex, bool integer) {
    const nir_def* def = tex->src[source_index(tex, nir_tex_src_coord)].src.ssa;
    const Kind kind = integer ? Kind::uint : Kind::floating;
    static constexpr uint8_t identity[] = {0, 1, 2, 3};
    const unsigned count = std::min<unsigned>(tex->coord_components, def->num_components);
    return swizzle(get(def, kind), scalar_type(kind, def->bit_size), def->num_components, identity,
                   count);
}

Id Translator::image_of(const TextureVariable& texture, Id loaded) {
    if (!texture.sampled_type)
        return loaded;
    const Id image = b_.emit(spv::Op::OpImage, texture.image_type, {loaded});
    if (texture.non_uniform)
        b_.decorate(image, spv::Decoration::NonUniform);
    return image;
}

Id Translator::emit_texture_query(const nir_tex_instr* tex, const TextureVariable& texture,
                                  Id loaded) {
    b_.capability(spv::Capability::ImageQuery);
    const Id uint32 = b_.type_int(32, false);
    if (tex->op == nir_texop_lod)
        return b_.emit(spv::Op::OpImageQueryLod, b_.type_vector(b_.type_float(32), 2),
                       {loaded, texture_coordinate(tex, false)});
    const Id image = image_of(texture, loaded);
    switch (tex->op) {
    case nir_texop_query_levels:
        return b_.emit(spv::Op::OpImageQueryLevels, uint32, {image});
    case nir_texop_texture_samples:
        return b_.emit(spv::Op::OpImageQuerySamples, uint32, {image});
    default:
        break;
    }
    const Id type = b_.type_vector(uint32, tex->def.num_components);
    if (tex->sampler_dim == GLSL_SAMPLER_DIM_BUF || tex->sampler_dim == GLSL_SAMPLER_DIM_MS)
        return b_.emit(spv::Op::OpImageQuerySize, type, {image});
    const int lod = source_index(tex, nir_tex_src_lod);
    const Id level = lod >= 0 && tex->sampler_dim != GLSL_SAMPLER_DIM_RECT
                         ? get(tex->src[lod].src, Kind::uint)
                         : u32(0);
    return b_.emit(spv::Op::OpImageQuerySizeLod, type, {image, level});
}

/// Emits the instruction for one texture. Returns its result, of kind *kind.
Id Translator::emit_texture_at(const nir_tex_instr* tex, const DescriptorElement& descriptor,
                               Kind* kind) {
    TextureVariable texture = texture_variable(tex, descriptor.slot);
    const Id type = texture.sampled_type ? texture.sampled_type : texture.image_type;
    const Id loaded =
        b_.load(type, element_pointer(texture_descriptor(tex), texture.variable,
                                      spv::StorageClass::UniformConstant, type, descriptor));
    texture.non_uniform = descriptor.non_uniform;
    if (descriptor.non_uniform)
        b_.decorate(loaded, spv::Decoration::NonUniform);
    return emit_texture_of(tex, texture, loaded, descriptor.slot, kind);
}

/// Emits the instruction for a loaded descriptor. Returns its result, of kind *kind.
Id Translator::emit_texture_of(const nir_tex_instr* tex, const TextureVariable& texture, Id loaded,
                               uint32_t slot, Kind* kind) {
    if (is_query(tex->op) || tex->op == nir_texop_lod) {
        *kind = tex->op == nir_texop_lod ? Kind::floating : Kind::uint;
        return emit_texture_query(tex, texture, loaded);
    }
    *kind = texture.kind;
    const bool fetch = tex->op == nir_texop_txf || tex->op == nir_texop_txf_ms;
    const bool gather = tex->op == nir_texop_tg4;

    // Image operands come in the order of their bits (section 3.14).
    uint32_t mask = 0;
    std::vector<Id> operands;
    const auto operand = [&](spv::ImageOperandsMask bit, std::initializer_list<Id> ids) {
        mask |= uint32_t(bit);
        operands.insert(operands.end(), ids);
    };
    const auto source = [&](nir_tex_src_type type, Kind as) {
        return get(tex->src[source_index(tex, type)].src, as);
    };
    const auto has = [&](nir_tex_src_type type) { return source_index(tex, type) >= 0; };

    bool explicit_lod = false;
    if (!fetch && !gather && has(nir_tex_src_bias) && derives())
        operand(spv::ImageOperandsMask::Bias, {source(nir_tex_src_bias, Kind::floating)});
    if (fetch) {
        if (tex->op == nir_texop_txf && tex->sampler_dim != GLSL_SAMPLER_DIM_BUF)
            operand(spv::ImageOperandsMask::Lod,
                    {has(nir_tex_src_lod) && tex->sampler_dim != GLSL_SAMPLER_DIM_RECT
                         ? source(nir_tex_src_lod, Kind::uint)
                         : u32(0)});
    } else if (tex->op == nir_texop_txl && has(nir_tex_src_lod)) {
        operand(spv::ImageOperandsMask::Lod, {source(nir_tex_src_lod, Kind::floating)});
        explicit_lod = true;
    } else if (tex->op == nir_texop_txd) {
        operand(spv::ImageOperandsMask::Grad,
                {source(nir_tex_src_ddx, Kind::floating), source(nir_tex_src_ddy, Kind::floating)});
        explicit_lod = true;
    } else if (!gather && !derives()) {
        operand(spv::ImageOperandsMask::Lod, {b_.constant_float(0)});
        explicit_lod = true;
    }
    const auto constant_offset = [&](int32_t texels) {
        return b_.constant_int(
            gather ? std::clamp(texels, target_.least_gather_offset, target_.most_gather_offset)
                   : texels);
    };
    if (has(nir_tex_src_offset)) {
        const nir_src& offset = tex->src[source_index(tex, nir_tex_src_offset)].src;
        if (nir_src_is_const(offset)) {
            // Signed, so that the module is easier to read: small negative offsets are usual.
            const unsigned count = offset.ssa->num_components;
            std::vector<Id> members;
            for (unsigned i = 0; i < count; i++)
                members.push_back(constant_offset(int32_t(nir_src_comp_as_int(offset, i))));
            const Id id =
                count == 1
                    ? members[0]
                    : b_.constant_composite(b_.type_vector(b_.type_int(32, true), count), members);
            operand(spv::ImageOperandsMask::ConstOffset, {id});
        } else {
            b_.capability(spv::Capability::ImageGatherExtended);
            operand(spv::ImageOperandsMask::Offset,
                    {cast(get(offset, Kind::uint), Kind::uint, Kind::sint, 32,
                          offset.ssa->num_components)});
        }
    } else if (gather && nir_tex_instr_has_explicit_tg4_offsets(const_cast<nir_tex_instr*>(tex))) {
        b_.capability(spv::Capability::ImageGatherExtended);
        const Id pair = b_.type_vector(b_.type_int(32, true), 2);
        std::vector<Id> members;
        for (const auto& offset : tex->tg4_offsets)
            members.push_back(b_.constant_composite(
                pair, std::array{constant_offset(offset[0]), constant_offset(offset[1])}));
        operand(spv::ImageOperandsMask::ConstOffsets,
                {b_.constant_composite(b_.type_array(pair, 4), members)});
    }
    if (has(nir_tex_src_ms_index))
        operand(spv::ImageOperandsMask::Sample, {source(nir_tex_src_ms_index, Kind::uint)});
    // MinLod is allowed with implicit levels and gradients (ARB_sparse_texture_clamp).
    if (has(nir_tex_src_min_lod) && (derives() || tex->op == nir_texop_txd) && !fetch && !gather) {
        b_.capability(spv::Capability::MinLod);
        operand(spv::ImageOperandsMask::MinLod, {source(nir_tex_src_min_lod, Kind::floating)});
    }

    const bool shadow = tex->is_shadow && !fetch;
    std::vector<Id> words;
    spv::Op op = spv::Op::OpNop;
    if (fetch) {
        const Id image = image_of(texture, loaded);
        words = {image, texture_coordinate(tex, true)};
        op = spv::Op::OpImageFetch;
    } else {
        words = {loaded, texture_coordinate(tex, false)};
        using enum spv::Op;
        if (gather)
            op = shadow ? OpImageDrefGather : OpImageGather;
        else if (shadow)
            op = explicit_lod ? OpImageSampleDrefExplicitLod : OpImageSampleDrefImplicitLod;
        else
            op = explicit_lod ? OpImageSampleExplicitLod : OpImageSampleImplicitLod;
        if (shadow)
            words.push_back(source(nir_tex_src_comparator, Kind::floating));
        else if (gather)
            words.push_back(u32(tex->component));
    }
    if (mask) {
        words.push_back(mask);
        words.insert(words.end(), operands.begin(), operands.end());
    }
    const bool scalar = shadow && !gather;
    const Id type = b_.type_vector(texture.component_type, scalar ? 1 : 4);
    Id code = 0;
    const Id texel =
        tex->is_sparse ? emit_sparse(op, type, words, &code) : b_.emit(op, type, words);
    const unsigned count = tex->def.num_components - (tex->is_sparse ? 1 : 0);
    static constexpr uint8_t identity[] = {0, 1, 2, 3};
    const Id result = scalar ? swizzle_comparison(slot, texel, count)
                             : swizzle(texel, texture.component_type, 4, identity, count);
    return tex->is_sparse ? append_code(result, std::exchange(*kind, Kind::uint), count, code)
                          : result;
}

/// The index of this stage's table in DrawParameters::shadow_swizzles; -1: none.
int Translator::shadow_table() const {
    switch (nir_->info.stage) {
    case MESA_SHADER_FRAGMENT:
        return 0;
    case MESA_SHADER_VERTEX:
        return 1;
    default:
        return -1;
    }
}

/// Swizzles a comparison's result as GL requires. The old shadow functions return a vector, which
/// depends on the texture (GL_DEPTH_TEXTURE_MODE and the texture swizzle). The swizzle is read as
/// data, since a stage is compiled before its textures are known.
Id Translator::swizzle_comparison(uint32_t slot, Id compared, unsigned count) {
    const Id float32 = scalar_type(Kind::floating, 32);
    std::vector<Id> members(count, compared);
    if (slot == no_slot || !(vector_shadow_slots_ >> slot & 1)) {
        if (count == 4) // as for a luminance texture
            members[3] = b_.constant_float(1);
        return compose(float32, members);
    }
    const Id uint32 = b_.type_int(32, false);
    const Id word = load_push_constant(uint32_t(offsetof(DrawParameters, shadow_swizzles) +
                                                size_t(shadow_table()) * shadow_swizzle_slots) +
                                       slot / 4 * 4);
    const auto has = [&](unsigned channel, ShadowChannel bit) {
        const uint32_t mask = bit << (slot % 4 * 8 + channel * 2);
        const Id masked = b_.emit(spv::Op::OpBitwiseAnd, uint32, {word, u32(mask)});
        return b_.emit(spv::Op::OpINotEqual, b_.type_bool(), {masked, u32(0)});
    };
    for (unsigned channel = 0; channel < count; channel++) {
        const Id constant =
            b_.emit(spv::Op::OpSelect, float32,
                    {has(channel, shadow_one), b_.constant_float(1), b_.constant_float(0)});
        members[channel] = b_.emit(spv::Op::OpSelect, float32,
                                   {has(channel, shadow_compared), compared, constant});
    }
    return compose(float32, members);
}

void Translator::emit_texture(const nir_tex_instr* tex) {
    switch (tex->op) {
    case nir_texop_samples_identical:
        // False is a correct answer for any texel (GL_EXT_shader_samples_identical): they may be
        // identical.
        set(&tex->def, Kind::boolean, b_.constant_bool(false));
        return;
    case nir_texop_tex:
    case nir_texop_txb:
    case nir_texop_txl:
    case nir_texop_txd:
    case nir_texop_txf:
    case nir_texop_txf_ms:
    case nir_texop_txs:
    case nir_texop_lod:
    case nir_texop_tg4:
    case nir_texop_query_levels:
    case nir_texop_texture_samples:
        break;
    default:
        fail_instruction("texture instruction", &tex->instr);
        return;
    }
    if (by_handle(tex) && !target_.bindless) {
        fail_instruction("a texture's handle, which the device does not have:", &tex->instr);
        return;
    }
    if (source_index(tex, nir_tex_src_texture_deref) >= 0) {
        fail_instruction("texture instruction with a dereference", &tex->instr);
        return;
    }
    Kind kind = Kind::floating;
    if (by_handle(tex)) {
        const Id id = emit_texture_by_handle(tex, &kind);
        set(&tex->def, kind, id);
        return;
    }
    const int offset = source_index(tex, nir_tex_src_texture_offset);
    if (offset < 0) {
        const Id id = emit_texture_at(tex, {tex->texture_index}, &kind);
        set(&tex->def, kind, id);
        return;
    }

    // A dynamically indexed sampler array.
    const nir_def* index = tex->src[offset].src.ssa;
    const DescriptorArray* array = array_of(texture_descriptor(tex), tex->texture_index);
    const uint32_t end = array ? array->first + array->count : end_of_samplers(tex->texture_index);
    std::vector<uint32_t> slots;
    for (uint32_t slot = tex->texture_index;
         slot < end && (array || slots.empty() || BITSET_TEST(nir_->info.textures_used, slot));
         slot++)
        slots.push_back(slot);
    // The result's type follows from the instruction alone, except for queries, which use
    // texture_kinds_.
    kind = is_query(tex->op) || tex->is_sparse ? Kind::uint
           : tex->op == nir_texop_lod          ? Kind::floating
                                               : texel_kind(tex->dest_type);
    const Id type = value_type(kind, 32, tex->def.num_components);
    const auto emit = [&](const DescriptorElement& descriptor) {
        return emit_texture_at(tex, descriptor, &kind);
    };
    // Comparisons are swizzled by slot, so a switch makes the slot constant.
    const Id id =
        tex->is_shadow && !tex->is_new_style_shadow
            ? switch_over(get(index, Kind::uint), tex->texture_index, slots, type,
                          [&](uint32_t slot) { return emit({slot}); })
            : at_index(texture_descriptor(tex), index, tex->texture_index, slots, type, emit);
    set(&tex->def, kind, id);
}

} // namespace kobalt::spirv
