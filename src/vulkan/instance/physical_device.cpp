// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/instance/physical_device.h"

#include "vulkan/capabilities/device_chain.h"
#include "vulkan/instance/prime.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace kobalt::vulkan {

namespace {

std::string lower(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string without_dashes(std::string text) {
    std::erase(text, '-');
    return text;
}

bool is_uuid(const std::string& text) {
    const std::string digits = without_dashes(text);
    return digits.size() == size_t{2} * VK_UUID_SIZE &&
           std::all_of(digits.begin(), digits.end(),
                       [](unsigned char c) { return std::isxdigit(c); });
}

bool is_index(const std::string& text) {
    return !text.empty() && text.size() <= 9 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool matches(const PhysicalDevice& device, const std::string& wanted) {
    if (wanted.empty())
        return true;
    if (is_uuid(wanted))
        return lower(without_dashes(wanted)) == without_dashes(device.properties().uuid());
    if (is_index(wanted))
        return device.index == std::stoul(wanted);
    return lower(device.properties().name()).find(lower(wanted)) != std::string::npos;
}

uint64_t type_rank(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 1;
    default:
        return 0;
    }
}

uint64_t score(const PhysicalDevice& device) {
    const uint64_t mebibytes = device.properties().device_local_bytes() >> 20;
    return type_rank(device.properties().core.deviceType) * 1'000'000'000 +
           std::min<uint64_t>(mebibytes, 999'999'999);
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

bool has_main_queue(const std::vector<VkQueueFamilyProperties>& families) {
    constexpr VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    return std::any_of(families.begin(), families.end(), [](const VkQueueFamilyProperties& f) {
        return f.queueCount > 0 && (f.queueFlags & needed) == needed;
    });
}

/// What Linux says of the GPU that the firmware used.
bool is_boot_display(const PhysicalDevice& device) {
    const std::string address = pci_address(device);
    char flag = '0';
    return !address.empty() &&
           std::ifstream("/sys/bus/pci/devices/" + address + "/boot_vga").get(flag) && flag == '1';
}

/// Without them the device offers nearly nothing, so each call that fails is made once more.
std::vector<VkExtensionProperties> extensions_of(const Instance& instance,
                                                 VkPhysicalDevice handle) {
    std::vector<VkExtensionProperties> list;
    const auto ask = [&] {
        uint32_t count = 0;
        const PFN_vkEnumerateDeviceExtensionProperties enumerate =
            instance.vk().EnumerateDeviceExtensionProperties;
        VkResult result = enumerate(handle, nullptr, &count, nullptr);
        list.resize(result >= 0 ? count : 0);
        if (result >= 0)
            result = enumerate(handle, nullptr, &count, list.data());
        list.resize(result >= 0 ? count : 0);
        return result;
    };
    VkResult result = ask();
    if (result < 0)
        result = ask();
    if (result < 0)
        instance.log().error(Error{result, "vkEnumerateDeviceExtensionProperties", {}}.to_string());
    return list;
}

PhysicalDevice read_device(const Instance& instance, VkPhysicalDevice handle, uint32_t index) {
    const InstanceDispatch& vk = instance.vk();
    PhysicalDevice device;
    device.handle = handle;
    device.index = index;
    DeviceOffer& offer = device.offer;

    for (const VkExtensionProperties& extension : extensions_of(instance, handle))
        offer.extensions.insert(extension.extensionName);
    // A device extension is unusable if the instance extension that it needs is missing.
    if (!instance.has_extension("VK_EXT_surface_maintenance1"))
        offer.extensions.erase("VK_EXT_swapchain_maintenance1");

    vk.GetPhysicalDeviceProperties(handle, &offer.properties.core);
    const bool profile = offer.properties.core.apiVersion >= VK_API_VERSION_1_3;
    auto properties =
        vk_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    auto features =
        vk_struct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    if (std::min(offer.properties.core.apiVersion, instance.api_version()) >= VK_API_VERSION_1_4)
        offer.extensions.insert(core_1_4);
    // Below 1.3 only the identity matters: the device is rejected anyway.
    if (profile) {
        properties.pNext = chain(offer.properties, offer.extensions, true);
        features.pNext = chain(offer.features, offer.extensions, true);
        vk.GetPhysicalDeviceProperties2(handle, &properties);
        vk.GetPhysicalDeviceFeatures2(handle, &features);
        offer.properties.core = properties.properties;
        offer.features.core = features.features;
        unchain(offer.properties);
        unchain(offer.features);
        if (offer.features.vulkan14.maintenance6)
            offer.features.maintenance6.maintenance6 = VK_TRUE; // also where it isn't listed
    }
    vk.GetPhysicalDeviceMemoryProperties(handle, &offer.properties.memory);

    uint32_t count = 0;
    vk.GetPhysicalDeviceQueueFamilyProperties(handle, &count, nullptr);
    device.queue_families.resize(count);
    vk.GetPhysicalDeviceQueueFamilyProperties(handle, &count, device.queue_families.data());

    device.missing = missing_from_profile(offer);
    if (!has_main_queue(device.queue_families))
        device.missing.push_back("a queue for graphics and compute");
    device.score = score(device);
    device.boot_display = is_boot_display(device);
    return device;
}

/// The verdict on the best device.
std::string why_chosen(const PhysicalDevice& best, const PhysicalDevice* preferred,
                       const std::string& wanted, const std::string& prime) {
    if (!wanted.empty())
        return "chosen: highest score among those that KOBALT_DEVICE=" + wanted + " allows";
    return &best == preferred ? "chosen: DRI_PRIME=" + prime + " names it"
                              : "chosen: highest score";
}

std::string why_not_chosen(const PhysicalDevice& device, const PhysicalDevice& best,
                           bool best_is_preferred, const std::string& prime) {
    const std::string index = std::to_string(best.index);
    if (best_is_preferred)
        return "not chosen: DRI_PRIME=" + prime + " names device " + index;
    return "not chosen: device " + index +
           (device.score < best.score ? " scores higher" : " has the same score and comes first");
}

/// Which release the driver of `device`, which is below the profile, has to be; in brackets, empty
/// where that isn't known. Debian 12's lavapipe is the one that people meet.
std::string release_needed(const PhysicalDevice& device) {
    if (device.properties().vulkan12.driverID != VK_DRIVER_ID_MESA_LLVMPIPE)
        return {};
    return std::string(" (lavapipe has to be of Mesa 23.2 or newer, this one is \"") +
           device.properties().vulkan12.driverInfo +
           "\"; Debian 12: mesa-vulkan-drivers of bookworm-backports)";
}

/// The device that DRI_PRIME names and that can be had. Null: there is none; `remark` says why
/// where DRI_PRIME is set.
const PhysicalDevice* preferred_device(const std::vector<PhysicalDevice>& devices,
                                       const std::string& prime, std::string& remark) {
    if (prime.empty() || prime == "0")
        return nullptr;
    const std::optional<size_t> named = find_prime_device(devices, prime);
    if (named && devices[*named].missing.empty())
        return &devices[*named];
    remark = "DRI_PRIME=" + prime +
             (named ? " has no effect: device " + std::to_string(devices[*named].index) +
                          " is below the profile"
                    : " has no effect: it names no other GPU of this machine");
    return nullptr;
}

} // namespace

const char* device_type_name(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "CPU";
    default:
        return "other";
    }
}

Result<std::vector<PhysicalDevice>> enumerate_physical_devices(const Instance& instance) {
    uint32_t count = 0;
    VkResult result = instance.vk().EnumeratePhysicalDevices(instance.handle(), &count, nullptr);
    std::vector<VkPhysicalDevice> handles(count);
    if (result == VK_SUCCESS)
        result = instance.vk().EnumeratePhysicalDevices(instance.handle(), &count, handles.data());
    if (result < 0)
        return fail(result, "vkEnumeratePhysicalDevices", "the instance");
    handles.resize(count);
    std::vector<PhysicalDevice> devices;
    devices.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
        devices.push_back(read_device(instance, handles[i], i));
    return devices;
}

Result<DeviceSelection> judge_physical_devices(std::vector<PhysicalDevice> devices,
                                               const std::string& wanted,
                                               const std::string& prime) {
    if (devices.empty())
        return fail(VK_ERROR_INITIALIZATION_FAILED, "choosing a Vulkan device",
                    "this machine (no Vulkan driver offers a device; Debian: mesa-vulkan-drivers, "
                    "or your GPU vendor's)");
    const PhysicalDevice* best = nullptr;
    for (PhysicalDevice& device : devices) {
        device.score = score(device);
        device.chosen = false;
        device.matches = matches(device, wanted);
        if (!device.matches)
            device.verdict = "rejected: KOBALT_DEVICE=" + wanted + " excludes it";
        else if (!device.missing.empty())
            device.verdict = "rejected: below the profile, it lacks " + join(device.missing) +
                             release_needed(device);
        else if (!best || device.score > best->score)
            best = &device;
    }
    if (!best) {
        std::string why;
        for (const PhysicalDevice& device : devices)
            why += (why.empty() ? "" : "; ") + std::to_string(device.index) + " \"" +
                   device.properties().name() + "\" " + device.verdict;
        return fail(VK_ERROR_INITIALIZATION_FAILED, "choosing a Vulkan device", why);
    }
    DeviceSelection selection;
    const PhysicalDevice* preferred =
        wanted.empty() ? preferred_device(devices, prime, selection.remark) : nullptr;
    if (preferred)
        best = preferred;
    for (PhysicalDevice& device : devices) {
        if (&device == best) {
            device.chosen = true;
            device.verdict = why_chosen(device, preferred, wanted, prime);
        } else if (device.verdict.empty()) {
            device.verdict = why_not_chosen(device, *best, preferred != nullptr, prime);
        }
    }
    selection.chosen = static_cast<size_t>(best - devices.data());
    selection.devices = std::move(devices);
    return selection;
}

Result<DeviceSelection> select_physical_device(const Instance& instance) {
    Result<std::vector<PhysicalDevice>> devices = enumerate_physical_devices(instance);
    if (!devices)
        return std::unexpected(devices.error());
    return judge_physical_devices(std::move(*devices), instance.environment().device,
                                  instance.environment().dri_prime);
}

} // namespace kobalt::vulkan
