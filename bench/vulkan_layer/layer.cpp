// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_layer/layer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <utility>

namespace kobalt::layer {
namespace {

/// The next functions below this layer, by dispatch table. It must need no destructor, since
/// drivers call Vulkan from their exit handlers.
template <class Function>
class Below {
public:
    bool set(void* table, Function function) {
        const std::lock_guard lock(mutex_);
        Entry* entry = find(nullptr);
        if (entry)
            *entry = {table, function};
        return entry;
    }
    Function get(void* table) {
        const std::lock_guard lock(mutex_);
        const Entry* entry = find(table);
        return entry ? entry->function : nullptr;
    }
    Function take(void* table) {
        const std::lock_guard lock(mutex_);
        Entry* entry = find(table);
        return entry ? std::exchange(*entry, {}).function : nullptr;
    }

private:
    struct Entry {
        void* table = nullptr;
        Function function = nullptr;
    };
    Entry* find(void* table) {
        const auto found = std::ranges::find(entries_, table, &Entry::table);
        return found == entries_.end() ? nullptr : &*found;
    }
    std::mutex mutex_; ///< guards entries_
    std::array<Entry, 32> entries_{};
};
constinit Below<PFN_vkGetInstanceProcAddr> instances;
/// Queried at creation: when an instance is destroyed, the loader no longer finds its functions.
constinit Below<PFN_vkDestroyInstance> instance_ends;
constinit Below<PFN_vkGetDeviceProcAddr> devices;

/// Returns the link that the loader put into the creation structure for this layer, and advances it
/// for the next layer.
template <class CreateInfo>
auto* take_link(const void* chain, VkStructureType type) {
    for (auto* info = static_cast<CreateInfo*>(const_cast<void*>(chain)); info;
         info = static_cast<CreateInfo*>(const_cast<void*>(info->pNext)))
        if (info->sType == type && info->function == VK_LAYER_LINK_INFO) {
            auto* link = info->u.pLayerInfo;
            info->u.pLayerInfo = link->pNext;
            return link;
        }
    return static_cast<decltype(CreateInfo{}.u.pLayerInfo)>(nullptr);
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkInstance* instance) {
    const auto* link = take_link<VkLayerInstanceCreateInfo>(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->pfnNextGetInstanceProcAddr;
    const auto create =
        reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
    const VkResult result = create(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    const auto end = reinterpret_cast<PFN_vkDestroyInstance>(next(*instance, "vkDestroyInstance"));
    if (!instances.set(table_of(*instance), next) || !instance_ends.set(table_of(*instance), end))
        return VK_ERROR_INITIALIZATION_FAILED;
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                            const VkAllocationCallbacks* allocator) {
    if (!instance)
        return;
    void* table = table_of(instance);
    instances.take(table);
    if (const auto end = instance_ends.take(table))
        end(instance, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* device) {
    const auto* link = take_link<VkLayerDeviceCreateInfo>(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetDeviceProcAddr next = link->pfnNextGetDeviceProcAddr;
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(
        link->pfnNextGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateDevice"));
    const VkResult result = create(physical, info, allocator, device);
    if (result == VK_SUCCESS &&
        (!devices.set(table_of(*device), next) || !device_made(*device, next)))
        return VK_ERROR_INITIALIZATION_FAILED;
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* allocator) {
    if (!device)
        return;
    device_ends(device);
    const auto next = devices.take(table_of(device));
    reinterpret_cast<PFN_vkDestroyDevice>(next(device, "vkDestroyDevice"))(device, allocator);
}

/// What the program gets for the function `name`, which is `function` below the layer.
PFN_vkVoidFunction replaced(const char* name, PFN_vkVoidFunction function) {
    const PFN_vkVoidFunction ours = function ? replacement(name, function) : nullptr;
    return ours ? ours : function;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return erased(device_function);
    if (std::strcmp(name, "vkDestroyDevice") == 0)
        return erased(destroy_device);
    const auto next = devices.get(table_of(device));
    return replaced(name, next ? next(device, name) : nullptr);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
    const std::string_view wanted = name;
    if (wanted == "vkGetInstanceProcAddr")
        return erased(instance_function);
    if (wanted == "vkCreateInstance")
        return erased(create_instance);
    if (wanted == "vkDestroyInstance")
        return erased(destroy_instance);
    if (wanted == "vkCreateDevice")
        return replaced(name, erased(create_device));
    if (wanted == "vkGetDeviceProcAddr")
        return erased(device_function);
    if (wanted == "vkDestroyDevice")
        return erased(destroy_device);
    const auto next = instance ? instances.get(table_of(instance)) : nullptr;
    return replaced(name, next ? next(instance, name) : nullptr);
}

} // namespace
} // namespace kobalt::layer

/// The entry point for the loader (Loader and Layer Interface, layer interface version 2).
extern "C" __attribute__((visibility("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    if (version->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    version->loaderLayerInterfaceVersion = 2;
    version->pfnGetInstanceProcAddr = kobalt::layer::instance_function;
    version->pfnGetDeviceProcAddr = kobalt::layer::device_function;
    version->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
