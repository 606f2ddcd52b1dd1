// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Tessellation: execution modes, levels and per-patch varyings.

#include <bit>

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

/// The Location of the first patch varying; Locations wrap around. Patch variables have Locations
/// of their own, but SPIRV-Tools before 2024 (its pull request 5654) confuses them with the
/// Locations of vertices, of which most shaders use the lower half.
constexpr uint32_t first_patch_location = 14;

} // namespace

uint32_t Translator::patch_location(unsigned slot) {
    return (first_patch_location + slot - VARYING_SLOT_PATCH0) % patch_locations;
}

void Translator::tessellation_modes() {
    using enum spv::ExecutionMode;
    const auto& tess = nir_->info.tess;
    b_.capability(spv::Capability::Tessellation);
    if (nir_->info.stage == MESA_SHADER_TESS_CTRL) {
        b_.execution_mode(OutputVertices, {std::max<uint32_t>(tess.tcs_vertices_out, 1)});
        return;
    }
    b_.execution_mode(tess._primitive_mode == TESS_PRIMITIVE_QUADS      ? Quads
                      : tess._primitive_mode == TESS_PRIMITIVE_ISOLINES ? Isolines
                                                                        : Triangles);
    b_.execution_mode(tess.spacing == TESS_SPACING_FRACTIONAL_ODD    ? SpacingFractionalOdd
                      : tess.spacing == TESS_SPACING_FRACTIONAL_EVEN ? SpacingFractionalEven
                                                                     : SpacingEqual);
    b_.execution_mode(tess.ccw ? VertexOrderCcw : VertexOrderCw);
    if (tess.point_mode)
        b_.execution_mode(PointMode);
}

/// gl_TessLevelOuter and gl_TessLevelInner: per-patch arrays of 4 and 2 floats.
Id Translator::tess_level_variable(bool outer, spv::StorageClass storage) {
    const auto builtin = outer ? spv::BuiltIn::TessLevelOuter : spv::BuiltIn::TessLevelInner;
    Id& id = builtins_[uint32_t(builtin)];
    if (id)
        return id;
    id = b_.variable(storage, b_.type_array(b_.type_float(32), outer ? 4 : 2));
    b_.decorate(id, spv::Decoration::BuiltIn, {uint32_t(builtin)});
    b_.decorate(id, spv::Decoration::Patch);
    return id;
}

/// Declares levels that the shader accesses as slots (a control shader's outputs).
void Translator::declare_tess_level(unsigned slot, bool output) {
    InterfaceVariable variable;
    variable.storage = output ? spv::StorageClass::Output : spv::StorageClass::Input;
    variable.scalar_array = true;
    variable.count = slot == VARYING_SLOT_TESS_LEVEL_OUTER ? 4 : 2;
    variable.id = tess_level_variable(slot == VARYING_SLOT_TESS_LEVEL_OUTER, variable.storage);
    auto& slots = output ? outputs_ : inputs_;
    add_variable(slots.try_emplace(slot, std::array{-1, -1, -1, -1}).first->second, variable);
}

/// Loads levels that an evaluation shader reads as system values.
Id Translator::load_tess_levels(bool outer, unsigned components) {
    const Id float32 = b_.type_float(32);
    const Id variable = tess_level_variable(outer, spv::StorageClass::Input);
    std::vector<Id> members;
    for (uint32_t i = 0; i < components; i++)
        members.push_back(b_.load(
            float32, b_.access_chain(spv::StorageClass::Input, float32, variable, {u32(i)})));
    return compose(float32, members);
}

/// Writes Target::extra_outputs of a control shader: each invocation writes its own vertex.
void Translator::store_extra_control_outputs() {
    if (nir_->info.stage != MESA_SHADER_TESS_CTRL || extra_outputs_.empty())
        return;
    const Id invocation = load_builtin(spv::BuiltIn::InvocationId, b_.type_int(32, false));
    for (const auto& [variable, kind] : extra_outputs_) {
        const Id vec4 = value_type(kind, 32, 4);
        b_.store(b_.access_chain(spv::StorageClass::Output, vec4, variable, {invocation}),
                 b_.constant_null(vec4));
    }
}

void Translator::declare_extra_patch_outputs() {
    uint32_t missing = target_.extra_patch_outputs & ~out_.patch_outputs_written_mask;
    out_.patch_outputs_written_mask |= missing;
    for (; missing; missing &= missing - 1) {
        const uint32_t location = uint32_t(std::countr_zero(missing));
        const Kind kind =
            target_.extra_patch_integers >> location & 1 ? Kind::uint : Kind::floating;
        const Id variable = b_.variable(spv::StorageClass::Output, value_type(kind, 32, 4));
        b_.decorate(variable, spv::Decoration::Location, {location});
        b_.decorate(variable, spv::Decoration::Patch);
    }
}

} // namespace kobalt::spirv
