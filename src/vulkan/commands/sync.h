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
/// Whether the device imports and exports binary semaphores as such file descriptors. This and the
/// functions below need Capability::external_semaphore_fd.
VkExternalSemaphoreFeatureFlags semaphore_features(const Device& device,
                                                   VkExternalSemaphoreHandleTypeFlagBits type);
/// A semaphore that shares another one's state (OPAQUE_FD), or has the state of a sync file
/// (SYNC_FD). The caller keeps `fd`.
Result<Semaphore> import_semaphore(Device& device, int fd,
                                   VkExternalSemaphoreHandleTypeFlagBits type);
/// A new file descriptor of the semaphore. For SYNC_FD its signal must be submitted already.
Result<int> export_semaphore(Device& device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type);
Result<Fence> create_fence(Device& device, bool signalled = false, const char* name = nullptr);

} // namespace kobalt::vulkan
