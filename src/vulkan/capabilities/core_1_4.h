// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

/// A pseudo extension name for the extensions that Vulkan 1.4 made core: a device of that version
/// need not list them (Vulkan 1.4, "Extensions"). Never pass this name to Vulkan.
inline constexpr const char* core_1_4 = "Vulkan 1.4";

} // namespace kobalt::vulkan
