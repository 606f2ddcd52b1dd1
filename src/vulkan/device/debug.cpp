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

CommandLabel::CommandLabel(const Device& device, VkCommandBuffer commands, const char* label)
    : device_(device), commands_(commands) {
    if (!device.instance().debug_names() || !device.vk().CmdBeginDebugUtilsLabelEXT) {
        commands_ = VK_NULL_HANDLE;
        return;
    }
    auto info = vk_struct<VkDebugUtilsLabelEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT);
    info.pLabelName = label;
    device.vk().CmdBeginDebugUtilsLabelEXT(commands, &info);
}

CommandLabel::~CommandLabel() {
    if (commands_ != VK_NULL_HANDLE)
        device_.vk().CmdEndDebugUtilsLabelEXT(commands_);
}

} // namespace kobalt::vulkan
