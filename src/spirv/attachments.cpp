// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Fetches of a colour attachment at the fragment (GL_EXT_shader_framebuffer_fetch; Mesa's code for
// the equations of GL_KHR_blend_equation_advanced uses them too). They read an input attachment of
// the same number, which Vulkan addresses by the fragment's own pixel, layer and view. Depth and
// stencil (GL_ARM_shader_framebuffer_fetch_depth_stencil) are the input attachments without a
// number, Vulkan's default for them (VkRenderingInputAttachmentIndexInfo).

#include "spirv/push_constants.h"
#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

/// The slot of the fetched attachment; empty: it can't be fetched.
std::optional<uint32_t> fetched_slot(unsigned result) {
    if (result == FRAG_RESULT_DEPTH)
        return fetched_depth;
    if (result == FRAG_RESULT_STENCIL)
        return fetched_stencil;
    if (result < FRAG_RESULT_DATA0 || result > FRAG_RESULT_DATA7)
        return {};
    return result - FRAG_RESULT_DATA0;
}

} // namespace

bool Translator::fetches_attachment(const nir_intrinsic_instr* intr) {
    return intr->intrinsic == nir_intrinsic_load_output &&
           nir_intrinsic_io_semantics(intr).fb_fetch_output;
}

void Translator::emit_attachment_fetch(const nir_intrinsic_instr* intr) {
    const std::optional<uint32_t> slot = fetched_slot(slot_of(intr, nullptr));
    if (!slot ||
        !nir_src_is_const(*nir_get_io_offset_src(const_cast<nir_intrinsic_instr*>(intr)))) {
        fail_instruction("fetch from an attachment:", &intr->instr);
        return;
    }
    const uint32_t index = *slot;
    // Stencil is a signed integer in GLSL and an unsigned one in Vulkan.
    const Kind kind =
        index == fetched_stencil ? Kind::uint : texel_kind(nir_intrinsic_dest_type(intr));
    const Id component = scalar_type(kind, 32);
    auto& [variable, image_type] = attachments_[index];
    if (!variable) {
        b_.capability(spv::Capability::InputAttachment);
        image_type = b_.type_image(component, spv::Dim::SubpassData, false, false,
                                   target_.multisampled_attachments, 2, spv::ImageFormat::Unknown);
        variable = b_.variable(spv::StorageClass::UniformConstant, image_type);
        if (index < fetched_depth)
            b_.decorate(variable, spv::Decoration::InputAttachmentIndex, {index});
        use_binding(variable, DescriptorKind::input_attachment, index,
                    {.dimension = target_.multisampled_attachments ? GLSL_SAMPLER_DIM_MS
                                                                   : GLSL_SAMPLER_DIM_2D,
                     .texels = texels_of(kind)});
        out_.fetched_attachments |= 1u << index;
    }
    std::vector<uint32_t> operands = {b_.load(image_type, variable),
                                      b_.constant_null(b_.type_vector(b_.type_int(32, true), 2))};
    if (target_.multisampled_attachments) {
        b_.capability(spv::Capability::SampleRateShading);
        out_.uses_sample_shading = true;
        operands.push_back(uint32_t(spv::ImageOperandsMask::Sample));
        operands.push_back(load_builtin(spv::BuiltIn::SampleId, b_.type_int(32, false)));
    }
    const Id texel = b_.emit(spv::Op::OpImageRead, b_.type_vector(component, 4), operands);

    std::vector<Id> members;
    const unsigned first = nir_intrinsic_component(intr);
    for (unsigned c = first; c < first + intr->def.num_components; c++) {
        Id member = extract(texel, component, c);
        if (c == 3) {
            const Id one = kind == Kind::floating ? b_.constant_float(1)
                           : kind == Kind::sint   ? b_.constant_int(1)
                                                  : u32(1);
            const Id mask = load_push_constant(offsetof(DrawParameters, opaque_attachments));
            const Id bit =
                b_.emit(spv::Op::OpBitwiseAnd, b_.type_int(32, false), {mask, u32(1u << index)});
            const Id opaque = b_.emit(spv::Op::OpINotEqual, b_.type_bool(), {bit, u32(0)});
            member = b_.emit(spv::Op::OpSelect, component, {opaque, one, member});
        }
        members.push_back(member);
    }
    set(&intr->def, kind, compose(component, members));
}

} // namespace kobalt::spirv
