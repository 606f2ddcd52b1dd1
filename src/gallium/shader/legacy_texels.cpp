// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/screen/format_table.h"

#include "nir.h"
#include "nir_builder.h"

// Buffer textures of alpha, luminance and intensity formats (GL_ARB_texture_buffer_object).
// Vulkan stores them in red, or red and green, and its views of buffers have no swizzle: so a
// shader that reads such a texture gets a variant that swizzles the channels. Handles of such
// textures (ARB_bindless_texture) name no slot, so texels read through a handle are not swizzled.

namespace kobalt::gallium {
namespace {

/// The mask of slots for `channels`; null: these channels need no swizzle.
uint32_t LegacyTexels::*mask_of(Channels channels) {
    switch (channels) {
    case Channels::alpha:
        return &LegacyTexels::alpha;
    case Channels::luminance:
        return &LegacyTexels::luminance;
    case Channels::intensity:
        return &LegacyTexels::intensity;
    case Channels::luminance_alpha:
        return &LegacyTexels::luminance_alpha;
    default:
        return nullptr;
    }
}

uint32_t set_bit(uint32_t mask, uint32_t bit, bool set) {
    return set ? mask | bit : mask & ~bit;
}

/// `inside` where the slot that the instruction reads is in the mask, `outside` where it isn't.
/// `offset`: the value that the shader adds to the slot; null: none.
nir_def* choose(nir_builder* b, const nir_tex_instr* tex, nir_def* offset, uint32_t mask,
                nir_def* inside, nir_def* outside) {
    if (!offset)
        return mask >> tex->texture_index & 1 ? inside : outside;
    nir_def* slot = nir_iadd_imm(b, offset, tex->texture_index);
    nir_def* bit = nir_iand_imm(b, nir_ushr(b, nir_imm_int(b, static_cast<int>(mask)), slot), 1);
    return nir_bcsel(b, nir_ine_imm(b, bit, 0), inside, outside);
}

bool put_right(nir_builder* b, nir_instr* instr, void* data) {
    if (instr->type != nir_instr_type_tex)
        return false;
    nir_tex_instr* tex = nir_instr_as_tex(instr);
    if (tex->sampler_dim != GLSL_SAMPLER_DIM_BUF || tex->op != nir_texop_txf ||
        nir_tex_instr_src_index(tex, nir_tex_src_texture_handle) >= 0)
        return false;
    const auto& texels = *static_cast<const LegacyTexels*>(data);
    const int at = nir_tex_instr_src_index(tex, nir_tex_src_texture_offset);
    nir_def* offset = at >= 0 ? tex->src[at].src.ssa : nullptr;
    if (!offset && !(texels.all() >> tex->texture_index & 1))
        return false;

    b->cursor = nir_after_instr(instr);
    const unsigned bits = tex->def.bit_size;
    nir_def* zero = nir_imm_intN_t(b, 0, bits);
    nir_def* one = nir_alu_type_get_base_type(tex->dest_type) == nir_type_float
                       ? nir_imm_floatN_t(b, 1.0, bits)
                       : nir_imm_intN_t(b, 1, bits);
    const auto either = [&](uint32_t mask, nir_def* inside, nir_def* outside) {
        return choose(b, tex, offset, mask, inside, outside);
    };
    nir_def* red = nir_channel(b, &tex->def, 0);
    nir_def* channels[4]{};
    for (unsigned c = 0; c < tex->def.num_components; ++c) {
        nir_def* own = nir_channel(b, &tex->def, c);
        if (c < 3) {
            channels[c] = either(texels.alpha, zero, either(texels.all(), red, own));
            continue;
        }
        channels[c] = either(texels.luminance_alpha, nir_channel(b, &tex->def, 1), own);
        channels[c] = either(texels.alpha | texels.intensity, red, channels[c]);
        channels[c] = either(texels.luminance, one, channels[c]);
    }
    nir_def* value = nir_vec(b, channels, tex->def.num_components);
    nir_def_rewrite_uses_after(&tex->def, value, value->parent_instr);
    return true;
}

} // namespace

uint32_t texel_slots(const Shader& shader) {
    uint32_t slots = 0;
    for (const spirv::Binding& binding : shader.facts.bindings)
        if (binding.kind == spirv::DescriptorKind::uniform_texel_buffer)
            slots |= 1u << binding.slot;
    return slots;
}

void note_legacy_texels(Context& context, unsigned stage, unsigned slot,
                        const pipe_sampler_view* texels) {
    LegacyTexels& known = context.per_stage[stage].legacy_texels;
    uint32_t LegacyTexels::*const mine =
        texels ? mask_of(format_entry(static_cast<pipe_format>(texels->format)).channels) : nullptr;
    if (!mine && !known.all())
        return;
    LegacyTexels next = known;
    for (uint32_t LegacyTexels::*const mask :
         {&LegacyTexels::alpha, &LegacyTexels::luminance, &LegacyTexels::intensity,
          &LegacyTexels::luminance_alpha})
        next.*mask = set_bit(next.*mask, 1u << slot, mask == mine);
    if (next == known)
        return;
    known = next;
    (stage == MESA_SHADER_COMPUTE ? context.compute_dirty : context.stages_dirty) = true;
}

LegacyTexels read_legacy_texels(const Context& context, const Shader& shader) {
    LegacyTexels texels = context.per_stage[shader.stage].legacy_texels;
    if (!texels.all())
        return texels;
    const uint32_t read = texel_slots(shader);
    texels.alpha &= read;
    texels.luminance &= read;
    texels.intensity &= read;
    texels.luminance_alpha &= read;
    return texels;
}

void lower_legacy_texels(nir_shader* nir, const LegacyTexels& texels) {
    LegacyTexels copy = texels;
    if (copy.all())
        nir_shader_instructions_pass(nir, put_right, nir_metadata_control_flow, &copy);
}

} // namespace kobalt::gallium
