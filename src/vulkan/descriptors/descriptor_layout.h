// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <span>
#include <vector>

namespace kobalt::vulkan {

class Device;

/// How descriptors get into the sets of a layout. `push_beside_buffers`: pushed, in pipeline
/// layouts whose other sets are in descriptor buffers (pushes_beside_buffers()).
enum class DescriptorMode : uint8_t { pool, push, buffer, push_beside_buffers };

/// A binding: Vulkan's own description plus binding flags.
struct DescriptorBinding {
    uint32_t binding = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    uint32_t count = 1;
    VkShaderStageFlags stages = VK_SHADER_STAGE_ALL;
    VkDescriptorBindingFlags flags = 0;
};

/// A set layout, and for descriptor buffers its size and the byte offset of each binding.
class DescriptorSetLayout {
public:
    static Result<DescriptorSetLayout> create(Device& device,
                                              std::span<const DescriptorBinding> bindings,
                                              DescriptorMode mode, const char* name = nullptr);
    DescriptorSetLayout() = default;

    VkDescriptorSetLayout handle() const { return handle_.get(); }
    DescriptorMode mode() const { return mode_; }
    std::span<const DescriptorBinding> bindings() const { return bindings_; }
    /// The number of descriptors in all bindings; each array element counts.
    uint32_t descriptor_count() const;
    /// Bytes of one set in a descriptor buffer, rounded up to the device's offset alignment.
    VkDeviceSize size() const { return size_; }
    /// Byte offset of bindings()[i] inside a set in a descriptor buffer.
    VkDeviceSize offset(size_t i) const { return offsets_[i]; }

private:
    DescriptorSetLayoutHandle handle_;
    DescriptorMode mode_ = DescriptorMode::pool;
    std::vector<DescriptorBinding> bindings_;
    VkDeviceSize size_ = 0;
    std::vector<VkDeviceSize> offsets_;
};

/// A pipeline layout; null set layouts are allowed with `independent_sets` (pipeline libraries).
Result<PipelineLayout> create_pipeline_layout(Device& device,
                                              std::span<const VkDescriptorSetLayout> sets,
                                              std::span<const VkPushConstantRange> push_constants,
                                              bool independent_sets = false,
                                              const char* name = nullptr);

} // namespace kobalt::vulkan
