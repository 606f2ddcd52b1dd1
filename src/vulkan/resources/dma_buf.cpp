// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/resources/dma_buf.h"

#include <algorithm>
#include <string>
#include <unistd.h>

#include "vulkan/device/device.h"
#include "vulkan/resources/drm_modifiers.h"
#include "vulkan/resources/external_memory.h"

namespace kobalt::vulkan {

namespace {

constexpr auto handle_type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
constexpr uint64_t linear_modifier = 0; // DRM_FORMAT_MOD_LINEAR

/// The create info of an image that is only sampled: every imported image is.
VkImageCreateInfo sampled_image(VkFormat format, VkImageTiling tiling) {
    auto info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {1, 1, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = tiling;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    return info;
}

std::vector<VkDrmFormatModifierProperties2EXT> modifiers_of(const Device& device, VkFormat format) {
    return drm_modifiers(device.instance().vk().GetPhysicalDeviceFormatProperties2,
                         device.physical(), format);
}

VkPhysicalDeviceImageDrmFormatModifierInfoEXT modifier_info(uint64_t modifier) {
    auto info = vk_struct<VkPhysicalDeviceImageDrmFormatModifierInfoEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);
    info.drmFormatModifier = modifier;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    return info;
}

} // namespace

std::vector<DmaBufLayout> dma_buf_layouts(const Device& device, VkFormat format) {
    std::vector<DmaBufLayout> layouts;
    if (!device.has(Capability::external_memory_dma_buf) || format == VK_FORMAT_UNDEFINED)
        return layouts;
    const auto add = [&](const DmaBufLayout& layout, VkImageTiling tiling,
                         const VkPhysicalDeviceImageDrmFormatModifierInfoEXT* modifier) {
        if (layout.features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT &&
            imports_images(device, sampled_image(format, tiling), handle_type, modifier))
            layouts.push_back(layout);
    };
    if (!device.has(Capability::image_drm_format_modifier)) {
        add({linear_modifier, device.format_properties(format).linearTilingFeatures},
            VK_IMAGE_TILING_LINEAR, nullptr);
        return layouts;
    }
    for (const VkDrmFormatModifierProperties2EXT& one : modifiers_of(device, format)) {
        const auto info = modifier_info(one.drmFormatModifier);
        if (one.drmFormatModifierPlaneCount == 1)
            add({one.drmFormatModifier, one.drmFormatModifierTilingFeatures},
                VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, &info);
    }
    return layouts;
}

Result<Image> import_dma_buf(Device& device, VkImageCreateInfo info, const DmaBuf& source) {
    ExternalMemory memory;
    memory.type = handle_type;
    memory.fd = source.fd;
    if (const off_t bytes = lseek(source.fd, 0, SEEK_END); bytes > 0)
        memory.size = static_cast<VkDeviceSize>(bytes);
    if (device.has(Capability::image_drm_format_modifier)) {
        VkSubresourceLayout plane{};
        plane.offset = source.offset;
        plane.rowPitch = source.stride;
        auto explicit_layout = vk_struct<VkImageDrmFormatModifierExplicitCreateInfoEXT>(
            VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
        explicit_layout.drmFormatModifier = source.modifier;
        explicit_layout.drmFormatModifierPlaneCount = 1;
        explicit_layout.pPlaneLayouts = &plane;
        explicit_layout.pNext = info.pNext;
        info.pNext = &explicit_layout;
        info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
        return import_image(device, info, memory, 0);
    }
    info.tiling = VK_IMAGE_TILING_LINEAR;
    Result<Image> image = import_image(device, info, memory, source.offset);
    if (!image)
        return image;
    const VkImageSubresource first{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkSubresourceLayout layout{};
    device.vk().GetImageSubresourceLayout(device.handle(), image->handle(), &first, &layout);
    if (layout.rowPitch != source.stride)
        return fail(VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT, "importing a dma-buf",
                    "rows of " + std::to_string(source.stride) +
                        " bytes, where the device's own linear images of that size have " +
                        std::to_string(layout.rowPitch) +
                        " (it lacks VK_EXT_image_drm_format_modifier)");
    return image;
}

std::optional<ExportedLayouts> exported_layouts(const Device& device, VkImageCreateInfo info,
                                                VkExternalMemoryHandleTypeFlagBits type) {
    if (info.format == VK_FORMAT_UNDEFINED || !device.has(Capability::external_memory_fd) ||
        (type == handle_type && !device.has(Capability::external_memory_dma_buf)))
        return std::nullopt;
    ExportedLayouts layouts;
    if (type != handle_type || !device.has(Capability::image_drm_format_modifier)) {
        info.tiling = layouts.tiling;
        return exports_images(device, info, type) ? std::optional(layouts) : std::nullopt;
    }
    info.tiling = layouts.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    for (const VkDrmFormatModifierProperties2EXT& one : modifiers_of(device, info.format)) {
        const auto modifier = modifier_info(one.drmFormatModifier);
        if (one.drmFormatModifierPlaneCount == 1 && exports_images(device, info, type, &modifier))
            layouts.modifiers.push_back(one.drmFormatModifier);
    }
    return layouts.modifiers.empty() ? std::nullopt : std::optional(layouts);
}

Result<Image> create_exported_image(Device& device, VkImageCreateInfo info,
                                    VkExternalMemoryHandleTypeFlagBits type,
                                    const ExportedLayouts& layouts) {
    info.tiling = layouts.tiling;
    auto list = vk_struct<VkImageDrmFormatModifierListCreateInfoEXT>(
        VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT);
    list.drmFormatModifierCount = static_cast<uint32_t>(layouts.modifiers.size());
    list.pDrmFormatModifiers = layouts.modifiers.data();
    list.pNext = info.pNext;
    if (info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
        info.pNext = &list;
    return create_exported_image(device, info, type);
}

Result<DmaBuf> describe_exported(const Device& device, const Image& image) {
    DmaBuf described;
    VkImageSubresource plane{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    if (image.tiling() == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT) {
        auto chosen = vk_struct<VkImageDrmFormatModifierPropertiesEXT>(
            VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT);
        const VkResult result = device.vk().GetImageDrmFormatModifierPropertiesEXT(
            device.handle(), image.handle(), &chosen);
        if (result != VK_SUCCESS)
            return fail(result, "vkGetImageDrmFormatModifierPropertiesEXT", "an exported image");
        described.modifier = chosen.drmFormatModifier;
        plane.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT;
    }
    VkSubresourceLayout layout{};
    device.vk().GetImageSubresourceLayout(device.handle(), image.handle(), &plane, &layout);
    described.offset = layout.offset;
    described.stride = layout.rowPitch;
    return described;
}

} // namespace kobalt::vulkan
