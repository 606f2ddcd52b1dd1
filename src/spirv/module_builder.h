// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

namespace kobalt::spirv {

/// A SPIR-V result id; 0 is no id.
using Id = uint32_t;

/// Writes one SPIR-V module with one entry point. Types, constants, capabilities, extensions and
/// decorations are deduplicated, as the specification requires for non-aggregate types, and to keep
/// the module small. Knows nothing of NIR.
class ModuleBuilder {
public:
    Id make_id() { return next_id_++; }

    void capability(spv::Capability capability) { capabilities_.insert(uint32_t(capability)); }
    void extension(std::string_view name) { extensions_.emplace(name); }
    /// Imports GLSL.std.450 on first use.
    Id glsl_std_450();

    // Types (section 3.49.6 of the SPIR-V specification).
    Id type_void();
    Id type_bool();
    Id type_int(uint32_t bits, bool is_signed);
    Id type_float(uint32_t bits);
    /// The component type itself where count is 1.
    Id type_vector(Id component, uint32_t count);
    /// stride_bytes 0: an array without explicit layout.
    Id type_array(Id element, uint32_t length, uint32_t stride_bytes = 0);
    /// stride_bytes 0: an array of descriptors.
    Id type_runtime_array(Id element, uint32_t stride_bytes);
    /// A block of one member at offset 0; deduplicated by the member's type.
    Id type_block(Id member);
    /// Deduplicated, without layout: for results of multi-result instructions.
    Id type_struct(std::initializer_list<Id> members);
    Id type_pointer(spv::StorageClass storage, Id pointee);
    Id type_function(Id return_type);
    Id type_image(Id sampled_type, spv::Dim dim, bool depth, bool arrayed, bool multisampled,
                  uint32_t sampled, spv::ImageFormat format);
    Id type_sampled_image(Id image);

    // Constants.
    Id constant_bool(bool value);
    Id constant_uint(uint32_t value);
    Id constant_int(int32_t value);
    Id constant_float(float value);
    /// A scalar of `type`; `words` low word first.
    Id constant(Id type, std::span<const uint32_t> words);
    Id constant_composite(Id type, std::span<const Id> members);
    /// The same member in each of `count` components (the member itself where count is 1).
    Id constant_splat(Id component_type, Id member, uint32_t count);
    Id constant_null(Id type);
    Id undef(Id type);

    // Annotations, names and modes.
    void decorate(Id target, spv::Decoration decoration,
                  std::initializer_list<uint32_t> literals = {});
    void member_decorate(Id type, uint32_t member, spv::Decoration decoration,
                         std::initializer_list<uint32_t> literals = {});
    void name(Id target, std::string_view name);
    void execution_mode(spv::ExecutionMode mode, std::initializer_list<uint32_t> literals = {});

    /// A module-scope variable; since SPIR-V 1.4 each is part of the entry point's interface.
    Id variable(spv::StorageClass storage, Id pointee);
    /// A variable of the function, declared in its first block.
    Id function_variable(Id pointee);

    // The body of the entry point.
    Id emit(spv::Op op, Id type, std::span<const uint32_t> operands);
    Id emit(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
        return emit(op, type, std::span(operands.begin(), operands.size()));
    }
    void emit_void(spv::Op op, std::span<const uint32_t> operands);
    void emit_void(spv::Op op, std::initializer_list<uint32_t> operands) {
        emit_void(op, std::span(operands.begin(), operands.size()));
    }
    Id emit_extended(uint32_t instruction, Id type, std::span<const Id> operands);
    Id emit_extended(uint32_t instruction, Id type, std::initializer_list<Id> operands) {
        return emit_extended(instruction, type, std::span(operands.begin(), operands.size()));
    }
    Id load(Id type, Id pointer) { return emit(spv::Op::OpLoad, type, {pointer}); }
    void store(Id pointer, Id value) { emit_void(spv::Op::OpStore, {pointer, value}); }
    /// Pointer to a part of a variable.
    Id access_chain(spv::StorageClass storage, Id pointee, Id base, std::span<const Id> indices);
    Id access_chain(spv::StorageClass storage, Id pointee, Id base,
                    std::initializer_list<Id> indices) {
        return access_chain(storage, pointee, base, std::span(indices.begin(), indices.size()));
    }

    /// Opens a block. The block before it must have been terminated.
    void begin_block(Id label);
    /// The label of the open block.
    Id current_block() const { return current_block_; }
    /// A phi whose (value, predecessor) pairs are known only later.
    Id emit_phi_placeholder(Id type, uint32_t predecessors, size_t* position);
    void patch_phi(size_t position, std::span<const std::pair<Id, Id>> value_and_block);

    /// The finished module. The entry point is called "main".
    std::vector<uint32_t> finish(uint32_t version, spv::ExecutionModel model);

private:
    using Words = std::vector<uint32_t>;

    Id unique(Words key, bool has_type);
    static void append(Words& section, spv::Op op, std::span<const uint32_t> operands);
    static void append_string(Words& words, std::string_view text);

    Id next_id_ = 1;
    std::set<uint32_t> capabilities_;
    std::set<std::string, std::less<>> extensions_;
    Id glsl_std_450_ = 0;
    std::map<Words, Id> unique_;  // opcode and operands -> id
    std::set<Words> annotations_; // annotations already written
    Words execution_modes_;       // target left 0 until finish()
    Words names_;
    Words decorations_;
    Words globals_;
    Words locals_;
    Words body_;
    std::vector<Id> interface_;
    Id entry_label_ = 0;
    Id current_block_ = 0;
};

} // namespace kobalt::spirv
