// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

class Device;

/// Names an object for validation messages and debuggers, where names are on (KOBALT_DEBUG=names or
/// KOBALT_VALIDATION=1); otherwise it only tests a flag. A null name does nothing.
void set_object_name(const Device& device, VkObjectType type, uint64_t handle, const char* name);

template <class H>
void set_name(const Device& device, VkObjectType type, H handle, const char* name) {
    if (name)
        set_object_name(device, type, handle_value(handle), name);
}

} // namespace kobalt::vulkan
