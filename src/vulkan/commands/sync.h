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
/// What the device does with binary semaphores as such file descriptors. Needs
/// Capability::external_semaphore_fd, as what follows does.
VkExternalSemaphoreFeatureFlags semaphore_features(const Device& device,
                                                   VkExternalSemaphoreHandleTypeFlagBits type);
/// A semaphore that shares another one's state (OPAQUE_FD), or is what a sync file tells (SYNC_FD).
/// `fd` stays the caller's.
Result<Semaphore> import_semaphore(Device& device, int fd,
                                   VkExternalSemaphoreHandleTypeFlagBits type);
/// A new file descriptor of the semaphore, whose signal (SYNC_FD) has to be submitted before.
Result<int> export_semaphore(Device& device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type);
Result<Fence> create_fence(Device& device, bool signalled = false, const char* name = nullptr);

} // namespace kobalt::vulkan
