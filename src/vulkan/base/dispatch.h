// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/dispatch_list_device.h"
#include "vulkan/base/dispatch_list_instance.h"
#include "vulkan/base/vk.h"

#include <atomic>

namespace kobalt::vulkan {

#define KOBALT_MEMBER(command) PFN_vk##command command = nullptr;

/// Commands that need no instance.
struct GlobalDispatch {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
    KOBALT_GLOBAL_COMMANDS(KOBALT_MEMBER)

    void load(PFN_vkGetInstanceProcAddr entry);
};

/// Commands of an instance or a physical device: vkFoo is the member Foo. Commands of extensions
/// that are not enabled are null.
struct InstanceDispatch {
    KOBALT_INSTANCE_COMMANDS(KOBALT_MEMBER)

    void load(PFN_vkGetInstanceProcAddr entry, VkInstance instance);
};

/// Commands of a device, its queues and command buffers, fetched past the loader's trampoline. A
/// command that both an EXT and a KHR extension bring (CmdSetLineStippleEXT,
/// GetCalibratedTimestampsEXT) has its EXT name here, whichever extension is enabled. A command
/// that Vulkan 1.4 took from a KHR extension (CmdPushDescriptorSetKHR) has its KHR name.
struct DeviceDispatch {
    KOBALT_DEVICE_COMMANDS(KOBALT_MEMBER)

    /// A device that hangs (Device::give_up) may use its objects until the process ends, so none is
    /// destroyed.
    bool keeps_objects() const;
    /// False: it did so before.
    bool keep_objects();

    void load(PFN_vkGetDeviceProcAddr entry, VkDevice device);

private:
    std::atomic<bool> keeps_objects_{false};
};

#undef KOBALT_MEMBER

} // namespace kobalt::vulkan
