// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"
#include "vulkan/descriptors/descriptor_layout.h"

#include <span>
#include <vector>

namespace kobalt::vulkan {

/// The data that an update template reads for one descriptor.
union DescriptorSlot {
    VkDescriptorImageInfo image;
    VkDescriptorBufferInfo buffer;
    VkBufferView texel_buffer;
};

/// An update template and the layout of its data: one DescriptorSlot per descriptor, in the order
/// of the layout's bindings, array elements in sequence.
class DescriptorTemplate {
public:
    DescriptorTemplate() = default;

    VkDescriptorUpdateTemplate handle() const { return handle_.get(); }
    explicit operator bool() const { return static_cast<bool>(handle_); }
    /// The entries passed to Vulkan, one per binding.
    std::span<const VkDescriptorUpdateTemplateEntry> entries() const { return entries_; }
    /// The number of slots that the template reads.
    uint32_t slots() const { return slots_; }
    /// The number of bytes that the template reads.
    size_t bytes() const { return slots_ * sizeof(DescriptorSlot); }

private:
    friend Result<DescriptorTemplate> create_update_template(Device&, const DescriptorSetLayout&,
                                                             const char*);
    friend Result<DescriptorTemplate> create_push_template(Device&, const DescriptorSetLayout&,
                                                           VkPipelineLayout, VkPipelineBindPoint,
                                                           uint32_t, const char*);
    static Result<DescriptorTemplate> create(Device& device, const DescriptorSetLayout& layout,
                                             VkDescriptorUpdateTemplateCreateInfo info,
                                             const char* name);

    UpdateTemplate handle_;
    std::vector<VkDescriptorUpdateTemplateEntry> entries_;
    uint32_t slots_ = 0;
};

/// A template that writes a whole set of `layout`.
Result<DescriptorTemplate> create_update_template(Device& device, const DescriptorSetLayout& layout,
                                                  const char* name = nullptr);
/// The same for push descriptors: set number `set` of `pipeline_layout` at `bind_point`. Fails
/// where the set can't be pushed there (check_push()).
Result<DescriptorTemplate> create_push_template(Device& device, const DescriptorSetLayout& layout,
                                                VkPipelineLayout pipeline_layout,
                                                VkPipelineBindPoint bind_point, uint32_t set,
                                                const char* name = nullptr);

/// vkUpdateDescriptorSetWithTemplate.
void update_set(const Device& device, VkDescriptorSet set,
                const DescriptorTemplate& update_template, const DescriptorSlot* slots);

} // namespace kobalt::vulkan
