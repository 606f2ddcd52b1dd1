// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/layouts/layout_cache.h"
#include "render/pipelines/shader_stage.h"

namespace kobalt::render {

/// Compiles stages as shader objects (VK_EXT_shader_object), which draw together in any
/// combination. Vulkan wants all that are bound at once to have been made with equal set layouts
/// (VUID-vkCmdDraw-None-08879), and a stage doesn't know its neighbours. So all objects of one
/// ObjectSize have the same array of layouts: a stage's set holds a number of descriptors of each
/// kind, and its shader uses the first of each. The kinds alternate in the set: with drivers that
/// keep their order, the used descriptors lie at the beginning, and only that part is written. Any
/// thread.
class ShaderObjects {
public:
    static vulkan::Result<std::unique_ptr<ShaderObjects>> create(Core& core, LayoutCache& layouts);

    /// The layout for draws with any shader objects of that size.
    const PipelineLayoutEntry& layout(ObjectSize size) const { return *shape(size).layout; }
    /// The binding numbers that the descriptors of a stage have in its set, in the order of
    /// `bindings`. Empty: no set has that many.
    std::optional<std::vector<uint32_t>>
    binding_numbers(std::span<const StageBinding> bindings) const;
    /// The smallest size that has such bindings.
    ObjectSize size_of(std::span<const uint32_t> numbers) const;
    /// `bindings`: of the stage's own set; `numbers`: binding_numbers() of those.
    vulkan::Result<vulkan::ShaderObject> compile(const StageSource& source, ObjectSize size,
                                                 std::span<const StageBinding> bindings,
                                                 std::span<const uint32_t> numbers) const;

private:
    struct Shape {
        const PipelineLayoutEntry* layout = nullptr;
        std::vector<VkDescriptorSetLayout> handles; ///< by set number
        uint32_t bindings = 0;                      ///< of a stage's set
    };
    ShaderObjects(Core& core, LayoutCache& layouts) : core_(core), layouts_(layouts) {}
    const Shape& shape(ObjectSize size) const { return shapes_[static_cast<size_t>(size)]; }
    /// Sets of the first `bindings` of kinds_.
    vulkan::Result<Shape> make_shape(uint32_t bindings) const;

    Core& core_;
    LayoutCache& layouts_;
    std::vector<VkDescriptorType> kinds_; ///< of each binding of a full set
    std::array<Shape, object_size_count> shapes_;
};

/// SPIR-V in which the descriptors of set `set` have other binding numbers: `to[i]` where the
/// number was `bindings[i].binding`.
std::vector<uint32_t> renumber_bindings(std::span<const uint32_t> words, uint32_t set,
                                        std::span<const StageBinding> bindings,
                                        std::span<const uint32_t> to);

} // namespace kobalt::render
