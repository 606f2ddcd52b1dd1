// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/shader_objects.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_set>

#include "render/pipelines/state.h"
#include "vulkan/pipelines/shader_object.h"

namespace kobalt::render {
namespace {

/// The kinds of one turn. A slot has one buffer, and two views where some accesses compare; images
/// have twice as many slots.
constexpr VkDescriptorType all_kinds[] = {
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,       VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,       VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,        VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};
constexpr uint32_t most_turns = 32; ///< slots of a stage
/// Room for eight textures and four blocks. NVIDIA's driver keeps 144 bytes of each descriptor of
/// each stage with each object: 135 KB for full sets, 17 KB for these.
constexpr uint32_t small_turns = 4;

bool of_texels(VkDescriptorType type) {
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

std::vector<VkDescriptorType> turn_of(const Paths& paths) {
    std::vector<VkDescriptorType> turn(std::begin(all_kinds), std::end(all_kinds));
    if (!paths.objects_read_texels)
        std::erase_if(turn, of_texels);
    return turn;
}

/// Descriptors in the layouts beside the stages' sets: handles, and what is pushed (of uniform
/// buffers in each stage).
struct Taken {
    uint32_t textures, texel_buffers, pushed;
};

/// As many turns as the device's limits leave (Vulkan 1.3,
/// VUID-VkPipelineLayoutCreateInfo-descriptorType-03016 and the VUIDs after it).
uint32_t turns_of(std::span<const VkDescriptorType> turn, const VkPhysicalDeviceLimits& limits,
                  const Taken& taken) {
    uint32_t turns = most_turns;
    const auto in_turn = [&](std::initializer_list<VkDescriptorType> types) {
        uint32_t count = 0;
        for (const VkDescriptorType type : types)
            count += static_cast<uint32_t>(std::ranges::count(turn, type));
        return count;
    };
    const auto fit = [&turns](uint32_t limit, uint32_t taken, uint32_t each) {
        turns = std::min(turns, limit > taken ? (limit - taken) / each : 0);
    };
    const auto kind = [&](uint32_t of_stage, uint32_t of_layout, uint32_t taken, uint32_t each) {
        fit(of_stage, taken, each);
        fit(of_layout, taken, each * graphics_stage_count);
    };
    const uint32_t textures = in_turn({VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER});
    kind(limits.maxPerStageDescriptorUniformBuffers,
         limits.maxDescriptorSetUniformBuffers - taken.pushed * graphics_stage_count, taken.pushed,
         in_turn({VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}));
    kind(limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers, 0,
         in_turn({VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}));
    kind(limits.maxPerStageDescriptorSamplers, limits.maxDescriptorSetSamplers, taken.textures,
         textures);
    const uint32_t handles = taken.textures + taken.texel_buffers;
    kind(limits.maxPerStageDescriptorSampledImages, limits.maxDescriptorSetSampledImages, handles,
         textures + in_turn({VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER}));
    kind(limits.maxPerStageDescriptorStorageImages, limits.maxDescriptorSetStorageImages, 0,
         in_turn({VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER}));
    fit(limits.maxPerStageResources, handles + taken.pushed + max_color_attachments,
        static_cast<uint32_t>(turn.size()));
    return turns;
}

} // namespace

vulkan::Result<std::unique_ptr<ShaderObjects>> ShaderObjects::create(Core& core,
                                                                     LayoutCache& layouts) {
    std::unique_ptr<ShaderObjects> made(new ShaderObjects(core, layouts));
    const std::vector<VkDescriptorType> turn = turn_of(core.paths());
    const uint32_t turns =
        turns_of(turn, core.device().limits(),
                 {.textures = layouts.bindless_count(BindlessArray::textures) +
                              (core.paths().pushed_texture ? 1 : 0),
                  .texel_buffers = layouts.bindless_count(BindlessArray::texel_buffers),
                  .pushed = core.paths().pushed_blocks ? pushed_slots : 0});
    for (uint32_t i = 0; i < turns; ++i)
        made->kinds_.insert(made->kinds_.end(), turn.begin(), turn.end());
    auto full = made->make_shape(static_cast<uint32_t>(made->kinds_.size()));
    if (!full)
        return std::unexpected(full.error());
    auto small =
        made->make_shape(static_cast<uint32_t>(std::min(turns, small_turns) * turn.size()));
    if (!small)
        return std::unexpected(small.error());
    made->shapes_ = {std::move(*small), std::move(*full)};
    return made;
}

vulkan::Result<ShaderObjects::Shape> ShaderObjects::make_shape(uint32_t count) const {
    Shape made;
    made.bindings = count;
    std::vector<StageBinding> bindings;
    for (const VkDescriptorType type : std::span(kinds_).first(count))
        bindings.push_back({static_cast<uint32_t>(bindings.size()), type, 0});
    std::array<const SetLayout*, set_count> sets{};
    made.handles.resize(set_count);
    made.handles[0] = layouts_.bindless().handle();
    for (uint32_t i = 0; i < graphics_stage_count; ++i) {
        const auto stage = static_cast<Stage>(i);
        const auto set = layouts_.set_layout(bindings, shader_stage_bit(stage));
        if (!set)
            return std::unexpected(set.error());
        sets[descriptor_set_of(stage)] = *set;
        made.handles[descriptor_set_of(stage)] = (*set)->layout.handle();
    }
    if (core_.paths().pushed_blocks)
        made.handles.push_back(layouts_.pushed_blocks().handle());
    const auto layout = layouts_.pipeline_layout(sets, LayoutUse::objects);
    if (!layout)
        return std::unexpected(layout.error());
    made.layout = *layout;
    return made;
}

std::optional<std::vector<uint32_t>>
ShaderObjects::binding_numbers(std::span<const StageBinding> bindings) const {
    std::vector<uint32_t> found;
    for (size_t i = 0; i < bindings.size(); ++i) {
        const VkDescriptorType type = bindings[i].type;
        if (i && bindings[i].binding == bindings[i - 1].binding)
            return {}; // an array, whose elements can't be apart
        const auto before = std::ranges::count(bindings.first(i), type, &StageBinding::type);
        auto kind = kinds_.begin();
        for (auto left = before;; ++kind, --left) {
            kind = std::find(kind, kinds_.end(), type);
            if (kind == kinds_.end())
                return {};
            if (left == 0)
                break;
        }
        found.push_back(static_cast<uint32_t>(kind - kinds_.begin()));
    }
    return found;
}

ObjectSize ShaderObjects::size_of(std::span<const uint32_t> numbers) const {
    const bool fits = std::ranges::all_of(
        numbers, [&](uint32_t number) { return number < shape(ObjectSize::small).bindings; });
    return fits ? ObjectSize::small : ObjectSize::full;
}

vulkan::Result<vulkan::ShaderObject>
ShaderObjects::compile(const StageSource& source, ObjectSize size,
                       std::span<const StageBinding> bindings,
                       std::span<const uint32_t> numbers) const {
    const std::vector<uint32_t> words =
        renumber_bindings(source.words, descriptor_set_of(source.stage), bindings, numbers);
    vulkan::ShaderObjectInfo info;
    info.stage = shader_stage_bit(source.stage);
    info.spirv = words;
    info.set_layouts = shape(size).handles;
    info.push_constants = {VK_SHADER_STAGE_ALL, 0, push_constant_bytes};
    info.name = source.name.c_str();
    return vulkan::create_shader_object(core_.device(), info);
}

std::vector<uint32_t> renumber_bindings(std::span<const uint32_t> words, uint32_t set,
                                        std::span<const StageBinding> bindings,
                                        std::span<const uint32_t> to) {
    // SPIR-V 1.6: an instruction begins with its length and its code; OpDecorate has the target,
    // the decoration and one operand here (3.52.3, 3.20).
    constexpr size_t header = 5;
    constexpr uint32_t op_decorate = 71, op_function = 54;
    constexpr uint32_t decoration_binding = 33, decoration_set = 34;
    std::vector<uint32_t> result(words.begin(), words.end());
    const auto each_decoration = [&](uint32_t decoration, auto use) {
        for (size_t at = header; at < result.size();) {
            const uint32_t code = result[at] & 0xffff, length = result[at] >> 16;
            if (code == op_function || length == 0)
                return;
            if (code == op_decorate && length == 4 && result[at + 2] == decoration)
                use(result[at + 1], result[at + 3]);
            at += length;
        }
    };
    std::unordered_set<uint32_t> targets;
    each_decoration(decoration_set, [&](uint32_t target, uint32_t& value) {
        if (value == set)
            targets.insert(target);
    });
    each_decoration(decoration_binding, [&](uint32_t target, uint32_t& value) {
        if (!targets.contains(target))
            return;
        const auto from = std::ranges::find(bindings, value, &StageBinding::binding);
        if (from != bindings.end())
            value = to[static_cast<size_t>(from - bindings.begin())];
    });
    return result;
}

} // namespace kobalt::render
