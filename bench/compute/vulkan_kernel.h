// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan_device.h"

namespace kobalt::compute {

/// A compute pipeline whose descriptors are pushed: a uniform buffer at binding 0, storage buffers
/// behind it.
class VulkanKernel {
public:
    static Result<VulkanKernel> create(const Device& vk, std::span<const std::uint32_t> code,
                                       std::size_t storage_buffers);

    VkPipeline pipeline() const { return pipeline_.get(); }
    VkPipelineLayout layout() const { return layout_.get(); }

private:
    Result<void> create_layout(const Device& vk, std::size_t storage_buffers);
    Result<void> create_pipeline(const Device& vk, std::span<const std::uint32_t> code);

    Owned<VkDescriptorSetLayout> set_;
    Owned<VkPipelineLayout> layout_;
    Owned<VkPipeline> pipeline_;
};

} // namespace kobalt::compute
