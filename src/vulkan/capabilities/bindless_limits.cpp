// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/capabilities/bindless_limits.h"

#include "vulkan/capabilities/capabilities.h"
#include "vulkan/capabilities/device_properties.h"

#include <algorithm>

namespace kobalt::vulkan {

namespace {

constexpr uint64_t most_textures = 500'001; // handle 0 is invalid, so the first is never used
constexpr uint64_t most_texel_buffers = 65'536;
constexpr uint64_t most_images = 65'536;
constexpr uint64_t most_image_texels = 16'384;
/// Left for the stages' own sets: five sets of at most 192 descriptors each.
constexpr uint64_t left_to_stages = 1024;

uint64_t without_stages(uint64_t limit) {
    return limit > left_to_stages ? limit - left_to_stages : 0;
}

/// The most bytes one descriptor buffer may have, which leaves half of the address space to others.
uint64_t buffer_bytes(const DeviceProperties& properties) {
    const auto& p = properties.descriptor_buffer;
    return std::min({p.maxSamplerDescriptorBufferRange, p.maxResourceDescriptorBufferRange,
                     p.samplerDescriptorBufferAddressSpaceSize / 2,
                     p.resourceDescriptorBufferAddressSpaceSize / 2,
                     p.descriptorBufferAddressSpaceSize / 2});
}

} // namespace

BindlessStorage bindless_storage(const Capabilities& capabilities) {
    if (!capabilities.has(Capability::descriptor_buffer))
        return BindlessStorage::set;
    return capabilities.has(Capability::several_descriptor_buffers)
               ? BindlessStorage::buffer
               : BindlessStorage::shared_buffer;
}

uint64_t shared_ring_bytes(const DeviceProperties& properties) {
    // Enough for a few batches of several contexts. Intel's GPUs up to Gfx12 have 64 MiB in all.
    constexpr uint64_t enough = 64u << 20;
    return std::min(enough, buffer_bytes(properties) / 2);
}

BindlessLimits bindless_limits(const DeviceProperties& properties, BindlessStorage stored_in) {
    const bool descriptor_buffer = stored_in != BindlessStorage::set;
    const VkPhysicalDeviceLimits& core = properties.core.limits;
    const auto& v12 = properties.vulkan12;
    uint64_t samplers = 0, images = 0, storage = 0, all = 0;
    if (descriptor_buffer) {
        samplers = std::min(core.maxPerStageDescriptorSamplers, core.maxDescriptorSetSamplers);
        images =
            std::min(core.maxPerStageDescriptorSampledImages, core.maxDescriptorSetSampledImages);
        storage =
            std::min(core.maxPerStageDescriptorStorageImages, core.maxDescriptorSetStorageImages);
        all = core.maxPerStageResources;
    } else {
        samplers = std::min(v12.maxPerStageDescriptorUpdateAfterBindSamplers,
                            v12.maxDescriptorSetUpdateAfterBindSamplers);
        images = std::min(v12.maxPerStageDescriptorUpdateAfterBindSampledImages,
                          v12.maxDescriptorSetUpdateAfterBindSampledImages);
        storage = std::min(v12.maxPerStageDescriptorUpdateAfterBindStorageImages,
                           v12.maxDescriptorSetUpdateAfterBindStorageImages);
        all = std::min(v12.maxPerStageUpdateAfterBindResources,
                       v12.maxUpdateAfterBindDescriptorsInAllPools);
    }
    samplers = without_stages(samplers);
    // Texel buffers count as storage and as sampled images. Where the stages' own sets leave
    // little, storage images get an eighth of the rest.
    all = without_stages(all);
    storage = std::min(without_stages(storage), all / 8);
    uint64_t image_texels = std::min(most_image_texels, storage / 8);
    uint64_t storage_images = std::min(most_images, storage - image_texels);
    images = std::min(without_stages(images), all - storage_images - image_texels);
    uint64_t texels = std::min(most_texel_buffers, images / 8);
    uint64_t textures = std::min({most_textures, samplers, images - texels});
    BindlessLimits limits;
    if (descriptor_buffer) {
        const auto& p = properties.descriptor_buffer;
        uint64_t bytes = buffer_bytes(properties);
        if (stored_in == BindlessStorage::shared_buffer)
            bytes -= shared_ring_bytes(properties);
        const uint64_t texel_bytes = std::max<uint64_t>(
            {p.uniformTexelBufferDescriptorSize, p.robustUniformTexelBufferDescriptorSize, 1});
        const uint64_t texture_bytes =
            std::max<uint64_t>({p.combinedImageSamplerDescriptorSize,
                                p.sampledImageDescriptorSize + p.samplerDescriptorSize, 1});
        const uint64_t image_bytes = std::max<uint64_t>(p.storageImageDescriptorSize, 1);
        const uint64_t image_texel_bytes = std::max<uint64_t>(
            {p.storageTexelBufferDescriptorSize, p.robustStorageTexelBufferDescriptorSize, 1});
        texels = std::min(texels, bytes / 8 / texel_bytes);
        storage_images = std::min(storage_images, bytes / 16 / image_bytes);
        image_texels = std::min(image_texels, bytes / 32 / image_texel_bytes);
        // The bindings' own alignment takes a few kilobytes at most.
        constexpr uint64_t slack = 64 << 10;
        const uint64_t taken = texels * texel_bytes + storage_images * image_bytes +
                               image_texels * image_texel_bytes + slack;
        textures = std::min(textures, (bytes > taken ? bytes - taken : 0) / texture_bytes);
    }
    limits.textures = static_cast<uint32_t>(textures);
    limits.texel_buffers = static_cast<uint32_t>(texels);
    limits.images = static_cast<uint32_t>(storage_images);
    limits.image_texels = static_cast<uint32_t>(image_texels);
    if (textures < least_bindless_textures)
        limits.lacking = "the device's limits leave " + std::to_string(textures) +
                         " texture handles of at least " + std::to_string(least_bindless_textures);
    else if (std::min(storage_images, image_texels) < least_bindless_images)
        limits.lacking = "the device's limits leave " + std::to_string(storage_images) + " and " +
                         std::to_string(image_texels) + " image handles of at least " +
                         std::to_string(least_bindless_images);
    return limits;
}

} // namespace kobalt::vulkan
