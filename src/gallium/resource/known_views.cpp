// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <array>
#include <span>

#include "gallium/resource/create.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {
namespace {

/// The formats that have a counterpart in sRGB.
constexpr std::array linear_formats = {
    VK_FORMAT_R8_UNORM,
    VK_FORMAT_R8G8_UNORM,
    VK_FORMAT_R8G8B8_UNORM,
    VK_FORMAT_B8G8R8_UNORM,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_B8G8R8A8_UNORM,
    VK_FORMAT_BC1_RGB_UNORM_BLOCK,
    VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
    VK_FORMAT_BC2_UNORM_BLOCK,
    VK_FORMAT_BC3_UNORM_BLOCK,
    VK_FORMAT_BC7_UNORM_BLOCK,
    VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
    VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK,
    VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK,
    VK_FORMAT_ASTC_4x4_UNORM_BLOCK,
    VK_FORMAT_ASTC_5x4_UNORM_BLOCK,
    VK_FORMAT_ASTC_5x5_UNORM_BLOCK,
    VK_FORMAT_ASTC_6x5_UNORM_BLOCK,
    VK_FORMAT_ASTC_6x6_UNORM_BLOCK,
    VK_FORMAT_ASTC_8x5_UNORM_BLOCK,
    VK_FORMAT_ASTC_8x6_UNORM_BLOCK,
    VK_FORMAT_ASTC_8x8_UNORM_BLOCK,
    VK_FORMAT_ASTC_10x5_UNORM_BLOCK,
    VK_FORMAT_ASTC_10x6_UNORM_BLOCK,
    VK_FORMAT_ASTC_10x8_UNORM_BLOCK,
    VK_FORMAT_ASTC_10x10_UNORM_BLOCK,
    VK_FORMAT_ASTC_12x10_UNORM_BLOCK,
    VK_FORMAT_ASTC_12x12_UNORM_BLOCK,
};

/// The sRGB format of one of `linear_formats`. Vulkan numbers the formats of blocks in pairs, and
/// lists six other encodings between those of pixels.
constexpr VkFormat srgb_of(VkFormat linear) {
    return static_cast<VkFormat>(linear + (linear <= VK_FORMAT_B8G8R8A8_UNORM ? 6 : 1));
}
static_assert(srgb_of(VK_FORMAT_R8_UNORM) == VK_FORMAT_R8_SRGB &&
              srgb_of(VK_FORMAT_B8G8R8A8_UNORM) == VK_FORMAT_B8G8R8A8_SRGB &&
              srgb_of(VK_FORMAT_BC7_UNORM_BLOCK) == VK_FORMAT_BC7_SRGB_BLOCK &&
              srgb_of(VK_FORMAT_ASTC_12x12_UNORM_BLOCK) == VK_FORMAT_ASTC_12x12_SRGB_BLOCK);

using Pair = std::array<VkFormat, 2>;

constexpr auto pairs = [] {
    std::array<Pair, linear_formats.size()> made{};
    for (size_t i = 0; i < made.size(); ++i)
        made[i] = {linear_formats[i], srgb_of(linear_formats[i])};
    return made;
}();

constexpr auto lists = [] {
    std::array<VkImageFormatListCreateInfo, pairs.size()> made{};
    for (size_t i = 0; i < made.size(); ++i)
        made[i] = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, nullptr, 2, pairs[i].data()};
    return made;
}();

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

const VkImageFormatListCreateInfo* known_views(const vulkan::Device& device, VkFormat format) {
    const auto found = std::ranges::find_if(
        pairs, [&](const Pair& pair) { return std::ranges::find(pair, format) != pair.end(); });
    if (found == pairs.end())
        return nullptr;
    for (const VkFormat each : *found)
        if (!device.format_properties(each).optimalTilingFeatures)
            return nullptr;
    return &lists[static_cast<size_t>(found - pairs.begin())];
}

bool is_known_view(const vulkan::Device& device, VkFormat stored, VkFormat view) {
    if (stored == view)
        return true;
    const VkImageFormatListCreateInfo* const list = known_views(device, stored);
    if (!list)
        return false;
    const std::span formats(list->pViewFormats, list->viewFormatCount);
    return std::ranges::find(formats, view) != formats.end();
}

} // namespace kobalt::gallium
