// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_layer/layer.h"

// VK_LAYER_KOBALT_null_draw keeps command buffers empty. Calls for memory, objects, descriptors and
// submissions reach the device, but no draw, copy, barrier or state does. So a program runs at the
// speed of the driver above the layer, not at the speed of a software device. Queries reach the
// device, since a program may wait for their results.

namespace kobalt::layer {
namespace {

/// Replaces any command: in the C calling conventions of Linux the caller cleans up the arguments.
VKAPI_ATTR VkResult VKAPI_CALL swallow() {
    return VK_SUCCESS;
}

bool swallows(std::string_view name) {
    constexpr std::string_view kept[] = {"Query", "Queries", "Timestamp"};
    if (!name.starts_with("vkCmd"))
        return false;
    for (const std::string_view word : kept)
        if (name.find(word) != name.npos)
            return false;
    return true;
}

} // namespace

PFN_vkVoidFunction replacement(std::string_view name, PFN_vkVoidFunction) {
    return swallows(name) ? erased(swallow) : nullptr;
}

bool device_made(VkDevice, PFN_vkGetDeviceProcAddr) {
    return true;
}

void device_ends(VkDevice) {}

} // namespace kobalt::layer
