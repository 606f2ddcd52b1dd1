// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/sync/access.h"
#include "vulkan/base/dispatch.h"

namespace kobalt::render {

/// Records the global memory barrier that a hazard needs.
void record_barrier(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands,
                    const Hazard& hazard, VkDependencyFlags flags = 0);

} // namespace kobalt::render
