// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/instance/prime.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <vector>

namespace kobalt::vulkan {

namespace {

/// The whole text as a number; empty: it is none.
std::optional<uint32_t> number(std::string_view text, int base) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

bool has_pci(const PhysicalDevice& device) {
    return device.offer.extensions.contains("VK_EXT_pci_bus_info");
}

bool is_cpu(const PhysicalDevice& device) {
    return device.properties().core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/// The name that udev gives to a device (ID_PATH_TAG), or empty.
std::string pci_tag(const PhysicalDevice& device) {
    std::string tag = pci_address(device);
    std::ranges::replace_if(
        tag, [](char c) { return c == ':' || c == '.'; }, '_');
    return tag.empty() ? tag : "pci-" + tag;
}

std::string id_text(const PhysicalDevice& device) {
    const VkPhysicalDeviceProperties& core = device.properties().core;
    char text[24];
    std::snprintf(text, sizeof text, "%04x:%04x", core.vendorID, core.deviceID);
    return text;
}

template <class Fits>
std::optional<size_t> find(std::span<const PhysicalDevice> devices, Fits fits) {
    const auto found = std::ranges::find_if(devices, fits);
    if (found == devices.end())
        return std::nullopt;
    return static_cast<size_t>(found - devices.begin());
}

std::optional<size_t> by_ids(std::span<const PhysicalDevice> devices, std::string_view vendor,
                             std::string_view device) {
    const std::optional<uint32_t> vendor_id = number(vendor, 16), device_id = number(device, 16);
    return find(devices, [&](const PhysicalDevice& candidate) {
        const VkPhysicalDeviceProperties& core = candidate.properties().core;
        return core.vendorID == vendor_id && core.deviceID == device_id;
    });
}

std::optional<size_t> by_count(std::span<const PhysicalDevice> devices, uint32_t count) {
    std::vector<size_t> gpus;
    for (size_t i = 0; i < devices.size(); ++i)
        if (!is_cpu(devices[i]))
            gpus.push_back(i);
    // Vulkan's order isn't a fixed one: Mesa's layer puts the device first that DRI_PRIME names.
    // Those without an address come last.
    std::ranges::stable_sort(gpus, {}, [&](size_t i) {
        return std::pair(!has_pci(devices[i]), pci_address(devices[i]));
    });
    const auto display =
        std::ranges::find_if(gpus, [&](size_t i) { return devices[i].boot_display; });
    if (!gpus.empty())
        gpus.erase(display == gpus.end() ? gpus.begin() : display);
    if (gpus.empty() || count == 0)
        return std::nullopt;
    return gpus[std::min<size_t>(count, gpus.size()) - 1];
}

/// Whether a part of a device's name excludes every other one.
bool is_only_name(std::span<const PhysicalDevice> devices, const PhysicalDevice& device) {
    return std::ranges::count_if(devices, [&](const PhysicalDevice& other) {
               return other.properties().name().contains(device.properties().name());
           }) == 1;
}

} // namespace

std::string pci_address(const PhysicalDevice& device) {
    if (!has_pci(device))
        return {};
    const VkPhysicalDevicePCIBusInfoPropertiesEXT& pci = device.properties().pci;
    char text[32];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", pci.pciDomain, pci.pciBus, pci.pciDevice,
                  pci.pciFunction);
    return text;
}

std::optional<size_t> find_prime_device(std::span<const PhysicalDevice> devices,
                                        const std::string& wish) {
    std::string_view text = wish;
    if (text.ends_with('!'))
        text.remove_suffix(1);
    if (const size_t colon = text.find(':'); colon != text.npos)
        return by_ids(devices, text.substr(0, colon), text.substr(colon + 1));
    if (const auto count = number(text, 10))
        return by_count(devices, *count);
    return find(devices, [&](const PhysicalDevice& device) {
        return !text.empty() && pci_tag(device) == text;
    });
}

std::string how_to_choose(std::span<const PhysicalDevice> devices, const PhysicalDevice& device) {
    const std::string text = is_only_name(devices, device)
                                 ? "KOBALT_DEVICE='" + device.properties().name() + "'"
                                 : "KOBALT_DEVICE=" + device.properties().uuid();
    const size_t position = static_cast<size_t>(&device - devices.data());
    for (const std::string& prime : {pci_tag(device), id_text(device)})
        if (!prime.empty() && find_prime_device(devices, prime) == position)
            return text + " or DRI_PRIME=" + prime;
    return text;
}

} // namespace kobalt::vulkan
