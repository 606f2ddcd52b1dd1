// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/capabilities/capabilities.h"
#include "vulkan/instance/instance.h"

#include <string>
#include <vector>

namespace kobalt::vulkan {

/// A Vulkan device of this machine, with all data needed to judge it.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    uint32_t index = 0; ///< position among all that are listed
    DeviceOffer offer;
    std::vector<VkQueueFamilyProperties> queue_families;
    std::vector<std::string> missing; ///< what it lacks of the profile
    /// Type first (discrete, integrated, virtual, CPU), then device-local memory in MiB.
    uint64_t score = 0;
    bool boot_display = false; ///< the firmware showed its messages on it (Linux's boot_vga)
    bool matches = true;       ///< KOBALT_DEVICE allows it
    bool chosen = false;
    std::string verdict; ///< one line: why it was chosen or rejected

    const DeviceProperties& properties() const { return offer.properties; }
};

/// All devices and the one chosen.
struct DeviceSelection {
    std::vector<PhysicalDevice> devices;
    size_t chosen = 0;
    std::string remark; ///< why DRI_PRIME has no effect, or empty

    const PhysicalDevice& device() const { return devices[chosen]; }
};

/// Reads every device of the instance, in Vulkan's order, unjudged.
Result<std::vector<PhysicalDevice>> enumerate_physical_devices(const Instance& instance);

/// Judges devices: `wanted` is KOBALT_DEVICE (empty: any; digits: an index; 32 hexadecimal digits:
/// a UUID; else a part of the name, case ignored). Never falls back to a device that `wanted`
/// excludes. The error's object tells for each device why it was rejected.
/// Where `wanted` is empty, the device that `prime` names (DRI_PRIME, see prime.h) comes before
/// those with a higher score. This is a preference: one that can't be had is passed over.
Result<DeviceSelection> judge_physical_devices(std::vector<PhysicalDevice> devices,
                                               const std::string& wanted,
                                               const std::string& prime = {});

/// Enumerates the devices and judges them with the instance's KOBALT_DEVICE and DRI_PRIME.
Result<DeviceSelection> select_physical_device(const Instance& instance);

/// "discrete GPU", "CPU", ...
const char* device_type_name(VkPhysicalDeviceType type);

} // namespace kobalt::vulkan
