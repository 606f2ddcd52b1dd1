// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/vk.h"

#include <span>

namespace kobalt::vulkan {

class Device;

/// How many descriptors a push set may hold; 0 where the device has no push descriptors.
uint32_t max_push_descriptors(const Device& device);

/// Whether sets may be pushed beside descriptor buffers, without memory of ours behind them
/// (descriptorBufferPushDescriptors and bufferlessPushDescriptors).
bool pushes_beside_buffers(const Device& device);

/// vkCmdPushDescriptorSetKHR.
void push_descriptors(const Device& device, VkCommandBuffer commands,
                      VkPipelineBindPoint bind_point, VkPipelineLayout layout, uint32_t set,
                      std::span<const VkWriteDescriptorSet> writes);

/// Pushes through a template made for (layout, set).
void push_descriptors(const Device& device, VkCommandBuffer commands,
                      VkDescriptorUpdateTemplate update_template, VkPipelineLayout layout,
                      uint32_t set, const void* data);

} // namespace kobalt::vulkan
