// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "reflection.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "instructions.h"

namespace kobalt::corpus {
namespace {

using Operands = std::span<const uint32_t>;

/// A module's declarations, by id.
class Module {
public:
    struct Variable {
        uint32_t id = 0, pointee = 0;
        spv::StorageClass storage{};
    };
    struct Type {
        spv::Op op{};
        Operands operands; ///< the operands after the result
    };

    explicit Module(const std::vector<uint32_t>& words) {
        for_each_instruction(words, [this](spv::Op op, Operands operands) { read(op, operands); });
    }

    bool fragment() const { return model_ == spv::ExecutionModel::Fragment; }
    const std::vector<Variable>& variables() const { return variables_; }
    const Type& type(uint32_t id) const { return types_.at(id); }
    uint32_t constant(uint32_t id) const { return constants_.at(id); }

    /// The value of a decoration; 0 where it has none.
    std::optional<uint32_t> decoration(uint32_t id, spv::Decoration which) const {
        return member_decoration(id, no_member, which);
    }
    std::optional<uint32_t> member_decoration(uint32_t id, uint32_t member,
                                              spv::Decoration which) const {
        const auto found = decorations_.find({id, member, which});
        return found == decorations_.end() ? std::nullopt : std::optional(found->second);
    }

    /// Bytes of a type in a block; arrays without a length count 0.
    uint32_t bytes(uint32_t id) const {
        const Type& of = type(id);
        switch (of.op) {
        case spv::Op::OpTypeInt:
        case spv::Op::OpTypeFloat:
            return of.operands[0] / 8;
        case spv::Op::OpTypeVector:
            return bytes(of.operands[0]) * of.operands[1];
        case spv::Op::OpTypeArray:
            return decoration(id, spv::Decoration::ArrayStride).value_or(0) *
                   constant(of.operands[1]);
        case spv::Op::OpTypeStruct: {
            uint32_t end = 0;
            for (uint32_t member = 0; member < of.operands.size(); ++member)
                end = std::max(end,
                               member_decoration(id, member, spv::Decoration::Offset).value_or(0) +
                                   bytes(of.operands[member]));
            return end;
        }
        default:
            return 0;
        }
    }

private:
    void read(spv::Op op, Operands operands) {
        switch (op) {
        case spv::Op::OpTypeBool:
        case spv::Op::OpTypeInt:
        case spv::Op::OpTypeFloat:
        case spv::Op::OpTypeVector:
        case spv::Op::OpTypeArray:
        case spv::Op::OpTypeRuntimeArray:
        case spv::Op::OpTypeStruct:
        case spv::Op::OpTypeImage:
        case spv::Op::OpTypeSampledImage:
        case spv::Op::OpTypePointer:
            types_[operands[0]] = {op, operands.subspan(1)};
            break;
        case spv::Op::OpEntryPoint:
            model_ = spv::ExecutionModel(operands[0]);
            break;
        case spv::Op::OpConstant:
            constants_[operands[1]] = operands[2];
            break;
        case spv::Op::OpVariable:
            variables_.push_back(
                {operands[1], types_.at(operands[0]).operands[1], spv::StorageClass(operands[2])});
            break;
        case spv::Op::OpDecorate:
            decorations_[{operands[0], no_member, spv::Decoration(operands[1])}] =
                operands.size() > 2 ? operands[2] : 0;
            break;
        case spv::Op::OpMemberDecorate:
            decorations_[{operands[0], operands[1], spv::Decoration(operands[2])}] =
                operands.size() > 3 ? operands[3] : 0;
            break;
        default:
            break;
        }
    }

    static constexpr uint32_t no_member = ~0u;
    struct Decorated {
        uint32_t id, member;
        spv::Decoration which;
        auto operator<=>(const Decorated&) const = default;
    };
    spv::ExecutionModel model_{};
    std::map<uint32_t, Type> types_;
    std::map<uint32_t, uint32_t> constants_;
    std::map<Decorated, uint32_t> decorations_;
    std::vector<Variable> variables_;
};

/// A descriptor, or an array of descriptors, as the module declares it.
struct Descriptor {
    spirv::DescriptorKind kind{};
    std::optional<uint32_t> count = 1; ///< none: the array has no length
    uint32_t element = 0;              ///< the element's type
    uint32_t image = 0;                ///< the image's type where it has one
};

std::optional<Descriptor> descriptor(const Module& module, const Module::Variable& variable) {
    using spirv::DescriptorKind;
    Descriptor result;
    result.element = variable.pointee;
    const Module::Type* type = &module.type(result.element);
    if (type->op == spv::Op::OpTypeArray || type->op == spv::Op::OpTypeRuntimeArray) {
        result.count = type->op == spv::Op::OpTypeArray
                           ? std::optional(module.constant(type->operands[1]))
                           : std::nullopt;
        result.element = type->operands[0];
        type = &module.type(result.element);
    }
    if (variable.storage == spv::StorageClass::Uniform ||
        variable.storage == spv::StorageClass::StorageBuffer) {
        result.kind = variable.storage == spv::StorageClass::Uniform
                          ? DescriptorKind::uniform_buffer
                          : DescriptorKind::storage_buffer;
        return result;
    }
    if (variable.storage != spv::StorageClass::UniformConstant)
        return std::nullopt;
    const bool sampled = type->op == spv::Op::OpTypeSampledImage;
    result.image = sampled ? type->operands[0] : result.element;
    const Operands image = module.type(result.image).operands;
    const auto dim = spv::Dim(image[1]);
    const bool stored = image[5] == 2;
    if (dim == spv::Dim::SubpassData)
        result.kind = DescriptorKind::input_attachment;
    else if (dim == spv::Dim::Buffer)
        result.kind =
            stored ? DescriptorKind::storage_texel_buffer : DescriptorKind::uniform_texel_buffer;
    else
        result.kind =
            sampled ? DescriptorKind::combined_image_sampler : DescriptorKind::storage_image;
    return result;
}

/// The Dim with which an image of this shape is declared; none where no binding has this shape.
std::optional<spv::Dim> dimension(const spirv::Binding& told, bool one_dimensional) {
    // The translator reports the dimension of the view, which is 2D, but the module declares
    // SubpassData.
    if (told.kind == spirv::DescriptorKind::input_attachment)
        return spv::Dim::SubpassData;
    switch (told.image.dimension) {
    case GLSL_SAMPLER_DIM_1D:
        return one_dimensional ? spv::Dim::Dim1D : spv::Dim::Dim2D;
    case GLSL_SAMPLER_DIM_2D:
    case GLSL_SAMPLER_DIM_RECT:
    case GLSL_SAMPLER_DIM_EXTERNAL:
    case GLSL_SAMPLER_DIM_MS:
        return spv::Dim::Dim2D;
    case GLSL_SAMPLER_DIM_3D:
        return spv::Dim::Dim3D;
    case GLSL_SAMPLER_DIM_CUBE:
        return spv::Dim::Cube;
    case GLSL_SAMPLER_DIM_BUF:
        return spv::Dim::Buffer;
    default:
        return std::nullopt;
    }
}

bool has_texels(const Module& module, Operands image, spirv::ImageTexels texels) {
    const Module::Type& component = module.type(image[0]);
    switch (texels) {
    case spirv::ImageTexels::floating:
    case spirv::ImageTexels::depth:
        return component.op == spv::Op::OpTypeFloat &&
               (image[2] == 1) == (texels == spirv::ImageTexels::depth);
    case spirv::ImageTexels::sint:
    case spirv::ImageTexels::uint:
        return component.op == spv::Op::OpTypeInt &&
               (component.operands[1] == 1) == (texels == spirv::ImageTexels::sint);
    }
    return false;
}

/// Compares the descriptors.
class Descriptors {
public:
    Descriptors(const Module& module, const spirv::Translation& translation,
                const spirv::Target& target)
        : module_(module), translation_(translation), target_(target) {}

    std::string difference() {
        bool handles = false;
        for (const Module::Variable& variable : module_.variables()) {
            const auto found = descriptor(module_, variable);
            if (!found)
                continue;
            const auto set = module_.decoration(variable.id, spv::Decoration::DescriptorSet);
            const auto binding = module_.decoration(variable.id, spv::Decoration::Binding);
            if (!set || !binding)
                return "a descriptor without a set or a binding";
            if (target_.bindless && *set == spirv::bindless_set) {
                handles = true;
                if (std::string what = of_handles(*found, *binding); !what.empty())
                    return what;
            } else if (std::string what = of_stage(variable, *found, *set, *binding);
                       !what.empty()) {
                return what;
            }
        }
        if (handles != translation_.reads_handles)
            return handles ? "handles that aren't told" : "handles are told, there are none";
        for (const spirv::Binding& binding : translation_.bindings)
            if (!seen_.contains(&binding))
                return named(binding.binding, "is told and not there");
        return {};
    }

private:
    static std::string named(uint32_t binding, const std::string& what) {
        return "binding " + std::to_string(binding) + " " + what;
    }

    static std::string of_handles(const Descriptor& found, uint32_t binding) {
        using spirv::DescriptorKind;
        static constexpr std::array kinds{
            DescriptorKind::combined_image_sampler, DescriptorKind::uniform_texel_buffer,
            DescriptorKind::storage_image, DescriptorKind::storage_texel_buffer};
        if (found.count)
            return named(binding, "of the handles has a length");
        return binding < kinds.size() && kinds[binding] == found.kind
                   ? ""
                   : named(binding, "of the handles is of another kind");
    }

    std::string of_stage(const Module::Variable& variable, const Descriptor& found, uint32_t set,
                         uint32_t binding) {
        std::vector<const spirv::Binding*> told;
        for (const spirv::Binding& entry : translation_.bindings)
            if (entry.binding == binding &&
                (entry.pushed ? target_.pushed_set : target_.descriptor_set) == set)
                told.push_back(&entry);
        if (told.empty())
            return named(binding, "of set " + std::to_string(set) + " is not told");
        if (!found.count || told.size() != *found.count)
            return named(binding, "has another length");
        for (size_t i = 0; i < told.size(); ++i) {
            seen_.insert(told[i]);
            if (told[i]->slot != told[0]->slot + i)
                return named(binding, "has slots that don't follow each other");
            if (std::string what = of_element(variable, found, *told[i]); !what.empty())
                return named(binding, what);
        }
        return {};
    }

    std::string of_element(const Module::Variable& variable, const Descriptor& found,
                           const spirv::Binding& told) const {
        if (told.kind != found.kind)
            return "is of another kind";
        if (found.image)
            return of_image(variable, found, told);
        const uint32_t bytes = module_.bytes(found.element);
        const bool uniform = told.kind == spirv::DescriptorKind::uniform_buffer;
        if (uniform && bytes != target_.max_uniform_buffer_size)
            return "is a block of " + std::to_string(bytes) + " bytes";
        // A storage block is a single array without a length: the buffer determines the size.
        if (!uniform && bytes != 0)
            return "is a storage block with a length";
        return written(variable, told);
    }

    std::string of_image(const Module::Variable& variable, const Descriptor& found,
                         const spirv::Binding& told) const {
        const Operands image = module_.type(found.image).operands;
        const auto wanted = dimension(told, target_.one_dimensional_textures);
        if (!wanted || *wanted != spv::Dim(image[1]))
            return "has another dimension";
        if (told.image.array != (image[3] == 1))
            return "has other layers";
        if ((told.image.dimension == GLSL_SAMPLER_DIM_MS) != (image[4] == 1))
            return "has other samples";
        if (!has_texels(module_, image, told.image.texels))
            return "has other texels";
        return written(variable, told);
    }

    std::string written(const Module::Variable& variable, const spirv::Binding& told) const {
        return told.writes && module_.decoration(variable.id, spv::Decoration::NonWritable)
                   ? "may be written and must not"
                   : "";
    }

    const Module& module_;
    const spirv::Translation& translation_;
    const spirv::Target& target_;
    std::set<const spirv::Binding*> seen_;
};

/// Built-in variables and Locations.
std::string interface_difference(const Module& module, const spirv::Translation& translation) {
    const bool fragment = module.fragment();
    uint32_t clips = 0, culls = 0, colours = 0, strides = 0;
    bool depth = false, stencil = false, mask = false;
    for (const Module::Variable& variable : module.variables()) {
        if (const auto buffer = module.decoration(variable.id, spv::Decoration::XfbBuffer)) {
            const auto stride = module.decoration(variable.id, spv::Decoration::XfbStride);
            if (!stride || *buffer >= translation.xfb_stride.size() ||
                *stride != translation.xfb_stride[*buffer])
                return "another stride of transform feedback";
            strides |= 1u << *buffer;
        }
        if (variable.storage != spv::StorageClass::Output)
            continue;
        const auto built_in = module.decoration(variable.id, spv::Decoration::BuiltIn);
        const auto location = module.decoration(variable.id, spv::Decoration::Location);
        if (fragment && location &&
            module.decoration(variable.id, spv::Decoration::Index).value_or(0) == 0)
            colours |= 1u << *location;
        if (!built_in)
            continue;
        const auto length = [&] {
            const Module::Type& type = module.type(variable.pointee);
            return type.op == spv::Op::OpTypeArray ? module.constant(type.operands[1]) : 0;
        };
        switch (spv::BuiltIn(*built_in)) {
        case spv::BuiltIn::ClipDistance:
            clips = length();
            break;
        case spv::BuiltIn::CullDistance:
            culls = length();
            break;
        case spv::BuiltIn::FragDepth:
            depth = true;
            break;
        case spv::BuiltIn::FragStencilRefEXT:
            stencil = true;
            break;
        case spv::BuiltIn::SampleMask:
            mask = true;
            break;
        default:
            break;
        }
    }
    if (strides != translation.xfb_buffer_mask)
        return "other buffers of transform feedback";
    if (fragment && colours != translation.fragment_output_mask)
        return "other colours";
    if (fragment && (depth != translation.writes_depth || stencil != translation.writes_stencil ||
                     mask != translation.writes_sample_mask))
        return "other depth, stencil or coverage";
    if (clips != translation.clip_distance_count || culls != translation.cull_distance_count)
        return std::to_string(clips) + " clip and " + std::to_string(culls) +
               " cull distances, told are " + std::to_string(translation.clip_distance_count) +
               " and " + std::to_string(translation.cull_distance_count);
    return {};
}

} // namespace

std::string disagreement(const spirv::Translation& translation, const spirv::Target& target) {
    const Module module(translation.words);
    if (std::string what = Descriptors(module, translation, target).difference(); !what.empty())
        return what;
    return interface_difference(module, translation);
}

} // namespace kobalt::corpus
