// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A Vulkan loader that hands all on to the real one and counts instances and the enumerations of
// instance extensions, for each of which that one opens every driver.
#include <cstring>

#include <dlfcn.h>
#include <vulkan/vulkan.h>

namespace {

int enumerations = 0;
int instances = 0;
PFN_vkCreateInstance real_create = nullptr;
PFN_vkEnumerateInstanceExtensionProperties real_enumerate = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL enumerate(const char* layer, uint32_t* count,
                                         VkExtensionProperties* list) {
    ++enumerations;
    return real_enumerate(layer, count, list);
}

VKAPI_ATTR VkResult VKAPI_CALL create(const VkInstanceCreateInfo* info,
                                      const VkAllocationCallbacks* allocator,
                                      VkInstance* instance) {
    ++instances;
    return real_create(info, allocator, instance);
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] int kobalt_counted_instances() {
    return instances;
}

[[gnu::visibility("default")]] int kobalt_counted_enumerations() {
    return enumerations;
}

[[gnu::visibility("default")]] VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char* name) {
    static void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    static const auto real =
        library
            ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"))
            : nullptr;
    if (!real)
        return nullptr;
    const PFN_vkVoidFunction found = real(instance, name);
    if (!instance && std::strcmp(name, "vkCreateInstance") == 0) {
        real_create = reinterpret_cast<PFN_vkCreateInstance>(found);
        return reinterpret_cast<PFN_vkVoidFunction>(create);
    }
    if (instance || std::strcmp(name, "vkEnumerateInstanceExtensionProperties") != 0)
        return found;
    real_enumerate = reinterpret_cast<PFN_vkEnumerateInstanceExtensionProperties>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(enumerate);
}
}
