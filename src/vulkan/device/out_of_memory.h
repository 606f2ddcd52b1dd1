// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/device/device.h"

namespace kobalt::vulkan {

inline bool is_out_of_memory(VkResult result) {
    return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/// Makes a call that may run out of memory. Where it does, the call is made once more when the GPU
/// has finished what was submitted, because objects that work in flight retains are destroyed then.
template <class Call>
VkResult with_second_try(Device& device, Call&& call) {
    const VkResult result = call();
    if (!is_out_of_memory(result))
        return result;
    (void)device.graphics().wait_idle();
    return call();
}

} // namespace kobalt::vulkan
