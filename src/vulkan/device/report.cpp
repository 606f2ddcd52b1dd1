// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/report.h"

#include "vulkan/instance/prime.h"

#include <cstdio>

namespace kobalt::vulkan {

namespace {

std::string version_text(uint32_t version) {
    return std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
           std::to_string(VK_API_VERSION_MINOR(version)) + "." +
           std::to_string(VK_API_VERSION_PATCH(version));
}

std::string padded(std::string_view text, size_t width) {
    std::string result(text);
    if (result.size() < width)
        result.append(width - result.size(), ' ');
    return result;
}

std::string queue_text(const Queue& queue) {
    return "family " + std::to_string(queue.family());
}

} // namespace

std::string device_report(const DeviceSelection& selection) {
    std::string text = "Vulkan devices\n";
    for (const PhysicalDevice& device : selection.devices) {
        const DeviceProperties& p = device.properties();
        text += std::string(device.chosen ? "* " : "  ") + std::to_string(device.index) + "  " +
                p.name() + "\n";
        text += "     " + std::string(device_type_name(p.core.deviceType)) + ", " +
                size_text(p.device_local_bytes()) + " of device memory, Vulkan " +
                version_text(p.core.apiVersion) + ", driver " +
                (p.vulkan12.driverName[0] ? p.vulkan12.driverName : "unknown") + " " +
                p.vulkan12.driverInfo + "\n";
        text += "     uuid " + p.uuid() + ", score " + std::to_string(device.score) + "\n";
        text += "     " + how_to_choose(selection.devices, device) + "\n";
        text += "     " + device.verdict + "\n";
    }
    if (!selection.remark.empty())
        text += "  " + selection.remark + "\n";
    return text;
}

std::string capability_report(Device& device) {
    std::string text = "Queues\n  graphics  " + queue_text(device.graphics()) + "\n";
    text += "  transfer  " +
            (device.has_dedicated_transfer() ? queue_text(device.transfer())
                                             : std::string("the graphics queue")) +
            "\n";
    text += "  compute   " +
            (device.has_dedicated_compute() ? queue_text(device.compute())
                                            : std::string("the graphics queue")) +
            "\n";
    const Device::MemoryUse use = device.device_memory_use();
    text += "Memory\n  " + size_text(use.used_bytes) + " used of " + size_text(use.budget_bytes) +
            " available to this process\n";
    size_t on = 0;
    std::string table;
    for (size_t i = 0; i < capability_count; ++i) {
        const auto capability = static_cast<Capability>(i);
        const CapabilityState& state = device.capabilities().state(capability);
        on += state.enabled;
        table += std::string("  ") + (state.enabled ? "on   " : "off  ") +
                 padded(capability_name(capability), 46) + " " + state.reason + "\n";
    }
    text += "Capabilities (" + std::to_string(on) + " of " + std::to_string(capability_count) +
            " on)\n" + table;
    return text;
}

} // namespace kobalt::vulkan
