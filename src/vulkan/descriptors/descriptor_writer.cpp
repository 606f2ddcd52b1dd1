// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/descriptors/descriptor_buffer.h"
#include "vulkan/device/device.h"

#include <cstring>

namespace kobalt::vulkan {

DescriptorWriter::DescriptorWriter(const Device& device)
    : device_(device.handle()), vk_(&device.vk()) {
    const auto& p = device.properties().descriptor_buffer;
    const bool robust = device.has(Capability::robust_buffer_access);
    sizes_[VK_DESCRIPTOR_TYPE_SAMPLER] = p.samplerDescriptorSize;
    sizes_[VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER] = p.combinedImageSamplerDescriptorSize;
    sizes_[VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE] = p.sampledImageDescriptorSize;
    sizes_[VK_DESCRIPTOR_TYPE_STORAGE_IMAGE] = p.storageImageDescriptorSize;
    sizes_[VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER] =
        robust ? p.robustUniformTexelBufferDescriptorSize : p.uniformTexelBufferDescriptorSize;
    sizes_[VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER] =
        robust ? p.robustStorageTexelBufferDescriptorSize : p.storageTexelBufferDescriptorSize;
    sizes_[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER] =
        robust ? p.robustUniformBufferDescriptorSize : p.uniformBufferDescriptorSize;
    sizes_[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER] =
        robust ? p.robustStorageBufferDescriptorSize : p.storageBufferDescriptorSize;
    // Dynamic buffers don't exist in descriptor buffers.
    sizes_[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC] = 0;
    sizes_[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC] = 0;
    sizes_[VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT] = p.inputAttachmentDescriptorSize;
}

size_t DescriptorWriter::size_of(VkDescriptorType type) const {
    return static_cast<size_t>(type) < std::size(sizes_) ? sizes_[type] : 0;
}

void DescriptorWriter::get(std::byte* to, VkDescriptorType type,
                           const VkDescriptorDataEXT& data) const {
    auto info = vk_struct<VkDescriptorGetInfoEXT>(VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT);
    info.type = type;
    info.data = data;
    vk_->GetDescriptorEXT(device_, &info, sizes_[type], to);
}

namespace {

VkDescriptorAddressInfoEXT address_info(VkDeviceAddress address, VkDeviceSize range,
                                        VkFormat format) {
    auto info =
        vk_struct<VkDescriptorAddressInfoEXT>(VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT);
    info.address = address;
    info.range = range;
    info.format = format;
    return info;
}

} // namespace

void DescriptorWriter::uniform_buffer(std::byte* to, VkDeviceAddress address,
                                      VkDeviceSize range) const {
    const auto info = address_info(address, range, VK_FORMAT_UNDEFINED);
    VkDescriptorDataEXT data{};
    data.pUniformBuffer = &info;
    get(to, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, data);
}

void DescriptorWriter::storage_buffer(std::byte* to, VkDeviceAddress address,
                                      VkDeviceSize range) const {
    const auto info = address_info(address, range, VK_FORMAT_UNDEFINED);
    VkDescriptorDataEXT data{};
    data.pStorageBuffer = &info;
    get(to, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data);
}

void DescriptorWriter::texel_buffer(std::byte* to, VkDescriptorType type, VkDeviceAddress address,
                                    VkDeviceSize range, VkFormat format) const {
    const auto info = address_info(address, range, format);
    VkDescriptorDataEXT data{};
    (type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER ? data.pStorageTexelBuffer
                                                     : data.pUniformTexelBuffer) = &info;
    get(to, type, data);
}

void DescriptorWriter::combined_image_sampler(std::byte* to, VkSampler sampler, VkImageView view,
                                              VkImageLayout layout) const {
    const VkDescriptorImageInfo info{sampler, view, layout};
    VkDescriptorDataEXT data{};
    data.pCombinedImageSampler = &info;
    get(to, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, data);
}

void DescriptorWriter::sampled_image(std::byte* to, VkImageView view, VkImageLayout layout) const {
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, view, layout};
    VkDescriptorDataEXT data{};
    data.pSampledImage = &info;
    get(to, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, data);
}

void DescriptorWriter::storage_image(std::byte* to, VkImageView view, VkImageLayout layout) const {
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, view, layout};
    VkDescriptorDataEXT data{};
    data.pStorageImage = &info;
    get(to, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, data);
}

void DescriptorWriter::input_attachment(std::byte* to, VkImageView view,
                                        VkImageLayout layout) const {
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, view, layout};
    VkDescriptorDataEXT data{};
    data.pInputAttachmentImage = &info;
    get(to, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, data);
}

void DescriptorWriter::sampler(std::byte* to, VkSampler sampler) const {
    VkDescriptorDataEXT data{};
    data.pSampler = &sampler;
    get(to, VK_DESCRIPTOR_TYPE_SAMPLER, data);
}

void DescriptorWriter::null(std::byte* to, VkDescriptorType type) const {
    // A null pointer in the union is the null descriptor (VkDescriptorDataEXT).
    VkDescriptorDataEXT data{};
    data.pStorageBuffer = nullptr;
    // lavapipe 25.0 doesn't write the size of a storage texel buffer.
    std::memset(to, 0, size_of(type));
    get(to, type, data);
}

} // namespace kobalt::vulkan
