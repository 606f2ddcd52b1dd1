// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/resources/buffer.h"

#include <cstddef>

namespace kobalt::vulkan {

/// Writes descriptors as bytes (VK_EXT_descriptor_buffer). The sizes depend on the robustness
/// features that the device was created with. Every function writes size_of(its type) bytes at
/// `to`.
class DescriptorWriter {
public:
    explicit DescriptorWriter(const Device& device);

    /// Bytes of one descriptor of `type`.
    size_t size_of(VkDescriptorType type) const;

    void uniform_buffer(std::byte* to, VkDeviceAddress address, VkDeviceSize range) const;
    void storage_buffer(std::byte* to, VkDeviceAddress address, VkDeviceSize range) const;
    /// `type`: VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER or VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER.
    void texel_buffer(std::byte* to, VkDescriptorType type, VkDeviceAddress address,
                      VkDeviceSize range, VkFormat format) const;
    void combined_image_sampler(std::byte* to, VkSampler sampler, VkImageView view,
                                VkImageLayout layout) const;
    void sampled_image(std::byte* to, VkImageView view, VkImageLayout layout) const;
    void storage_image(std::byte* to, VkImageView view, VkImageLayout layout) const;
    void input_attachment(std::byte* to, VkImageView view, VkImageLayout layout) const;
    void sampler(std::byte* to, VkSampler sampler) const;
    /// A null descriptor of any type but sampler: needs Capability::null_descriptor.
    void null(std::byte* to, VkDescriptorType type) const;

private:
    void get(std::byte* to, VkDescriptorType type, const VkDescriptorDataEXT& data) const;

    VkDevice device_;
    const DeviceDispatch* vk_;
    size_t sizes_[11]; ///< by VkDescriptorType, 0 to 10
};

/// One mapped buffer that holds descriptors and can be bound with vkCmdBindDescriptorBuffersEXT.
class DescriptorBuffer {
public:
    static Result<DescriptorBuffer> create(Device& device, VkDeviceSize size,
                                           const char* name = nullptr,
                                           MemoryKind kind = MemoryKind::device_local_mappable);
    DescriptorBuffer() = default;

    std::byte* mapped() const { return buffer_.mapped(); }
    VkDeviceSize size() const { return buffer_.size(); }
    VkDeviceAddress address() const { return buffer_.address(); }
    VkBuffer handle() const { return buffer_.handle(); }
    /// Ready for vkCmdBindDescriptorBuffersEXT; valid while this buffer lives.
    VkDescriptorBufferBindingInfoEXT binding_info() const;

private:
    Buffer buffer_;
};

} // namespace kobalt::vulkan
