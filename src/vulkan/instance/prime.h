// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/instance/physical_device.h"

#include <optional>
#include <span>
#include <string>

namespace kobalt::vulkan {

/// The device that DRI_PRIME names, in the forms that Mesa's drivers take:
/// - "pci-0000_01_00_0": the device at that PCI address;
/// - "10de:2335": the first device of that vendor and device number (hexadecimal);
/// - "2": the second GPU besides the one that shows the display, in the order of PCI addresses; the
///   last one where there are fewer. The display is taken to be on the GPU that the firmware used,
///   else on the first one. CPUs don't count, and "0" names none.
/// A "!" at the end, which asks Mesa's Vulkan layer to hide the others, changes nothing here.
std::optional<size_t> find_prime_device(std::span<const PhysicalDevice> devices,
                                        const std::string& wish);

/// "0000:01:00.0", as Linux names the device; empty where it has no PCI address.
std::string pci_address(const PhysicalDevice& device);

/// The shell's assignments that choose each device, beginning with KOBALT_DEVICE, which works
/// everywhere; DRI_PRIME where it can name the device alone.
std::string how_to_choose(std::span<const PhysicalDevice> devices, const PhysicalDevice& device);

} // namespace kobalt::vulkan
