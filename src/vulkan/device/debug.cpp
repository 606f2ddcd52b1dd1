// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/debug.h"

#include "vulkan/device/device.h"

namespace kobalt::vulkan {

void set_object_name(const Device& device, VkObjectType type, uint64_t handle, const char* name) {
    if (!name || !device.instance().debug_names() || !device.vk().SetDebugUtilsObjectNameEXT)
        return;
    auto info = vk_struct<VkDebugUtilsObjectNameInfoEXT>(
        VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    info.objectType = type;
    info.objectHandle = handle;
    info.pObjectName = name;
    device.vk().SetDebugUtilsObjectNameEXT(device.handle(), &info);
}

} // namespace kobalt::vulkan
