// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "render/base/core.h"
#include "render/layouts/bindless_arrays.h"
#include "render/shaders/stage.h"
#include "vulkan/descriptors/descriptor_layout.h"
#include "vulkan/descriptors/update_template.h"

namespace kobalt::render {

inline constexpr uint32_t set_count = 6;             ///< bindless and five stages
inline constexpr uint32_t push_constant_bytes = 128; ///< one range for every pipeline
/// The most descriptors that a pushed set may have. Pushing costs by the descriptor, a pooled set
/// mostly by the set; on an H200 the two meet at nine (tests/unit/vulkan/descriptor_bench.cpp: 60
/// against 16 million sets a second with one descriptor, 9.1 against 8.4 with eight, 6.0 against
/// 6.6 with twelve).
inline constexpr uint32_t most_pushed_descriptors = 8;

/// A set layout with what the backend of descriptor pools needs to fill sets of it.
struct SetLayout {
    vulkan::DescriptorSetLayout layout;
    vulkan::DescriptorTemplate update_template; ///< pooled sets only
    /// Where each descriptor lies in a descriptor buffer, in bytes, in the order of the stage's
    /// bindings: an array is one binding of the layout, and an entry an element here.
    std::vector<VkDeviceSize> offsets;

    /// The offset of what follows descriptor `i` in a descriptor buffer, or the set's size.
    VkDeviceSize end(size_t i) const;

    /// Pushed into the command buffer instead of bound: small sets of the fragment and compute
    /// stages with descriptor pools.
    bool pushed() const { return layout.mode() == vulkan::DescriptorMode::push; }
};

/// What a pipeline layout is for.
enum class LayoutUse : uint8_t {
    graphics, ///< pipelines and their libraries
    compute,
    objects ///< shader objects: none of its sets may be missing
};

/// The layout of a pipeline: bindless, then one set a stage; null where a stage uses none.
struct PipelineLayoutEntry {
    vulkan::PipelineLayout layout;
    std::array<const SetLayout*, set_count> sets{};
    /// Layouts of different uses have no set in common, not even the bindless one.
    LayoutUse use = LayoutUse::graphics;
    /// The one set that is pushed (Vulkan allows no second in a layout); 0: none is.
    uint32_t pushed_set = 0;
    /// Pushes that set. The template belongs to this layout, not to the set's: it may be used only
    /// with a layout that is compatible up to its set, and another stage's set may stand before it.
    vulkan::DescriptorTemplate push_template;
};

/// Set layouts by shape and pipeline layouts by their sets. Entries live as long as the engine, so
/// pointers identify them. Thread-safe; no lock is held while Vulkan makes one.
class LayoutCache {
public:
    explicit LayoutCache(Core& core) : core_(core) {}
    vulkan::Result<void> init();

    vulkan::Result<const SetLayout*> set_layout(std::span<const StageBinding> bindings,
                                                VkShaderStageFlags stages);
    /// `sets` by set number; entry 0 is ignored (always the bindless layout).
    vulkan::Result<const PipelineLayoutEntry*>
    pipeline_layout(const std::array<const SetLayout*, set_count>& sets, LayoutUse use);
    const SetLayout* empty() const { return empty_; }
    /// Set 0 of every pipeline layout: an array for each BindlessArray, or nothing at all.
    const vulkan::DescriptorSetLayout& bindless() const { return bindless_; }
    /// Set `pushed_set` of every graphics pipeline layout, with Paths::pushed_blocks: all stages'
    /// first uniform buffers, so that it stays compatible whatever the stages are.
    const vulkan::DescriptorSetLayout& pushed_blocks() const { return pushed_blocks_; }
    uint32_t bindless_count(BindlessArray array) const {
        return bindless_counts_[static_cast<size_t>(array)];
    }

private:
    vulkan::DescriptorMode mode_of(size_t descriptors, VkShaderStageFlags stages) const;
    vulkan::Result<std::unique_ptr<SetLayout>>
    make_set_layout(std::span<const StageBinding> bindings, VkShaderStageFlags stages) const;
    vulkan::Result<std::unique_ptr<PipelineLayoutEntry>>
    make_pipeline_layout(const std::array<const SetLayout*, set_count>& sets, LayoutUse use) const;

    Core& core_;
    std::mutex mutex_; ///< guards the maps
    std::map<std::vector<uint32_t>, std::unique_ptr<SetLayout>> set_layouts_;
    std::map<std::pair<LayoutUse, std::array<const SetLayout*, set_count>>,
             std::unique_ptr<PipelineLayoutEntry>>
        pipeline_layouts_;
    vulkan::DescriptorSetLayout bindless_, pushed_blocks_;
    std::array<uint32_t, bindless_array_count> bindless_counts_{};
    const SetLayout* empty_ = nullptr;
};

} // namespace kobalt::render
