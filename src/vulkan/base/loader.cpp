// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/loader.h"

#include <dlfcn.h>

namespace kobalt::vulkan {

Result<std::shared_ptr<const Loader>> Loader::open(const std::string& path) {
    const std::string name = path.empty() ? "libvulkan.so.1" : path;
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* why = dlerror();
        return fail(VK_ERROR_INITIALIZATION_FAILED, "opening the Vulkan loader",
                    name + " (" + (why ? why : "no reason given") +
                        "); install it (Debian: libvulkan1) or set KOBALT_VULKAN_LOADER");
    }
    auto entry =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    if (!entry) {
        dlclose(library);
        return fail(VK_ERROR_INITIALIZATION_FAILED, "finding vkGetInstanceProcAddr",
                    name + " (not a Vulkan loader)");
    }
    return std::shared_ptr<const Loader>(new Loader(library, entry));
}

} // namespace kobalt::vulkan
