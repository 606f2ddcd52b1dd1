// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <vector>

#include "vulkan.h"

namespace kobalt::memory {

/// A way to make programs: which objects are created, and which of them are kept.
struct Way {
    enum class Kind {
        modules,   ///< its two shader modules alone
        whole,     ///< one pipeline of both stages
        libraries, ///< a library for each stage, and links of them
        objects,   ///< two shader objects
    };
    const char* name;
    const char* what;
    Kind kind = Kind::libraries;
    bool fast = false;      ///< linked without optimisation
    bool optimized = false; ///< linked with optimisation, which the libraries allow
    bool drop_fast = false; ///< the fast link is destroyed once the optimised one is there
    /// The stages' libraries are destroyed once all links are there. Vulkan doesn't allow that
    /// (1.3, 10.8 "Pipeline Library"), so such a way runs only if it is named.
    bool drop_libraries = false;
    bool retain = false;         ///< libraries allow an optimised link
    bool inline_modules = false; ///< the code is passed with the pipeline, without a module
    bool descriptor_buffer = false;
    bool linked_objects = false; ///< the two objects are created linked
    bool dynamic = false;        ///< all of shader objects' dynamic state, as in Kobalt
};

/// What the device lacks for this way; null: nothing.
const char* lacks(const Abilities& abilities, const Way& way);

/// A program's objects; null where there is none.
struct Program {
    std::array<VkShaderModule, 2> modules{};
    std::array<VkPipeline, 2> libraries{};
    VkPipeline fast = VK_NULL_HANDLE;
    VkPipeline final = VK_NULL_HANDLE; ///< the optimised link or the whole pipeline
    std::array<VkShaderEXT, 2> objects{};

    VkPipeline drawn() const { return final != VK_NULL_HANDLE ? final : fast; }
};

/// Makes programs that differ in one constant of each shader, in one way. Thread-safe.
class Maker {
public:
    static constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

    Maker(const Vulkan& vk, const Way& way, VkPipelineCache cache);
    ~Maker();
    Maker(const Maker&) = delete;
    Maker& operator=(const Maker&) = delete;

    Program make(uint32_t number) const;
    void destroy(Program& program) const;
    VkPipelineLayout layout() const { return layout_; }

private:
    VkPipeline library(VkGraphicsPipelineLibraryFlagsEXT part,
                       const VkPipelineShaderStageCreateInfo* stage) const;
    VkPipeline whole(const std::array<VkPipelineShaderStageCreateInfo, 2>& stages) const;
    VkPipeline link(const Program& program, VkPipelineCreateFlags flags) const;
    void make_objects(Program& program, const std::array<std::vector<uint32_t>, 2>& words) const;
    VkPipelineCreateFlags flags() const;

    const Vulkan& vk_;
    Way way_;
    VkPipelineCache cache_;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline vertex_input_ = VK_NULL_HANDLE; ///< these two serve all programs
    VkPipeline output_ = VK_NULL_HANDLE;
};

} // namespace kobalt::memory
