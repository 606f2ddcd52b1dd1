// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "present/pixel_layout.h"
#include "render/resources/resource.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"
#include "vulkan/resources/image.h"

namespace kobalt::present {

/// Whether frames of that format can get the layout's bits: they have them, or the device can blit
/// between both.
bool can_download(const vulkan::Device& device, VkFormat frame, const PixelLayout& layout);

/// Records copies of frames into buffers of a layout. Keeps the image that converted frames go
/// through.
class FrameDownload {
public:
    explicit FrameDownload(vulkan::Device& device) : device_(device) {}

    /// Rows of the layout's stride; black where nothing was drawn to the frame yet. Everything
    /// submitted earlier is visible to the copy, later writes to the frame wait for it, and the
    /// host sees the pixels when the submission is over.
    vulkan::Result<void> record(VkCommandBuffer commands, const render::Image& frame,
                                VkBuffer pixels, const PixelLayout& layout);

private:
    vulkan::Result<void> fit(VkFormat format, VkExtent3D extent);
    void copy(VkCommandBuffer commands, VkImage image, VkExtent3D extent, VkBuffer pixels,
              const PixelLayout& layout) const;

    vulkan::Device& device_;
    vulkan::Image converted_;
};

} // namespace kobalt::present
