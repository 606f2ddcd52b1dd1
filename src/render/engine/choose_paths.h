// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/base/paths.h"
#include "vulkan/device/device.h"

namespace kobalt::render {

/// The paths for a device, by its capabilities and its driver, and by KOBALT_PUSHED_BLOCKS,
/// KOBALT_SHADER_OBJECTS, KOBALT_OPTIMIZED_LINKS, KOBALT_CHECKED_LINKS
/// and KOBALT_INIT_STREAM.
Paths choose_paths(const vulkan::Device& device);

} // namespace kobalt::render
