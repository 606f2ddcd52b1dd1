// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"
#include "vulkan/descriptors/descriptor_layout.h"

namespace kobalt::vulkan {

/// The record an update template reads for one descriptor: one slot a descriptor, in the order of
/// the layout's bindings, array elements next to each other.
union DescriptorSlot {
    VkDescriptorImageInfo image;
    VkDescriptorBufferInfo buffer;
    VkBufferView texel_buffer;
};

/// A template that writes a whole set of `layout` from an array of DescriptorSlot.
Result<UpdateTemplate> create_update_template(Device& device, const DescriptorSetLayout& layout,
                                              const char* name = nullptr);
/// The same for push descriptors: set number `set` of `pipeline_layout` at `bind_point`.
Result<UpdateTemplate> create_push_template(Device& device, const DescriptorSetLayout& layout,
                                            VkPipelineLayout pipeline_layout,
                                            VkPipelineBindPoint bind_point, uint32_t set,
                                            const char* name = nullptr);

/// Slots a template of `layout` reads.
uint32_t descriptor_slot_count(const DescriptorSetLayout& layout);

void update_set(const Device& device, VkDescriptorSet set,
                VkDescriptorUpdateTemplate update_template, const DescriptorSlot* slots);

} // namespace kobalt::vulkan
