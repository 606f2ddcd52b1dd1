// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

#include "vulkan/base/vk.h"

namespace kobalt::render {

/// The arrays of the bindless set, by their binding: textures with their samplers, texture buffers,
/// the images and the buffers of image handles.
enum class BindlessArray : uint8_t { textures, texel_buffers, images, image_texels };
inline constexpr uint32_t bindless_array_count = 4;
constexpr VkDescriptorType descriptor_type(BindlessArray array) {
    switch (array) {
    case BindlessArray::textures:
        return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case BindlessArray::texel_buffers:
        return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case BindlessArray::images:
        return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case BindlessArray::image_texels:
        break;
    }
    return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

} // namespace kobalt::render
