// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/instance/device_choice.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace kobalt::vulkan {

namespace {

Result<DeviceSelection> judge(std::vector<PhysicalDevice> devices, const Environment& environment,
                              const FindWanted& find) {
    std::string wanted = environment.device;
    if (wanted.empty() && find)
        wanted = find(devices);
    return judge_physical_devices(std::move(devices), wanted, environment.dri_prime);
}

Result<DeviceSelection> judge_devices_of(const Instance& instance, const FindWanted& find) {
    auto devices = enumerate_physical_devices(instance);
    if (!devices)
        return std::unexpected(devices.error());
    return judge(std::move(*devices), instance.environment(), find);
}

/// Whether a device was found, and the one that DRI_PRIME names where that is set.
bool is_met(const Result<DeviceSelection>& selection) {
    return selection && selection->remark.empty();
}

bool is_same(const PhysicalDevice& a, const PhysicalDevice& b) {
    return a.properties().uuid() == b.properties().uuid() &&
           a.properties().name() == b.properties().name();
}

/// The devices of `instance` that aren't among `known`, numbered behind those.
std::vector<PhysicalDevice> others_of(const Instance& instance,
                                      const std::vector<PhysicalDevice>& known) {
    auto devices = enumerate_physical_devices(instance);
    if (!devices)
        return {};
    std::erase_if(*devices, [&](const PhysicalDevice& device) {
        return std::ranges::any_of(
            known, [&](const PhysicalDevice& other) { return is_same(device, other); });
    });
    auto number = static_cast<uint32_t>(known.size());
    for (PhysicalDevice& device : *devices)
        device.index = number++;
    return std::move(*devices);
}

void drop_handles(std::span<PhysicalDevice> devices) {
    for (PhysicalDevice& device : devices)
        device.handle = VK_NULL_HANDLE;
}

Result<DeviceChoice> chosen_of(std::shared_ptr<Instance> instance,
                               Result<DeviceSelection> selection) {
    if (!selection)
        return std::unexpected(selection.error());
    return DeviceChoice{std::move(instance), std::move(*selection)};
}

} // namespace

Result<DeviceChoice> choose_device(const InstanceOptions& options, const FindWanted& find,
                                   Listing listing) {
    auto newest = Instance::create(options);
    if (!newest)
        return std::unexpected(newest.error());
    auto first = judge_devices_of(**newest, find);
    const bool met = is_met(first);
    if ((*newest)->api_version() <= oldest_api_version || (met && listing == Listing::as_needed))
        return chosen_of(std::move(*newest), std::move(first));

    InstanceOptions older_options = options;
    older_options.api_version = oldest_api_version;
    auto older = Instance::create(std::move(older_options));
    auto known = enumerate_physical_devices(**newest);
    if (!older || !known)
        return chosen_of(std::move(*newest), std::move(first));
    std::vector<PhysicalDevice> others = others_of(**older, *known);
    const size_t own = known->size();
    if (!met && !others.empty()) {
        std::vector<PhysicalDevice> all = std::move(*known);
        all.insert(all.end(), others.begin(), others.end());
        auto second = judge(std::move(all), options.environment, find);
        // Where the older instance's devices don't fit either, the first choice stands.
        if (is_met(second) || !first) {
            const bool is_older = second && second->chosen >= own;
            if (second) {
                const std::span<PhysicalDevice> devices = second->devices;
                drop_handles(is_older ? devices.first(own) : devices.subspan(own));
            }
            return chosen_of(is_older ? std::move(*older) : std::move(*newest), std::move(second));
        }
    }
    if (first) {
        drop_handles(others);
        for (PhysicalDevice& device : others)
            device.verdict =
                "not chosen: its driver takes no instance of Vulkan 1.4, so that any other "
                "device that fits comes first";
        std::ranges::move(others, std::back_inserter(first->devices));
    }
    return chosen_of(std::move(*newest), std::move(first));
}

} // namespace kobalt::vulkan
