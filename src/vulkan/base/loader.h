// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"

#include <memory>

namespace kobalt::vulkan {

/// The Vulkan loader library, opened at run time so that a missing library gives an error message
/// instead of a failure of the dynamic linker.
class Loader {
public:
    /// Opens `path`, or libvulkan.so.1 where it is empty. Fails with
    /// VK_ERROR_INITIALIZATION_FAILED and a text that says what to install.
    static Result<std::shared_ptr<const Loader>> open(const std::string& path = {});

    ~Loader() = default;
    Loader(const Loader&) = delete;
    Loader& operator=(const Loader&) = delete;

    PFN_vkGetInstanceProcAddr get_instance_proc_addr() const { return get_instance_proc_addr_; }

private:
    Loader(void* library, PFN_vkGetInstanceProcAddr entry)
        : library_(library), get_instance_proc_addr_(entry) {}

    /// The library stays open: drivers keep threads and thread-local destructors past
    /// vkDestroyInstance, and would crash at exit if their code were unmapped.
    [[maybe_unused]] void* library_;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr_;
};

} // namespace kobalt::vulkan
