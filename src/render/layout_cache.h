// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "render/stage.h"
#include "vulkan/descriptor_layout.h"
#include "vulkan/update_template.h"

namespace kobalt::render {

class Engine;

inline constexpr uint32_t set_count = 6;             ///< bindless and five stages
inline constexpr uint32_t push_constant_bytes = 128; ///< one range for every pipeline

/// A set layout with what the portable backend needs to fill sets of it.
struct SetLayout {
    vulkan::DescriptorSetLayout layout;
    vulkan::UpdateTemplate update_template; ///< portable backend only
};

/// The layout of a pipeline: bindless, then one set a stage; null where a stage uses none.
struct PipelineLayoutEntry {
    vulkan::PipelineLayout layout;
    std::array<const SetLayout*, set_count> sets{};
};

/// Set layouts by shape and pipeline layouts by their sets. Entries live as long as the engine, so
/// pointers identify them. Thread-safe.
class LayoutCache {
public:
    explicit LayoutCache(Engine& engine) : engine_(engine) {}
    vulkan::Result<void> init();

    vulkan::Result<const SetLayout*> set_layout(std::span<const StageBinding> bindings,
                                                VkShaderStageFlags stages);
    /// `sets` by set number; entry 0 is ignored (always the bindless layout).
    vulkan::Result<const PipelineLayoutEntry*>
    pipeline_layout(const std::array<const SetLayout*, set_count>& sets, bool compute);
    const SetLayout* empty() const { return empty_; }

private:
    vulkan::Result<const SetLayout*> make(std::span<const vulkan::DescriptorBinding> bindings);

    Engine& engine_;
    std::mutex mutex_; ///< guards the maps
    std::map<std::vector<uint32_t>, std::unique_ptr<SetLayout>> set_layouts_;
    std::map<std::pair<bool, std::array<const SetLayout*, set_count>>,
             std::unique_ptr<PipelineLayoutEntry>>
        pipeline_layouts_;
    vulkan::DescriptorSetLayout bindless_;
    const SetLayout* empty_ = nullptr;
};

} // namespace kobalt::render
