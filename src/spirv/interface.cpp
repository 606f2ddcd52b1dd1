// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Interface variables that have a Location. The Location follows from the GL slot alone, so that
// separately translated stages match. For the same reason an output's slot is declared with all
// four components, whichever the shader writes. A geometry shader without room for that declares
// only the components it writes. Fragment shaders declare the components they read, which may be
// fewer than are written (maintenance4).

#include <algorithm>
#include <bit>

#include "spirv/translator.h"

namespace kobalt::spirv {

namespace {

bool is_patch_slot(unsigned slot) {
    return slot >= VARYING_SLOT_PATCH0;
}

Kind varying_kind(const SlotUse& use) {
    return use.as_float || (!use.as_int && !use.as_uint) ? Kind::floating : Kind::uint;
}

} // namespace

uint32_t spare_location(const Target& target) {
    return target.varying_locations - 1;
}

/// The fixed map of compatibility slots. Generic slots take the Location of their number, and Mesa
/// fills these from 0; so compatibility slots count down from the top, the most used first.
std::optional<uint32_t> Translator::legacy_location(unsigned slot) const {
    unsigned index = 0;
    if (slot >= VARYING_SLOT_COL0 && slot <= VARYING_SLOT_COL1)
        index = slot - VARYING_SLOT_COL0;
    else if (slot == VARYING_SLOT_FOGC)
        index = 2;
    else if (slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7)
        index = 3 + (slot - VARYING_SLOT_TEX0);
    else if (slot >= VARYING_SLOT_BFC0 && slot <= VARYING_SLOT_BFC1)
        index = 11 + (slot - VARYING_SLOT_BFC0);
    else if (slot == VARYING_SLOT_CLIP_VERTEX)
        index = 13;
    else
        return std::nullopt;
    return spare_location(target_) - 1 - index;
}

std::optional<uint32_t> Translator::varying_location(unsigned slot) {
    if (is_patch_slot(slot))
        return patch_location(slot);
    if (slot >= VARYING_SLOT_VAR0 && slot <= VARYING_SLOT_VAR31)
        return slot - VARYING_SLOT_VAR0;
    if (const auto location = legacy_location(slot))
        return location;
    fail("varying slot " +
         std::string(gl_varying_slot_name_for_stage(gl_varying_slot(slot), nir_->info.stage)) +
         ", which has no Location");
    return std::nullopt;
}

void Translator::add_variable(std::array<int, 4>& components, const InterfaceVariable& variable) {
    const int index = int(variables_.size());
    variables_.push_back(variable);
    if (variable.scalar_array) {
        for (unsigned c = 0; c < 4; c++)
            if (c < variable.count)
                components[c] = index;
        return;
    }
    for (unsigned c = variable.first; c < unsigned(variable.first + variable.count); c++)
        components[c] = index;
}

/// Declares a variable without its Location, inside the arrays that the slot's uses need.
Id Translator::declare_slot_variable(const SlotUse& use, spv::StorageClass storage, Kind kind,
                                     unsigned first, unsigned count) {
    (void)first;
    Id type = value_type(kind, 32, count);
    if (use.array_slots > 1)
        type = b_.type_array(type, use.array_slots);
    if (use.per_vertex) {
        const uint32_t vertices =
            storage == spv::StorageClass::Output       ? nir_->info.tess.tcs_vertices_out
            : nir_->info.stage == MESA_SHADER_GEOMETRY ? nir_->info.gs.vertices_in
                                                       : 32;
        type = b_.type_array(type, vertices);
    }
    return b_.variable(storage, type);
}

void Translator::decorate_interpolation(Id variable, const SlotUse& use) {
    if (!use.interpolated) {
        b_.decorate(variable, spv::Decoration::Flat);
        return;
    }
    if (use.perspective && use.no_perspective)
        fail("an input that is interpolated with and without perspective");
    if (use.no_perspective)
        b_.decorate(variable, spv::Decoration::NoPerspective);
    // Where one slot is read at several positions (interpolateAtCentroid() of a plain input), the
    // decoration is left out and the other reads interpolate explicitly.
    if (use.centroid && !use.pixel && !use.sample) {
        b_.decorate(variable, spv::Decoration::Centroid);
    } else if (use.sample && !use.pixel && !use.centroid) {
        b_.capability(spv::Capability::SampleRateShading);
        b_.decorate(variable, spv::Decoration::Sample);
        out_.uses_sample_shading = true;
    }
}

void Translator::declare_input(unsigned slot, const SlotUse& use) {
    if (inputs_.contains(slot))
        return; // part of an array that starts before it
    std::array<int, 4>& components =
        inputs_.try_emplace(slot, std::array{-1, -1, -1, -1}).first->second;
    const gl_shader_stage stage = nir_->info.stage;

    InterfaceVariable variable;
    variable.storage = spv::StorageClass::Input;
    uint32_t location = slot;
    if (stage == MESA_SHADER_VERTEX) {
        variable.kind = formatted_kind(use);
    } else {
        if (declare_builtin(slot, use, false))
            return;
        const auto varying = varying_location(slot);
        if (!varying)
            return;
        location = *varying;
        variable.kind = varying_kind(use);
        if (stage == MESA_SHADER_FRAGMENT && use.interpolated)
            variable.kind = Kind::floating;
    }
    if (stage == MESA_SHADER_FRAGMENT && !use.per_vertex)
        variable.count = uint8_t(width_of(use));
    variable.id = declare_slot_variable(use, variable.storage, variable.kind, 0, variable.count);
    variable.slots = use.array_slots;
    variable.vertices = use.per_vertex ? 32 : 0;
    b_.decorate(variable.id, spv::Decoration::Location, {location});
    if (stage == MESA_SHADER_FRAGMENT)
        decorate_interpolation(variable.id, use);
    if (is_patch_slot(slot))
        b_.decorate(variable.id, spv::Decoration::Patch);
    if (target_.debug_names)
        b_.name(variable.id, "in" + std::to_string(location));
    uint32_t& read =
        is_patch_slot(slot) ? out_.patch_inputs_read_mask : out_.inputs_read_mask_locations;

    add_variable(components, variable);
    for (unsigned i = 0; i < use.array_slots; i++) {
        const uint32_t bit = 1u << ((location + i) & 31);
        read |= bit;
        if (variable.kind != Kind::floating)
            (is_patch_slot(slot) ? out_.integer_patch_inputs_mask
                                 : out_.integer_inputs_mask_locations) |= bit;
        if (i == 0)
            continue;
        variable.slot_index = uint8_t(i);
        add_variable(inputs_.try_emplace(slot + i, std::array{-1, -1, -1, -1}).first->second,
                     variable);
    }
}

void Translator::declare_output(unsigned slot, const SlotUse& use) {
    if (nir_->info.stage == MESA_SHADER_FRAGMENT) {
        if (!outputs_.contains(slot))
            declare_fragment_output(slot, use);
        return;
    }
    if (outputs_.contains(slot))
        return;
    std::array<int, 4>& components =
        outputs_.try_emplace(slot, std::array{-1, -1, -1, -1}).first->second;
    if (declare_builtin(slot, use, true))
        return;
    const auto location = varying_location(slot);
    if (!location)
        return;
    const Kind kind = varying_kind(use);

    // Split the slot by captures and vertex streams, because a variable has one offset and one
    // stream.
    std::array<int, 4> group{-1, -1, -1, -1};
    const bool crowded = nir_->info.stage == MESA_SHADER_GEOMETRY && exceeds_with_point_size(false);
    unsigned width = crowded ? width_of(use) : 4;
    for (size_t i = 0; i < captures_.size(); i++)
        for (unsigned c = 0; c < 4; c++)
            if (captures_[i].slot == slot && !captures_[i].copied && captures_[i].mask >> c & 1) {
                group[c] = int(i);
                width = std::max(width, c + 1);
            }
    const auto stream = [&](unsigned c) -> uint32_t {
        return group[c] >= 0 ? captures_[size_t(group[c])].stream : use.streams >> (2 * c) & 3;
    };
    for (unsigned first = 0; first < width;) {
        unsigned end = first + 1;
        while (end < width && group[end] == group[first] && stream(end) == stream(first))
            end++;
        InterfaceVariable variable;
        variable.storage = spv::StorageClass::Output;
        variable.kind = kind;
        variable.first = uint8_t(first);
        variable.count = uint8_t(end - first);
        variable.slots = use.array_slots;
        variable.vertices = use.per_vertex ? 32 : 0;
        variable.id = declare_slot_variable(use, variable.storage, kind, first, end - first);
        b_.decorate(variable.id, spv::Decoration::Location, {*location});
        if (first)
            b_.decorate(variable.id, spv::Decoration::Component, {first});
        if (is_patch_slot(slot))
            b_.decorate(variable.id, spv::Decoration::Patch);
        if (use.invariant)
            b_.decorate(variable.id, spv::Decoration::Invariant);
        if (group[first] >= 0)
            decorate_capture(variable.id, captures_[size_t(group[first])]);
        else if (nir_->info.stage == MESA_SHADER_GEOMETRY && nir_->info.gs.active_stream_mask & ~1u)
            b_.decorate(variable.id, spv::Decoration::Stream, {stream(first)});
        if (target_.debug_names)
            b_.name(variable.id, "out" + std::to_string(*location));
        add_variable(components, variable);
        for (unsigned i = 1; i < use.array_slots; i++) {
            InterfaceVariable part = variable;
            part.slot_index = uint8_t(i);
            add_variable(outputs_.try_emplace(slot + i, std::array{-1, -1, -1, -1}).first->second,
                         part);
        }
        first = end;
    }
    uint32_t& written =
        is_patch_slot(slot) ? out_.patch_outputs_written_mask : out_.outputs_written_mask_locations;
    for (unsigned i = 0; i < use.array_slots; i++) {
        const uint32_t bit = 1u << ((*location + i) & 31);
        written |= bit;
        if (kind != Kind::floating && !is_patch_slot(slot))
            out_.integer_outputs_mask_locations |= bit;
    }
}

void Translator::declare_interface() {
    // Overlapping dynamically indexed ranges become one array.
    for (auto* uses : {&input_uses_, &output_uses_}) {
        for (auto it = uses->begin(); it != uses->end(); ++it) {
            auto& [slot, use] = *it;
            for (auto next = std::next(it);
                 next != uses->end() && next->first < slot + use.array_slots; ++next) {
                const SlotUse& other = next->second;
                use.array_slots = std::max<uint8_t>(
                    use.array_slots, uint8_t(next->first + other.array_slots - slot));
                use.as_float = use.as_float || other.as_float;
                use.as_int = use.as_int || other.as_int;
                use.as_uint = use.as_uint || other.as_uint;
                use.mask |= other.mask;
                use.per_vertex = use.per_vertex || other.per_vertex;
            }
        }
    }
    // A shader can't have both a generic slot and a compatibility slot with the same Location.
    for (const auto* uses : {&input_uses_, &output_uses_}) {
        const bool fragment_or_vertex_side =
            (uses == &input_uses_ && nir_->info.stage == MESA_SHADER_VERTEX) ||
            (uses == &output_uses_ && nir_->info.stage == MESA_SHADER_FRAGMENT);
        if (fragment_or_vertex_side)
            continue;
        for (const auto& [slot, use] : *uses) {
            const auto legacy = legacy_location(slot);
            if (!legacy || (slot == VARYING_SLOT_CLIP_VERTEX && uses == &output_uses_ &&
                            target_.last_vertex_stage))
                continue; // the last stage doesn't output its clip vertex
            for (const auto& [other, other_use] : *uses) {
                if (other < VARYING_SLOT_VAR0 || other > VARYING_SLOT_VAR31)
                    continue;
                const uint32_t first = other - VARYING_SLOT_VAR0;
                if (*legacy >= first && *legacy < first + other_use.array_slots)
                    fail("generic varying " + std::to_string(first) +
                         " beside the compatibility varying of its Location");
            }
        }
    }
    for (const auto& [slot, use] : input_uses_)
        declare_input(slot, use);
    for (const auto& [slot, use] : output_uses_)
        declare_output(slot, use);
    declare_extra_outputs();
    declare_extra_patch_outputs();
    declare_capture_copies();
}

void Translator::declare_extra_outputs() {
    uint32_t missing = target_.extra_outputs & ~out_.outputs_written_mask_locations;
    out_.outputs_written_mask_locations |= missing;
    while (missing) {
        const uint32_t location = uint32_t(std::countr_zero(missing));
        missing &= missing - 1;
        const Kind kind =
            target_.extra_integer_outputs >> location & 1 ? Kind::uint : Kind::floating;
        Id type = value_type(kind, 32, 4);
        if (nir_->info.stage == MESA_SHADER_TESS_CTRL)
            type = b_.type_array(type, std::max<uint32_t>(nir_->info.tess.tcs_vertices_out, 1));
        const Id variable = b_.variable(spv::StorageClass::Output, type);
        b_.decorate(variable, spv::Decoration::Location, {location});
        extra_outputs_.push_back({variable, kind});
    }
}

} // namespace kobalt::spirv
