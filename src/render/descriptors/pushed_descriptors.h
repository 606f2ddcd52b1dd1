// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "render/shaders/stage.h"

namespace kobalt::render {

/// The writes of the set that all graphics stages share, one for each binding. A draw fills in the
/// buffers and the texture. Not movable: the writes point to them.
class PushedDescriptors {
public:
    PushedDescriptors() {
        for (uint32_t binding = 0; binding < pushed_bindings_count; ++binding) {
            VkWriteDescriptorSet& write = writes_[binding];
            write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
            write.dstBinding = binding;
            write.descriptorCount = 1;
            write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
            if (binding == pushed_texture_binding) {
                write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
                write.pImageInfo = &texture;
            } else {
                write.pBufferInfo = &buffers[binding];
            }
        }
    }
    PushedDescriptors(const PushedDescriptors&) = delete;
    PushedDescriptors& operator=(const PushedDescriptors&) = delete;

    const VkWriteDescriptorSet& write(uint32_t binding) const { return writes_[binding]; }

    std::array<VkDescriptorBufferInfo, pushed_texture_binding> buffers{}; ///< by binding
    VkDescriptorImageInfo texture{VK_NULL_HANDLE, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};

private:
    std::array<VkWriteDescriptorSet, pushed_bindings_count> writes_;
};

} // namespace kobalt::render
