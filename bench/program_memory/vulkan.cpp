// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan.h"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <dlfcn.h>

namespace kobalt::memory {

namespace {

[[noreturn]] void stop(const std::string& text) {
    std::fprintf(stderr, "kobalt-program-memory: %s\n", text.c_str());
    std::exit(2);
}

VkPhysicalDevice chosen(const Vulkan& vk) {
    uint32_t count = 0;
    need(vk.EnumeratePhysicalDevices(vk.instance, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> all(count);
    need(vk.EnumeratePhysicalDevices(vk.instance, &count, all.data()),
         "vkEnumeratePhysicalDevices");
    const char* wanted = std::getenv("KOBALT_DEVICE");
    VkPhysicalDevice first = nullptr;
    for (uint32_t i = 0; i < count; ++i) {
        VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
        vk.GetPhysicalDeviceProperties2(all[i], &properties);
        const std::string name = properties.properties.deviceName;
        if (wanted != nullptr && *wanted != 0) {
            if (name.find(wanted) != std::string::npos || std::to_string(i) == wanted)
                return all[i];
        } else if (properties.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) {
            return all[i];
        } else if (first == nullptr) {
            first = all[i];
        }
    }
    if (first == nullptr)
        stop(wanted != nullptr ? std::string("no Vulkan device is called ") + wanted +
                                     ": KOBALT_DEVICE takes a part of a name, or a number"
                               : "there is no Vulkan device: install the GPU's Vulkan driver");
    return first;
}

std::set<std::string> extensions_of(const Vulkan& vk) {
    uint32_t count = 0;
    vk.EnumerateDeviceExtensionProperties(vk.physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    vk.EnumerateDeviceExtensionProperties(vk.physical, nullptr, &count, all.data());
    std::set<std::string> names;
    for (const VkExtensionProperties& one : all)
        names.insert(one.extensionName);
    return names;
}

/// The features that are queried, and then enabled where the device has them.
struct Features {
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT vertex_input{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT};
    VkPhysicalDeviceVulkan13Features core13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features core12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};

    /// Whether the device has the states of VK_EXT_extended_dynamic_state3 that Drawing sets.
    bool dynamic() const {
        return dynamic3.extendedDynamicState3PolygonMode &&
               dynamic3.extendedDynamicState3RasterizationSamples &&
               dynamic3.extendedDynamicState3SampleMask &&
               dynamic3.extendedDynamicState3AlphaToCoverageEnable &&
               dynamic3.extendedDynamicState3ColorBlendEnable &&
               dynamic3.extendedDynamicState3ColorWriteMask;
    }
};

void create_device(Vulkan& vk) {
    const std::set<std::string> offered = extensions_of(vk);
    std::vector<const char*> enabled;
    Features features;
    const auto chain = [&features](auto& link) {
        link.pNext = features.all.pNext;
        features.all.pNext = &link;
    };
    const auto extend = [&](const char* name, auto& link) {
        if (!offered.contains(name))
            return;
        enabled.push_back(name);
        chain(link);
    };
    chain(features.core12);
    chain(features.core13);
    if (offered.contains("VK_KHR_pipeline_library")) {
        enabled.push_back("VK_KHR_pipeline_library");
        extend("VK_EXT_graphics_pipeline_library", features.libraries);
    }
    extend("VK_EXT_shader_object", features.objects);
    extend("VK_EXT_descriptor_buffer", features.descriptor_buffer);
    extend("VK_EXT_extended_dynamic_state3", features.dynamic3);
    extend("VK_EXT_vertex_input_dynamic_state", features.vertex_input);
    vk.GetPhysicalDeviceFeatures2(vk.physical, &features.all);
    if (!features.core13.dynamicRendering)
        stop(vk.name + " lacks dynamic rendering (Vulkan 1.3)");
    // Core features stay off: each enabled one would add state that must be set for shader objects.
    features.all.features = {};
    const VkBool32 addresses = features.core12.bufferDeviceAddress;
    features.core12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                       features.core12.pNext};
    features.core12.bufferDeviceAddress = addresses;
    features.core12.timelineSemaphore = VK_TRUE; // these two are in every Vulkan 1.3
    features.core13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                       features.core13.pNext};
    features.core13.dynamicRendering = VK_TRUE;
    features.core13.synchronization2 = VK_TRUE;
    vk.abilities = {features.libraries.graphicsPipelineLibrary == VK_TRUE,
                    features.objects.shaderObject == VK_TRUE,
                    features.descriptor_buffer.descriptorBuffer == VK_TRUE,
                    features.dynamic() && features.vertex_input.vertexInputDynamicState == VK_TRUE};

    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = vk.queue_family; // the first queue draws on every device
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features.all;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<uint32_t>(enabled.size());
    info.ppEnabledExtensionNames = enabled.data();
    need(vk.CreateDevice(vk.physical, &info, nullptr, &vk.device), "vkCreateDevice");
}

} // namespace

void need(VkResult result, const char* what) {
    if (result != VK_SUCCESS)
        stop(std::string(what) + " failed with VkResult " + std::to_string(result));
}

Vulkan open_vulkan(const std::function<void(const char*)>& reached) {
    void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        stop("libvulkan.so.1 can't be loaded: install the Vulkan loader");
    reached("loader");
    const auto get =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
    Vulkan vk;
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    const auto enumerate = reinterpret_cast<PFN_vkEnumerateInstanceExtensionProperties>(
        get(nullptr, "vkEnumerateInstanceExtensionProperties"));
    uint32_t extensions = 0;
    need(enumerate(nullptr, &extensions, nullptr), "vkEnumerateInstanceExtensionProperties");
    reached("extensions"); // the loader opens and closes each driver for that
    need(create(&info, nullptr, &vk.instance), "vkCreateInstance");
    reached("instance");
#define KOBALT_MEMORY_LOAD(name)                                                                   \
    vk.name = reinterpret_cast<PFN_vk##name>(get(vk.instance, "vk" #name));
    KOBALT_MEMORY_INSTANCE(KOBALT_MEMORY_LOAD)
#undef KOBALT_MEMORY_LOAD
    vk.physical = chosen(vk);
    VkPhysicalDeviceVulkan12Properties core12{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    properties.pNext = &core12;
    vk.GetPhysicalDeviceProperties2(vk.physical, &properties);
    vk.name = properties.properties.deviceName;
    vk.is_cpu = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    vk.driver = std::string(core12.driverName) + " " + core12.driverInfo;
    vk.GetPhysicalDeviceMemoryProperties(vk.physical, &vk.memory);
    reached("devices");
    create_device(vk);
    reached("device");
#define KOBALT_MEMORY_LOAD(name)                                                                   \
    vk.name = reinterpret_cast<PFN_vk##name>(vk.GetDeviceProcAddr(vk.device, "vk" #name));
    KOBALT_MEMORY_DEVICE(KOBALT_MEMORY_LOAD)
    if (vk.abilities.objects) {
        KOBALT_MEMORY_OBJECTS(KOBALT_MEMORY_LOAD)
    }
#undef KOBALT_MEMORY_LOAD
    vk.GetDeviceQueue(vk.device, vk.queue_family, 0, &vk.queue);
    return vk;
}

} // namespace kobalt::memory
