// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <span>

#include "gallium/resource/create.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {
namespace {

template <VkFormat... formats>
const VkImageFormatListCreateInfo& list_of() {
    static constexpr VkFormat all[] = {formats...};
    static constexpr VkImageFormatListCreateInfo list{
        VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, nullptr, sizeof...(formats), all};
    return list;
}

std::span<const VkFormat> formats_of_size(unsigned bytes) {
    static constexpr VkFormat one[] = {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_SNORM, VK_FORMAT_R8_UINT,
                                       VK_FORMAT_R8_SINT};
    static constexpr VkFormat two[] = {
        VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8_UINT,
        VK_FORMAT_R8G8_SINT,  VK_FORMAT_R16_UNORM,  VK_FORMAT_R16_SNORM,
        VK_FORMAT_R16_UINT,   VK_FORMAT_R16_SINT,   VK_FORMAT_R16_SFLOAT};
    static constexpr VkFormat four[] = {VK_FORMAT_R8G8B8A8_UNORM,
                                        VK_FORMAT_R8G8B8A8_SNORM,
                                        VK_FORMAT_R8G8B8A8_UINT,
                                        VK_FORMAT_R8G8B8A8_SINT,
                                        VK_FORMAT_R8G8B8A8_SRGB,
                                        VK_FORMAT_B8G8R8A8_UNORM,
                                        VK_FORMAT_B8G8R8A8_SRGB,
                                        VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                        VK_FORMAT_A2B10G10R10_UINT_PACK32,
                                        VK_FORMAT_B10G11R11_UFLOAT_PACK32,
                                        VK_FORMAT_E5B9G9R9_UFLOAT_PACK32,
                                        VK_FORMAT_R16G16_UNORM,
                                        VK_FORMAT_R16G16_SNORM,
                                        VK_FORMAT_R16G16_UINT,
                                        VK_FORMAT_R16G16_SINT,
                                        VK_FORMAT_R16G16_SFLOAT,
                                        VK_FORMAT_R32_UINT,
                                        VK_FORMAT_R32_SINT,
                                        VK_FORMAT_R32_SFLOAT};
    static constexpr VkFormat eight[] = {
        VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SNORM,  VK_FORMAT_R16G16B16A16_UINT,
        VK_FORMAT_R16G16B16A16_SINT,  VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32G32_UINT,
        VK_FORMAT_R32G32_SINT,        VK_FORMAT_R32G32_SFLOAT};
    static constexpr VkFormat sixteen[] = {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R32G32B32A32_SINT,
                                           VK_FORMAT_R32G32B32A32_SFLOAT};
    switch (bytes) {
    case 1:
        return one;
    case 2:
        return two;
    case 4:
        return four;
    case 8:
        return eight;
    case 16:
        return sixteen;
    default:
        return {};
    }
}

} // namespace

std::vector<VkFormat> all_views(const vulkan::Device& device, pipe_format format, VkFormat stored) {
    std::vector<VkFormat> formats{stored};
    for (const VkFormat other : formats_of_size(util_format_get_blocksize(format)))
        if (other != stored && device.format_properties(other).optimalTilingFeatures)
            formats.push_back(other);
    return formats;
}

const VkImageFormatListCreateInfo* known_views(const pipe_resource& templ, VkFormat format) {
    const bool texture = (templ.bind & PIPE_BIND_SAMPLER_VIEW) &&
                         !(templ.bind & (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT));
    if (texture || (templ.bind & PIPE_BIND_SHADER_IMAGE))
        return nullptr;
    switch (format) {
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_R8G8B8A8_SRGB:
        return &list_of<VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB>();
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_B8G8R8A8_SRGB:
        return &list_of<VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB>();
    default:
        return nullptr;
    }
}

} // namespace kobalt::gallium
