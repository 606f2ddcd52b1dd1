// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The outputs of fragment shaders: colours, depth, stencil and the sample mask.

#include "spirv/translator.h"

namespace kobalt::spirv {

/// Declares an output that is an array of one word.
void Translator::declare_mask_output(std::array<int, 4>& components, spv::BuiltIn which) {
    InterfaceVariable variable;
    variable.storage = spv::StorageClass::Output;
    variable.kind = Kind::sint;
    variable.count = 1;
    variable.scalar_array = true;
    variable.id = b_.variable(variable.storage, b_.type_array(b_.type_int(32, true), 1));
    b_.decorate(variable.id, spv::Decoration::BuiltIn, {uint32_t(which)});
    add_variable(components, variable);
}

void Translator::declare_fragment_output(unsigned slot, const SlotUse& use) {
    const bool second = slot >= 64;
    const unsigned result = slot & 63;
    std::array<int, 4>& components =
        outputs_.try_emplace(slot, std::array{-1, -1, -1, -1}).first->second;
    InterfaceVariable variable;
    variable.storage = spv::StorageClass::Output;

    switch (result) {
    case FRAG_RESULT_DEPTH:
        variable.count = 1;
        variable.id = b_.variable(variable.storage, b_.type_float(32));
        b_.decorate(variable.id, spv::Decoration::BuiltIn, {uint32_t(spv::BuiltIn::FragDepth)});
        b_.execution_mode(spv::ExecutionMode::DepthReplacing);
        out_.writes_depth = true;
        add_variable(components, variable);
        return;
    case FRAG_RESULT_STENCIL:
        variable.count = 1;
        variable.kind = Kind::sint;
        if (!target_.shader_stencil_export) {
            variable.storage = spv::StorageClass::Private; // the device can't export stencil
            variable.id = b_.variable(variable.storage, b_.type_int(32, true));
        } else {
            b_.capability(spv::Capability::StencilExportEXT);
            b_.extension("SPV_EXT_shader_stencil_export");
            b_.execution_mode(spv::ExecutionMode::StencilRefReplacingEXT);
            variable.id = b_.variable(variable.storage, b_.type_int(32, true));
            b_.decorate(variable.id, spv::Decoration::BuiltIn,
                        {uint32_t(spv::BuiltIn::FragStencilRefEXT)});
            out_.writes_stencil = true;
        }
        add_variable(components, variable);
        return;
    case FRAG_RESULT_SAMPLE_MASK:
        declare_mask_output(components, spv::BuiltIn::SampleMask);
        out_.writes_sample_mask = true;
        return;
    case FRAG_RESULT_COLOR: {
        // gl_FragColor goes to every colour attachment, unless there is a second source.
        bool dual = false;
        for (const auto& [other, unused] : output_uses_)
            dual = dual || other >= 64;
        color_broadcast_ = !second;
        const unsigned last = second || dual ? 1 : 8;
        for (unsigned i = 0; i < last; i++) {
            const unsigned data = (second ? 64 : 0) + FRAG_RESULT_DATA0 + i;
            if (!outputs_.contains(data))
                declare_fragment_output(data, use);
        }
        return;
    }
    default:
        break;
    }
    if (result < FRAG_RESULT_DATA0 || result > FRAG_RESULT_DATA7) {
        fail("fragment result " + std::to_string(result));
        return;
    }
    const uint32_t location = result - FRAG_RESULT_DATA0;
    variable.kind = formatted_kind(use);
    variable.id = declare_slot_variable(use, variable.storage, variable.kind, 0, 4);
    b_.decorate(variable.id, spv::Decoration::Location, {location});
    if (second)
        b_.decorate(variable.id, spv::Decoration::Index, {1});
    if (target_.debug_names)
        b_.name(variable.id, (second ? "second" : "color") + std::to_string(location));
    out_.dual_source = out_.dual_source || second;
    if (!second)
        out_.fragment_output_mask |= 1u << location;
    add_variable(components, variable);
}

} // namespace kobalt::spirv
