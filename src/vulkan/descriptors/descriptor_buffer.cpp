// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/descriptor_buffer.h"

#include "vulkan/device/device.h"

namespace kobalt::vulkan {

namespace {

constexpr VkBufferUsageFlags descriptor_usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                                VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

} // namespace

Result<DescriptorBuffer> DescriptorBuffer::create(Device& device, VkDeviceSize size,
                                                  const char* name, MemoryKind kind) {
    BufferInfo info;
    info.size = size;
    info.usage = descriptor_usage;
    info.kind = kind;
    info.name = name;
    info.alignment = device.properties().descriptor_buffer.descriptorBufferOffsetAlignment;
    Result<Buffer> buffer = Buffer::create(device, info);
    if (!buffer)
        return std::unexpected(buffer.error());
    DescriptorBuffer result;
    result.buffer_ = std::move(*buffer);
    return result;
}

VkDescriptorBufferBindingInfoEXT DescriptorBuffer::binding_info() const {
    auto info = vk_struct<VkDescriptorBufferBindingInfoEXT>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT);
    info.address = address();
    info.usage = buffer_.usage();
    return info;
}

} // namespace kobalt::vulkan
