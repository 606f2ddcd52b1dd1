// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// The first pass over a shader finds which slots and resources it uses, and how. Binding numbers
// and interface types depend on all uses, so nothing is declared before this is done.

#include "spirv/push_constants.h"
#include "spirv/translator.h"

namespace kobalt::spirv {

bool Translator::is_interface_load(nir_intrinsic_op op) {
    return op == nir_intrinsic_load_input || op == nir_intrinsic_load_per_vertex_input ||
           op == nir_intrinsic_load_interpolated_input;
}

namespace {

bool is_output_load(nir_intrinsic_op op) {
    return op == nir_intrinsic_load_output || op == nir_intrinsic_load_per_vertex_output;
}

bool is_output_store(nir_intrinsic_op op) {
    return op == nir_intrinsic_store_output || op == nir_intrinsic_store_per_vertex_output;
}

void note_type(SlotUse& use, nir_alu_type type) {
    switch (nir_alu_type_get_base_type(type)) {
    case nir_type_int:
        use.as_int = true;
        break;
    case nir_type_uint:
    case nir_type_bool:
        use.as_uint = true;
        break;
    default:
        use.as_float = true;
        break;
    }
}

} // namespace

/// The slot that an access starts at; *dynamic_offset gets the slot offset where it is not
/// constant.
unsigned Translator::slot_of(const nir_intrinsic_instr* intr, Id* dynamic_offset) {
    const nir_src& offset = *nir_get_io_offset_src(const_cast<nir_intrinsic_instr*>(intr));
    const nir_io_semantics semantics = nir_intrinsic_io_semantics(intr);
    unsigned slot = semantics.location;
    if (nir_->info.stage == MESA_SHADER_VERTEX && is_interface_load(intr->intrinsic))
        slot = unsigned(nir_intrinsic_base(intr)); // attributes are numbered by driver location
    if (nir_->info.stage == MESA_SHADER_FRAGMENT && is_output_store(intr->intrinsic) &&
        semantics.dual_source_blend_index)
        slot += 64;
    if (nir_src_is_const(offset))
        return slot + unsigned(nir_src_as_uint(offset));
    if (dynamic_offset)
        *dynamic_offset = get(offset, Kind::uint);
    return slot;
}

void Translator::scan_intrinsic(const nir_intrinsic_instr* intr) {
    const nir_intrinsic_op op = intr->intrinsic;
    if (fetches_attachment(intr))
        return;
    if (is_interface_load(op) || is_output_load(op) || is_output_store(op)) {
        const bool output = !is_interface_load(op);
        const unsigned slot = slot_of(intr, nullptr);
        SlotUse& use = (output ? output_uses_ : input_uses_)[slot];
        const nir_io_semantics semantics = nir_intrinsic_io_semantics(intr);
        const unsigned first = nir_intrinsic_component(intr);
        if (is_output_store(op)) {
            use.mask |= uint8_t(nir_intrinsic_write_mask(intr) << first);
            note_type(use, nir_intrinsic_src_type(intr));
            // Indexed by the store's components, which needn't begin at the slot's first.
            use.streams |= uint8_t(semantics.gs_streams << (2 * first));
            use.invariant = use.invariant || semantics.invariant;
        } else {
            use.mask |= uint8_t(((1u << intr->def.num_components) - 1) << first);
            note_type(use, nir_intrinsic_dest_type(intr));
        }
        use.per_vertex = use.per_vertex || op == nir_intrinsic_load_per_vertex_input ||
                         op == nir_intrinsic_load_per_vertex_output ||
                         op == nir_intrinsic_store_per_vertex_output;
        const std::vector<uint32_t> apart = indexed_slots(intr);
        for (const uint32_t other : apart) {
            SlotUse& part = (output ? output_uses_ : input_uses_)[other];
            part.mask |= use.mask;
            part.as_float |= use.as_float;
            part.as_int |= use.as_int;
            part.as_uint |= use.as_uint;
            part.per_vertex |= use.per_vertex;
        }
        if (apart.empty() &&
            !nir_src_is_const(*nir_get_io_offset_src(const_cast<nir_intrinsic_instr*>(intr))))
            use.array_slots = std::max<uint8_t>(use.array_slots, uint8_t(semantics.num_slots));
        if (op == nir_intrinsic_load_input)
            use.flat = true;
        if (op == nir_intrinsic_load_interpolated_input) {
            use.interpolated = true;
            const nir_intrinsic_instr* barycentric =
                nir_instr_as_intrinsic(intr->src[0].ssa->parent_instr);
            switch (barycentric->intrinsic) {
            case nir_intrinsic_load_barycentric_pixel:
                use.pixel = true;
                break;
            case nir_intrinsic_load_barycentric_centroid:
                use.centroid = true;
                break;
            case nir_intrinsic_load_barycentric_sample:
                use.sample = true;
                break;
            default:
                use.interpolate_at = true;
                break;
            }
            (nir_intrinsic_interp_mode(barycentric) == INTERP_MODE_NOPERSPECTIVE
                 ? use.no_perspective
                 : use.perspective) = true;
        }
        return;
    }
    scan_storage_buffer(intr);
    scan_shared(intr);
    scan_image(intr);
    if (op == nir_intrinsic_load_ubo) {
        const uint32_t count = nir_src_is_const(intr->src[0])
                                   ? uint32_t(nir_src_as_uint(intr->src[0])) + 1
                                   : nir_->info.num_ubos;
        ubo_count_ = std::max(ubo_count_, count);
        indexes_uniform_buffers_ |= !nir_src_is_const(intr->src[0]);
    }
}

uint32_t Translator::end_of_samplers(uint32_t slot) const {
    for (const auto& [first, elements] : sampler_arrays_)
        if (slot - first < elements)
            return first + elements;
    return BITSET_LAST_BIT(nir_->info.textures_used);
}

void Translator::scan_texture(const nir_tex_instr* tex) {
    if (by_handle(tex))
        return;
    uint32_t count = tex->texture_index + 1;
    if (nir_tex_instr_src_index(tex, nir_tex_src_texture_offset) >= 0) {
        count = std::max(count, end_of_samplers(tex->texture_index));
        for (const auto& [first, elements] : sampler_arrays_)
            if (tex->texture_index - first < elements)
                add_array(tex->sampler_dim == GLSL_SAMPLER_DIM_BUF
                              ? DescriptorKind::uniform_texel_buffer
                              : DescriptorKind::combined_image_sampler,
                          first, elements);
    }
    sampler_count_ = std::max(sampler_count_, count);
    const bool compares = tex->op == nir_texop_tex || tex->op == nir_texop_txb ||
                          tex->op == nir_texop_txl || tex->op == nir_texop_txd;
    if (tex->is_shadow && !tex->is_new_style_shadow && compares && shadow_table() >= 0)
        for (uint32_t slot = tex->texture_index; slot < std::min(count, shadow_swizzle_slots);
             slot++)
            vector_shadow_slots_ |= uint64_t{1} << slot;
    if (tex->op != nir_texop_txs && tex->op != nir_texop_query_levels &&
        tex->op != nir_texop_texture_samples && tex->op != nir_texop_lod) {
        const nir_alu_type base = nir_alu_type_get_base_type(tex->dest_type);
        texture_kinds_[tex->texture_index] = base == nir_type_int    ? Kind::sint
                                             : base == nir_type_uint ? Kind::uint
                                                                     : Kind::floating;
    }
}

/// The type of a slot with only size queries is known from its variable alone. Accesses, scanned
/// later, override it.
void Translator::scan_sampler_variables() {
    nir_foreach_variable_with_modes(variable, const_cast<nir_shader*>(nir_), nir_var_uniform) {
        const glsl_type* type = glsl_without_array(variable->type);
        if (variable->data.bindless || (!glsl_type_is_sampler(type) && !glsl_type_is_texture(type)))
            continue;
        const glsl_base_type result = glsl_get_sampler_result_type(type);
        const unsigned count =
            glsl_type_is_array(variable->type) ? glsl_get_aoa_size(variable->type) : 1;
        if (count > 1)
            sampler_arrays_.emplace_back(variable->data.binding, count);
        for (unsigned i = 0; i < count; i++)
            texture_kinds_[variable->data.binding + i] = result == GLSL_TYPE_INT ? Kind::sint
                                                         : result == GLSL_TYPE_UINT
                                                             ? Kind::uint
                                                             : Kind::floating;
    }
}

void Translator::scan_shader() {
    scan_sampler_variables();
    const nir_function_impl* impl = nir_shader_get_entrypoint(const_cast<nir_shader*>(nir_));
    values_.assign(impl->ssa_alloc, Value{});

    const size_t words = BITSET_WORDS(impl->ssa_alloc);
    std::vector<BITSET_WORD> floats(words), ints(words);
    nir_gather_types(const_cast<nir_function_impl*>(impl), floats.data(), ints.data());
    float_defs_.assign(impl->ssa_alloc, false);
    for (unsigned i = 0; i < impl->ssa_alloc; i++)
        float_defs_[i] = BITSET_TEST(floats.data(), i) && !BITSET_TEST(ints.data(), i);

    nir_foreach_block(block, const_cast<nir_function_impl*>(impl)) {
        nir_foreach_instr(instr, block) {
            if (instr->type == nir_instr_type_intrinsic)
                scan_intrinsic(nir_instr_as_intrinsic(instr));
            else if (instr->type == nir_instr_type_tex)
                scan_texture(nir_instr_as_tex(instr));
        }
    }
    // Only the app's blocks can be indexed, and an index may reach all of them.
    const uint32_t blocks = nir_->info.first_ubo_is_default_ubo;
    if (indexes_uniform_buffers_ && ubo_count_ > blocks)
        add_array(DescriptorKind::uniform_buffer, blocks, ubo_count_ - blocks);
    if (indexes_storage_buffers_)
        add_array(DescriptorKind::storage_buffer, 0, ssbo_count_);
}

} // namespace kobalt::spirv
