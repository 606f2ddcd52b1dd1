// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Slots that are built-ins in Vulkan (section "Built-In Variables" of the Vulkan specification).

#include "spirv/translator.h"

namespace kobalt::spirv {

/// Declares `slot` as a built-in; false where it is a user-defined varying.
bool Translator::declare_builtin(unsigned slot, const SlotUse& use, bool output) {
    const gl_shader_stage stage = nir_->info.stage;
    if (stage != MESA_SHADER_FRAGMENT)
        return declare_vertex_builtin(slot, use, output);

    InterfaceVariable variable;
    variable.storage = spv::StorageClass::Input;
    const auto builtin = [&](spv::BuiltIn which, Id type, Kind kind, unsigned count) {
        variable.id = builtin_input(which, type);
        variable.kind = kind;
        variable.count = uint8_t(count);
        add_variable(inputs_[slot], variable);
        return true;
    };
    const Id float32 = b_.type_float(32);
    const Id uint32 = b_.type_int(32, false);
    switch (slot) {
    case VARYING_SLOT_POS:
        return builtin(spv::BuiltIn::FragCoord, b_.type_vector(float32, 4), Kind::floating, 4);
    case VARYING_SLOT_PNTC:
        return builtin(spv::BuiltIn::PointCoord, b_.type_vector(float32, 2), Kind::floating, 2);
    case VARYING_SLOT_FACE:
        variable.wide_bool = true;
        return builtin(spv::BuiltIn::FrontFacing, b_.type_bool(), Kind::boolean, 1);
    case VARYING_SLOT_PRIMITIVE_ID:
        b_.capability(spv::Capability::Geometry);
        return builtin(spv::BuiltIn::PrimitiveId, uint32, Kind::uint, 1);
    case VARYING_SLOT_LAYER:
        b_.capability(spv::Capability::Geometry);
        return builtin(spv::BuiltIn::Layer, uint32, Kind::uint, 1);
    case VARYING_SLOT_VIEWPORT:
        b_.capability(spv::Capability::MultiViewport);
        return builtin(spv::BuiltIn::ViewportIndex, uint32, Kind::uint, 1);
    default:
        return declare_vertex_builtin(slot, use, output);
    }
}

/// GL_NV_viewport_array2's gl_ViewportMask and layout(viewport_relative).
void Translator::require_viewport_mask() {
    b_.extension("SPV_NV_viewport_array2");
    b_.capability(spv::Capability::MultiViewport);
    b_.capability(spv::Capability::ShaderViewportIndexLayerNV);
    b_.capability(spv::Capability::ShaderViewportMaskNV);
}

bool Translator::declare_vertex_builtin(unsigned slot, const SlotUse& use, bool output) {
    const gl_shader_stage stage = nir_->info.stage;
    const bool layer_capability_needed =
        stage == MESA_SHADER_VERTEX || stage == MESA_SHADER_TESS_EVAL;
    std::array<int, 4>& components = (output ? outputs_ : inputs_)[slot];
    InterfaceVariable variable;
    variable.storage = output ? spv::StorageClass::Output : spv::StorageClass::Input;
    const Id float32 = b_.type_float(32);

    const auto declare = [&](spv::BuiltIn which, Kind kind, unsigned count) {
        variable.kind = kind;
        variable.count = uint8_t(count);
        variable.vertices = use.per_vertex ? 32 : 0;
        SlotUse plain = use;
        plain.array_slots = 1;
        variable.id = declare_slot_variable(plain, variable.storage, kind, 0, count);
        b_.decorate(variable.id, spv::Decoration::BuiltIn, {uint32_t(which)});
        if (use.invariant && output)
            b_.decorate(variable.id, spv::Decoration::Invariant);
        if (output)
            for (const Capture& capture : captures_)
                if (capture.slot == slot && !capture.copied)
                    decorate_capture(variable.id, capture);
        add_variable(components, variable);
        return true;
    };
    const auto discard = [&] { // written, but nothing in Vulkan reads it
        variable.storage = spv::StorageClass::Private;
        variable.vertices = 0;
        variable.id = b_.variable(variable.storage, b_.type_vector(float32, 4));
        add_variable(components, variable);
        return true;
    };

    switch (slot) {
    case VARYING_SLOT_POS:
        return declare(spv::BuiltIn::Position, Kind::floating, 4);
    case VARYING_SLOT_PSIZ:
        // Without the feature, these stages must not declare PointSize. A read of it is then
        // undefined, like that of an unwritten size.
        if (stage != MESA_SHADER_VERTEX && !target_.geometry_point_size)
            return discard();
        if (stage == MESA_SHADER_GEOMETRY)
            b_.capability(spv::Capability::GeometryPointSize);
        if (stage == MESA_SHADER_TESS_CTRL || stage == MESA_SHADER_TESS_EVAL)
            b_.capability(spv::Capability::TessellationPointSize);
        out_.writes_point_size = out_.writes_point_size || output;
        return declare(spv::BuiltIn::PointSize, Kind::floating, 1);
    case VARYING_SLOT_TESS_LEVEL_OUTER:
    case VARYING_SLOT_TESS_LEVEL_INNER:
        declare_tess_level(slot, output);
        return true;
    case VARYING_SLOT_EDGE:
        return discard();
    case VARYING_SLOT_CLIP_VERTEX:
        // The last stage has lowered it to clip distances; stages in between may read it.
        return output && target_.last_vertex_stage ? discard() : false;
    case VARYING_SLOT_LAYER:
        if (layer_capability_needed) {
            if (!target_.viewport_layer_output)
                return discard();
            b_.capability(spv::Capability::ShaderLayer);
        }
        out_.writes_layer = true;
        declare(spv::BuiltIn::Layer, Kind::sint, 1);
        if (output && nir_->info.layer_viewport_relative && target_.viewport_mask) {
            require_viewport_mask();
            b_.decorate(variable.id, spv::Decoration::ViewportRelativeNV);
        }
        return true;
    case VARYING_SLOT_VIEWPORT:
        if (layer_capability_needed) {
            if (!target_.viewport_layer_output)
                return discard();
            b_.capability(spv::Capability::ShaderViewportIndex);
        }
        b_.capability(spv::Capability::MultiViewport);
        out_.writes_viewport = true;
        return declare(spv::BuiltIn::ViewportIndex, Kind::sint, 1);
    case VARYING_SLOT_VIEWPORT_MASK:
        if (!target_.viewport_mask)
            fail("a mask of viewports, which the device does not have");
        if (!target_.viewport_mask || stage == MESA_SHADER_TESS_CTRL)
            return discard(); // not allowed in other stages (ViewportMaskNV's rules)
        require_viewport_mask();
        out_.writes_viewport = true;
        declare_mask_output(components, spv::BuiltIn::ViewportMaskNV);
        return true;
    case VARYING_SLOT_PRIMITIVE_ID:
        if (stage != MESA_SHADER_GEOMETRY)
            return discard();
        return declare(spv::BuiltIn::PrimitiveId, Kind::sint, 1);
    case VARYING_SLOT_CLIP_DIST0:
    case VARYING_SLOT_CLIP_DIST1:
    case VARYING_SLOT_CULL_DIST0:
    case VARYING_SLOT_CULL_DIST1:
        break;
    default:
        return false;
    }

    // Mesa keeps clip and cull distances in two slots, cull after clip; Vulkan has two arrays.
    // Inputs whose writer is unknown have separate slots for cull distances.
    const auto& uses = output ? output_uses_ : input_uses_;
    const auto used_end = [&](unsigned first) {
        unsigned end = 0;
        for (unsigned i = 0; i < 2; i++)
            if (const auto it = uses.find(first + i); it != uses.end() && it->second.mask)
                end = 4 * i + util_last_bit(it->second.mask);
        return end;
    };
    const unsigned used = used_end(VARYING_SLOT_CLIP_DIST0);
    unsigned clip =
        output || stage == MESA_SHADER_FRAGMENT ? nir_->info.clip_distance_array_size : 0;
    unsigned cull =
        output || stage == MESA_SHADER_FRAGMENT ? nir_->info.cull_distance_array_size : 0;
    const unsigned separate_cull = used_end(VARYING_SLOT_CULL_DIST0);
    cull = std::max(cull, separate_cull);
    if (clip + cull == separate_cull) // sizes unknown; known ones exclude a vector's unused rest
        clip = used;
    if (!output) {
        out_.distances_read = clip + cull;
        if (target_.input_cull_distances) {
            clip = target_.input_clip_distances;
            cull = target_.input_cull_distances;
        }
    }

    const auto array = [&](Id& id, spv::BuiltIn which, spv::Capability capability,
                           unsigned length) {
        if (id)
            return id;
        b_.capability(capability);
        SlotUse plain = use;
        plain.array_slots = uint8_t(std::max(length, 2u));
        if (length < 2) { // declare_slot_variable() makes no arrays of one
            Id type = b_.type_array(float32, 1);
            if (use.per_vertex)
                type = b_.type_array(type, nir_->info.stage == MESA_SHADER_GEOMETRY
                                               ? nir_->info.gs.vertices_in
                                           : output ? nir_->info.tess.tcs_vertices_out
                                                    : 32u);
            id = b_.variable(variable.storage, type);
        } else {
            id = declare_slot_variable(plain, variable.storage, Kind::floating, 0, 1);
        }
        b_.decorate(id, spv::Decoration::BuiltIn, {uint32_t(which)});
        return id;
    };
    variable.scalar_array = true;
    variable.vertices = use.per_vertex ? 32 : 0;
    const bool is_cull_slot = slot >= VARYING_SLOT_CULL_DIST0;
    const unsigned base =
        4 * (slot - (is_cull_slot ? VARYING_SLOT_CULL_DIST0 : VARYING_SLOT_CLIP_DIST0));
    for (unsigned c = 0; c < 4; c++) {
        const unsigned index = base + c;
        const bool is_clip = !is_cull_slot && index < clip;
        const unsigned cull_index = is_cull_slot ? index : index - clip;
        if (!is_clip && cull_index >= cull)
            continue;
        variable.id = is_clip ? array(clip_distance_[output], spv::BuiltIn::ClipDistance,
                                      spv::Capability::ClipDistance, clip)
                              : array(cull_distance_[output], spv::BuiltIn::CullDistance,
                                      spv::Capability::CullDistance, cull);
        variable.first = uint8_t(c);
        variable.count = 1;
        variable.array_base = uint8_t(is_clip ? index : cull_index);
        components[c] = int(variables_.size());
        variables_.push_back(variable);
    }
    if (output) {
        out_.clip_distance_count = clip;
        out_.cull_distance_count = cull;
    } else if (target_.input_cull_distances && clip && clip_input_ < 0) {
        variable.id = array(clip_distance_[0], spv::BuiltIn::ClipDistance,
                            spv::Capability::ClipDistance, clip);
        variable.first = 0;
        variable.count = 1;
        variable.array_base = 0;
        clip_input_ = int(variables_.size());
        variables_.push_back(variable);
    }
    return true;
}

/// Works around Mesa's Vulkan drivers for an input cull distance `value`. They keep both kinds of
/// distances in one array, in which cull distances begin after all clip distances that the module
/// reads. So each read of a cull distance is accompanied by an apparent read of a clip distance.
Id Translator::beside_clip_input(const InterfaceVariable& variable, Id value, Id vertex) {
    if (clip_input_ < 0 || variable.id != cull_distance_[0])
        return value;
    const Id float32 = b_.type_float(32);
    const Id clip = b_.load(float32, pointer_to(variables_[size_t(clip_input_)], 0, vertex, 0));
    return b_.emit(spv::Op::OpSelect, float32, {b_.constant_bool(false), clip, value});
}

} // namespace kobalt::spirv
