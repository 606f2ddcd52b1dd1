// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/outline_stages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "render/pipelines/pipeline_store.h"
#include "vulkan/device/device.h"

#include "nir.h"
#include "nir_builder.h"
#include "util/ralloc.h"

namespace kobalt::gallium {
namespace {

/// The varying slot that the geometry stage passes data to the fragment stage in.
unsigned outline_slot(const Screen& screen) {
    return VARYING_SLOT_VAR0 + spirv::spare_location(screen.spirv_target);
}

using Components = std::array<nir_alu_type, 4>; ///< nir_type_invalid: not written

bool is_passed_on(unsigned slot) {
    switch (slot) {
    case VARYING_SLOT_EDGE:
    case VARYING_SLOT_CLIP_VERTEX:
    case VARYING_SLOT_PRIMITIVE_ID:
        return false;
    default:
        return true;
    }
}

/// Whether an output has a Location (the others are built in).
bool has_location(unsigned slot) {
    return slot != VARYING_SLOT_POS && slot != VARYING_SLOT_PSIZ &&
           (slot < VARYING_SLOT_CLIP_DIST0 || slot > VARYING_SLOT_CULL_DIST1);
}

/// The outputs of a vertex shader.
struct Outputs {
    std::map<unsigned, Components> slots;
    /// Slots in which the geometry shader reads outputs that have a Location. They are packed,
    /// because devices let that stage read fewer components than the others write.
    std::map<unsigned, unsigned> read_slots;
    unsigned distances = 0; ///< clip and cull distances
};

template <class Use>
void for_each_store(nir_shader* nir, const Use& use) {
    nir_foreach_block(block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr_safe(instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr* store = nir_instr_as_intrinsic(instr);
            if (store->intrinsic == nir_intrinsic_store_output)
                use(store);
        }
    }
}

/// The shader's outputs. No slots: it writes something that a geometry shader can't read.
Outputs outputs_of(nir_shader* nir, unsigned outline) {
    Outputs outputs;
    bool readable = true;
    for_each_store(nir, [&](nir_intrinsic_instr* store) {
        const nir_io_semantics semantics = nir_intrinsic_io_semantics(store);
        const unsigned first = semantics.location;
        if (!is_passed_on(first))
            return;
        readable &= nir_src_bit_size(store->src[0]) == 32 && first != outline &&
                    first != VARYING_SLOT_LAYER && first != VARYING_SLOT_VIEWPORT;
        const nir_src& offset = *nir_get_io_offset_src(store);
        const bool indirect = !nir_src_is_const(offset);
        const unsigned at = first + (indirect ? 0 : static_cast<unsigned>(nir_src_as_uint(offset)));
        const unsigned mask = nir_intrinsic_write_mask(store) << nir_intrinsic_component(store);
        for (unsigned i = 0; i < (indirect ? semantics.num_slots : 1u); ++i) {
            Components& types = outputs.slots.try_emplace(at + i, Components{}).first->second;
            for (unsigned c = 0; c < 4; ++c)
                if (mask & (1u << c))
                    types[c] = nir_intrinsic_src_type(store);
        }
    });
    if (!readable)
        return {};
    for (const auto& [slot, types] : outputs.slots)
        if (has_location(slot))
            outputs.read_slots.emplace(slot, VARYING_SLOT_VAR0 + outputs.read_slots.size());
    outputs.distances = nir->info.clip_distance_array_size + nir->info.cull_distance_array_size;
    return outputs;
}

/// Whether the device's geometry stage has room. Outputs without a Location count too (position,
/// point size, primitive id, clip and cull distances).
bool fits(Screen& screen, const Outputs& outputs) {
    const VkPhysicalDeviceLimits& limits = screen.device().limits();
    const size_t others = 6 + outputs.distances;
    return 4 * outputs.read_slots.size() + others <= limits.maxGeometryInputComponents &&
           4 * (spirv::spare_location(screen.spirv_target) + 1) + others <=
               limits.maxGeometryOutputComponents;
}

bool writes_position(const Outputs& outputs) {
    const auto position = outputs.slots.find(VARYING_SLOT_POS);
    return position != outputs.slots.end() &&
           std::ranges::find(position->second, nir_type_invalid) == position->second.end();
}

/// Mask of what is hidden of a triangle: a bit for each edge, then, from this bit on, one for each
/// corner.
constexpr unsigned hidden_corner = 3;

/// In a triangle with adjacency the corners are the even vertices.
constexpr unsigned vertex_of_corner(unsigned corner) {
    return 2 * (corner % 3);
}

nir_io_semantics semantics_of(unsigned slot) {
    nir_io_semantics semantics{};
    semantics.location = slot;
    semantics.num_slots = 1;
    return semantics;
}

void store(nir_builder* b, unsigned slot, unsigned component, nir_def* value, nir_alu_type type) {
    const _nir_store_output_indices indices{
        .write_mask = nir_component_mask(value->num_components),
        .component = component,
        .src_type = type,
        .io_semantics = semantics_of(slot),
    };
    _nir_build_store_output(b, value, nir_imm_int(b, 0), indices);
}

nir_def* load(nir_builder* b, unsigned vertex, unsigned slot, unsigned component,
              nir_alu_type type) {
    const _nir_load_per_vertex_input_indices indices{
        .component = component,
        .dest_type = type,
        .io_semantics = semantics_of(slot),
    };
    return _nir_build_load_per_vertex_input(b, 1, 32, nir_imm_int(b, static_cast<int>(vertex)),
                                            nir_imm_int(b, 0), indices);
}

nir_def* same_position(nir_builder* b, unsigned vertex, unsigned other) {
    nir_def* same = nir_imm_true(b);
    for (unsigned c = 0; c < 4; ++c)
        same = nir_iand(b, same,
                        nir_feq(b, load(b, vertex, VARYING_SLOT_POS, c, nir_type_float32),
                                load(b, other, VARYING_SLOT_POS, c, nir_type_float32)));
    return same;
}

nir_shader* geometry_nir(Screen& screen, const Outputs& outputs, const shader_info& vertex) {
    nir_builder b = nir_builder_init_simple_shader(
        MESA_SHADER_GEOMETRY, spirv::compiler_options(MESA_SHADER_GEOMETRY, screen.spirv_target),
        "outlines");
    shader_info& info = b.shader->info;
    info.io_lowered = true;
    info.next_stage = MESA_SHADER_FRAGMENT;
    info.clip_distance_array_size = vertex.clip_distance_array_size;
    info.cull_distance_array_size = vertex.cull_distance_array_size;
    info.gs.input_primitive = MESA_PRIM_TRIANGLES_ADJACENCY;
    info.gs.output_primitive = MESA_PRIM_TRIANGLE_STRIP;
    info.gs.vertices_in = 6;
    info.gs.vertices_out = 3;
    info.gs.invocations = 1;
    info.gs.active_stream_mask = 1;

    nir_def* hidden = nir_imm_float(&b, 0);
    const auto hide = [&](nir_def* is_hidden, unsigned bit) {
        nir_def* value = nir_imm_float(&b, static_cast<float>(1u << bit));
        hidden = nir_fadd(&b, hidden, nir_bcsel(&b, is_hidden, value, nir_imm_float(&b, 0)));
    };
    for (unsigned corner = 0; corner < 3; ++corner) {
        const unsigned vertex = vertex_of_corner(corner), says = vertex + 1;
        hide(same_position(&b, says, vertex_of_corner(corner + 1)), corner);
        // Corners at the same position don't hide each other.
        hide(nir_iand(&b, same_position(&b, says, vertex_of_corner(corner + 2)),
                      nir_inot(&b, same_position(&b, says, vertex))),
             hidden_corner + corner);
    }
    for (unsigned corner = 0; corner < 3; ++corner) {
        for (const auto& [slot, types] : outputs.slots) {
            const auto read = outputs.read_slots.find(slot);
            const unsigned from = read == outputs.read_slots.end() ? slot : read->second;
            for (unsigned c = 0; c < 4; ++c)
                if (types[c] != nir_type_invalid)
                    store(&b, slot, c, load(&b, vertex_of_corner(corner), from, c, types[c]),
                          types[c]);
        }
        store(&b, VARYING_SLOT_PRIMITIVE_ID, 0, nir_load_primitive_id(&b), nir_type_int32);
        nir_def* values[4] = {};
        for (unsigned i = 0; i < 3; ++i)
            values[i] = nir_imm_float(&b, i == corner ? 1.0f : 0.0f);
        values[3] = hidden;
        store(&b, outline_slot(screen), 0, nir_vec(&b, values, 4), nir_type_float32);
        nir_emit_vertex(&b, 0);
    }
    nir_end_primitive(&b, 0);
    nir_shader_gather_info(b.shader, nir_shader_get_entrypoint(b.shader));
    return b.shader;
}

/// Makes a vertex shader write its outputs where the geometry shader reads them.
void move_outputs(nir_shader* nir, const Outputs& outputs) {
    for_each_store(nir, [&](nir_intrinsic_instr* store) {
        nir_io_semantics semantics = nir_intrinsic_io_semantics(store);
        nir_src* offset = nir_get_io_offset_src(store);
        unsigned slot = semantics.location;
        if (nir_src_is_const(*offset)) {
            slot += static_cast<unsigned>(nir_src_as_uint(*offset));
            nir_builder b = nir_builder_at(nir_before_instr(&store->instr));
            nir_src_rewrite(offset, nir_imm_int(&b, 0));
            semantics.num_slots = 1;
        }
        const auto read = outputs.read_slots.find(slot);
        semantics.location = read == outputs.read_slots.end() ? slot : read->second;
        nir_intrinsic_set_io_semantics(store, semantics);
    });
    nir->xfb_info = nullptr; // only the last stage captures, and these stages capture nothing
    nir->info.next_stage = MESA_SHADER_GEOMETRY;
}

nir_def* pixel_barycentric(nir_builder* b) {
    const _nir_load_barycentric_pixel_indices indices{.interp_mode = INTERP_MODE_SMOOTH};
    return _nir_build_load_barycentric_pixel(b, 32, indices);
}

// A fragment lies on the edge from corner i to the next where its barycentric coordinate of the
// third corner is 0. The value is exact, as it is 0 at both ends. A fragment on a corner lies on
// two edges, and is kept if one of them is visible; a point has its corner's coordinates
// everywhere.
void drop_hidden(nir_shader* nir, unsigned outline) {
    nir_function_impl* impl = nir_shader_get_entrypoint(nir);
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    const _nir_load_interpolated_input_indices indices{
        .dest_type = nir_type_float32,
        .io_semantics = semantics_of(outline),
    };
    nir_def* coordinates = _nir_build_load_interpolated_input(&b, 4, 32, pixel_barycentric(&b),
                                                              nir_imm_int(&b, 0), indices);
    nir_def* hidden = nir_f2u32(&b, nir_fadd_imm(&b, nir_channel(&b, coordinates, 3), 0.5));
    nir_def *on_hidden = nir_imm_false(&b), *on_seen = nir_imm_false(&b);
    for (unsigned edge = 0; edge < 3; ++edge) {
        nir_def* on_edge = nir_feq_imm(&b, nir_channel(&b, coordinates, (edge + 2) % 3), 0.0);
        nir_def* is_hidden = nir_ine_imm(&b, nir_iand_imm(&b, hidden, uint64_t{1} << edge), 0);
        on_hidden = nir_ior(&b, on_hidden, nir_iand(&b, on_edge, is_hidden));
        on_seen = nir_ior(&b, on_seen, nir_iand(&b, on_edge, nir_inot(&b, is_hidden)));
    }
    nir_def* drop = nir_iand(&b, on_hidden, nir_inot(&b, on_seen));
    for (unsigned corner = 0; corner < 3; ++corner) {
        nir_def* on_corner =
            nir_iand(&b, nir_feq_imm(&b, nir_channel(&b, coordinates, (corner + 1) % 3), 0.0),
                     nir_feq_imm(&b, nir_channel(&b, coordinates, (corner + 2) % 3), 0.0));
        nir_def* is_hidden =
            nir_ine_imm(&b, nir_iand_imm(&b, hidden, uint64_t{1} << (hidden_corner + corner)), 0);
        drop = nir_ior(&b, drop, nir_iand(&b, on_corner, is_hidden));
    }
    nir_discard_if(&b, drop);
    nir->info.fs.uses_discard = true;
}

/// Makes a shader from prepared NIR, which it takes ownership of.
std::unique_ptr<Shader> changed_shader(Screen& screen, const Shader& from, nir_shader* nir) {
    nir_function_impl* impl = nir_shader_get_entrypoint(nir);
    nir_metadata_preserve(impl, nir_metadata_none);
    nir_index_blocks(impl);
    nir_index_ssa_defs(impl);
    nir_shader_gather_info(nir, impl);
    auto made = std::make_unique<Shader>();
    made->stage = from.stage;
    made->name = from.name + " for outlines";
    made->texture_coordinates = from.texture_coordinates;
    made->reads_primitive_id = from.reads_primitive_id;
    made->uses_draw_id = from.uses_draw_id;
    made->reads_base_instance = from.reads_base_instance;
    made->reads_vertex_ids = from.reads_vertex_ids;
    made->last_vertex_stage = false;
    made->outputs_written = nir->info.outputs_written;
    made->varies_in_pixel = made->stage == MESA_SHADER_FRAGMENT && varies_in_pixel(nir);
    if (auto base = compile_stage(screen, *made, nir, VariantKey{}, made->facts))
        made->base = std::move(*base);
    made->prepared = serialize(nir);
    ralloc_free(nir);
    return made;
}

void make_companions(Screen& screen, Shader& shader) {
    nir_shader* nir = prepared_nir(screen, shader);
    const unsigned outline = outline_slot(screen);
    if (shader.stage == MESA_SHADER_FRAGMENT) {
        if (nir->info.inputs_read & BITFIELD64_BIT(outline))
            return ralloc_free(nir);
        drop_hidden(nir, outline);
        shader.outline = changed_shader(screen, shader, nir);
        return;
    }
    const Outputs outputs = outputs_of(nir, outline);
    if (!writes_position(outputs) || !fits(screen, outputs))
        return ralloc_free(nir);
    shader.outline_geometry = create_shader(screen, geometry_nir(screen, outputs, nir->info));
    move_outputs(nir, outputs);
    shader.outline = changed_shader(screen, shader, nir);
    std::array<render::ShaderStage*, render::graphics_stage_count> together{};
    together[static_cast<size_t>(render::Stage::vertex)] = shader.outline->base.get();
    together[static_cast<size_t>(render::Stage::geometry)] = shader.outline_geometry->base.get();
    if (shader.outline->base && shader.outline_geometry->base)
        (void)screen.engine->pipelines().compile_program(
            together); // a draw with these stages logs the failure
}

/// Whether `shader` has a replacement, which is made at its first use.
bool has_companions(Context& context, Shader& shader) {
    std::call_once(shader.outline_made, [&] {
        Screen& screen = context.kobalt_screen();
        screen.engine->counters().draw_compiles.fetch_add(1, std::memory_order_relaxed);
        context.recorder.slow_path(render::SlowPath::draw_compile,
                                   "outlines of polygons, with " + shader.name);
        make_companions(screen, shader);
        shader.note_need(screen, {.outline = true});
    });
    return shader.outline && shader.outline->base &&
           (shader.stage == MESA_SHADER_FRAGMENT ||
            (shader.outline_geometry && shader.outline_geometry->base));
}

} // namespace

void build_outline(Screen& screen, Shader& shader) {
    std::call_once(shader.outline_made, [&] { make_companions(screen, shader); });
}

bool tells_lines_apart(nir_shader* nir) {
    nir_foreach_block(block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr(instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            switch (nir_instr_as_intrinsic(instr)->intrinsic) {
            case nir_intrinsic_load_input: // not interpolated
            case nir_intrinsic_load_front_face:
            case nir_intrinsic_load_primitive_id:
                return true;
            default:
                break;
            }
        }
    }
    return false;
}

OutlineStages::OutlineStages(Context& context)
    : state_(context), vertex_(context.bound.stages[MESA_SHADER_VERTEX].shader),
      fragment_(context.bound.stages[MESA_SHADER_FRAGMENT].shader) {
    Screen& screen = context.kobalt_screen();
    auto& stages = context.bound.stages;
    if (!screen.device().has(vulkan::Capability::geometry_shader) || !vertex_ || !vertex_->base ||
        !fragment_ || !fragment_->base || stages[MESA_SHADER_GEOMETRY].shader ||
        stages[MESA_SHADER_TESS_EVAL].shader || !has_companions(context, *vertex_) ||
        !has_companions(context, *fragment_))
        return;
    stages[MESA_SHADER_VERTEX].shader = vertex_->outline.get();
    stages[MESA_SHADER_GEOMETRY].shader = vertex_->outline_geometry.get();
    stages[MESA_SHADER_FRAGMENT].shader = fragment_->outline.get();
    context.stages_dirty = true;
    ok_ = true;
}

OutlineStages::~OutlineStages() {
    if (!ok_)
        return;
    auto& stages = state_.bound.stages;
    stages[MESA_SHADER_VERTEX].shader = vertex_;
    stages[MESA_SHADER_GEOMETRY].shader = nullptr;
    stages[MESA_SHADER_FRAGMENT].shader = fragment_;
    state_.stages_dirty = true;
    // The replacements may be deleted with the original shaders before anything else is bound.
    for (const auto stage :
         {render::Stage::vertex, render::Stage::geometry, render::Stage::fragment})
        state_.recorder.bind_stage(stage, nullptr);
}

} // namespace kobalt::gallium
