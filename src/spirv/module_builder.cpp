// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "spirv/module_builder.h"

#include <bit>

namespace kobalt::spirv {

void ModuleBuilder::append(Words& section, spv::Op op, std::span<const uint32_t> operands) {
    section.push_back(uint32_t(operands.size() + 1) << spv::WordCountShift | uint32_t(op));
    section.insert(section.end(), operands.begin(), operands.end());
}

void ModuleBuilder::append_string(Words& words, std::string_view text) {
    // Literal strings are nul-terminated UTF-8, packed little-endian, padded to whole words.
    for (size_t i = 0; i < text.size() + 1; i += 4) {
        uint32_t word = 0;
        for (size_t j = 0; j < 4 && i + j < text.size(); j++)
            word |= uint32_t(uint8_t(text[i + j])) << (8 * j);
        words.push_back(word);
    }
}

Id ModuleBuilder::glsl_std_450() {
    if (!glsl_std_450_)
        glsl_std_450_ = make_id();
    return glsl_std_450_;
}

// `key` is an opcode and its operands without the result id; with has_type, operand 0 is the type
// and precedes the result id.
Id ModuleBuilder::unique(Words key, bool has_type) {
    const auto [it, is_new] = unique_.try_emplace(key, next_id_);
    if (!is_new)
        return it->second;
    const Id id = make_id();
    Words operands(key.begin() + 1, key.end());
    operands.insert(operands.begin() + (has_type ? 1 : 0), id);
    append(globals_, spv::Op(key[0]), operands);
    return id;
}

Id ModuleBuilder::type_void() {
    return unique({uint32_t(spv::Op::OpTypeVoid)}, false);
}
Id ModuleBuilder::type_bool() {
    return unique({uint32_t(spv::Op::OpTypeBool)}, false);
}

Id ModuleBuilder::type_int(uint32_t bits, bool is_signed) {
    return unique({uint32_t(spv::Op::OpTypeInt), bits, is_signed ? 1u : 0u}, false);
}

Id ModuleBuilder::type_float(uint32_t bits) {
    return unique({uint32_t(spv::Op::OpTypeFloat), bits}, false);
}

Id ModuleBuilder::type_vector(Id component, uint32_t count) {
    if (count == 1)
        return component;
    return unique({uint32_t(spv::Op::OpTypeVector), component, count}, false);
}

Id ModuleBuilder::type_array(Id element, uint32_t length, uint32_t stride_bytes) {
    // The stride is a decoration of the type, so arrays of different stride are different types.
    const Id length_id = constant_uint(length);
    Words key{uint32_t(spv::Op::OpTypeArray), element, length_id, stride_bytes};
    const auto [it, is_new] = unique_.try_emplace(std::move(key), next_id_);
    if (is_new) {
        const Id id = make_id();
        append(globals_, spv::Op::OpTypeArray,
               std::initializer_list<uint32_t>{id, element, length_id});
        if (stride_bytes)
            decorate(id, spv::Decoration::ArrayStride, {stride_bytes});
    }
    return it->second;
}

Id ModuleBuilder::type_runtime_array(Id element, uint32_t stride_bytes) {
    const Id id = unique({uint32_t(spv::Op::OpTypeRuntimeArray), element}, false);
    if (stride_bytes)
        decorate(id, spv::Decoration::ArrayStride, {stride_bytes});
    return id;
}

Id ModuleBuilder::type_block(Id member) {
    // Use a key that type_struct() can't produce, to keep structures with a layout apart from plain
    // ones.
    Words key{uint32_t(spv::Op::OpTypeStruct), member, ~0u};
    const auto [it, is_new] = unique_.try_emplace(std::move(key), next_id_);
    if (is_new) {
        const Id id = make_id();
        append(globals_, spv::Op::OpTypeStruct, std::initializer_list<uint32_t>{id, member});
        decorate(id, spv::Decoration::Block);
        member_decorate(id, 0, spv::Decoration::Offset, {0});
    }
    return it->second;
}

Id ModuleBuilder::type_struct(std::initializer_list<Id> members) {
    Words key{uint32_t(spv::Op::OpTypeStruct)};
    key.insert(key.end(), members);
    return unique(std::move(key), false);
}

Id ModuleBuilder::type_pointer(spv::StorageClass storage, Id pointee) {
    return unique({uint32_t(spv::Op::OpTypePointer), uint32_t(storage), pointee}, false);
}

Id ModuleBuilder::type_function(Id return_type) {
    return unique({uint32_t(spv::Op::OpTypeFunction), return_type}, false);
}

Id ModuleBuilder::type_image(Id sampled_type, spv::Dim dim, bool depth, bool arrayed,
                             bool multisampled, uint32_t sampled, spv::ImageFormat format) {
    return unique({uint32_t(spv::Op::OpTypeImage), sampled_type, uint32_t(dim), depth ? 1u : 0u,
                   arrayed ? 1u : 0u, multisampled ? 1u : 0u, sampled, uint32_t(format)},
                  false);
}

Id ModuleBuilder::type_sampled_image(Id image) {
    return unique({uint32_t(spv::Op::OpTypeSampledImage), image}, false);
}

Id ModuleBuilder::constant_bool(bool value) {
    const auto op = value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse;
    return unique({uint32_t(op), type_bool()}, true);
}

Id ModuleBuilder::constant_uint(uint32_t value) {
    return unique({uint32_t(spv::Op::OpConstant), type_int(32, false), value}, true);
}

Id ModuleBuilder::constant_int(int32_t value) {
    return unique({uint32_t(spv::Op::OpConstant), type_int(32, true), uint32_t(value)}, true);
}

Id ModuleBuilder::constant_float(float value) {
    return unique({uint32_t(spv::Op::OpConstant), type_float(32), std::bit_cast<uint32_t>(value)},
                  true);
}

Id ModuleBuilder::constant(Id type, std::span<const uint32_t> words) {
    Words key{uint32_t(spv::Op::OpConstant), type};
    key.insert(key.end(), words.begin(), words.end());
    return unique(std::move(key), true);
}

Id ModuleBuilder::constant_composite(Id type, std::span<const Id> members) {
    Words key{uint32_t(spv::Op::OpConstantComposite), type};
    key.insert(key.end(), members.begin(), members.end());
    return unique(std::move(key), true);
}

Id ModuleBuilder::constant_splat(Id component_type, Id member, uint32_t count) {
    if (count == 1)
        return member;
    const std::vector<Id> members(count, member);
    return constant_composite(type_vector(component_type, count), members);
}

Id ModuleBuilder::constant_null(Id type) {
    return unique({uint32_t(spv::Op::OpConstantNull), type}, true);
}

Id ModuleBuilder::undef(Id type) {
    return unique({uint32_t(spv::Op::OpUndef), type}, true);
}

void ModuleBuilder::decorate(Id target, spv::Decoration decoration,
                             std::initializer_list<uint32_t> literals) {
    Words operands{target, uint32_t(decoration)};
    operands.insert(operands.end(), literals);
    if (annotations_.insert(operands).second)
        append(decorations_, spv::Op::OpDecorate, operands);
}

void ModuleBuilder::member_decorate(Id type, uint32_t member, spv::Decoration decoration,
                                    std::initializer_list<uint32_t> literals) {
    Words operands{type, member, uint32_t(decoration)};
    operands.insert(operands.end(), literals);
    append(decorations_, spv::Op::OpMemberDecorate, operands);
}

void ModuleBuilder::name(Id target, std::string_view name) {
    Words operands{target};
    append_string(operands, name);
    append(names_, spv::Op::OpName, operands);
}

void ModuleBuilder::execution_mode(spv::ExecutionMode mode,
                                   std::initializer_list<uint32_t> literals) {
    Words operands{0, uint32_t(mode)};
    operands.insert(operands.end(), literals);
    Words key = operands;
    key.insert(key.begin(), ~0u); // no decoration has this target
    if (annotations_.insert(std::move(key)).second)
        append(execution_modes_, spv::Op::OpExecutionMode, operands);
}

Id ModuleBuilder::variable(spv::StorageClass storage, Id pointee) {
    const Id pointer = type_pointer(storage, pointee);
    const Id id = make_id();
    append(globals_, spv::Op::OpVariable,
           std::initializer_list<uint32_t>{pointer, id, uint32_t(storage)});
    interface_.push_back(id);
    return id;
}

Id ModuleBuilder::function_variable(Id pointee) {
    const Id pointer = type_pointer(spv::StorageClass::Function, pointee);
    const Id id = make_id();
    append(locals_, spv::Op::OpVariable,
           std::initializer_list<uint32_t>{pointer, id, uint32_t(spv::StorageClass::Function)});
    return id;
}

Id ModuleBuilder::emit(spv::Op op, Id type, std::span<const uint32_t> operands) {
    const Id id = make_id();
    body_.push_back(uint32_t(operands.size() + 3) << spv::WordCountShift | uint32_t(op));
    body_.push_back(type);
    body_.push_back(id);
    body_.insert(body_.end(), operands.begin(), operands.end());
    return id;
}

void ModuleBuilder::emit_void(spv::Op op, std::span<const uint32_t> operands) {
    append(body_, op, operands);
}

Id ModuleBuilder::emit_extended(uint32_t instruction, Id type, std::span<const Id> operands) {
    Words words{glsl_std_450(), instruction};
    words.insert(words.end(), operands.begin(), operands.end());
    return emit(spv::Op::OpExtInst, type, words);
}

Id ModuleBuilder::access_chain(spv::StorageClass storage, Id pointee, Id base,
                               std::span<const Id> indices) {
    if (indices.empty())
        return base;
    Words operands{base};
    operands.insert(operands.end(), indices.begin(), indices.end());
    return emit(spv::Op::OpAccessChain, type_pointer(storage, pointee), operands);
}

void ModuleBuilder::begin_block(Id label) {
    current_block_ = label;
    if (!entry_label_)
        entry_label_ = label; // written by finish(), before the function's variables
    else
        append(body_, spv::Op::OpLabel, std::initializer_list<uint32_t>{label});
}

Id ModuleBuilder::emit_phi_placeholder(Id type, uint32_t predecessors, size_t* position) {
    const std::vector<uint32_t> operands(2 * size_t(predecessors), 0);
    *position = body_.size() + 3;
    return emit(spv::Op::OpPhi, type, operands);
}

void ModuleBuilder::patch_phi(size_t position, std::span<const std::pair<Id, Id>> value_and_block) {
    for (const auto& [value, block] : value_and_block) {
        body_[position++] = value;
        body_[position++] = block;
    }
}

std::vector<uint32_t> ModuleBuilder::finish(uint32_t version, spv::ExecutionModel model) {
    // The section order is fixed by section 2.4 of the specification.
    const Id void_type = type_void();
    const Id function_type = type_function(void_type);
    const Id function = make_id();

    Words words{spv::MagicNumber, version, 0 /* generator: unregistered */, next_id_, 0};
    for (const uint32_t capability : capabilities_)
        append(words, spv::Op::OpCapability, std::initializer_list<uint32_t>{capability});
    for (const std::string& extension : extensions_) {
        Words operands;
        append_string(operands, extension);
        append(words, spv::Op::OpExtension, operands);
    }
    if (glsl_std_450_) {
        Words operands{glsl_std_450_};
        append_string(operands, "GLSL.std.450");
        append(words, spv::Op::OpExtInstImport, operands);
    }
    append(words, spv::Op::OpMemoryModel,
           std::initializer_list<uint32_t>{uint32_t(spv::AddressingModel::Logical),
                                           uint32_t(spv::MemoryModel::GLSL450)});

    Words entry{uint32_t(model), function};
    append_string(entry, "main");
    entry.insert(entry.end(), interface_.begin(), interface_.end());
    append(words, spv::Op::OpEntryPoint, entry);

    Words modes = execution_modes_;
    for (size_t i = 0; i < modes.size(); i += modes[i] >> spv::WordCountShift)
        modes[i + 1] = function;
    words.insert(words.end(), modes.begin(), modes.end());
    words.insert(words.end(), names_.begin(), names_.end());
    words.insert(words.end(), decorations_.begin(), decorations_.end());
    words.insert(words.end(), globals_.begin(), globals_.end());

    append(words, spv::Op::OpFunction,
           std::initializer_list<uint32_t>{
               void_type, function, uint32_t(spv::FunctionControlMask::MaskNone), function_type});
    append(words, spv::Op::OpLabel, std::initializer_list<uint32_t>{entry_label_});
    words.insert(words.end(), locals_.begin(), locals_.end());
    words.insert(words.end(), body_.begin(), body_.end());
    append(words, spv::Op::OpFunctionEnd, {});
    return words;
}

} // namespace kobalt::spirv
