// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "spirv/module_builder.h"
#include "spirv/translate.h"
#include "spirv/translated.h"

namespace kobalt::spirv {

/// Translates one shader. Its member functions are spread over a file for each concern.
class Translator {
public:
    Translator(const nir_shader* nir, const Target& target) : nir_(nir), target_(target) {}
    std::expected<Translation, TranslateError> run();

private:
    // translator.cpp
    void fail(std::string what);
    void fail_instruction(const char* what, const nir_instr* instr);
    void emit_instruction(const nir_instr* instr);
    void execution_modes();
    void float_modes();
    void interlock_modes();
    void run_at_samples();
    void epilogue();
    void reset_depth_range();

    // values.cpp
    Id scalar_type(Kind kind, unsigned bits);
    Id value_type(Kind kind, unsigned bits, unsigned components);
    Id get(const nir_def* def, Kind kind);
    Id get(const nir_src& src, Kind kind) { return get(src.ssa, kind); }
    Kind native_kind(const nir_def* def) const;
    void set(const nir_def* def, Kind kind, Id id);
    Id cast(Id id, Kind from, Kind to, unsigned bits, unsigned components);
    Id constant_of(const nir_load_const_instr* instr, Kind kind, const uint8_t* swizzle,
                   unsigned components);
    Id composite_type(Id component_type, unsigned components);
    Id extract(Id vector, Id component_type, unsigned index);
    Id swizzle(Id vector, Id component_type, unsigned from_components, const uint8_t* swizzle,
               unsigned components);
    Id compose(Id component_type, std::span<const Id> members);
    /// Scalar component of a def.
    Id component(const nir_def* def, unsigned index, Kind kind);
    Id u32(uint32_t value) { return b_.constant_uint(value); }

    // alu.cpp, alu_special.cpp
    void emit_alu(const nir_alu_instr* alu);
    Id alu_source(const nir_alu_instr* alu, unsigned index, Kind kind);
    bool emit_alu_special(const nir_alu_instr* alu);
    bool emit_alu_pack(const nir_alu_instr* alu);
    void emit_conversion(const nir_alu_instr* alu);
    Id splat_float(double value, unsigned bits, unsigned components);
    Id splat_uint(uint64_t value, unsigned bits, unsigned components);

    // control_flow.cpp
    void emit_body(const nir_function_impl* impl);
    bool emit_list(const exec_list* list);
    bool emit_block(const nir_block* block);
    bool emit_if(const nir_if* node);
    bool emit_loop(const nir_loop* loop);
    void emit_jump(const nir_jump_instr* jump);
    void leave_block(const nir_block* block);
    void emit_phis(const nir_block* block);
    void mark_reachable(const nir_block* block);
    Id label_of(const nir_block* block);
    Kind phi_kind(const nir_phi_instr* phi) const;
    void emit_conditional_kill(Id condition);

    // intrinsics.cpp
    void emit_intrinsic(const nir_intrinsic_instr* intr);
    bool emit_fragment_intrinsic(const nir_intrinsic_instr* intr);
    bool emit_geometry_intrinsic(const nir_intrinsic_instr* intr);

    // memory.cpp
    bool emit_memory_intrinsic(const nir_intrinsic_instr* intr);
    void emit_load_ubo(const nir_intrinsic_instr* intr);
    Id load_ubo_vector(const nir_intrinsic_instr* intr, const DescriptorElement& descriptor);
    Id load_ubo_value(const nir_intrinsic_instr* intr, const DescriptorElement& descriptor);
    std::vector<Id> load_ubo_words(const nir_intrinsic_instr* intr,
                                   const DescriptorElement& descriptor);
    Id uniform_buffer(uint32_t slot, bool vectors);
    Id load_uniform(const DescriptorElement& descriptor, Id type,
                    std::initializer_list<Id> indices);
    Id load_push_constant(uint32_t offset_bytes);
    void emit_register_intrinsic(const nir_intrinsic_instr* intr);

    // system_values.cpp
    bool emit_system_value(const nir_intrinsic_instr* intr);
    Id builtin_input(spv::BuiltIn builtin, Id type);
    Id load_builtin(spv::BuiltIn builtin, Id type);

    // interface_scan.cpp: which slots and resources are used
    void scan_shader();
    void scan_sampler_variables();
    void scan_intrinsic(const nir_intrinsic_instr* intr);
    /// The end of the slots that an index from `slot` on can reach: the end of its array, as far as
    /// that is known. Slots beyond may have other types.
    uint32_t end_of_samplers(uint32_t slot) const;
    void scan_texture(const nir_tex_instr* tex);

    // interface.cpp: declarations
    void declare_interface();
    void declare_input(unsigned slot, const SlotUse& use);
    void declare_output(unsigned slot, const SlotUse& use);
    bool declare_builtin(unsigned slot, const SlotUse& use, bool output);
    void require_viewport_mask();
    bool declare_vertex_builtin(unsigned slot, const SlotUse& use, bool output);
    void decorate_interpolation(Id variable, const SlotUse& use);
    std::optional<uint32_t> legacy_location(unsigned slot) const;
    std::optional<uint32_t> varying_location(unsigned slot);
    void add_variable(std::array<int, 4>& components, const InterfaceVariable& variable);
    Id declare_slot_variable(const SlotUse& use, spv::StorageClass storage, Kind kind,
                             unsigned first, unsigned count);

    // interface_fragment.cpp: what fragment shaders write
    void declare_mask_output(std::array<int, 4>& components, spv::BuiltIn which);
    void declare_fragment_output(unsigned slot, const SlotUse& use);

    // interface_access.cpp: loads and stores
    bool emit_io_intrinsic(const nir_intrinsic_instr* intr);
    void emit_load(const nir_intrinsic_instr* intr, bool output);
    Id load_slot(const nir_intrinsic_instr* intr, bool output, unsigned slot, Id slot_offset,
                 Kind* result_kind);
    static bool is_interface_load(nir_intrinsic_op op);
    std::vector<uint32_t> indexed_slots(const nir_intrinsic_instr* intr) const;
    void emit_store(const nir_intrinsic_instr* intr);
    void store_components(std::array<int, 4>& slot, unsigned first, unsigned mask,
                          const nir_def* value, Id vertex, Id slot_offset);
    void store_default_outputs();
    Id one_of(Kind kind); ///< a scalar of 32 bits
    Id pointer_to(const InterfaceVariable& variable, int component, Id vertex, Id slot_offset);
    Id beside_clip_input(const InterfaceVariable& variable, Id value, Id vertex);
    Id interpolate(const nir_intrinsic_instr* barycentric, const InterfaceVariable& variable,
                   Id pointer, Id type, const SlotUse& use);
    unsigned slot_of(const nir_intrinsic_instr* intr, Id* dynamic_offset);

    // xfb.cpp
    struct Capture {
        uint8_t slot, mask, buffer, stream;
        uint16_t offset_bytes;
        bool copied = false; ///< captured through a variable of its own
        Id variable = 0;     ///< that variable
    };
    void scan_captures();
    void begin_transform_feedback();
    void decorate_capture(Id variable, const Capture& capture);
    unsigned builtin_output_locations() const;
    void declare_capture_copies();
    void write_capture_copies(int stream);
    void declare_extra_outputs();
    void mask_clip_distances();
    bool exceeds_with_point_size(bool trimmed) const;
    bool omits_point_size() const;
    bool sets_point_size() const;
    void finish_point_size();
    void finish_vertex();

    // tessellation.cpp
    void tessellation_modes();
    static uint32_t patch_location(unsigned slot);
    Id tess_level_variable(bool outer, spv::StorageClass storage);
    void declare_tess_level(unsigned slot, bool output);
    Id load_tess_levels(bool outer, unsigned components);
    void store_extra_control_outputs();
    void declare_extra_patch_outputs();

    // attachments.cpp
    static bool fetches_attachment(const nir_intrinsic_instr* intr);
    void emit_attachment_fetch(const nir_intrinsic_instr* intr);

    // barrier.cpp
    bool emit_barrier(const nir_intrinsic_instr* intr);

    // storage_buffer.cpp
    bool emit_storage_buffer_intrinsic(const nir_intrinsic_instr* intr);
    void scan_storage_buffer(const nir_intrinsic_instr* intr);
    Id storage_buffer(const DescriptorElement& descriptor, MemoryView view = MemoryView::words);
    void emit_storage_buffer_atomic(const nir_intrinsic_instr* intr);
    void decorate_memory(Id variable, const MemoryUse& use);
    std::vector<uint32_t> storage_buffer_slots(const nir_src& index) const;
    static MemoryView buffer_view(const nir_intrinsic_instr* intr);
    Id storage_element(const DescriptorElement& descriptor, MemoryView view, Id index);

    // words.cpp: values in memory that is an array of 32-bit words
    using WordPointer = std::function<Id(Id word_index)>;
    Id load_words(const nir_intrinsic_instr* intr, Id byte_offset, const WordPointer& pointer);
    void store_words(const nir_intrinsic_instr* intr, Id byte_offset, const WordPointer& pointer);
    Id word_index(Id byte_offset);

    // atomics.cpp
    static MemoryView atomic_view(const nir_intrinsic_instr* intr);
    static Kind element_kind(MemoryView view);
    static uint32_t element_bytes(MemoryView view);
    Id element_type(MemoryView view);
    Id element_index(Id byte_offset, MemoryView view);
    Id emit_atomic(const nir_intrinsic_instr* intr, Id pointer, Kind kind, spv::Scope scope,
                   const nir_src& data, const nir_src* compare);

    // compute.cpp
    void compute_modes();
    /// Whether the stage has derivatives, so that texture instructions can use implicit levels.
    bool derives() const {
        return nir_->info.stage == MESA_SHADER_FRAGMENT ||
               nir_->info.derivative_group != DERIVATIVE_GROUP_NONE;
    }
    bool emit_compute_intrinsic(const nir_intrinsic_instr* intr);
    void scan_shared(const nir_intrinsic_instr* intr);
    Id shared_element(MemoryView view, Id index);
    void access_wide_shared(const nir_intrinsic_instr* intr, Id byte_offset);
    void emit_shared_atomic(const nir_intrinsic_instr* intr, Id byte_offset);

    // subgroup.cpp
    bool emit_subgroup_intrinsic(const nir_intrinsic_instr* intr);
    bool emit_ballot_intrinsic(const nir_intrinsic_instr* intr);
    bool emit_subgroup_exchange(const nir_intrinsic_instr* intr);
    bool emit_subgroup_reduction(const nir_intrinsic_instr* intr);
    void use_subgroups(const nir_intrinsic_instr* intr, spv::Capability capability);
    Kind moved_kind(const nir_def* def) const;
    void set_subgroup_mask(const nir_intrinsic_instr* intr, Id words);

    // image.cpp
    bool emit_image_intrinsic(const nir_intrinsic_instr* intr);
    void scan_image(const nir_intrinsic_instr* intr);
    StorageImage storage_image(const nir_intrinsic_instr* intr,
                               const DescriptorElement& descriptor);
    StorageImage image_types(const nir_intrinsic_instr* intr, const MemoryUse& use);
    static void add_image_use(MemoryUse& use, const nir_intrinsic_instr* intr);
    bool flat_line(const nir_intrinsic_instr* intr) const;
    Id emit_image_at(const nir_intrinsic_instr* intr, const StorageImage& image, Kind* kind);
    Id emit_sparse(spv::Op op, Id texel_type, std::span<const Id> words, Id* code);
    Id append_code(Id texel, Kind kind, unsigned count, Id code);
    bool emit_residency_intrinsic(const nir_intrinsic_instr* intr);
    std::vector<uint32_t> image_slots(const nir_intrinsic_instr* intr) const;
    Id image_coordinate(const nir_intrinsic_instr* intr);

    // slot_switch.cpp
    Id switch_over(Id index, uint32_t base, const std::vector<uint32_t>& slots, Id type,
                   const std::function<Id(uint32_t slot)>& emit);

    // descriptor_arrays.cpp
    void add_array(DescriptorKind kind, uint32_t first, uint32_t count);
    const DescriptorArray* array_of(DescriptorKind kind, uint32_t slot) const;
    static MemoryUse use_of(const std::map<uint32_t, MemoryUse>& uses, const DescriptorArray* array,
                            uint32_t slot);
    Id array_or(DescriptorKind kind, uint32_t slot, Id element);
    Id element_pointer(DescriptorKind kind, Id variable, spv::StorageClass storage, Id type,
                       const DescriptorElement& descriptor);
    Id at_index(DescriptorKind kind, const nir_def* index, uint32_t base,
                const std::vector<uint32_t>& slots, Id type,
                const std::function<Id(const DescriptorElement& descriptor)>& emit);

    // texture.cpp
    void emit_texture(const nir_tex_instr* tex);
    Id emit_texture_at(const nir_tex_instr* tex, const DescriptorElement& descriptor, Kind* kind);
    Id emit_texture_of(const nir_tex_instr* tex, const TextureVariable& texture, Id loaded,
                       uint32_t slot, Kind* kind);
    Id image_of(const TextureVariable& texture, Id loaded);
    TextureVariable texture_type(const nir_tex_instr* tex, std::optional<Kind> known);
    const TextureVariable& texture_variable(const nir_tex_instr* tex, uint32_t slot);
    Id texture_coordinate(const nir_tex_instr* tex, bool integer);
    int shadow_table() const;
    Id swizzle_comparison(uint32_t slot, Id compared, unsigned count);
    Id emit_texture_query(const nir_tex_instr* tex, const TextureVariable& texture, Id loaded);

    // handles.cpp
    static bool by_handle(const nir_tex_instr* tex);
    TextureVariable handle_variable(const nir_tex_instr* tex);
    Id emit_texture_by_handle(const nir_tex_instr* tex, Kind* kind);
    Id image_array(const StorageImage& image, const MemoryUse& use);
    void emit_image_by_handle(const nir_intrinsic_instr* intr, bool has_result);

    // bindings.cpp
    uint32_t binding_of(DescriptorKind kind, uint32_t slot);
    void use_binding(Id variable, DescriptorKind kind, uint32_t slot, const ImageShape& image = {});

    const nir_shader* nir_;
    const Target target_;
    ModuleBuilder b_;
    Translation out_;
    std::optional<TranslateError> error_;

    struct Value {
        Id id = 0;
        Kind kind = Kind::uint;
        Id cast_id = 0; ///< the value in another kind, valid in cast_block only
        Kind cast_kind = Kind::uint;
        Id cast_block = 0;
    };
    std::vector<Value> values_; ///< by def index

    // control flow
    struct PhiEdge {
        Id value, block;
    };
    struct LoopFrame {
        Id continue_label, merge_label;
        const nir_block* header;
        const nir_block* after;
    };
    std::vector<LoopFrame> loops_;
    std::vector<Id> labels_;      ///< by block index
    std::vector<bool> reachable_; ///< by block index
    std::map<std::pair<const nir_phi_instr*, const nir_block*>, PhiEdge> phi_edges_;
    std::vector<bool> float_defs_; ///< by def index: preferably typed as float

    // interface
    std::map<unsigned, SlotUse> input_uses_, output_uses_; ///< by slot (outputs: +64 for index 1)
    std::vector<InterfaceVariable> variables_;
    std::map<unsigned, std::array<int, 4>> inputs_, outputs_; ///< variable index or -1
    std::map<uint32_t, Id> builtins_;
    std::vector<Capture> captures_;
    bool color_broadcast_ = false;
    uint32_t clip_count_ = 0, cull_count_ = 0;
    bool vertex_builtins_[2] = {};
    struct ExtraOutput {
        Id variable;
        Kind kind;
    };
    std::vector<ExtraOutput> extra_outputs_; ///< variables of Target::extra_outputs
    Id clip_distance_[2] = {}, cull_distance_[2] = {};
    int clip_input_ =
        -1; ///< the first clip distance of the previous stage, where that also has cull distances

    // resources
    uint32_t ubo_count_ = 0, sampler_count_ = 0, ssbo_count_ = 0, image_count_ = 0;
    std::map<std::pair<uint32_t, bool>, Id> uniform_buffers_;
    std::map<std::pair<uint32_t, Id>, TextureVariable> textures_;
    std::map<Id, Id> handle_arrays_;                            ///< by type of their elements
    std::map<std::pair<Id, unsigned>, Id> image_handle_arrays_; ///< and by gl_access_qualifier
    std::map<uint32_t, Kind>
        texture_kinds_;                ///< sampled type by slot, from the accesses that show it
    uint64_t vector_shadow_slots_ = 0; ///< bit n: slot n has shadow lookups that return a vector
    std::map<std::pair<DescriptorKind, uint32_t>, bool> bound_;
    std::map<const nir_def*, std::pair<Id, Id>> registers_; ///< decl -> variable, element type
    Id push_constants_ = 0;
    std::map<std::pair<uint32_t, MemoryView>, Id> storage_buffers_;  ///< by slot
    std::map<uint32_t, MemoryUse> storage_buffer_uses_, image_uses_; ///< by slot
    bool writes_memory_ = false; ///< any storage buffer or image, by slot or handle
    std::map<std::pair<uint32_t, Id>, StorageImage> images_; ///< by slot and type
    std::map<MemoryView, Id> shared_memory_;
    bool shared_views_ = false; ///< shared memory is also declared as a type other than words
    bool shared_wide_ = false;  ///< shared memory is declared as 64-bit elements only
    std::map<uint32_t, std::pair<Id, Id>> attachments_; ///< by index: variable, type of the image
    std::vector<DescriptorArray> arrays_;
    std::vector<std::pair<uint32_t, uint32_t>> sampler_arrays_; ///< first slot, elements
    bool indexes_uniform_buffers_ = false, indexes_storage_buffers_ = false;
};

/// Name of the stage for messages.
const char* stage_name(gl_shader_stage stage);

} // namespace kobalt::spirv
