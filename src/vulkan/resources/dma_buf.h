// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vulkan/resources/image.h"

namespace kobalt::vulkan {

/// A layout in which the device can read images of one memory plane in dma-bufs.
struct DmaBufLayout {
    uint64_t modifier = 0;              ///< DRM format modifier (drm_fourcc.h); 0: rows
    VkFormatFeatureFlags2 features = 0; ///< features of images with this layout
};

/// The layouts for two-dimensional images of `format` without mipmaps; empty: the device imports
/// none. Without VK_EXT_image_drm_format_modifier that is VK_IMAGE_TILING_LINEAR at most.
std::vector<DmaBufLayout> dma_buf_layouts(const Device& device, VkFormat format);

/// An image in a dma-buf.
struct DmaBuf {
    int fd = -1; ///< the caller keeps it: import_dma_buf() doesn't close it
    uint64_t modifier = 0;
    VkDeviceSize offset = 0; ///< of the image's first byte
    VkDeviceSize stride = 0; ///< bytes from one row to the next
};

/// Creates the image of `info`, whose tiling this sets, in `source`, which has one of
/// dma_buf_layouts(). Fails as import_image() does, and with
/// VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT where the device can't read rows of that
/// stride.
Result<Image> import_dma_buf(Device& device, VkImageCreateInfo info, const DmaBuf& source);

/// The layout of images whose memory is exported, as VkImageCreateInfo takes it.
struct ExportedLayouts {
    VkImageTiling tiling = VK_IMAGE_TILING_LINEAR;
    std::vector<uint64_t> modifiers; ///< VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT: one or more
};
/// The layouts for an image of `info` in one memory plane; the tiling in `info` is ignored. Empty:
/// the device exports no such image. `type`: DMA_BUF, or OPAQUE_FD in linear rows, for a caller
/// that knows the device on both sides.
std::optional<ExportedLayouts> exported_layouts(const Device& device, VkImageCreateInfo info,
                                                VkExternalMemoryHandleTypeFlagBits type);
/// The image of `info` in one of these layouts, which the device chooses.
Result<Image> create_exported_image(Device& device, VkImageCreateInfo info,
                                    VkExternalMemoryHandleTypeFlagBits type,
                                    const ExportedLayouts& layouts);
/// The place of such an image's texels; DmaBuf::fd is not set.
Result<DmaBuf> describe_exported(const Device& device, const Image& image);

} // namespace kobalt::vulkan
