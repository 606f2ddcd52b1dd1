// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Textures and images by handle (ARB_bindless_texture). A handle's lower half is an index into an
// array of the bindless set; variables of all types that the shader uses share the array's binding.

#include "spirv/translator.h"

namespace kobalt::spirv {

bool is_uniform(const nir_def* def, unsigned depth) {
    const nir_instr* made = def->parent_instr;
    if (made->type == nir_instr_type_load_const)
        return true;
    if (!depth)
        return false;
    if (made->type == nir_instr_type_alu) {
        const nir_alu_instr* alu = nir_instr_as_alu(made);
        for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++)
            if (!is_uniform(alu->src[i].src.ssa, depth - 1))
                return false;
        return true;
    }
    if (made->type != nir_instr_type_intrinsic)
        return false;
    const nir_intrinsic_instr* load = nir_instr_as_intrinsic(made);
    return load->intrinsic == nir_intrinsic_load_ubo && is_uniform(load->src[0].ssa, depth - 1) &&
           is_uniform(load->src[1].ssa, depth - 1);
}

bool Translator::by_handle(const nir_tex_instr* tex) {
    return nir_tex_instr_src_index(tex, nir_tex_src_texture_handle) >= 0;
}

/// The array that a handle of this instruction's type is an index into.
TextureVariable Translator::handle_variable(const nir_tex_instr* tex) {
    TextureVariable texture = texture_type(tex, std::nullopt);
    const Id element = texture.sampled_type ? texture.sampled_type : texture.image_type;
    Id& variable = handle_arrays_[element];
    if (!variable) {
        const bool buffer = !texture.sampled_type;
        b_.capability(spv::Capability::RuntimeDescriptorArray);
        b_.capability(buffer ? spv::Capability::UniformTexelBufferArrayDynamicIndexing
                             : spv::Capability::SampledImageArrayDynamicIndexing);
        variable =
            b_.variable(spv::StorageClass::UniformConstant, b_.type_runtime_array(element, 0));
        b_.decorate(variable, spv::Decoration::DescriptorSet, {bindless_set});
        b_.decorate(variable, spv::Decoration::Binding,
                    {buffer ? bindless_texel_buffers : bindless_textures});
        if (target_.debug_names)
            b_.name(variable, buffer ? "texel_buffers" : "textures");
    }
    texture.variable = variable;
    out_.reads_handles = true;
    out_.reads_texel_handles |= !texture.sampled_type;
    return texture;
}

Id Translator::emit_texture_by_handle(const nir_tex_instr* tex, Kind* kind) {
    const nir_def* slot =
        tex->src[nir_tex_instr_src_index(tex, nir_tex_src_texture_handle)].src.ssa;
    TextureVariable texture = handle_variable(tex);
    const Id element = texture.sampled_type ? texture.sampled_type : texture.image_type;
    const Id pointer = b_.access_chain(spv::StorageClass::UniformConstant, element,
                                       texture.variable, {get(slot, Kind::uint)});
    const Id loaded = b_.load(element, pointer);
    texture.non_uniform = !is_uniform(slot);
    if (texture.non_uniform) {
        b_.capability(spv::Capability::ShaderNonUniform);
        b_.capability(texture.sampled_type
                          ? spv::Capability::SampledImageArrayNonUniformIndexing
                          : spv::Capability::UniformTexelBufferArrayNonUniformIndexing);
        b_.decorate(pointer, spv::Decoration::NonUniform);
        b_.decorate(loaded, spv::Decoration::NonUniform);
    }
    return emit_texture_of(tex, texture, loaded, no_slot, kind);
}

/// The array that a handle of such an image is an index into: one for each combination of access
/// qualifiers.
Id Translator::image_array(const StorageImage& image, const MemoryUse& use) {
    const unsigned how = unsigned{use.coherent} | unsigned{use.is_volatile} << 1 |
                         unsigned{use.aliased} << 2 | unsigned{use.written} << 3;
    Id& variable = image_handle_arrays_[{image.image_type, how}];
    if (variable)
        return variable;
    b_.capability(spv::Capability::RuntimeDescriptorArray);
    b_.capability(image.buffer ? spv::Capability::StorageTexelBufferArrayDynamicIndexing
                               : spv::Capability::StorageImageArrayDynamicIndexing);
    variable =
        b_.variable(spv::StorageClass::UniformConstant, b_.type_runtime_array(image.image_type, 0));
    b_.decorate(variable, spv::Decoration::DescriptorSet, {bindless_set});
    b_.decorate(variable, spv::Decoration::Binding,
                {image.buffer ? bindless_image_texels : bindless_images});
    decorate_memory(variable, use);
    if (target_.debug_names)
        b_.name(variable, image.buffer ? "image_texels" : "images");
    return variable;
}

void Translator::emit_image_by_handle(const nir_intrinsic_instr* intr, bool has_result) {
    if (!target_.bindless) {
        fail_instruction("an image's handle, which the device does not have:", &intr->instr);
        return;
    }
    MemoryUse use;
    add_image_use(use, intr);
    StorageImage image = image_types(intr, use);
    const nir_def* slot = intr->src[0].ssa;
    image.non_uniform = !is_uniform(slot);
    image.variable = b_.access_chain(spv::StorageClass::UniformConstant, image.image_type,
                                     image_array(image, use), {get(slot, Kind::uint)});
    if (image.non_uniform) {
        b_.capability(spv::Capability::ShaderNonUniform);
        b_.capability(image.buffer ? spv::Capability::StorageTexelBufferArrayNonUniformIndexing
                                   : spv::Capability::StorageImageArrayNonUniformIndexing);
        b_.decorate(image.variable, spv::Decoration::NonUniform);
    }
    out_.reads_handles = true;
    out_.reads_texel_handles |= image.buffer;
    Kind kind = Kind::uint;
    const Id result = emit_image_at(intr, image, &kind);
    if (has_result && result)
        set(&intr->def, Kind::uint, cast(result, kind, Kind::uint, 32, intr->def.num_components));
}

} // namespace kobalt::spirv
