// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A Vulkan loader for KOBALT_VULKAN_LOADER: hands everything to libvulkan.so.1, and prints each
// image that is created and each question about images with host transfers, a line each, for
// test_faults.py.
#include <cstdio>
#include <cstring>

#include <dlfcn.h>
#include <vulkan/vulkan_core.h>

namespace {

PFN_vkGetDeviceProcAddr device_functions = nullptr;
PFN_vkCreateImage create_below = nullptr;
PFN_vkGetPhysicalDeviceImageFormatProperties2 ask_below = nullptr;

template <class Function>
PFN_vkVoidFunction erased(Function function) {
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

uint32_t listed_formats(const void* chain) {
    for (auto* next = static_cast<const VkBaseInStructure*>(chain); next; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO)
            return reinterpret_cast<const VkImageFormatListCreateInfo*>(next)->viewFormatCount;
    return 0;
}

VKAPI_ATTR VkResult VKAPI_CALL create_image(VkDevice device, const VkImageCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkImage* image) {
    std::fprintf(stderr, "image format=%d usage=%u listed=%u\n", static_cast<int>(info->format),
                 info->usage, listed_formats(info->pNext));
    return create_below(device, info, allocator, image);
}

VKAPI_ATTR VkResult VKAPI_CALL ask_image_format(VkPhysicalDevice device,
                                                const VkPhysicalDeviceImageFormatInfo2* info,
                                                VkImageFormatProperties2* properties) {
    if (info->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT)
        std::fprintf(stderr, "question format=%d usage=%u listed=%u\n",
                     static_cast<int>(info->format), info->usage, listed_formats(info->pNext));
    return ask_below(device, info, properties);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    const PFN_vkVoidFunction function = device_functions(device, name);
    if (std::strcmp(name, "vkCreateImage") != 0)
        return function;
    create_below = reinterpret_cast<PFN_vkCreateImage>(function);
    return erased(create_image);
}

} // namespace

extern "C" __attribute__((visibility("default"))) PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char* name) {
    static const auto below = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
        dlsym(dlopen("libvulkan.so.1", RTLD_NOW), "vkGetInstanceProcAddr"));
    const PFN_vkVoidFunction function = below(instance, name);
    if (function && std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
        device_functions = reinterpret_cast<PFN_vkGetDeviceProcAddr>(function);
        return erased(device_function);
    }
    if (function && std::strcmp(name, "vkGetPhysicalDeviceImageFormatProperties2") == 0) {
        ask_below = reinterpret_cast<PFN_vkGetPhysicalDeviceImageFormatProperties2>(function);
        return erased(ask_image_format);
    }
    return function;
}
