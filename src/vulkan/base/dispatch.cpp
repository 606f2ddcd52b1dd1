// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/dispatch.h"

namespace kobalt::vulkan {

void GlobalDispatch::load(PFN_vkGetInstanceProcAddr entry) {
    GetInstanceProcAddr = entry;
#define KOBALT_LOAD(command)                                                                       \
    command = reinterpret_cast<PFN_vk##command>(entry(nullptr, "vk" #command));
    KOBALT_GLOBAL_COMMANDS(KOBALT_LOAD)
#undef KOBALT_LOAD
}

void InstanceDispatch::load(PFN_vkGetInstanceProcAddr entry, VkInstance instance) {
#define KOBALT_LOAD(command)                                                                       \
    command = reinterpret_cast<PFN_vk##command>(entry(instance, "vk" #command));
    KOBALT_INSTANCE_COMMANDS(KOBALT_LOAD)
#undef KOBALT_LOAD
}

void DeviceDispatch::load(PFN_vkGetDeviceProcAddr entry, VkDevice device) {
#define KOBALT_LOAD(command)                                                                       \
    command = reinterpret_cast<PFN_vk##command>(entry(device, "vk" #command));
    KOBALT_DEVICE_COMMANDS(KOBALT_LOAD)
#undef KOBALT_LOAD
    if (!CmdSetLineStippleEXT)
        CmdSetLineStippleEXT = CmdSetLineStippleKHR;
    if (!GetCalibratedTimestampsEXT)
        GetCalibratedTimestampsEXT = GetCalibratedTimestampsKHR;
#define KOBALT_LOAD_CORE(command)                                                                  \
    if (!command##KHR)                                                                             \
        command##KHR = reinterpret_cast<PFN_vk##command>(entry(device, "vk" #command));
    KOBALT_LOAD_CORE(CmdPushDescriptorSet)
    KOBALT_LOAD_CORE(CmdPushDescriptorSetWithTemplate)
    KOBALT_LOAD_CORE(CmdBindDescriptorSets2)
    KOBALT_LOAD_CORE(CmdPushConstants2)
    KOBALT_LOAD_CORE(CmdPushDescriptorSet2)
    KOBALT_LOAD_CORE(CmdPushDescriptorSetWithTemplate2)
#undef KOBALT_LOAD_CORE
}

// Not inline: gcc 12 warns of a load from a null table in handles that are empty (i386).
bool DeviceDispatch::keeps_objects() const {
    return keeps_objects_.load(std::memory_order_relaxed);
}

bool DeviceDispatch::keep_objects() {
    return !keeps_objects_.exchange(true, std::memory_order_relaxed);
}

} // namespace kobalt::vulkan
