// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The peer's instance, device and memory.
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <set>

#include "vulkan_peer_impl.h"

namespace kobalt::gltest {

VulkanPeer::Impl::~Impl() {
    if (device) {
        QueueWaitIdle(queue);
        for (VkSemaphore semaphore : semaphores) {
            DestroySemaphore(device, semaphore, nullptr);
        }
        DestroyBuffer(device, buffer, nullptr);
        DestroyBuffer(device, readback, nullptr);
        DestroyImage(device, image, nullptr);
        for (VkDeviceMemory memory : memories) {
            FreeMemory(device, memory, nullptr);
        }
        DestroyCommandPool(device, pool, nullptr);
        DestroyDevice(device, nullptr);
    }
    if (instance) {
        DestroyInstance(instance, nullptr);
    }
    // The library stays: layers and drivers have threads in it.
}

bool VulkanPeer::Impl::open(const Uuid& uuid, std::string& why_not) {
    library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto get =
        library
            ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"))
            : nullptr;
    if (!get) {
        why_not = "there is no Vulkan loader";
        return false;
    }
    const VkApplicationInfo app{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                .pApplicationName = "vulkan peer",
                                .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &app};
    const auto create =
        reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
    if (create(&info, nullptr, &instance) != VK_SUCCESS) {
        why_not = "Vulkan makes no instance";
        return false;
    }
#define PEER_LOAD(name) name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name));
    PEER_INSTANCE_COMMANDS(PEER_LOAD)
#undef PEER_LOAD
    return open_device(uuid, why_not);
}

bool VulkanPeer::Impl::open_device(const Uuid& uuid, std::string& why_not) {
    std::uint32_t count = 0;
    EnumeratePhysicalDevices(instance, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    EnumeratePhysicalDevices(instance, &count, devices.data());
    const auto wanted = std::ranges::find_if(devices, [&](VkPhysicalDevice candidate) {
        VkPhysicalDeviceIDProperties id{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 properties{
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
        GetPhysicalDeviceProperties2(candidate, &properties);
        return std::memcmp(id.deviceUUID, uuid.data(), uuid.size()) == 0;
    });
    if (wanted == devices.end()) {
        why_not = "no Vulkan device has the UUID that OpenGL tells";
        return false;
    }
    physical = *wanted;
    GetPhysicalDeviceMemoryProperties(physical, &memory_types);
    EnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> offered(count);
    EnumerateDeviceExtensionProperties(physical, nullptr, &count, offered.data());
    std::set<std::string> names;
    for (const VkExtensionProperties& extension : offered) {
        names.insert(extension.extensionName);
    }
    if (!names.contains("VK_KHR_external_memory_fd")) {
        why_not = "the Vulkan device has no VK_KHR_external_memory_fd";
        return false;
    }
    std::vector<const char*> enabled{"VK_KHR_external_memory_fd"};
    const auto also = [&](const char* name) {
        if (names.contains(name)) {
            enabled.push_back(name);
        }
        return names.contains(name);
    };
    exports_semaphores = also("VK_KHR_external_semaphore_fd");
    exports_dma_bufs = also("VK_EXT_external_memory_dma_buf");
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue_info,
                                  .enabledExtensionCount =
                                      static_cast<std::uint32_t>(enabled.size()),
                                  .ppEnabledExtensionNames = enabled.data()};
    if (CreateDevice(physical, &info, nullptr, &device) != VK_SUCCESS) {
        why_not = "Vulkan makes no device";
        return false;
    }
#define PEER_LOAD(name)                                                                            \
    name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
    PEER_DEVICE_COMMANDS(PEER_LOAD)
#undef PEER_LOAD
    GetDeviceQueue(device, 0, 0, &queue);
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    return CreateCommandPool(device, &pool_info, nullptr, &pool) == VK_SUCCESS;
}

VkDeviceMemory VulkanPeer::Impl::allocate(const VkMemoryRequirements& needs, std::uint64_t size,
                                          bool host_visible, const void* chain) {
    const VkMemoryPropertyFlags wanted =
        host_visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                     : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    for (std::uint32_t i = 0; i < memory_types.memoryTypeCount; ++i) {
        if (!(needs.memoryTypeBits >> i & 1) ||
            (memory_types.memoryTypes[i].propertyFlags & wanted) != wanted) {
            continue;
        }
        const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .pNext = chain,
                                        .allocationSize = size,
                                        .memoryTypeIndex = i};
        VkDeviceMemory memory = VK_NULL_HANDLE;
        if (AllocateMemory(device, &info, nullptr, &memory) != VK_SUCCESS) {
            return VK_NULL_HANDLE;
        }
        memories.push_back(memory);
        return memory;
    }
    return VK_NULL_HANDLE;
}

bool VulkanPeer::Impl::share(const VkMemoryRequirements& needs, std::uint64_t offset,
                             const void* dedicated, SharedMemory& shared, VkDeviceMemory& memory,
                             VkExternalMemoryHandleTypeFlagBits type) {
    shared.offset = (offset + needs.alignment - 1) / needs.alignment * needs.alignment;
    shared.size = shared.offset + needs.size;
    const VkExportMemoryAllocateInfo exported{.sType =
                                                  VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                              .pNext = dedicated,
                                              .handleTypes = type};
    memory = allocate(needs, shared.size, false, &exported);
    if (!memory) {
        return false;
    }
    const VkMemoryGetFdInfoKHR get{
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = type};
    return GetMemoryFdKHR(device, &get, &shared.fd) == VK_SUCCESS;
}

bool VulkanPeer::Impl::make_readback(std::uint64_t bytes) {
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .size = bytes,
                                  .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    CreateBuffer(device, &info, nullptr, &readback);
    VkMemoryRequirements needs{};
    GetBufferMemoryRequirements(device, readback, &needs);
    const VkDeviceMemory memory = allocate(needs, needs.size, true, nullptr);
    return memory && BindBufferMemory(device, readback, memory, 0) == VK_SUCCESS &&
           MapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &readback_bytes) == VK_SUCCESS;
}

} // namespace kobalt::gltest
