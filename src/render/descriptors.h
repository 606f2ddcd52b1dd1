// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <span>

#include "render/layout_cache.h"
#include "vulkan/base/error.h"

namespace kobalt::render {

class Engine;

/// One descriptor, resolved: the members that its type needs are set.
struct DescriptorData {
    uint32_t index = 0; ///< of its binding in the set
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceAddress address = 0; ///< of the range's first byte
    VkDeviceSize offset = 0;     ///< bytes
    VkDeviceSize range = 0;      ///< bytes
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkImageView view = VK_NULL_HANDLE;
    VkSampler sampler = VK_NULL_HANDLE;
    VkBufferView texel_buffer = VK_NULL_HANDLE;
};

/// The most descriptors that a stage's set can have: 32 uniform and 32 storage buffers, 32 textures
/// (twice where some accesses compare), 64 images.
inline constexpr size_t most_descriptors = 192;

/// How a stage's descriptors reach the GPU. Used by one recorder.
class DescriptorBinder {
public:
    virtual ~DescriptorBinder() = default;

    /// Writes a fresh copy of a stage's set; it is used by bind() until written again. `changed`
    /// are the descriptors that differ from the last copy of this set number; a copy with another
    /// layout than the last has to be given all of them.
    virtual bool write(uint32_t set, const SetLayout& layout,
                       std::span<const DescriptorData> changed) = 0;
    /// Makes the written sets `mask` (bit n: set n) current for `layout`.
    virtual void bind(VkCommandBuffer commands, VkPipelineBindPoint point,
                      const PipelineLayoutEntry& layout, uint32_t mask) = 0;
    /// A new command buffer: nothing is bound in it.
    virtual void begin_commands() = 0;
    /// True when sets written earlier can't be bound any longer and have to be written again.
    virtual bool lost_sets() = 0;
    /// Everything written since the last call belongs to the submission `timeline_value`.
    virtual void retire(uint64_t timeline_value) = 0;
};

/// Descriptor buffers where the device has them; otherwise pooled sets and, for the small sets that
/// the layouts say so of, push descriptors, both filled by update templates.
vulkan::Result<std::unique_ptr<DescriptorBinder>> make_descriptor_binder(Engine& engine);

} // namespace kobalt::render
