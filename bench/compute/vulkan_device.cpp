// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_device.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <dlfcn.h>

namespace kobalt::compute {

namespace {

/// What a choice among devices depends on.
struct Identity {
    VkPhysicalDevice physical = nullptr;
    std::string name, driver;
    Uuid uuid{};
    bool is_cpu = false;
    std::size_t most_bytes = 0;
};

Identity identity_of(const Device& vk, VkPhysicalDevice physical) {
    VkPhysicalDeviceVulkan12Properties core12{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceVulkan11Properties core11{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, &core12};
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &core11};
    vk.GetPhysicalDeviceProperties2(physical, &all);
    Identity one;
    one.physical = physical;
    one.name = all.properties.deviceName;
    one.driver = std::string(core12.driverName) + " " + core12.driverInfo;
    std::ranges::copy(core11.deviceUUID, one.uuid.begin());
    one.is_cpu = all.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    one.most_bytes = all.properties.limits.maxStorageBufferRange;
    return one;
}

/// The device that KOBALT_DEVICE names, or the first GPU, or the first of all.
Result<Identity> usual_of(const std::vector<Identity>& all) {
    const char* wanted = std::getenv("KOBALT_DEVICE");
    for (std::size_t i = 0; wanted != nullptr && *wanted != 0 && i < all.size(); ++i) {
        if (all[i].name.find(wanted) != std::string::npos || std::to_string(i) == wanted) {
            return all[i];
        }
    }
    const auto gpu = std::ranges::find(all, false, &Identity::is_cpu);
    if (all.empty()) {
        return std::unexpected("there is no Vulkan device: install the GPU's Vulkan driver");
    }
    return gpu != all.end() ? *gpu : all.front();
}

/// The first family that draws and computes, as Kobalt's; else the first that computes.
Result<std::uint32_t> family_of(const Device& vk, VkPhysicalDevice physical) {
    std::uint32_t count = 0;
    vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> all(count);
    vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, all.data());
    for (const VkQueueFlags wanted : {VkQueueFlags{VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT},
                                      VkQueueFlags{VK_QUEUE_COMPUTE_BIT}}) {
        for (std::uint32_t i = 0; i < count; ++i) {
            if ((all[i].queueFlags & wanted) == wanted) {
                return i;
            }
        }
    }
    return std::unexpected(vk.name + " has no queue that computes");
}

bool has_extension(const Device& vk, VkPhysicalDevice physical, std::string_view name) {
    std::uint32_t count = 0;
    vk.EnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    vk.EnumerateDeviceExtensionProperties(physical, nullptr, &count, all.data());
    return std::ranges::any_of(
        all, [name](const VkExtensionProperties& one) { return name == one.extensionName; });
}

} // namespace

Result<void> done(VkResult result, const char* what) {
    if (result == VK_SUCCESS) {
        return {};
    }
    return std::unexpected(std::string(what) + " failed with VkResult " + std::to_string(result));
}

Result<void> Device::create_instance() {
    library_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
        return std::unexpected("libvulkan.so.1 can't be loaded: install the Vulkan loader");
    }
    get_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library_, "vkGetInstanceProcAddr"));
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(get_(nullptr, "vkCreateInstance"));
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    if (auto good = done(create(&info, nullptr, &instance_), "vkCreateInstance"); !good) {
        return good;
    }
#define KOBALT_COMPUTE_LOAD(name)                                                                  \
    name = reinterpret_cast<PFN_vk##name>(get_(instance_, "vk" #name));
    KOBALT_COMPUTE_INSTANCE(KOBALT_COMPUTE_LOAD)
#undef KOBALT_COMPUTE_LOAD
    return {};
}

Result<void> Device::choose(const Uuid& uuid) {
    std::uint32_t count = 0;
    EnumeratePhysicalDevices(instance_, &count, nullptr);
    std::vector<VkPhysicalDevice> handles(count);
    if (auto good = done(EnumeratePhysicalDevices(instance_, &count, handles.data()),
                         "vkEnumeratePhysicalDevices");
        !good) {
        return good;
    }
    std::vector<Identity> all;
    for (const VkPhysicalDevice handle : handles) {
        all.push_back(identity_of(*this, handle));
    }
    const auto same = std::ranges::find(all, uuid, &Identity::uuid);
    is_of_uuid = same != all.end() && uuid != Uuid{};
    const Result<Identity> chosen = is_of_uuid ? *same : usual_of(all);
    if (!chosen) {
        return std::unexpected(chosen.error());
    }
    physical_ = chosen->physical;
    name = chosen->name;
    driver = chosen->driver;
    is_cpu = chosen->is_cpu;
    most_bytes = chosen->most_bytes;
    GetPhysicalDeviceMemoryProperties(physical_, &memory);
    return {};
}

Result<void> Device::create_device() {
    if (!has_extension(*this, physical_, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) {
        return std::unexpected(name + " lacks VK_KHR_push_descriptor");
    }
    const Result<std::uint32_t> found = family_of(*this, physical_);
    if (!found) {
        return std::unexpected(found.error());
    }
    family = *found;
    VkPhysicalDeviceVulkan12Features core12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &core12};
    GetPhysicalDeviceFeatures2(physical_, &features);
    has_fp16 = core12.shaderFloat16 == VK_TRUE;
    VkPhysicalDeviceVulkan12Features enabled{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    enabled.shaderFloat16 = core12.shaderFloat16;

    const float priority = 1;
    VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queues.queueFamilyIndex = family;
    queues.queueCount = 1;
    queues.pQueuePriorities = &priority;
    const char* extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &enabled};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queues;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    if (auto good = done(CreateDevice(physical_, &info, nullptr, &device), "vkCreateDevice");
        !good) {
        return good;
    }
#define KOBALT_COMPUTE_LOAD(name)                                                                  \
    name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
    KOBALT_COMPUTE_DEVICE(KOBALT_COMPUTE_LOAD)
#undef KOBALT_COMPUTE_LOAD
    GetDeviceQueue(device, family, 0, &queue);
    return {};
}

Result<std::unique_ptr<Device>> Device::open(const Uuid& uuid) {
    auto opened = std::make_unique<Device>();
    auto good = opened->create_instance();
    if (good) {
        good = opened->choose(uuid);
    }
    if (good) {
        good = opened->create_device();
    }
    if (!good) {
        return std::unexpected(good.error());
    }
    return opened;
}

Device::~Device() {
    if (device != nullptr) {
        DestroyDevice(device, nullptr);
    }
    if (instance_ != nullptr) {
        DestroyInstance(instance_, nullptr);
    }
    if (library_ != nullptr) {
        dlclose(library_);
    }
}

} // namespace kobalt::compute
