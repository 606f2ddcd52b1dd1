// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Loads and stores of inputs and outputs.

#include "spirv/push_constants.h"
#include "spirv/translator.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace kobalt::spirv {

/// A pointer to one component of a slot; -1: to the slot's whole variable, as a vector.
Id Translator::pointer_to(const InterfaceVariable& variable, int component, Id vertex,
                          Id slot_offset) {
    std::vector<Id> indices;
    if (variable.vertices)
        indices.push_back(vertex);
    if (variable.slots > 1) {
        const Id base = u32(variable.slot_index);
        indices.push_back(!slot_offset          ? base
                          : variable.slot_index ? b_.emit(spv::Op::OpIAdd, b_.type_int(32, false),
                                                          {base, slot_offset})
                                                : slot_offset);
    }
    unsigned count = variable.count;
    if (variable.scalar_array) {
        indices.push_back(u32(variable.array_base + unsigned(component) - variable.first));
        count = 1;
    } else if (component >= 0 && variable.count > 1) {
        indices.push_back(u32(unsigned(component) - variable.first));
        count = 1;
    }
    return b_.access_chain(variable.storage, value_type(variable.kind, 32, count), variable.id,
                           indices);
}

/// The value of an interpolated input: a load where the decoration determines the interpolation.
Id Translator::interpolate(const nir_intrinsic_instr* barycentric,
                           const InterfaceVariable& variable, Id pointer, Id type,
                           const SlotUse& use) {
    (void)variable;
    const bool decorated_centroid = use.centroid && !use.pixel && !use.sample;
    const bool decorated_sample = use.sample && !use.pixel && !use.centroid;
    const auto at = [&](uint32_t instruction, Id operand) {
        b_.capability(spv::Capability::InterpolationFunction);
        return operand ? b_.emit_extended(instruction, type, {pointer, operand})
                       : b_.emit_extended(instruction, type, {pointer});
    };
    switch (barycentric->intrinsic) {
    case nir_intrinsic_load_barycentric_centroid:
        return decorated_centroid ? b_.load(type, pointer) : at(GLSLstd450InterpolateAtCentroid, 0);
    case nir_intrinsic_load_barycentric_sample:
        if (decorated_sample)
            return b_.load(type, pointer);
        b_.capability(spv::Capability::SampleRateShading);
        out_.uses_sample_shading = true;
        return at(GLSLstd450InterpolateAtSample,
                  load_builtin(spv::BuiltIn::SampleId, b_.type_int(32, false)));
    case nir_intrinsic_load_barycentric_at_sample:
        return at(GLSLstd450InterpolateAtSample, get(barycentric->src[0], Kind::uint));
    case nir_intrinsic_load_barycentric_at_offset:
        return at(GLSLstd450InterpolateAtOffset, get(barycentric->src[0], Kind::floating));
    default:
        return b_.load(type, pointer);
    }
}

/// The slots of a dynamically indexed access, where they aren't elements of one variable: the
/// Locations of patch varyings aren't consecutive, and each of the two slots of clip and cull
/// distances may hold elements of both arrays. Empty for any other access.
std::vector<uint32_t> Translator::indexed_slots(const nir_intrinsic_instr* intr) const {
    const nir_io_semantics semantics = nir_intrinsic_io_semantics(intr);
    const bool is_varying = is_interface_load(intr->intrinsic)
                                ? nir_->info.stage != MESA_SHADER_VERTEX
                                : nir_->info.stage != MESA_SHADER_FRAGMENT;
    const bool is_distance = is_varying && semantics.location >= VARYING_SLOT_CLIP_DIST0 &&
                             semantics.location <= VARYING_SLOT_CULL_DIST1;
    std::vector<uint32_t> slots;
    if ((semantics.location >= VARYING_SLOT_PATCH0 || is_distance) &&
        !nir_src_is_const(*nir_get_io_offset_src(const_cast<nir_intrinsic_instr*>(intr))))
        for (unsigned i = 0; i < semantics.num_slots; i++)
            slots.push_back(semantics.location + i);
    return slots;
}

void Translator::emit_load(const nir_intrinsic_instr* intr, bool output) {
    Kind kind = Kind::floating;
    Id slot_offset = 0;
    const unsigned slot = slot_of(intr, &slot_offset);
    const std::vector<uint32_t> slots = indexed_slots(intr);
    if (slots.empty()) {
        const Id value = load_slot(intr, output, slot, slot_offset, &kind);
        if (value)
            set(&intr->def, kind, value);
        return;
    }
    const Id type = value_type(Kind::uint, 32, intr->def.num_components);
    const Id value = switch_over(slot_offset, slots[0], slots, type, [&](uint32_t one) {
        const Id loaded = load_slot(intr, output, one, 0, &kind);
        return loaded ? cast(loaded, kind, Kind::uint, 32, intr->def.num_components) : 0;
    });
    set(&intr->def, Kind::uint, value);
}

/// The value that an access reads from one slot, of kind *result_kind; 0 after an error.
Id Translator::load_slot(const nir_intrinsic_instr* intr, bool output, unsigned slot,
                         Id slot_offset, Kind* result_kind) {
    auto& slots = output ? outputs_ : inputs_;
    const auto found = slots.find(slot);
    const unsigned first = nir_intrinsic_component(intr);
    const unsigned count = intr->def.num_components;
    if (found == slots.end()) {
        fail_instruction("input", &intr->instr);
        return 0;
    }
    const std::array<int, 4> components = found->second;
    const nir_src* vertex_source =
        nir_get_io_arrayed_index_src(const_cast<nir_intrinsic_instr*>(intr));
    const Id vertex = vertex_source ? get(*vertex_source, Kind::uint) : 0;
    const SlotUse& use = (output ? output_uses_ : input_uses_)[slot];
    const nir_intrinsic_instr* barycentric =
        intr->intrinsic == nir_intrinsic_load_interpolated_input
            ? nir_instr_as_intrinsic(intr->src[0].ssa->parent_instr)
            : nullptr;

    const auto fetch = [&](const InterfaceVariable& variable, int component) {
        const bool whole = component < 0;
        const Id type =
            value_type(variable.kind, 32, whole && !variable.scalar_array ? variable.count : 1);
        const Id pointer = pointer_to(variable, component, vertex, slot_offset);
        const bool user_input = barycentric && variable.kind == Kind::floating &&
                                variable.storage == spv::StorageClass::Input &&
                                slot != VARYING_SLOT_POS && slot != VARYING_SLOT_PNTC;
        const Id value = user_input ? interpolate(barycentric, variable, pointer, type, use)
                                    : b_.load(type, pointer);
        return beside_clip_input(variable, value, vertex);
    };

    // All components are in one vector: emit one load.
    const int only = components[first];
    bool one_vector = only >= 0 && !variables_[size_t(only)].scalar_array;
    for (unsigned c = first; c < first + count && c < 4; c++)
        one_vector = one_vector && components[c] == only;
    if (one_vector) {
        const InterfaceVariable variable = variables_[size_t(only)];
        const Id value = fetch(variable, -1);
        if (variable.kind == Kind::boolean) { // gl_FrontFacing read as an input
            if (intr->def.bit_size != 1) {
                const bool as_float =
                    nir_alu_type_get_base_type(nir_intrinsic_dest_type(intr)) == nir_type_float;
                *result_kind = as_float ? Kind::floating : Kind::uint;
                return b_.emit(spv::Op::OpSelect, value_type(*result_kind, 32, 1),
                               {value, as_float ? b_.constant_float(1) : u32(~0u),
                                as_float ? b_.constant_float(-1) : u32(0)});
            }
            *result_kind = Kind::boolean;
            return value;
        }
        std::array<uint8_t, 4> order{};
        for (unsigned i = 0; i < count; i++)
            order[i] = uint8_t(first + i - variable.first);
        *result_kind = variable.kind;
        return swizzle(value, scalar_type(variable.kind, 32), variable.count, order.data(), count);
    }

    Kind kind = Kind::floating;
    for (unsigned c = first; c < first + count && c < 4; c++)
        if (components[c] >= 0)
            kind = variables_[size_t(components[c])].kind;
    const Id type = scalar_type(kind, 32);
    std::vector<Id> members;
    for (unsigned c = first; c < first + count; c++) {
        if (c > 3 || components[c] < 0) {
            members.push_back(b_.constant_null(type));
            continue;
        }
        const InterfaceVariable variable = variables_[size_t(components[c])];
        members.push_back(cast(fetch(variable, int(c)), variable.kind, kind, 32, 1));
    }
    *result_kind = kind;
    return compose(type, members);
}

void Translator::store_components(std::array<int, 4>& slot, unsigned first, unsigned mask,
                                  const nir_def* value, Id vertex, Id slot_offset) {
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask >> c & 1) || slot[c] < 0)
            continue;
        const InterfaceVariable variable = variables_[size_t(slot[c])];
        const Kind native = variable.kind == Kind::sint ? Kind::uint : variable.kind;
        const unsigned all = ((1u << variable.count) - 1) << variable.first;
        if (!variable.scalar_array && variable.count > 1 && (mask & all) == all) {
            // Every component of the variable is written: emit one store.
            std::array<uint8_t, 4> order{};
            for (unsigned i = 0; i < variable.count; i++)
                order[i] = uint8_t(variable.first + i - first);
            const Id vector = swizzle(get(value, native), scalar_type(native, 32),
                                      value->num_components, order.data(), variable.count);
            b_.store(pointer_to(variable, -1, vertex, slot_offset),
                     cast(vector, native, variable.kind, 32, variable.count));
            mask &= ~all;
            continue;
        }
        Id scalar = component(value, c - first, native);
        scalar = cast(scalar, native, variable.kind, 32, 1);
        b_.store(pointer_to(variable, int(c), vertex, slot_offset), scalar);
    }
}

void Translator::emit_store(const nir_intrinsic_instr* intr) {
    Id slot_offset = 0;
    const unsigned slot = slot_of(intr, &slot_offset);
    const nir_def* value = intr->src[0].ssa;
    const unsigned first = nir_intrinsic_component(intr);
    const unsigned mask = nir_intrinsic_write_mask(intr) << first;
    const nir_src* vertex_source =
        nir_get_io_arrayed_index_src(const_cast<nir_intrinsic_instr*>(intr));
    const Id vertex = vertex_source ? get(*vertex_source, Kind::uint) : 0;

    if (nir_->info.stage == MESA_SHADER_FRAGMENT && (slot & 63) == FRAG_RESULT_COLOR) {
        const unsigned base = (slot & 64) + FRAG_RESULT_DATA0;
        for (unsigned i = 0; i < 8; i++) {
            const auto found = outputs_.find(base + i);
            if (found != outputs_.end())
                store_components(found->second, first, mask, value, 0, 0);
        }
        return;
    }
    const auto store = [&](uint32_t one, Id offset) {
        const auto found = outputs_.find(one);
        if (found == outputs_.end())
            fail_instruction("output", &intr->instr);
        else
            store_components(found->second, first, mask, value, vertex, offset);
        return Id{0};
    };
    const std::vector<uint32_t> slots = indexed_slots(intr);
    if (slots.empty())
        store(slot, slot_offset);
    else
        switch_over(slot_offset, slots[0], slots, 0, [&](uint32_t one) { return store(one, 0); });
}

Id Translator::one_of(Kind kind) {
    return kind == Kind::floating ? b_.constant_float(1)
           : kind == Kind::sint   ? b_.constant_int(1)
                                  : u32(1);
}

/// Writes (0, 0, 0, 1) to components that no instruction writes, so that they are never undefined.
void Translator::store_default_outputs() {
    if (nir_->info.stage == MESA_SHADER_TESS_CTRL) {
        store_extra_control_outputs();
        return;
    }
    // w is 1, because the next stage may read a texture coordinate and divide by it.
    for (const auto& [variable, kind] : extra_outputs_) {
        const Id zero = b_.constant_null(scalar_type(kind, 32));
        const std::array<Id, 4> members{zero, zero, zero, one_of(kind)};
        b_.store(variable, compose(scalar_type(kind, 32), members));
    }
    for (const auto& [slot, components] : outputs_) {
        const auto use = output_uses_.find(slot);
        if (use == output_uses_.end())
            continue;
        for (unsigned c = 0; c < 4; c++) {
            if (use->second.mask >> c & 1 || components[c] < 0 || use->second.array_slots > 1)
                continue;
            const InterfaceVariable variable = variables_[size_t(components[c])];
            if (variable.scalar_array || variable.storage == spv::StorageClass::Private)
                continue;
            const Id value =
                c == 3 ? one_of(variable.kind) : b_.constant_null(scalar_type(variable.kind, 32));
            b_.store(pointer_to(variable, int(c), 0, 0), value);
        }
    }
}

bool Translator::emit_io_intrinsic(const nir_intrinsic_instr* intr) {
    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_interpolated_input:
        emit_load(intr, false);
        return true;
    case nir_intrinsic_load_output:
    case nir_intrinsic_load_per_vertex_output:
        if (fetches_attachment(intr))
            emit_attachment_fetch(intr);
        else
            emit_load(intr, true);
        return true;
    case nir_intrinsic_store_output:
    case nir_intrinsic_store_per_vertex_output:
        emit_store(intr);
        return true;
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_sample:
    case nir_intrinsic_load_barycentric_at_sample:
    case nir_intrinsic_load_barycentric_at_offset:
        return true; // handled by the load that uses it
    default:
        return false;
    }
}

} // namespace kobalt::spirv
