// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/layout_cache.h"
#include "render/stage.h"

namespace kobalt::render {

/// Compiles stages as shader objects (VK_EXT_shader_object), which draw together in any
/// combination. Vulkan wants all that are bound at once to have been made with equal set layouts
/// (VUID-vkCmdDraw-None-08879), and a stage doesn't know its neighbours. So there is one array of
/// layouts for all objects: a stage's set holds as many descriptors of each kind as a stage can
/// have, and its shader uses the first of each. Kinds take turns in it, so that what is used lies
/// at the beginning, and only so much is written. Any thread.
class ShaderObjects {
public:
    static vulkan::Result<std::unique_ptr<ShaderObjects>> create(Engine& engine);

    /// Of draws with shader objects, whichever they are.
    const PipelineLayoutEntry& layout() const { return *layout_; }
    /// Where the descriptors of a stage lie in its set: numbers of bindings, in the order of
    /// `bindings`. Empty: the set hasn't that many.
    std::optional<std::vector<uint32_t>> places(std::span<const StageBinding> bindings) const;
    /// `bindings`: of the stage's own set; `places`: theirs.
    vulkan::Result<vulkan::ShaderObject> compile(const StageSource& source,
                                                 std::span<const StageBinding> bindings,
                                                 std::span<const uint32_t> places) const;

private:
    explicit ShaderObjects(Engine& engine) : engine_(engine) {}

    Engine& engine_;
    std::vector<VkDescriptorType> kinds_; ///< of each binding
    const PipelineLayoutEntry* layout_ = nullptr;
    std::vector<VkDescriptorSetLayout> handles_; ///< by set number
};

/// SPIR-V in which the descriptors of set `set` have other binding numbers: `to[i]` where the
/// number was `bindings[i].binding`.
std::vector<uint32_t> renumber_bindings(std::span<const uint32_t> words, uint32_t set,
                                        std::span<const StageBinding> bindings,
                                        std::span<const uint32_t> to);

} // namespace kobalt::render
