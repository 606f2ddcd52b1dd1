// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vulkan/vulkan_core.h>

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

/// Where the channels of a GL format lie in the Vulkan format that stores it.
enum class Channels : uint8_t {
    direct,          ///< as they are
    no_alpha,        ///< RGBX: alpha reads one
    alpha,           ///< A in R
    luminance,       ///< L in R
    intensity,       ///< I in R
    luminance_alpha, ///< L in R, A in G
    stencil,         ///< the stencil aspect of a depth and stencil format
};

struct FormatEntry {
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkFormat fallback = VK_FORMAT_UNDEFINED; ///< where the device lacks `format`
    Channels channels = Channels::direct;
    /// Stores GL's channels unchanged. Devices with Capability::maintenance5 may support it.
    VkFormat exact = VK_FORMAT_UNDEFINED;
};

/// The table's entry for a format; all UNDEFINED if there is none.
const FormatEntry& format_entry(pipe_format format);
/// The same for vertex fetch, which has scaled and three-channel formats too.
VkFormat vertex_format_entry(pipe_format format);

} // namespace kobalt::gallium
