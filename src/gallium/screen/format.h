// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vulkan/vulkan_core.h>

#include "gallium/screen/mesa.h"

namespace kobalt::vulkan {
class Device;
}

namespace kobalt::gallium {

/// How a Gallium format is stored in Vulkan. Formats that Vulkan lacks (luminance, intensity,
/// alpha, X channels, …) are stored in another, and the view's swizzle corrects the channels.
struct FormatMapping {
    VkFormat format = VK_FORMAT_UNDEFINED; ///< UNDEFINED: no mapping; the state tracker falls back
    VkComponentMapping swizzle{};          ///< stored channels -> what a sampler must return
    bool emulated = false;                 ///< stored in a format of other channels
    VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
};

/// The mapping on this device. Where the device lacks an optional format (D24S8, ETC2, BC, 4444,
/// …), or doesn't support it with that many samples: the next best that GL allows, or UNDEFINED.
FormatMapping map_format(const vulkan::Device& device, pipe_format format, unsigned samples = 1);

/// The format of a texel buffer's view, or UNDEFINED. Such views have no swizzle, so the shader
/// swizzles legacy formats (LegacyTexels).
VkFormat map_texel_format(pipe_format format);

/// The vertex-fetch format, or UNDEFINED where the device can't fetch this one.
VkFormat map_vertex_format(const vulkan::Device& device, pipe_format format);

/// The format that the device fetches such vertices in, after the CPU converted them if it is
/// another; NONE: there is no conversion.
pipe_format fetched_format(const vulkan::Device& device, pipe_format format);

/// A clear or border colour of `format`, moved into the channels that the mapping stores it in.
pipe_color_union store_color(const FormatMapping& mapping, pipe_format format,
                             const pipe_color_union& color);

} // namespace kobalt::gallium
