// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/dispatch.h"
#include "vulkan/base/environment.h"
#include "vulkan/base/error.h"
#include "vulkan/base/loader.h"
#include "vulkan/base/log.h"

#include <atomic>
#include <memory>
#include <set>
#include <string>

namespace kobalt::vulkan {

/// The version that a device must have (missing_from_profile()), and the newest one that is used.
inline constexpr uint32_t oldest_api_version = VK_API_VERSION_1_3;
inline constexpr uint32_t newest_api_version = VK_API_VERSION_1_4;

struct InstanceOptions {
    std::string app_name = "kobalt";
    Environment environment;
    Log log;
    /// Surface extensions (VK_KHR_surface, xcb, xlib, wayland, headless) are enabled where the
    /// loader offers them unless this is false.
    bool surfaces = true;
    uint32_t api_version = newest_api_version; ///< an older one where no driver takes it
};

/// A VkInstance with its commands, log and, on demand, validation messages. Create it behind a
/// shared_ptr: devices keep it alive.
class Instance {
public:
    static Result<std::shared_ptr<Instance>> create(InstanceOptions options);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance handle() const { return instance_; }
    const InstanceDispatch& vk() const { return vk_; }
    const Log& log() const { return log_; }
    const Environment& environment() const { return environment_; }

    /// The version that the instance was created with: no later version's commands and structures
    /// may be used.
    uint32_t api_version() const { return api_version_; }
    bool has_extension(const std::string& name) const { return enabled_.contains(name); }
    bool validation() const { return validation_; }
    bool debug_names() const { return debug_names_; }

    /// The number of validation messages (warnings and errors) so far, without the suppressed ones.
    uint64_t validation_messages() const {
        return validation_messages_.load(std::memory_order_relaxed);
    }

    PFN_vkGetInstanceProcAddr get_instance_proc_addr() const {
        return loader_->get_instance_proc_addr();
    }
    /// An instance-level command that the dispatch table doesn't hold (platform surfaces).
    template <class Function>
    Function proc(const char* name) const {
        return reinterpret_cast<Function>(loader_->get_instance_proc_addr()(instance_, name));
    }

private:
    Instance() = default;
    static VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                         VkDebugUtilsMessageTypeFlagsEXT types,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data,
                                         void* user);

    std::shared_ptr<const Loader> loader_;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    InstanceDispatch vk_;
    Log log_;
    Environment environment_;
    std::set<std::string> enabled_;
    bool validation_ = false;
    bool gpu_assisted_ = false; ///< KOBALT_DEBUG=descriptors, and the layer has it
    bool debug_names_ = false;
    uint32_t api_version_ = oldest_api_version;
    std::atomic<uint64_t> validation_messages_{0};
};

} // namespace kobalt::vulkan
