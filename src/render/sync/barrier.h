// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "render/sync/access.h"
#include "vulkan/base/dispatch.h"

namespace kobalt::render {

/// Records the global memory barrier that a hazard needs, if any, and barriers of images.
void record_barrier(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands,
                    const Hazard& hazard, std::span<const VkImageMemoryBarrier2> images = {},
                    VkDependencyFlags flags = 0);

} // namespace kobalt::render
