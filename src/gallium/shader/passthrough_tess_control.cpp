// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/shader/passthrough_tess_control.h"

#include <algorithm>
#include <bit>

#include "gallium/context/context.h"
#include "vulkan/device/device.h"

#include "nir.h"
#include "nir_builder.h"

namespace kobalt::gallium {
namespace {

constexpr uint32_t most_patch_vertices = 32; ///< Mesa's value of GL_MAX_PATCH_VERTICES

constexpr uint64_t clip_slots = BITFIELD64_RANGE(VARYING_SLOT_CLIP_DIST0, 2);
constexpr uint64_t cull_slots = BITFIELD64_RANGE(VARYING_SLOT_CULL_DIST0, 2);

/// Vertex outputs that an evaluation shader can read.
constexpr uint64_t passed_slots =
    BITFIELD64_BIT(VARYING_SLOT_POS) | BITFIELD64_BIT(VARYING_SLOT_PSIZ) | clip_slots |
    BITFIELD64_BIT(VARYING_SLOT_COL0) | BITFIELD64_BIT(VARYING_SLOT_COL1) |
    BITFIELD64_BIT(VARYING_SLOT_BFC0) | BITFIELD64_BIT(VARYING_SLOT_BFC1) |
    BITFIELD64_BIT(VARYING_SLOT_FOGC) | BITFIELD64_BIT(VARYING_SLOT_CLIP_VERTEX) |
    BITFIELD64_RANGE(VARYING_SLOT_TEX0, 8) | BITFIELD64_RANGE(VARYING_SLOT_VAR0, 32);

void store_levels(nir_builder& b, gl_varying_slot slot, nir_def* levels) {
    const unsigned count = levels->num_components;
    nir_variable* output = nir_create_variable_with_location(
        b.shader, nir_var_shader_out, slot, glsl_vector_type(GLSL_TYPE_FLOAT, count));
    nir_store_var(&b, output, levels, nir_component_mask(count));
}

} // namespace

nir_shader* PassthroughControls::nir_of(Screen& screen, const Key& key) {
    const bool any = key.patch_vertices == any_size;
    const uint32_t vertices = any ? most_vertices(screen, key) : key.patch_vertices;
    nir_builder b = nir_builder_init_simple_shader(
        MESA_SHADER_TESS_CTRL, spirv::compiler_options(MESA_SHADER_TESS_CTRL, screen.spirv_target),
        any ? "passed-through patch of any size" : "passed-through patch");
    b.shader->info.next_stage = MESA_SHADER_TESS_EVAL;
    b.shader->info.separate_shader = true; // its neighbours may be
    b.shader->info.tess.tcs_vertices_out = static_cast<uint8_t>(vertices);
    b.shader->info.clip_distance_array_size = key.clip_distances;
    b.shader->info.cull_distance_array_size = key.cull_distances;
    store_levels(b, VARYING_SLOT_TESS_LEVEL_OUTER, nir_load_tess_level_outer_default(&b));
    store_levels(b, VARYING_SLOT_TESS_LEVEL_INNER, nir_load_tess_level_inner_default(&b));

    nir_def* const vertex = nir_load_invocation_id(&b);
    nir_if* const there =
        any ? nir_push_if(&b, nir_ult(&b, vertex, nir_load_patch_vertices_in(&b))) : nullptr;
    u_foreach_bit64(bit, key.slots) {
        const auto slot = static_cast<gl_varying_slot>(bit);
        unsigned components = 4;
        if (slot == VARYING_SLOT_PSIZ)
            components = 1;
        else if (slot == VARYING_SLOT_CLIP_DIST0)
            components = std::min(key.clip_distances + key.cull_distances, 4u);
        else if (slot == VARYING_SLOT_CLIP_DIST1)
            components = key.clip_distances + key.cull_distances - 4;
        const bool integers =
            slot >= VARYING_SLOT_VAR0 && key.integers & BITFIELD_BIT(slot - VARYING_SLOT_VAR0);
        const glsl_type* type =
            glsl_vector_type(integers ? GLSL_TYPE_UINT : GLSL_TYPE_FLOAT, components);
        nir_variable* input = nir_create_variable_with_location(
            b.shader, nir_var_shader_in, slot, glsl_array_type(type, most_patch_vertices, 0));
        nir_variable* output = nir_create_variable_with_location(
            b.shader, nir_var_shader_out, slot, glsl_array_type(type, vertices, 0));
        nir_store_array_var(&b, output, vertex, nir_load_array_var(&b, input, vertex),
                            nir_component_mask(components));
    }
    if (there)
        nir_pop_if(&b, there);
    return b.shader;
}

/// The size of the largest patch that the device can draw, given the key's outputs of each vertex.
uint32_t PassthroughControls::most_vertices(Screen& screen, const Key& key) {
    constexpr uint32_t levels = 6;
    const uint32_t components =
        screen.device().limits().maxTessellationControlTotalOutputComponents;
    const auto each = 4 * static_cast<uint32_t>(std::popcount(key.slots));
    return each ? std::min((components - levels) / each, most_patch_vertices) : most_patch_vertices;
}

PassthroughControls::Entry& PassthroughControls::find_or_add(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found != entries_.end())
        return *found;
    entries_.emplace_back().key = key;
    return entries_.back();
}

Shader& PassthroughControls::get(Screen& screen, const Shader* vertex, const Shader& evaluation,
                                 uint32_t patch_vertices, Context* drawing) {
    Key key;
    key.slots = evaluation.inputs_read & passed_slots;
    if (evaluation.inputs_read & cull_slots)
        key.slots |= clip_slots;
    key.integers = evaluation.facts.integer_inputs_mask_locations;
    key.clip_distances = evaluation.facts.distances_read;
    // Cull distances follow clip distances, and only the vertex shader says where the former begin.
    if (vertex && vertex->facts.cull_distance_count && key.clip_distances) {
        key.clip_distances = vertex->facts.clip_distance_count;
        key.cull_distances = vertex->facts.cull_distance_count;
    }
    const uint32_t distances = key.clip_distances + key.cull_distances;
    if (distances == 0)
        key.slots &= ~BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST0);
    if (distances <= 4)
        key.slots &= ~BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST1);
    key.patch_vertices = std::min(patch_vertices, most_vertices(screen, key));
    Entry& entry = find_or_add(key);
    std::call_once(entry.made, [&] {
        entry.shader = create_shader(screen, nir_of(screen, key));
        if (!drawing)
            return;
        screen.engine->counters().draw_compiles.fetch_add(1, std::memory_order_relaxed);
        drawing->recorder.slow_path(render::SlowPath::draw_compile,
                                    "a control shader that passes patches through");
    });
    return *entry.shader;
}

} // namespace kobalt::gallium
