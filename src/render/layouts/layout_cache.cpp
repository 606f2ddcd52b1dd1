// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/layouts/layout_cache.h"

#include <algorithm>

#include "vulkan/capabilities/bindless_limits.h"
#include "vulkan/descriptors/descriptor_buffer.h"

namespace kobalt::render {
namespace {

// Not VK_SHADER_STAGE_ALL: drivers walk these bits, and lavapipe 25.0.7 does so past its last stage
// when a descriptor buffer is bound.
constexpr VkShaderStageFlags every_stage =
    VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT;

} // namespace

vulkan::Result<void> LayoutCache::init() {
    const bool buffers = core_.paths().descriptor_buffer;
    std::vector<vulkan::DescriptorBinding> bindings;
    // The arrays' sizes are the device's, so that set 0 stays compatible between all pipeline
    // layouts for ever.
    if (core_.paths().bindless) {
        const auto limits = vulkan::bindless_limits(
            core_.device().properties(), vulkan::bindless_storage(core_.device().capabilities()));
        bindless_counts_ = {limits.textures, limits.texel_buffers, limits.images,
                            limits.image_texels};
        constexpr VkDescriptorBindingFlags flags =
            VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
            VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
            VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
        for (uint32_t i = 0; i < bindless_array_count; ++i)
            bindings.push_back({i, descriptor_type(static_cast<BindlessArray>(i)),
                                bindless_counts_[i], every_stage, flags});
    }
    auto bindless = vulkan::DescriptorSetLayout::create(
        core_.device(), bindings,
        buffers ? vulkan::DescriptorMode::buffer : vulkan::DescriptorMode::pool, "bindless");
    if (!bindless)
        return std::unexpected(bindless.error());
    bindless_ = std::move(*bindless);
    if (core_.paths().pushed_blocks) {
        std::vector<vulkan::DescriptorBinding> blocks;
        for (uint32_t i = 0; i < graphics_stage_count; ++i) {
            const auto stage = static_cast<Stage>(i);
            for (uint32_t slot = 0; slot < pushed_slots; ++slot)
                blocks.push_back({first_pushed_binding(stage) + slot,
                                  VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                  static_cast<VkShaderStageFlags>(shader_stage_bit(stage)), 0});
        }
        if (core_.paths().pushed_texture)
            blocks.push_back({pushed_texture_binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                              VK_SHADER_STAGE_FRAGMENT_BIT, 0});
        auto pushed = vulkan::DescriptorSetLayout::create(
            core_.device(), blocks, vulkan::DescriptorMode::push_beside_buffers,
            "pushed descriptors");
        if (!pushed)
            return std::unexpected(pushed.error());
        pushed_blocks_ = std::move(*pushed);
    }
    auto none = set_layout({}, 0);
    if (!none)
        return std::unexpected(none.error());
    empty_ = *none;
    return {};
}

// Which sets are pushed must follow from the stage and its own bindings alone, or a stage could not
// be compiled before its neighbours are known; and a layout may have one such set. So it is always
// the fragment stage's: nearly every program has one, and its textures change most often.
vulkan::DescriptorMode LayoutCache::mode_of(size_t descriptors, VkShaderStageFlags stages) const {
    if (core_.paths().descriptor_buffer)
        return vulkan::DescriptorMode::buffer;
    const bool alone =
        stages == VK_SHADER_STAGE_FRAGMENT_BIT || stages == VK_SHADER_STAGE_COMPUTE_BIT;
    if (alone && descriptors > 0 && descriptors <= core_.paths().max_pushed)
        return vulkan::DescriptorMode::push;
    return vulkan::DescriptorMode::pool;
}

VkDeviceSize SetLayout::end(size_t i) const {
    VkDeviceSize end = layout.size();
    for (const VkDeviceSize offset : offsets)
        if (offset > offsets[i])
            end = std::min(end, offset);
    return end;
}

vulkan::Result<const SetLayout*> LayoutCache::set_layout(std::span<const StageBinding> bindings,
                                                         VkShaderStageFlags stages) {
    std::vector<uint32_t> shape;
    shape.reserve(bindings.size() * 2 + 1);
    shape.push_back(stages);
    for (const StageBinding& binding : bindings) {
        shape.push_back(binding.binding);
        shape.push_back(binding.type);
    }
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = set_layouts_.find(shape); found != set_layouts_.end())
            return found->second.get();
    }
    auto made = make_set_layout(bindings, stages);
    if (!made)
        return std::unexpected(made.error());
    const std::lock_guard lock(mutex_);
    // Another thread may have made it meanwhile: then that one stays.
    return set_layouts_.emplace(std::move(shape), std::move(*made)).first->second.get();
}

vulkan::Result<std::unique_ptr<SetLayout>>
LayoutCache::make_set_layout(std::span<const StageBinding> bindings,
                             VkShaderStageFlags stages) const {
    std::vector<vulkan::DescriptorBinding> described;
    for (const StageBinding& binding : bindings) {
        // The elements of an array follow each other. All of them are written, also those that GL
        // has nothing bound to, so none needs to be "partially bound".
        if (!described.empty() && described.back().binding == binding.binding)
            ++described.back().count;
        else
            described.push_back({binding.binding, binding.type, 1, stages, 0});
    }
    const vulkan::DescriptorMode mode = mode_of(bindings.size(), stages);
    auto layout = vulkan::DescriptorSetLayout::create(core_.device(), described, mode, "stage set");
    if (!layout)
        return std::unexpected(layout.error());
    auto entry = std::make_unique<SetLayout>();
    entry->layout = std::move(*layout);
    if (mode == vulkan::DescriptorMode::buffer) {
        const vulkan::DescriptorWriter writer(core_.device());
        for (size_t i = 0; i < described.size(); ++i)
            for (uint32_t element = 0; element < described[i].count; ++element)
                entry->offsets.push_back(entry->layout.offset(i) +
                                         element * writer.size_of(described[i].type));
    }
    if (mode == vulkan::DescriptorMode::pool && !bindings.empty()) {
        auto update = vulkan::create_update_template(core_.device(), entry->layout);
        if (!update)
            return std::unexpected(update.error());
        entry->update_template = std::move(*update);
    }
    return entry;
}

vulkan::Result<const PipelineLayoutEntry*>
LayoutCache::pipeline_layout(const std::array<const SetLayout*, set_count>& sets, LayoutUse use) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = pipeline_layouts_.find({use, sets});
            found != pipeline_layouts_.end())
            return found->second.get();
    }
    auto made = make_pipeline_layout(sets, use);
    if (!made)
        return std::unexpected(made.error());
    const std::lock_guard lock(mutex_);
    return pipeline_layouts_.emplace(std::pair(use, sets), std::move(*made)).first->second.get();
}

vulkan::Result<std::unique_ptr<PipelineLayoutEntry>>
LayoutCache::make_pipeline_layout(const std::array<const SetLayout*, set_count>& sets,
                                  LayoutUse use) const {
    const bool compute = use == LayoutUse::compute;
    // Null layouts need VK_EXT_graphics_pipeline_library; without it an empty layout stands in.
    // Compute pipelines have no libraries, so theirs may not have independent sets. Shader objects,
    // which are made with set layouts alone, aren't compatible with layouts of independent sets.
    const bool nulls = core_.paths().pipeline_library && use == LayoutUse::graphics;
    std::array<VkDescriptorSetLayout, set_count + 1> handles{};
    handles[0] = bindless_.handle();
    // The same number of sets everywhere keeps layouts compatible; small devices have no stages
    // past the fragment shader and as few as four sets.
    uint32_t count = compute                                                       ? 2
                     : core_.device().limits().maxBoundDescriptorSets >= set_count ? set_count
                                                                                   : 3;
    for (uint32_t i = 1; i < count; ++i) {
        if (sets[i]) {
            handles[i] = sets[i]->layout.handle();
        } else if (!nulls) {
            handles[i] = empty_->layout.handle();
        }
    }
    if (core_.paths().pushed_blocks && !compute) {
        static_assert(pushed_set == set_count);
        handles[count++] = pushed_blocks_.handle();
    }
    const VkPushConstantRange range{VK_SHADER_STAGE_ALL, 0, push_constant_bytes};
    auto layout = vulkan::create_pipeline_layout(core_.device(), std::span(handles).first(count),
                                                 {&range, 1}, nulls);
    if (!layout)
        return std::unexpected(layout.error());
    auto entry = std::make_unique<PipelineLayoutEntry>();
    entry->layout = std::move(*layout);
    entry->sets = sets;
    entry->use = use;
    for (uint32_t i = 1; i < std::min(count, set_count); ++i) {
        if (!sets[i] || !sets[i]->pushed())
            continue;
        auto push = vulkan::create_push_template(
            core_.device(), sets[i]->layout, entry->layout.get(),
            compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS, i,
            "pushed set");
        if (!push)
            return std::unexpected(push.error());
        entry->pushed_set = i;
        entry->push_template = std::move(*push);
    }
    return entry;
}

} // namespace kobalt::render
