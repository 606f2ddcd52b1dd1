// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

namespace kobalt::vulkan {

class Device;

/// A binary semaphore (swapchains need them; everything else uses Timeline). `export_types` makes
/// it exportable.
Result<Semaphore> create_semaphore(Device& device, const char* name = nullptr,
                                   VkExternalSemaphoreHandleTypeFlags export_types = 0);
Result<Fence> create_fence(Device& device, bool signalled = false, const char* name = nullptr);

} // namespace kobalt::vulkan
