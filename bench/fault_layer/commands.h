// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include <vulkan/vulkan_core.h>

#include "vulkan/base/dispatch_list_device.h"

namespace kobalt::fault {

/// The device commands that Kobalt calls. The index of a command is its place here.
inline constexpr auto commands = std::to_array<std::string_view>({
#define KOBALT_NAME(command) "vk" #command,
    KOBALT_DEVICE_COMMANDS(KOBALT_NAME)
#undef KOBALT_NAME
});

/// The types of the commands' functions, in the same order; `void*` is the last.
using Functions = std::tuple<
#define KOBALT_TYPE(command) PFN_vk##command,
    KOBALT_DEVICE_COMMANDS(KOBALT_TYPE)
#undef KOBALT_TYPE
        void*>;

} // namespace kobalt::fault
