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
/// alpha, X channels, …) are stored in another and put right by the view's swizzle.
struct FormatMapping {
    VkFormat format = VK_FORMAT_UNDEFINED; ///< UNDEFINED: no mapping; the state tracker falls back
    VkComponentMapping swizzle{};          ///< stored channels -> what a sampler must return
    bool emulated = false;                 ///< stored in a format of other channels
    VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
};

/// The mapping on this device: where it lacks an optional format (D24S8, ETC2, BC, 4444, …), or
/// lacks it with so many samples, the next best one that GL allows, or UNDEFINED.
FormatMapping map_format(const vulkan::Device& device, pipe_format format, unsigned samples = 1);

/// The format of a texel buffer's view, or UNDEFINED. Where GL wants the channels of legacy formats
/// is the shader's business (LegacyTexels): such views have no swizzle.
VkFormat map_texel_format(pipe_format format);

/// The vertex-fetch format, or UNDEFINED where vertex fetch needs u_vbuf's conversion.
VkFormat map_vertex_format(const vulkan::Device& device, pipe_format format);

/// A clear or border colour of `format`, moved into the channels that the mapping stores it in.
pipe_color_union store_color(const FormatMapping& mapping, pipe_format format,
                             const pipe_color_union& color);

} // namespace kobalt::gallium
