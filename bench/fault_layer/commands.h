// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include <vulkan/vulkan_core.h>

#include "vulkan/base/dispatch_list_device.h"
#include "vulkan/base/dispatch_list_instance.h"

namespace kobalt::fault {

/// The commands that make surfaces. Kobalt looks them up by name (src/present/surface.cpp).
// clang-format off
#define KOBALT_FAULT_SURFACE_COMMANDS(X) \
    X(CreateXcbSurfaceKHR) \
    X(CreateXlibSurfaceKHR) \
    X(CreateWaylandSurfaceKHR)
// clang-format on

/// The types of those, without the window systems' headers.
using CreateSurface = VkResult(VKAPI_PTR*)(VkInstance, const void*, const VkAllocationCallbacks*,
                                           VkSurfaceKHR*);

/// The commands of devices, instances and windows that Kobalt calls. The index of a command is its
/// place here, which tests/fault/walk.py reads from the same lists.
inline constexpr auto commands = std::to_array<std::string_view>({
#define KOBALT_NAME(command) "vk" #command,
    KOBALT_DEVICE_COMMANDS(KOBALT_NAME) KOBALT_INSTANCE_COMMANDS(KOBALT_NAME)
        KOBALT_FAULT_SURFACE_COMMANDS(KOBALT_NAME)
#undef KOBALT_NAME
});

/// The types of the commands' functions, in the same order; `void*` is the last.
using Functions = std::tuple<
#define KOBALT_TYPE(command) PFN_vk##command,
#define KOBALT_SURFACE_TYPE(command) CreateSurface,
    KOBALT_DEVICE_COMMANDS(KOBALT_TYPE) KOBALT_INSTANCE_COMMANDS(KOBALT_TYPE)
        KOBALT_FAULT_SURFACE_COMMANDS(KOBALT_SURFACE_TYPE)
#undef KOBALT_SURFACE_TYPE
#undef KOBALT_TYPE
            void*>;

} // namespace kobalt::fault
